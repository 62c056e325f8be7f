"""Where a betting tree begins: a whole hand, a street with a pot, or a hand that is being played."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from typing import SupportsIndex

import numpy as np
from numpy.typing import NDArray

from ...engine import batch, record
from ...engine.legality import check_move
from ...game.rules import Rules
from ...game.rules_input import RulesLike, as_rules
from ...game.street_names import STREETS
from ...table.hand_setup import Stacks, checked_stacks
from ...utils.validation import suggestion
from .walking import LOWS, OUTCOMES, SEATS, deal_again


def playable(rules: RulesLike) -> Rules:
    """Rules of a game that has a betting tree. Raises ValueError for others."""
    game = as_rules(rules)
    if game.seats != 2:
        raise ValueError(f"betting tree: it is for two seats, and these rules have {game.seats}; give seats=2")
    if game.session is not None:
        raise ValueError(
            "betting tree: it is for single hands, and these rules have a session; give the game of a hand, "
            "rules.stages[k], or rules.replace(session=None)"
        )
    if game.dealer_errors is not None:
        raise ValueError(
            "betting tree: it knows no cards that the dealer's errors expose; give rules.replace(dealer_errors=None)"
        )
    # Who shows changes no chips, and the tree does not ask for it.
    return game if game.showing == "automatic" else game.replace(showing="automatic")


def outcomes_of(game: Rules) -> int:
    """How many outcomes a showdown has: who wins, and where pots are split (R32) for each of four lows."""
    return len(OUTCOMES) * (len(LOWS) if game.split == "high_low" else 1)


def street_number(game: Rules, street: str | int) -> int:
    """The number of a street. Raises ValueError if the game has no such street."""
    names = list(STREETS[: game.streets])
    if isinstance(street, str):
        if street not in names:
            raise ValueError(f"street: there is no {street!r}: {suggestion(street, names)}")
        return names.index(street)
    number = operator.index(street)
    if not 0 <= number < game.streets:
        raise ValueError(f"street: there is no street {number}, this game has 0..{game.streets - 1}")
    return number


def _new_record(game: Rules, stacks: Sequence[int], button: int = 0) -> record.Records:
    """A record with stacks and a deck in its factory order, in which no hand has begun."""
    records = record.new_records(record.TABLE, 1)
    batch.number_tables(records, 0, 0, button)
    records["seats"]["stack"][0, :SEATS] = stacks
    records["hand"] = 0
    batch.shuffle_decks(records, game.record, 0)
    return records


def whole_hand(game: Rules, stacks: Stacks | None, button: int = 0) -> record.Records:
    """A hand, posted and dealt. Raises ValueError for stacks that cannot be."""
    root = _new_record(game, checked_stacks(game, stacks), button)
    batch.start_hands(root, game.record, record.new_log(listening=False))
    return root


def spot(game: Rules, street: str | int, pot: int, stacks: Stacks) -> record.Records:
    """A hand that begins on a street after the first, with chips in the middle. Raises ValueError for a street, a pot
    or stacks that cannot be."""
    number = street_number(game, street)
    if number == 0:
        raise ValueError("street: on the first street nothing is in the middle yet; use BettingTree.from_rules")
    chips = operator.index(pot)
    if chips <= 0 or chips % game.smallest_chip:
        raise ValueError(f"pot: {chips} is not a multiple of the smallest chip ({game.smallest_chip}) above zero")
    root = _new_record(game, checked_stacks(game, stacks))
    batch.start_position(root, game.record, record.new_log(listening=False), number, chips)
    return root


def from_table(rules: RulesLike, tables: record.Records) -> tuple[Rules, record.Records]:
    """A copy of a hand that is being played, and its game. Raises ValueError if nobody is to act."""
    if len(tables) != 1:
        raise ValueError(f"betting tree: give one record, not {len(tables)}")
    root = record.new_records(record.TABLE, 1)
    root[0] = tables[0]
    game = playable(as_rules(rules).stages[int(root["stage"][0])])
    if root["actor"][0] == record.NOBODY:
        raise ValueError("betting tree: nobody is to act in this hand; give a record with a decision")
    root["stage"] = 0
    root["follow_ups"] = 0  # players who are away do not fold in the tree
    root["has_words"] = 0  # nor is the copy a view any more
    deal_again(root, game.record, record.new_log(listening=False))
    return game, root


def checked_moves(game: Rules, root: record.Records, moves: Iterable[SupportsIndex]) -> list[int]:
    """Moves that can be played one after the other. Raises IllegalMove (a ValueError) for the first that cannot."""
    after = record.new_records(record.TABLE, 1)
    after[0] = root[0]
    row, log = np.zeros(1, np.int64), record.new_log(listening=False)
    checked = [operator.index(move) for move in moves]
    for move in checked:
        check_move(after, game.record, 0, move)
        batch.play_moves(after, game.record, log, row, np.array([move], np.int64))
    return checked


def dead_money(game: Rules, root: record.Records) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """By player, (2,) int64 each: the chips that it counts as having put in beyond its contribution, which are its dead
    money and its half of what nobody in the record has put in; and that half alone."""
    ante, bet, dead = np.zeros((3, 1, SEATS), np.int64)
    batch.posted_chips(root, game.record, ante, bet, dead)
    nobodys = int(root["dead"][0]) - int(dead.sum())
    owed = np.array([nobodys // 2, nobodys - nobodys // 2], np.int64)
    button = int(root["button"][0])
    return dead[0, [button, 1 - button]] + owed, owed
