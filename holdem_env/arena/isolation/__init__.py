"""Agents in jails, which may crash, hang or pry without harm to the match.

bubblewrap (jail.py) starts a fresh interpreter for each agent and rotation, in namespaces of its own, under a filter of
system calls (seccomp.py), with copies of the agent's files (agent_files.py). There serving.py makes the agent and
answers; agent_process.py talks to it, watches it and ends it; `IsolatedAgent` is what a match sees of it. Cards and
answers go through shared memory, all else as JSON: nothing that comes from a jail is unpickled or run.
"""
