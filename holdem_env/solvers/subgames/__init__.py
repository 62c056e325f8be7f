"""The rest of a hand solved with both ranges whole: rivers, turns, small flops."""

from .solution import Solution as Solution
from .subgame import solve_tree as solve_tree
