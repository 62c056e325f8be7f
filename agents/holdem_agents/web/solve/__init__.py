"""The page "Solve": the rest of a hand, solved for two ranges, and a walk through the solution."""
