"""Small games solved exactly, and the best response to a strategy."""

from .game import game_size as game_size
from .solving import solve as solve
