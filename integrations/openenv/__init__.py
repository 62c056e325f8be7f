"""Hold'em for OpenEnv: one seat in words against agents of the catalogue."""

from .client import HoldemEnv
from .models import HoldemAction, HoldemObservation

__all__ = ["HoldemAction", "HoldemEnv", "HoldemObservation"]
