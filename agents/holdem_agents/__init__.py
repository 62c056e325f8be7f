"""Sample agents for holdem_env, their training, and the `holdem` command line."""
