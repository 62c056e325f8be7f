"""Profiles with names: the types of players that people tell apart at a poker table."""

from __future__ import annotations

from .profile import Profile


def tight_aggressive(seed: int = 0) -> Profile:
    """Plays good hands by position, and plays them aggressively: the one to beat among the scripted agents."""
    return Profile("tight_aggressive", tightness=0.5, aggression=0.95, bluffing=0.25, seed=seed)


def nit(seed: int = 0) -> Profile:
    """Waits for the best hands and never bluffs."""
    return Profile("nit", tightness=0.85, aggression=0.5, bluffing=0.0, seed=seed)


def loose_passive(seed: int = 0) -> Profile:
    """Plays nearly every hand, calls too much and rarely raises."""
    return Profile("loose_passive", tightness=0.08, aggression=0.1, bluffing=0.0, seed=seed)


def loose_aggressive(seed: int = 0) -> Profile:
    """Plays many hands, and bets or bluffs with most of them."""
    return Profile("loose_aggressive", tightness=0.12, aggression=0.95, bluffing=0.9, seed=seed)
