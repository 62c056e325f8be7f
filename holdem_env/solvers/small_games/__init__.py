"""Small games solved exactly, and the best response to a strategy."""

from .solution import Solution as Solution
from .solution_file import load_solution as load_solution
from .solving import solve as solve
