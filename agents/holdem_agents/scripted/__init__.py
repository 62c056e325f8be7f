"""Scripted agents: opponents that need no training, compiled, for every structure and 2 to 10 seats."""

from .calling_station import CallingStation
from .maniac import Maniac
from .random_agent import Random

__all__ = ["CallingStation", "Maniac", "Random"]
