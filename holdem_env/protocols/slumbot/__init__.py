"""Slumbot, the public heads-up opponent: its protocol, a client, and agents that play against it."""

from .client import SLUMBOT_URL, SlumbotClient
from .hands import GAME, SlumbotError, State, action_of, table_of
from .playing import PlayedHand, SavedHands, play_slumbot

__all__ = [
    "GAME",
    "SLUMBOT_URL",
    "PlayedHand",
    "SavedHands",
    "SlumbotClient",
    "SlumbotError",
    "State",
    "action_of",
    "play_slumbot",
    "table_of",
]
