"""Training: configurations, self-play with MaskablePPO, evaluation on the way, leagues, exploiters."""
