"""Strategies for whole games, by sampled counterfactual regret minimization, and the agents that play them."""
