"""Solvers over the engine's own moves: betting trees, small games, subgames, blueprints."""
