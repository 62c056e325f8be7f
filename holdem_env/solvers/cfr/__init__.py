"""Counterfactual regret minimization with vectors over the hands: what small games and subgames share of it."""
