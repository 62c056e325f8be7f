"""Experiments, one YAML file each; installed as `holdem_agents.configs`, so that `holdem train` finds them anywhere."""
