"""Betting trees: every sequence of moves of chosen sizes, made by playing the engine's moves."""

from .bet_sizes import BetSizes as BetSizes
from .betting_tree import BettingTree as BettingTree
from .betting_tree import TooLarge as TooLarge
