"""Configurations, one YAML file per experiment; installed as `holdem_agents.configs`, so `holdem` always finds them."""
