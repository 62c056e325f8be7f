"""How the players of a collection play: the usual figures (`PlayerStats`), 3-bets, and what they won by position."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from itertools import accumulate
from math import isfinite
from typing import Any

import numpy as np

from holdem_env.arena.observed.player_stats import PlayerStats
from holdem_env.engine.record import MAX_SEATS
from holdem_env.game.units import Unit, unit_of
from holdem_env.history import HistoryError, ReplayedHand
from holdem_env.history.collection import Hands
from holdem_env.render.charts import Curve, Layout, curve_svg
from holdem_env.table.table import Table
from holdem_env.utils.shown_names import shown_name

from ...playing.moves import decisions
from ..answers import with_minus

MAX_HANDS, MAX_PLAYERS = 2_000, 50  # the latest hands are counted; the players with the most hands are shown
POSITIONS = ("BTN", "CO", "HJ", "MP", "UTG", "SB", "BB")


@dataclass
class _Player:
    """What one player did. could_3_bet, did_3_bet: how often. won: `unit.amount` in each hand, with the
    position."""

    could_3_bet: int = 0
    did_3_bet: int = 0
    won: list[tuple[str, float]] = field(default_factory=list)


class Players:
    """The players of a collection, whose hands are played again once."""

    def __init__(self, hands: Hands) -> None:
        self._hands, self._counted = len(hands), 0
        names = {name: place for place, name in enumerate(hands.players)}
        self._names, self._stats = names, PlayerStats.of(len(names), MAX_SEATS)
        self._known = {name: _Player() for name in names}
        self._unit: Unit | None = None  # of the first hand; hands of games with the other unit are not counted
        for number in range(max(0, len(hands) - MAX_HANDS), len(hands)):
            with suppress(HistoryError):
                hand = hands.replay(number)
                unit = unit_of(hand.table.game)
                self._unit = self._unit or unit
                if hand.table.is_over and unit.key == self._unit.key:
                    _count(hand, names, self._stats, self._known)
                    self._counted += 1

    def figures(self) -> dict[str, Any]:
        """The figures of each player, those with the most hands first, as plain data."""
        order = sorted(self._known, key=lambda name: -len(self._known[name].won))[:MAX_PLAYERS]
        rows = [
            _row(name, self._known[name], self._stats.ratios(self._names[name]), self._unit)
            for name in order
            if self._unit and self._known[name].won
        ]
        return {"hands": self._hands, "counted": self._counted, "players": rows, "unit": self._unit and self._unit.name}

    def winnings_svg(self, player: str, layout: str) -> str:
        """What a player won in all, and in each position, as lines over its hands. Raises KeyError for nobody."""
        won = self._known[player].won
        at = list(range(1, len(won) + 1))
        curves = [Curve("all", at, list(accumulate(bb for _, bb in won)))]
        for position in POSITIONS:
            if any(each == position for each, _ in won):
                sums = accumulate(bb if each == position else 0.0 for each, bb in won)
                curves.append(Curve(position, at, list(sums)))
        page: Layout = "narrow" if layout == "narrow" else "wide"
        return curve_svg(
            curves, shown_name(player), "hands", self._unit.amount if self._unit else "", has_zero=True, layout=page
        )


def _count(hand: ReplayedHand, names: dict[str, int], stats: PlayerStats, known: dict[str, _Player]) -> None:
    seating = np.array([[names[name] for name in hand.players]], np.int64)
    stats.count(hand.table.records, hand.table.rules, seating)
    _count_winnings(hand, known)
    _count_3_bets(hand.table, [known[name] for name in hand.players])


def _count_winnings(hand: ReplayedHand, known: dict[str, _Player]) -> None:
    unit = unit_of(hand.table.game)
    for seat, position in hand.table.positions.items():
        group = {"EP": "UTG", "MP": "MP"}.get(position.name[:2], position.name)
        known[hand.players[seat]].won.append((group, hand.table.payoffs[seat] / unit.chips))


def _count_3_bets(table: Table, players: list[_Player]) -> None:
    """Before the flop, who was allowed to raise after one raise of somebody else, and who did."""
    raises, raiser = 0, None
    for before, move in decisions(table):
        if before.street:
            return
        seat = before.actor
        assert seat is not None  # somebody moves
        if raises == 1 and seat != raiser and before.legal.raise_min is not None:
            players[seat].could_3_bet += 1
            players[seat].did_3_bet += move > 0
        if move > 0:
            raises, raiser = raises + 1, seat


def _row(name: str, player: _Player, ratios: dict[str, float], unit: Unit) -> dict[str, Any]:
    won = [each for _, each in player.won]
    rate = unit.per * sum(won) / len(won)
    ratios["3_bet"] = player.did_3_bet / player.could_3_bet if player.could_3_bet else float("nan")
    figures = {key: value if isfinite(value) else None for key, value in ratios.items()}
    found = {"name": shown_name(name), "id": name, "hands": len(won)}
    return {**found, "rate": rate, "rate_text": with_minus(unit.text(rate)), **figures}
