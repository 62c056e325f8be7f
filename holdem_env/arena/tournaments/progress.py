"""How much of a tournament is played, by its store, and which matches are being played now."""

from __future__ import annotations

from dataclasses import dataclass

from .plan import pairings
from .store import Store

Match = tuple[str, ...]


@dataclass(frozen=True)
class TournamentProgress:
    """The state of a tournament by what is stored.

    played: deals (of freezeouts: sessions) of each match of the latest run, by the names of its agents, without those
    who have forfeited. each: how many deals a match has in the end. is_most: fewer may be enough, as the results decide
    who plays on. latest: the match that was stored last. now: the matches that are on by the order of playing, as many
    as there are processes; none when all is played, nor where the results decide who plays. gone: deals played
    with those who have forfeited, which count as played.
    """

    played: dict[Match, int]
    each: int
    is_most: bool
    latest: Match | None
    now: tuple[Match, ...]
    gone: int

    @property
    def done(self) -> int:
        return self.gone + sum(self.played.values())

    @property
    def total(self) -> int:
        return self.gone + self.each * len(self.played)


def progress_of(store: Store) -> TournamentProgress:
    """Read the progress of a tournament. Raises StoreError as the store does."""
    form, about = store.format, store.about()
    each, seats = int(about["deals_each"]), store.rules.seats
    are_known = bool(about["results"])
    forfeits = store.forfeits()
    there = pairings(form, about["entered"], about["anchors"], seats, forfeits, are_known)
    played = {match: min(store.deals_played(match), each) for match in there}
    stored = store.matches()
    latest = store.latest(stored) if stored else None
    is_most = bool(about.get("ranking") or about.get("stopped"))
    left = [] if is_most else [match for match, count in played.items() if count < each]
    # Every match in turn has its next deals, so those that have the fewest are on.
    left.sort(key=lambda match: played[match])
    jobs = about["jobs"]
    now = tuple(left[: jobs if jobs > 0 else len(left)])
    return TournamentProgress(played, each, is_most, latest, now, store.deals_with(forfeits))
