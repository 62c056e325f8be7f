"""Scrimmages: more hands between two agents of a tournament, beside it, which count for nothing."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ...utils.suggestions import suggestion
from ..statistics.estimates import Estimate, best_estimate
from .plan import Tournament
from .store import Store
from .tournament import Listening, run

OF_MANY = "anchors", "results", "schedule", "stop_when", "stop_at", "budget", "nash", "rank_by"
"""Fields of a tournament that mean nothing for two agents alone."""


def store_of_scrimmages(store: Path) -> Path:
    """Where the scrimmages of the tournament with this store are kept."""
    return store.with_stem(f"{store.stem}-scrimmages")


def scrimmage_of(tournament: Tournament, pair: Sequence[str], store: Path) -> Tournament:
    """The tournament between two of its agents alone, with as many hands more than they have played in a store of
    scrimmages, and with decks of its own: a bot that remembers them knows no deal of the tournament.

    Raises ValueError if the agent is not in this tournament, and for tournaments that are not of pairs.
    """
    names = tournament.names
    if tournament.format != "round_robin" or tournament.rules.seats != len(pair):
        raise ValueError("a scrimmage must be of a round robin with two seats")
    if unknown := [name for name in pair if name not in names]:
        raise ValueError(f"{unknown[0]!r} is no agent of the tournament: {suggestion(unknown[0], names)}")
    if pair[0] == pair[1]:
        raise ValueError(f"a scrimmage must be of two agents, got {pair[0]!r} twice")
    before = 0
    if store.exists():
        with Store(store) as results:
            played = [names for names in results.matches() if set(names) == set(pair)]
            before = sum(map(results.deals_played, played)) * (tournament.rules.seats if results.is_duplicate else 1)
    changes = {
        "agents": tuple(each for each in tournament.agents if each.name in pair),
        "hands": before + tournament.hands,
        "seed": "random",
        **{name: Tournament.model_fields[name].default for name in OF_MANY},
    }
    return tournament.model_copy(update=changes)


def play_scrimmage(
    tournament: Tournament, pair: tuple[str, str], hands: int, store: Path, listening: Listening
) -> Estimate:
    """Play a scrimmage, and return what the first has won in all scrimmages of the two.

    It plays in a process of its own. Raises ValueError as `scrimmage_of`, and if one of them forfeits.
    """
    given = tournament.model_copy(update={"hands": hands, "jobs": 2})  # one job would play in this process
    scrimmage = scrimmage_of(given, pair, store)
    with Store(store, create=True) as results:
        run(scrimmage, results, retry=True, listening=listening)
        if failed := {name: why for name, why in results.forfeits().items() if name in pair}:
            raise ValueError("; ".join(f"{name} forfeited: {why}" for name, why in failed.items()))
        names = next(names for names in results.matches() if set(names) == set(pair))
        deals = results.deals(names)
    return best_estimate(deals, names.index(pair[0]), tournament.confidence)
