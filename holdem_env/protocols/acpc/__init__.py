"""The protocol of the Annual Computer Poker Competition: a dealer for its programs, and its programs as agents."""

from .agent import AcpcAgent
from .dealer import Dealer
from .errors import PlayerFailed
from .games import game_of
from .remote import Limits

__all__ = ["AcpcAgent", "Dealer", "Limits", "PlayerFailed", "game_of"]
