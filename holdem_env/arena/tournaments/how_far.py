"""How far a tournament is, by its store: what is played of what there is to play, and who plays now."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from .store import Store

Match = tuple[str, ...]


@dataclass(frozen=True)
class HowFar:
    """The state of a tournament by what is stored.

    played: deals (of freezeouts: sessions) of each match of the latest run, by the names of its agents, without those
    who have forfeited. each: how many deals a match has in the end; None in stores of versions that did not say.
    is_most: fewer may be enough, as the results decide who plays on. latest: the match that was stored last.
    now: the matches that are on by the order of playing, as many as there are processes; none when all is played, nor
    where the results decide who plays.
    """

    played: dict[Match, int]
    each: int | None
    is_most: bool
    latest: Match | None
    now: tuple[Match, ...]

    @property
    def done(self) -> int:
        """Deals that are played."""
        return sum(self.played.values())

    @property
    def total(self) -> int | None:
        """Deals that there are, where that is known."""
        return None if self.each is None else self.each * len(self.played)


def how_far(store: Store) -> HowFar:
    """Read how far a tournament is. Raises StoreError as the store does."""
    about, forfeits = store.about(), store.forfeits()
    there = sorted(name for name in about.get("entered", store.agents) if name not in forfeits)
    pairs: list[Match] = list(combinations(there, 2)) if store.format == "round_robin" else [tuple(there)]
    each = int(about["deals_each"]) if "deals_each" in about else None
    played = {match: store.deals_played(match) for match in pairs if len(match) > 1}
    if each is not None:
        played = {match: min(count, each) for match, count in played.items()}
    stored = store.matches()
    latest = store.latest(stored) if stored else None
    is_most = bool(about.get("ranking") or about.get("stopped"))
    left = [] if each is None or is_most else [match for match, count in played.items() if count < each]
    # Every match in turn has its next deals, so those that have the fewest are on.
    left.sort(key=lambda match: played[match])
    jobs = about.get("jobs", 1)
    return HowFar(played, each, is_most, latest, tuple(left[: jobs if jobs > 0 else len(left)]))
