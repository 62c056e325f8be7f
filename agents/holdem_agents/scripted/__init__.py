"""Scripted agents: compiled opponents without training, for every betting structure and 2 to 10 seats."""

from .always_fold import AlwaysFold
from .calling_station import CallingStation
from .changing import Changing
from .maniac import Maniac
from .pot_odds import PotOdds
from .profile import Profile
from .profiles import loose_aggressive, loose_passive, nit, tight_aggressive
from .random_agent import Random

__all__ = [
    "AlwaysFold",
    "CallingStation",
    "Changing",
    "Maniac",
    "PotOdds",
    "Profile",
    "Random",
    "loose_aggressive",
    "loose_passive",
    "nit",
    "tight_aggressive",
]
