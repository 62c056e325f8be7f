"""Small games solved exactly, and the best response to a strategy."""

from .game import game_size as game_size
from .solution import GameSolution as GameSolution
from .solution import load_solution as load_solution
from .solving import solve as solve
