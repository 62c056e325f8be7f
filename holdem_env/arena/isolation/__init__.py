"""Agents in processes of their own, which may crash, hang or pry without harm to the match.

A nursery is a fresh process that has imported this library and no agent. It forks a child for each agent:
confinement.py locks the child in, serving.py makes the agent there and answers, agent_process.py talks to it and
watches it, and `IsolatedAgent` is what a match sees of it. Cards and answers go through shared memory, all else as
JSON: nothing that comes from an agent's process is unpickled or run.
"""
