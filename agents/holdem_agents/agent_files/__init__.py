"""Agents in files: the model file and its format, and the agents that are made of one."""
