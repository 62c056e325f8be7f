"""The table of a ladder: ratings from all matches of a game, and what each agent won from every rung."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import inf, isfinite
from typing import Literal

from holdem_env.arena import MatchResult
from holdem_env.game.title import game_title
from holdem_env.render.intervals_svg import Line, intervals_svg

from ..training.league_ratings import rate
from .box import boxed
from .games import LadderGame, ladder_games
from .players import Player, content_of
from .store import LadderStore, renamed

LEAST_HALF_WIDTH = 0.1
"""bb/100: a match that always ends alike weighs no more than this."""
EXPLANATION = (
    "A rating is one number for each agent, in bb/100, fitted to all its win rates; 0 is the mean of the opponents "
    "that everybody plays. Poker is not transitive: the 95 % interval holds the luck of the matches and how far they "
    "are from fitting one number each."
)


@dataclass(frozen=True)
class LadderRow:
    """One agent. rank: 1 the best. rate, half_width: its rating, bb/100. against: by rung, its win rate and half the
    width of the 95 % interval; of a rung itself, what it won from the others. hands: played in all."""

    rank: int
    player: Player
    name: str
    rate: float
    half_width: float
    against: dict[str, tuple[float, float]]
    hands: int

    @property
    def note(self) -> str:
        """What there is to say of the row: "rung", "changed since", or nothing."""
        if self.player.is_rung:
            return "rung"
        return "changed since" if self.player.has_changed else ""


@dataclass(frozen=True)
class LadderTable:
    """The ladder of one game: its rows, best first, and its rungs, which are the columns."""

    game: LadderGame
    rungs: tuple[str, ...]
    rows: list[LadderRow] = field(default_factory=list)

    @property
    def title(self) -> str:
        """The game in words: "headsup_limit: Fixed limit 1/2, 2 seats, 100 big blinds"."""
        rules = self.game.rules
        stacks = max(rules.starting_stacks)
        depth = f"{stacks / rules.big_blind:,.4g} big blinds" if rules.big_blind else f"{stacks:,} chips"
        return f"{self.game.name}: {game_title(rules)}, {rules.seats} seats, {depth}"

    @property
    def estimate(self) -> str:
        """How the matches were estimated."""
        kind = "AIVAT" if self.game.is_by_aivat else "all-in values" if self.game.has_all_in_values else ""
        return f"duplicate deals{f' and {kind}' if kind else ''}"

    def svg(self, theme: str = "auto", layout: Literal["wide", "narrow"] = "wide") -> str:
        """The ratings with their intervals: SVG text."""
        lines = [Line(row.name, row.rate, row.half_width) for row in self.rows]
        return intervals_svg(lines, self.game.name, "bb/100", "95 % intervals", theme, layout)


def ladder_tables(store: LadderStore | None = None) -> dict[str, LadderTable]:
    """All ladders that have a result, by name: that of the box, and what a store adds to it."""
    games = ladder_games(store.games() if store else None)
    tables = {name: ladder_table(game, store) for name, game in games.items()}
    return {name: table for name, table in tables.items() if table.rows}


def ladder_table(game: LadderGame, store: LadderStore | None = None) -> LadderTable:
    """The ladder of one game, from the box and from a store."""
    players: dict[str, Player] = {}
    results: dict[tuple[str, str], MatchResult] = {}
    in_box = boxed().get(game.name)
    if in_box is not None and not in_box.rules.differences(game.rules):
        players |= in_box.players
        results |= {(each.agent, each.opponent): each for each in in_box.results}
    if store is not None:
        players |= {key: each for key, each in store.players(game.name).items() if key not in players}
        results |= {(each.agent, each.opponent): each for each in store.results(game.name)}
    return _table(game, players, list(results.values()))


def _table(game: LadderGame, players: Mapping[str, Player], results: list[MatchResult]) -> LadderTable:
    names = _names(players.values())
    ours = [renamed(each, names) for each in results]
    rungs = [each.name for each in players.values() if each.is_rung and names[each.key] == each.name]
    order = [name for name in game.rungs if name in rungs]
    by_name = {names[key]: each for key, each in players.items()}
    against = _won(ours, is_symmetric=game.rules.seats == 2)
    hands = _hands(ours)
    rows = []
    fitted = [replace(each, half_width=max(each.half_width, LEAST_HALF_WIDTH)) for each in ours]
    fitted = [each for each in fitted if isfinite(each.half_width)]
    for rank, rating in enumerate(rate(fitted, order, misfit=True) if fitted else [], 1):
        won = {rung: against[rating.player, rung] for rung in order if (rating.player, rung) in against}
        half = rating.half_width if isfinite(rating.half_width) else inf
        player = by_name[rating.player]
        rows.append(LadderRow(rank, player, rating.player, rating.rate, half, won, hands[rating.player]))
    return LadderTable(game, tuple(order), rows)


def _names(players: Iterable[Player]) -> dict[str, str]:
    """By key how a row is called: a rung whose file is another one now, by its date too."""
    found: dict[str, str] = {}
    for each in players:
        is_old = each.is_rung and each.content != content_of(each.source)
        name = f"{each.name} of {each.added}" if is_old else each.name
        while name in found.values():
            name += "'"
        found[each.key] = name
    return found


def _won(results: list[MatchResult], is_symmetric: bool) -> dict[tuple[str, str], tuple[float, float]]:
    """What the first wins from the second. With two seats, what the second wins from the first is the opposite."""
    found = {}
    for each in results:
        if is_symmetric:
            found[each.opponent, each.agent] = -each.mean, each.half_width
    for each in results:
        found[each.agent, each.opponent] = each.mean, each.half_width
    return found


def _hands(results: list[MatchResult]) -> dict[str, int]:
    found: dict[str, int] = {}
    for each in results:
        for name in (each.agent, each.opponent):
            found[name] = found.get(name, 0) + each.hands
    return found
