"""PPO in PyTorch and Numba, in which every seat that the latest self plays learns.

`PPO` is the algorithm: it plays `holdem_env.envs.self_play.SelfPlayTables`, keeps decisions in a `RolloutBuffer` until
their hands are over, and learns from them (`loss.py` has the loss). `MemoryPPO` trains networks that remember
earlier hands.
"""

from .algorithm import PPO, Minibatch
from .buffer import RolloutBuffer
from .loss import Losses, log_probabilities
from .memory import MemoryPPO
from .network import ActorCritic, LearningNetwork, card_places, new_network

__all__ = [
    "PPO",
    "ActorCritic",
    "LearningNetwork",
    "Losses",
    "MemoryPPO",
    "Minibatch",
    "RolloutBuffer",
    "card_places",
    "log_probabilities",
    "new_network",
]
