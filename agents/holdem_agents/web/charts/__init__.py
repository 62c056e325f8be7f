"""The page "Charts": preflop strategies of agents, and ranges."""
