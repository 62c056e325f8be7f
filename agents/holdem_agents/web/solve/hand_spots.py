"""Solve from here: the spot at the beginning of a street of a hand that was played, as the page's form has it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil
from typing import Any, NamedTuple

from holdem_env.agents.protocol import Agent, StrategyUnknown
from holdem_env.cards.ranges import Range
from holdem_env.cards.text import cards_text
from holdem_env.encoders.bet_sizes import size_total_at
from holdem_env.engine.bet_sizes import parse_size
from holdem_env.engine.record import CHECK_CALL, FOLD
from holdem_env.game.rules import Rules
from holdem_env.game.street_names import STREETS
from holdem_env.solvers.games import PLAIN
from holdem_env.solvers.reading import CARDS_ON_STREET
from holdem_env.table.table import Table

from ...playing.moves import decisions
from ...playing.possible_hands import ranges_after
from ...shipped.fitting import fitting, knowing_ranges
from ..answers import ApiError
from ..site import Site
from .spots import PLAYERS, cells_of, weights_of

TWO = 2
SIX_MAX, OPENERS, OPEN = "six-max-no-limit", ("UTG", "HJ", "CO", "BTN", "SB"), 5
"""What `first_spots` are made of: the game, who raises first, and to how many halves of a big blind."""
NO_LIMIT = "no_limit"
DIGITS = 5  # of a bet size in percent of the pot


class Played(NamedTuple):
    """A hand up to the beginning of a street. before: its moves, each with the table before it. on_street: those of
    the street. seats: those in the hand: in position, out of position."""

    before: list[tuple[Table, int]]
    on_street: list[tuple[Table, int]]
    seats: tuple[int, int]

    @property
    def table(self) -> Table:
        return self.on_street[0][0]

    @property
    def stack(self) -> int:
        return min(self.table.stacks[seat] for seat in self.seats)


def streets_to_solve(table: Table) -> list[int]:
    """The streets of a hand from whose beginning it can be solved."""
    made = list(decisions(table))
    return [street for street in CARDS_ON_STREET if isinstance(_played(made, street), Played)]


def spot_of_hand(site: Site, table: Table, players: Sequence[str], street: int) -> dict[str, Any]:
    """The form's values for a street of a hand. players: their names, by seat; who is called like an agent of the site
    has the hands that this one would have come with.

    Raises ApiError (400) where the page cannot solve the street.
    """
    found = _played(list(decisions(table)), street)
    if isinstance(found, str):
        raise ApiError(400, found)
    start = found.table
    ranges = dict(_ranges(site, found, players))
    return {
        "board": cards_text(start.board),
        "pot": start.pot,
        "stack": found.stack,
        "street": STREETS[street],
        "made": list(_sizes(found)),
        "cells": [cells_of(weights_of(ranges[seat][0]), tuple(start.board)) for seat in found.seats],
        "note": f"{_note([ranges[seat][1] for seat in found.seats])} {_in_big_blinds(found)}",
    }


def first_spots(site: Site) -> dict[str, Any]:
    """Spots to begin with, by position: in six-max somebody raises to 2.5 big blinds, only the big blind calls, and
    both have the hands with which the trained agent plays so. Raises ApiError (400) where it cannot be asked."""
    rules = Rules.preset(SIX_MAX)
    agents = [name for name in fitting(rules) if name in site.agents]
    try:
        agent = site.new_agent(agents[0])
        return {"agent": agents[0], "spots": [_first_spot(_opened(rules, opener), agent, opener) for opener in OPENERS]}
    except (IndexError, ModuleNotFoundError) as error:
        raise ApiError(400, f"No agent here knows ranges of six-max: {error}.") from None


def _opened(rules: Rules, opener: str) -> Table:
    """A flop after one raise, which the big blind calls."""
    table = Table(rules, seed=0)
    while table.street == 0:
        position = table.positions[table.actor or 0].name
        table.play(OPEN * rules.big_blind // 2 if position == opener else CHECK_CALL if position == "BB" else FOLD)
    return table


def _first_spot(table: Table, agent: Agent, opener: str) -> dict[str, Any]:
    first = next(seat for seat, position in table.positions.items() if position.name == opener)
    caller = next(seat for seat, position in table.positions.items() if position.name == "BB")
    found = ranges_after(decisions(table), {first: agent, caller: agent}, [])
    seats = (caller, first) if opener == "SB" else (first, caller)
    cells = [cells_of(weights_of(found[seat])) for seat in seats]
    return {"title": f"{opener} raises, BB calls", "pot": table.pot, "stack": min(table.stacks), "cells": cells}


def _played(made: list[tuple[Table, int]], street: int) -> Played | str:
    """The hand up to a street; or why it cannot be solved from there."""
    if street not in CARDS_ON_STREET:
        return "The page solves flops, turns and rivers: choose one of them."
    on_street = [(before, move) for before, move in made if before.street == street]
    if not on_street:
        return f"Nobody acts on the {STREETS[street]} of this hand, so there is nothing to solve."
    start = on_street[0][0]
    if not start.rules.is_texas_holdem or start.game.structure != NO_LIMIT:
        return "The page solves no-limit Texas hold'em; this is another game."
    live = [seat for seat in range(start.rules.seats) if start.records["in_hand"][0][seat]]
    if len(live) != TWO or start.actor not in live:
        return f"{len(live)} players are in the hand on the {STREETS[street]}; the page solves hands of two."
    last = next(seat for seat in live if seat != start.actor)
    return Played([each for each in made if each[0].street < street], on_street, (last, start.actor))


def _sizes(played: Played) -> Iterator[str]:
    """The bets and raises of the street, as the form writes them."""
    for before, move in played.on_street:
        if move > 0:
            yield "a" if move >= played.stack else _in_percent(before, move)


def _in_percent(before: Table, total: int) -> str:
    """A raise in as few digits as give it again in the solver's game."""
    records = before.records.copy()
    records["stage"] = 0  # of the solver's game, which has one
    share = 100 * (total - max(before.bets)) / (before.pot + (before.legal.call or 0))
    for digits in range(DIGITS):
        text = f"{ceil(round(share * 10**digits, 6)) / 10**digits:g}%"  # up, as sizes are rounded down to chips
        if size_total_at(records, PLAIN.record, 0, *parse_size(text)) == total:
            break
    return text


def _ranges(site: Site, played: Played, players: Sequence[str]) -> Iterator[tuple[int, tuple[Range, str | None]]]:
    """By seat: its range, and whose strategy says so; None for all hands."""
    start = played.table
    cannot = site.unable(start.rules)
    known = knowing_ranges(start.rules)
    for seat in played.seats:
        own = [players[seat]] if players[seat] in site.agents and players[seat] not in cannot else []
        for name in [*own, *known]:
            if (found := _range_of(site, name, played, seat)) is not None:
                yield seat, (found, name)
                break
        else:
            yield seat, (Range("random"), None)


def _range_of(site: Site, name: str, played: Played, seat: int) -> Range | None:
    """The hands with which an agent would have come here; None if it cannot tell."""
    try:
        agent: Agent = site.new_agent(name)
        if not agent.gives_ranges:
            return None
        return ranges_after(played.before, {seat: agent}, played.table.board).get(seat)
    except (StrategyUnknown, ValueError, TypeError, OSError, ModuleNotFoundError):
        return None


def _in_big_blinds(played: Played) -> str:
    pot, stack = (
        f"{chips / played.table.game.unit:,.1f}".removesuffix(".0") for chips in (played.table.pot, played.stack)
    )
    return f"Pot {pot} bb, {stack} bb behind."


def _note(names: list[str | None]) -> str:
    if names == [None, None]:
        return "Ranges: all hands, as nobody knows this game's ranges."
    if names[0] == names[1]:
        return f"Ranges: {names[0]}'s, by the moves so far."
    words = ["all hands" if name is None else f"{name}'s" for name in names]
    each = ", ".join(f"{player} {word}" for player, word in zip(PLAYERS, words, strict=True))
    return f"Ranges: {each}, by the moves so far."
