"""Playing what a ladder's store does not hold yet: an agent against every rung, on the same deals as all others."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

from holdem_env.agents.short_names import short_names
from holdem_env.arena.tournaments.processes import play_shards
from holdem_env.arena.tournaments.shards import Played, Shard
from holdem_env.utils.shown_names import why_not_a_name
from holdem_env.utils.version import __version__

from .games import LadderGame
from .players import Player, added, rung
from .store import LadderStore

HANDS = 20_000
"""Hands against each rung."""
SEED = 7_307_019
"""Of all decks: everybody plays the same deals, and no training or evaluation plays them."""
IN_A_SHARD = 1024
"""Deals that are played and stored in one go; whoever interrupts loses at most these."""
Told = Callable[[int, int], None]


@dataclass(frozen=True)
class Added:
    """What came of adding. player: the row; new_hands: played now, 0 if everything was there."""

    player: Player
    new_hands: int


def add(
    store: LadderStore,
    game: LadderGame,
    made_of: Mapping[str, Any],
    name: str | None = None,
    hands: int = HANDS,
    jobs: int = 1,
    told: Told | None = None,
) -> Added:
    """Play an agent against every rung of a ladder, as far as the store does not hold it yet.

    made_of: what `make_agent` makes it of: {"agent": name or file, ...}. name: its row's, by default short for the
    agent's. hands: against each rung. jobs: processes, -1 for all cores. told: called after each piece with the hands
    that are there and those there will be.

    An agent that is on the ladder as it is now only plays what is missing, so an interrupted call goes on. If its file,
    its parameters, its own code or the version of holdem_env have changed, it gets a new row with a number.

    Raises ValueError for a name that is taken, for a rung and for an agent that fails, which then is not on the ladder;
    what making the agent raises; StoreError as the store does.
    """
    player = _row_of(store, game, made_of, name)
    rungs = [rung(game.name, each) for each in game.rungs]
    is_new = player.key not in store.players()
    store.enter_players(game, [player, *rungs])
    try:
        new = play_pairs(store, game, [(player, each) for each in rungs], hands, jobs, told)
    except BaseException:
        if is_new and not any(player.key in names for names in store.matches()):
            store.remove([player.key])  # nothing was played: as it was before
        raise
    return Added(player, new)


def play_pairs(
    store: LadderStore,
    game: LadderGame,
    pairs: Sequence[tuple[Player, Player]],
    hands: int = HANDS,
    jobs: int = 1,
    told: Told | None = None,
) -> int:
    """Play matches, the first of each pair in one seat against the second in all others, as far as the store does not
    hold them yet; returns how many hands were played. Raises ValueError, naming the agent, if one fails."""
    deals, seats = game.deals(hands), game.rules.seats
    missing = [store.missing((one.key, two.key), deals, IN_A_SHARD) for one, two in pairs]
    total = deals * len(pairs)
    done = total - sum(len(numbers) for runs in missing for numbers in runs)
    before = done
    for played in play_shards(_shards(game, pairs, missing), jobs):
        _check(played, {each.key: each for pair in pairs for each in pair})
        store.add(played)
        done += played.shard.count
        if told:
            told(done * seats, total * seats)
    return (done - before) * seats


def _shards(
    game: LadderGame, pairs: Sequence[tuple[Player, Player]], missing: Sequence[Sequence[range]]
) -> Iterator[Shard]:
    """Every match in turn, so that all are equally far when somebody interrupts."""
    entrants = [(one.entrant(), two.entrant()) for one, two in pairs]
    by_all_in = game.has_all_in_values and not game.is_by_aivat
    for runs in zip_longest(*missing):
        for pair, numbers in zip(entrants, runs, strict=True):
            if numbers:
                yield Shard(
                    pair, game.rules, numbers.start, len(numbers), SEED, all_in=by_all_in, aivat=game.is_by_aivat
                )


def _check(played: Played, players: Mapping[str, Player]) -> None:
    if played.failed:
        key, reason = played.failed
        raise ValueError(f"agent {players[key].source!r} cannot play on the ladder {players[key].game!r}: {reason}")


def _row_of(store: LadderStore, game: LadderGame, made_of: Mapping[str, Any], name: str | None) -> Player:
    """The row of an agent: the one that it has, or a new one."""
    source = str(made_of["agent"])
    if source in game.rungs:
        raise ValueError(f"{source!r} is a rung of the ladder {game.name!r}: everybody plays against it already")
    base = name if name is not None else short_names([source])[source]
    if why := why_not_a_name(base):
        raise ValueError(f"{why}; give the agent another name with --name")
    now = added(game.name, base, base, made_of)
    others = [each for each in store.players(game.name).values() if not each.is_rung]
    for each in others:
        if (each.fingerprint, each.version) == (now.fingerprint, __version__):
            if name is not None and name not in (each.base, each.name):
                raise ValueError(
                    f"this agent is on the ladder as {each.name!r} since {each.added}; `holdem ladder remove "
                    f"{each.name}` first gives it another name"
                )
            return replace(each, made_of=now.made_of)  # its file may be called otherwise from here
    taken = {each.name: each for each in others}
    if base in game.rungs:
        raise ValueError(f"the name {base!r} is a rung's; give the agent another one with --name")
    before = [each for each in others if each.base == base]
    if before and not _same_source(before[-1].source, source):
        raise ValueError(f"the name {base!r} is taken by {before[-1].source}; give another one with --name")
    number = 2
    free = base
    while free in taken:
        free, number = f"{base} {number}", number + 1
    return added(game.name, free, base, made_of)


def _same_source(one: str, other: str) -> bool:
    return one == other or os.path.realpath(one) == os.path.realpath(other)
