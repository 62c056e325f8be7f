"""Configurations, one YAML file per experiment. Installed as `holdem_agents.configs`, so `holdem` finds them anywhere."""
