"""Betting trees: every sequence of moves of chosen sizes, made by playing the engine's moves."""
