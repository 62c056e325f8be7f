"""How the players of a collection play: the usual figures (`PlayerStats`), 3-bets, and what they won by position."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import accumulate
from math import isfinite
from typing import Any

import numpy as np

from holdem_env.arena.observed.player_stats import PlayerStats
from holdem_env.engine.record import MAX_SEATS
from holdem_env.history import HistoryError, ReplayedHand
from holdem_env.history.collection import Hands
from holdem_env.render.curve_svg import Curve, Layout, curve_svg
from holdem_env.table.table import Table
from holdem_env.utils.shown_names import shown_name

MOST_HANDS, MOST_PLAYERS = 2_000, 50
"""The latest hands are counted; the players with the most hands are shown."""
POSITIONS = ("BTN", "CO", "MP", "UTG", "SB", "BB")


@dataclass
class _Player:
    """What one player did. chances, made: of 3-bets. won: big blinds in each hand, with the position."""

    chances: int = 0
    made: int = 0
    won: list[tuple[str, float]] = field(default_factory=list)


def players_of(hands: Hands) -> dict[str, Any]:
    """The figures of each player, those with the most hands first, as plain data."""
    numbers = range(max(0, len(hands) - MOST_HANDS), len(hands))
    names = {name: place for place, name in enumerate(hands.players)}
    stats, known = PlayerStats.of(len(names), MAX_SEATS), {name: _Player() for name in names}
    counted = 0
    for number in numbers:
        try:
            hand = hands.replay(number)
        except HistoryError:
            continue
        if hand.table.is_over:
            _count(hand, names, stats, known)
            counted += 1
    order = sorted(known, key=lambda name: -len(known[name].won))[:MOST_PLAYERS]
    rows = [_row(name, known[name], stats.ratios(names[name])) for name in order if known[name].won]
    return {"hands": len(hands), "counted": counted, "players": rows}


def winnings_svg(hands: Hands, player: str, layout: str) -> str:
    """What a player won in all, and in each position, as lines over its hands. Raises KeyError for nobody."""
    known = {name: _Player() for name in hands.players}
    won = known[player].won
    for number in range(max(0, len(hands) - MOST_HANDS), len(hands)):
        try:
            hand = hands.replay(number)
        except HistoryError:
            continue
        if hand.table.is_over and player in hand.players:
            _count_winnings(hand, known)
    at = list(range(1, len(won) + 1))
    curves = [Curve("all", at, list(accumulate(bb for _, bb in won)))]
    for position in POSITIONS:
        if any(each == position for each, _ in won):
            sums = accumulate(bb if each == position else 0.0 for each, bb in won)
            curves.append(Curve(position, at, list(sums)))
    page: Layout = "narrow" if layout == "narrow" else "wide"
    return curve_svg(curves, shown_name(player), "hands", "bb", has_zero=True, layout=page)


def _count(hand: ReplayedHand, names: dict[str, int], stats: PlayerStats, known: dict[str, _Player]) -> None:
    seating = np.array([[names[name] for name in hand.players]], np.int64)
    stats.count(hand.table.records, hand.table.rules, seating)
    _count_winnings(hand, known)
    _count_3_bets(hand.table, [known[name] for name in hand.players])


def _count_winnings(hand: ReplayedHand, known: dict[str, _Player]) -> None:
    unit = hand.table.game.big_blind or hand.table.game.unit
    for seat, position in hand.table.positions.items():
        group = {"EP": "UTG", "MP": "MP"}.get(position.name[:2], position.name)
        known[hand.players[seat]].won.append((group, hand.table.payoffs[seat] / unit))


def _count_3_bets(table: Table, players: list[_Player]) -> None:
    """Before the flop, who could raise after one raise of somebody else, and who did."""
    raises, raisers = 0, set[int]()
    for step in table.log:
        if step.kind == "deal_board":
            return
        if step.seat is None or step.kind not in ("fold", "call", "raise"):
            continue
        if raises == 1 and step.seat not in raisers:
            players[step.seat].chances += 1
            players[step.seat].made += step.kind == "raise"
        if step.kind == "raise":
            raises += 1
            raisers.add(step.seat)


def _row(name: str, player: _Player, ratios: dict[str, float]) -> dict[str, Any]:
    won = [bb for _, bb in player.won]
    ratios["3_bet"] = player.made / player.chances if player.chances else float("nan")
    figures = {key: value if isfinite(value) else None for key, value in ratios.items()}
    return {"name": shown_name(name), "id": name, "hands": len(won), "bb_per_100": 100 * sum(won) / len(won), **figures}
