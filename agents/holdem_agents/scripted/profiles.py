"""The profiles that have names: what players at a table call each other."""

from __future__ import annotations

from .profile import Profile


def tight_aggressive(seed: int = 0) -> Profile:
    """Plays good hands by position, and plays them hard: the one to beat among the scripted agents."""
    return Profile("tight_aggressive", tightness=0.5, aggression=0.95, bluffing=0.25, seed=seed)


def nit(seed: int = 0) -> Profile:
    """Waits for the best hands and does not bluff."""
    return Profile("nit", tightness=0.85, aggression=0.5, bluffing=0.0, seed=seed)


def loose_passive(seed: int = 0) -> Profile:
    """Plays nearly every hand, calls too much and hardly ever raises."""
    return Profile("loose_passive", tightness=0.08, aggression=0.1, bluffing=0.0, seed=seed)


def loose_aggressive(seed: int = 0) -> Profile:
    """Plays many hands, bets and bluffs with most of them."""
    return Profile("loose_aggressive", tightness=0.12, aggression=0.95, bluffing=0.9, seed=seed)
