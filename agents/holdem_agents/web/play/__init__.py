"""The page "Play": tables at which a person plays against agents."""
