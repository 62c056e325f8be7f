"""Training of value networks (`holdem_env.solvers.values`): examples solved in processes, a network fitted to them."""
