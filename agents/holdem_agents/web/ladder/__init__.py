"""The page "Ladder"."""
