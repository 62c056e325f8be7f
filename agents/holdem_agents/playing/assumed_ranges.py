"""What judging played hands needs: whose ranges are assumed, and which hands of a player can be judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from holdem_env.agents.protocol import Agent
from holdem_env.agents.registry import make_agent, without_search
from holdem_env.game.rules import Rules
from holdem_env.history import HistoryError
from holdem_env.history.collection import Hands
from holdem_env.table.table import Table
from holdem_env.utils.shown_names import shown_name

from ..shipped.fitting import is_of_another_game, knowing_ranges, unable


class Assumed:
    """Whose strategy the players of a game are assumed to have: the agent of this name in every game, or without a name
    the bundled one for each."""

    def __init__(self, name: str | None) -> None:
        self._name = name
        self._known: dict[str, Agent] = {} if name is None else {name: without_search(make_agent(name))}

    def __call__(self, rules: Rules) -> Agent | None:
        """The agent for a game; None if there is none here."""
        name = self._name or next(iter(knowing_ranges(rules)), None)
        if name is None or name in unable(rules) or is_of_another_game(name, rules):
            return None
        if name not in self._known:
            self._known[name] = without_search(make_agent(name))
        return self._known[name]

    @property
    def sentence(self) -> str:
        named = " or, by the game, ".join(map(shown_name, self._known))
        return f"Ranges are assumed: all players as {named or 'nobody'}."


class JudgedHands(NamedTuple):
    """Hands of a player that can be judged. numbers: their places in the collection. seats: of the player, one for each
    hand. names: of the hands. left_out: how many are left out, by the reason."""

    tables: list[Table]
    numbers: list[int]
    seats: list[list[int]]
    names: list[str]
    left_out: Counter[str]


def hands_of(collection: Hands, hero: str, numbers: Iterable[int]) -> JudgedHands:
    """Those of some hands of a player that can be judged."""
    found = JudgedHands([], [], [], [], Counter())
    for number in numbers:
        try:
            replayed = collection.replay(number)
        except HistoryError:
            found.left_out["hands that cannot be replayed"] += 1
            continue
        seat = _seat_of(hero, replayed.players)
        if replayed.known is not None and not replayed.known.issuperset(replayed.table.hole_cards(seat)):
            found.left_out["hands whose cards are unknown"] += 1
            continue
        found.tables.append(replayed.table)
        found.numbers.append(number)
        found.seats.append([seat])
        found.names.append(str(replayed.hand))
    return found


def _seat_of(hero: str, players: Sequence[str]) -> int:
    """The seat of a player of this name; otherwise of the first whose name it is a part of."""
    names = [name.casefold() for name in players]
    if hero.casefold() in names:
        return names.index(hero.casefold())
    return next(seat for seat, name in enumerate(names) if hero.casefold() in name)
