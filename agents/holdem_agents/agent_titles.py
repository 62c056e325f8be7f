"""What people call the agents that come with the packages: a title beside the name."""

from __future__ import annotations

from collections.abc import Iterable

TITLES = {
    "always_fold": "Folds everything",
    "blueprint_100bb": "Blueprint, 100 big blinds",
    "blueprint_20bb": "Blueprint, 20 big blinds",
    "blueprint_limit": "Blueprint, fixed limit",
    "calling_station": "Calling station",
    "changing": "Two styles in turn",
    "loose_aggressive": "Loose and aggressive",
    "loose_passive": "Loose and passive",
    "maniac": "Maniac",
    "nit": "Nit",
    "pot_odds": "Plays by pot odds",
    "ppo_100bb": "Trained network, 100 big blinds",
    "ppo_20bb": "Trained network, 20 big blinds",
    "ppo_limit": "Trained network, fixed limit",
    "ppo_sixmax": "Trained network, six-max",
    "profile": "Style by three numbers",
    "random": "Random moves",
    "tight_aggressive": "Solid regular",
}


def titles_of(names: Iterable[str]) -> dict[str, str]:
    """The titles of those that have one, by name."""
    return {name: TITLES[name] for name in names if name in TITLES}


def title_of(name: str) -> str:
    """An agent's title; its name where it has none."""
    return TITLES.get(name, name)
