"""What is true of every TABLE record between two moves: each field in its range, and the fields agree with each other.

Compiled code checks no bounds and trusts the record. Code that gets a record from outside asks `first_broken` before it
is played; with HOLDEM_CHECKS=1 the engine asks after each step (`watched`). A new field of TABLE gets a range in
LIMITS, or stands in ANYTHING.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..compiled.compiler import CHECKS
from . import record
from .record import (
    COLUMNS,
    DECK,
    MAX_BOARD,
    MAX_CHIPS,
    MAX_MOVES,
    MAX_SEATS,
    NO_CARD,
    NOBODY,
    TABLE,
    Records,
    column,
)

Function = TypeVar("Function", bound=Callable[..., Any])
Good = NDArray[np.bool_]
Claim = tuple[str, Any]  # what is wrong, in words, where this, (N,) bool, is False
Limit = int | Callable[[Records], NDArray[Any]]
INT32, INT64 = 2**31 - 1, 2**63 - 1
# Everything a count can be without overflowing in any session.
COUNT = 2**30


class BrokenInvariant(AssertionError):
    """A step has left a table in a state that the rules do not allow: a bug of the engine, or of code that wrote to the
    record. Raised only with HOLDEM_CHECKS=1."""


def last_seat(r: Records) -> NDArray[Any]:
    """The greatest seat number, by table."""
    return r["seats"] - 1


def _chips(*names: str) -> dict[str, tuple[Limit, Limit]]:
    return dict.fromkeys(names, (0, MAX_CHIPS))


def _flags(*names: str) -> dict[str, tuple[Limit, Limit]]:
    return dict.fromkeys(names, (0, 1))


def _counts(*names: str) -> dict[str, tuple[Limit, Limit]]:
    return dict.fromkeys(names, (0, COUNT))


def _seats_or_nobody(*names: str) -> dict[str, tuple[Limit, Limit]]:
    return dict.fromkeys(names, (NOBODY, last_seat))


LIMITS: dict[str, tuple[Limit, Limit]] = {
    "stage": (0, 0),  # checked first, by `stages_of`
    **_chips("bet_to_match", "last_full_bet", "raise_size", "raise_min", "raise_max", "pot", "dead", "rake"),
    **_chips("stack", "bet", "total", "street_bets", "start_stack", "pot_level", "pot_chips"),
    "bet_acted_on": (record.NOT_ACTED, MAX_CHIPS),
    **_counts("wagers", "moves", "round_began"),
    "premature_after": (0, INT32),
    **_counts("phase_hands", "phase_orbits", "blind_level_hands", "session_hands"),
    **_seats_or_nobody("actor", "aggressor", "small_blind_seat", "big_blind_seat", "straddle_seat"),
    **_seats_or_nobody("phase_seat", "small_blind_due"),
    "button": (0, last_seat),
    "street": (0, lambda r: r["streets"] - 1),
    "live": (0, lambda r: r["seats"]),
    "with_chips": (0, lambda r: r["seats"]),
    "dealt": (2, lambda r: r["seats"]),
    "cursor": (0, lambda r: r["deck_size"]),
    "board_count": (0, MAX_BOARD),
    "pots": (0, MAX_SEATS),
    "follow_ups": (0, record.SOME_ABSENT | record.DEALER_ERRS),
    **_flags("capped", "uncapped", "over", "in_hand", "was_dealt", "held_out", "exposed"),
    **_flags("errors_injected", "blinds_placed", "session_over", "comes_back"),
    "shown": (record.HIDDEN, record.MUCKED),
    "shown_age": (0, 2),
    **dict.fromkeys(("board", "hole", "deck", "reshuffle_order"), (NO_CARD, DECK - 1)),
    "last_shown": (0, DECK),
    "premature_turn": (NO_CARD, lambda r: r["deck_size"] - 1),
    "premature_cards": (0, MAX_BOARD),
    "reshuffles": (0, record.MAX_RESHUFFLES),
    "orders_injected": (0, record.MAX_RESHUFFLES),
    "errors": (0, 2 * record.EXTRA_CARDS - 1),
    "exposed_deal": (0, INT64),
    "street_raises": (0, record.MAX_RAISES),
    "move": (record.FOLD, MAX_CHIPS),
    "move_seat": (NOBODY, MAX_SEATS - 1),
    "move_street": (NOBODY, record.MAX_STREETS - 1),
    "posted": (0, 2**record.POSTINGS - 1),
    "presence": (record.NOT_THERE, record.WAITING),
    **dict.fromkeys(("owes", "posts"), (0, record.OWES_BIG | record.OWES_SMALL)),
    "value": (0, INT32),
    "low_value": (0, 2**15 - 1),
    "blind_level": (0, lambda r: np.maximum(r["levels"], 1) - 1),
    "phase": (0, lambda r: np.maximum(r["phases"], 1) - 1),
    "players_left": (0, lambda r: r["seats"]),
    "place": (0, lambda r: r["seats"]),
    "showing": (0, lambda r: r["seats"]),
    "has_words": (0, 0),  # a view has neither a deck nor hidden cards, so it is no table that can be played
}
"""What each field may be, by its name in compiled code: the least and the greatest value, or a function of the tables'
RULES records (N,) that gives one for each."""
ANYTHING = ("seed", "table_id", "hand", "deck_padding", "padding")
"""Any number does: these are hashed, or nobody reads them."""


def all_fields() -> list[str]:
    """The names of all fields of TABLE, a line's fields by their own names: those of LIMITS and ANYTHING."""
    return [name for name in TABLE.names or () if name not in ("seats", "made")] + list(COLUMNS)


def stages_of(tables: Records, rules: Records) -> Records:
    """The RULES record of each table's stage, (N,)."""
    of_stage: Records = rules[tables["stage"]]
    return of_stage


def first_broken(tables: Records, rules: Records) -> tuple[int, str] | None:
    """The first table that is not as every table is between two moves: its row, and what is wrong in words; None if
    all are well. tables: (N,) TABLE records; rules: the RULES records of the game's stages."""
    if len(tables) == 0:
        return None
    bad = (tables["stage"] < 0) | (tables["stage"] >= len(rules))
    if bad.any():
        return int(bad.argmax()), f"stage {tables['stage'][bad.argmax()]}"
    r = stages_of(tables, rules)
    return outside_of_limits(tables, r, LIMITS) or _first_disagreement(tables, r)


def outside_of_limits(tables: Records, r: Records, limits: dict[str, tuple[Limit, Limit]]) -> tuple[int, str] | None:
    """The first table with a field outside such limits, as `first_broken` gives it. r: the RULES record of each."""
    for name, (low, high) in limits.items():
        if name == "stage":
            continue
        values = column(tables, name).reshape(len(tables), -1)
        least, most = (np.reshape(limit(r) if callable(limit) else limit, (-1, 1)) for limit in (low, high))
        bad = ((values < least) | (values > most)).any(axis=1)
        if bad.any():
            row = int(bad.argmax())
            return row, f"{name} {values[row].tolist() if values.shape[1] > 1 else values[row, 0]}"
    return None


def _first_disagreement(tables: Records, r: Records) -> tuple[int, str] | None:
    parts = (_counts_agree, _chips_agree, _betting_agrees, _cards_agree, _errors_agree, _moves_agree, _session_agrees)
    for part in parts:
        for words, good in part(tables, r):
            if not good.all():
                return int(good.argmin()), words
    return None


def _seat(r: Records) -> Good:
    """Whether the game has these seats, (N, MAX_SEATS)."""
    seat: Good = np.arange(MAX_SEATS) < r["seats"][:, None]
    return seat


def _of(tables: Records, values: NDArray[Any], seat: NDArray[Any]) -> NDArray[Any]:
    """The value of a seat at each table; anything where the seat is NOBODY."""
    found: NDArray[Any] = values[np.arange(len(tables)), np.maximum(seat, 0)]
    return found


def _counts_agree(tables: Records, r: Records) -> Iterator[Claim]:
    """Who is there and who is still in the hand."""
    in_hand, dealt = tables["in_hand"] != 0, tables["was_dealt"] != 0
    playing = tables["actor"] != NOBODY
    chips = column(tables, "stack") > 0
    yield "a seat in the hand that was not dealt in", ~(in_hand & ~dealt).any(axis=1)
    yield "players in seats that the game does not have", ~(dealt & ~_seat(r)).any(axis=1)
    yield "dealt is not the number of seats with was_dealt", tables["dealt"] == dealt.sum(axis=1)
    yield "live is not the number of seats with in_hand", tables["live"] == in_hand.sum(axis=1)
    yield "nobody is in the hand", tables["live"] > 0
    yield (
        "with_chips is not the number of seats in the hand with chips",
        ~playing | (tables["with_chips"] == (in_hand & chips).sum(axis=1)),
    )
    for name in ("in_hand", "stack"):
        values = column(tables, name) != 0
        yield f"the seat to act has no {name}", ~playing | _of(tables, values, tables["actor"])
    yield "somebody is to act in a hand that is over", ~playing | ((tables["over"] == 0) & (tables["showing"] == 0))
    aggressor = tables["aggressor"]
    yield "the aggressor was not dealt in", (aggressor == NOBODY) | _of(tables, dealt, aggressor)


def _chips_agree(tables: Records, r: Records) -> Iterator[Claim]:
    """R40: chips are never made or lost."""
    stack, bet, total, start = (column(tables, name) for name in ("stack", "bet", "total", "start_stack"))
    given = stack.sum(axis=1) + tables["pot"] + tables["rake"] - start.sum(axis=1)
    # A hand may begin with a pot that is nobody's contribution (Table.from_position).
    from_position = (given >= 0) & (given <= tables["dead"])
    over = tables["over"] != 0
    paid = start - stack - total
    yield "more chips than a table can hold", start.sum(axis=1) + tables["dead"] <= MAX_CHIPS
    yield "stacks, pot and rake are not the chips of the beginning (R40)", (given == 0) | from_position
    streets = column(tables, "street_bets")
    taken = (start != 0) | tables["seats"].view(np.int64).reshape(len(tables), MAX_SEATS, -1).any(axis=2)
    yield "chips in seats that the game does not have", ~(taken & ~_seat(r)).any(axis=1)
    later = np.arange(record.MAX_STREETS) > tables["street"][:, None]
    yield "bets on a street that has not come", ~(streets.any(axis=1) & later).any(axis=1)
    yield "a pot in a hand that is over", ~over | (tables["pot"] == 0)
    yield (
        "the pot is not what the seats have put in, with the dead money",
        over | (tables["pot"] == total.sum(axis=1) + tables["dead"]),
    )
    yield "a seat has put in more than it had", over | (paid >= 0).all(axis=1)
    yield "a seat's bet is more than all it has put in", (bet <= total).all(axis=1)


def _betting_agrees(tables: Records, r: Records) -> Iterator[Claim]:
    """The levels of the betting, while somebody is to act."""
    idle = tables["actor"] == NOBODY
    bet, level = column(tables, "bet"), tables["bet_to_match"]
    of_street = column(tables, "street_bets")[np.arange(len(tables)), :, np.clip(tables["street"], 0, None)]
    stack = _of(tables, column(tables, "stack") + bet, tables["actor"])
    least, most = tables["raise_min"], tables["raise_max"]
    yield "a bet is above the bet to match", idle | (bet <= level[:, None]).all(axis=1)
    yield (
        "a seat acted on a bet above the bet to match",
        idle | (column(tables, "bet_acted_on") <= level[:, None]).all(axis=1),
    )
    yield "the last full bet is above the bet to match", idle | (tables["last_full_bet"] <= level)
    yield "the street's bets are not the bets", idle | (of_street == bet).all(axis=1)
    yield "the raise size is 0", idle | (tables["raise_size"] > 0)
    may_raise = (level < least) & (least <= most) & (most <= stack)
    yield "the raise range is impossible", idle | ((least == 0) & (most == 0)) | may_raise
    yield "more bets and raises than moves", idle | (tables["wagers"] <= tables["moves"] + 1)


def _cards_agree(tables: Records, r: Records) -> Iterator[Claim]:
    """No card twice, and as many out of the deck as the rules deal (R4)."""
    in_deck = np.arange(DECK) < r["deck_size"][:, None]
    deck = np.where(in_deck, tables["deck"], -2)
    rules_deck = np.where(in_deck, r["deck"], -2)
    yield "the deck is not the game's, each card once", (np.sort(deck) == np.sort(rules_deck)).all(axis=1)
    dealt = (tables["was_dealt"] != 0)[:, :, None]
    hole = np.where(dealt & (np.arange(record.MAX_HOLE) < r["hole_cards"][:, None, None]), tables["hole"], -2)
    board = np.where(np.arange(MAX_BOARD) < tables["board_count"][:, None], tables["board"], -2)
    known = np.sort(np.concatenate([hole.reshape(len(tables), -1), board], axis=1))
    yield "a hand or the board lacks a card", ~(known == NO_CARD).any(axis=1)
    twice = (known[:, 1:] == known[:, :-1]) & (known[:, 1:] >= 0)
    yield "a card is twice in hands and board", ~twice.any(axis=1)
    out = np.where(np.arange(DECK) < tables["cursor"][:, None], deck, -2)
    is_out = np.zeros((len(tables), DECK + 2), np.bool_)
    is_out[np.arange(len(tables))[:, None], out] = True  # -2 writes to the last place but one
    yield (
        "a card in a hand or on the board has not been dealt",
        (is_out[np.arange(len(tables))[:, None], known] | (known < 0)).all(axis=1),
    )
    reached = np.arange(record.MAX_STREETS) <= tables["street"][:, None]
    yield (
        "the board has not the street's number of cards",
        (tables["board_count"] == (reached * r["board_cards"]).sum(axis=1)),
    )


def _errors_agree(tables: Records, r: Records) -> Iterator[Claim]:
    """How many cards are out of the deck, and what the dealer's errors have done (R33-R38)."""
    row, street = np.arange(len(tables)), np.clip(tables["street"], 0, None)
    errs = tables["follow_ups"] & record.DEALER_ERRS != 0
    burns = np.where(r["board_cards"] > 0, r["burn_cards"], 0)
    reached = np.arange(record.MAX_STREETS) <= street[:, None]
    out = tables["dealt"] * r["hole_cards"] + (reached * (burns + r["board_cards"])).sum(axis=1)
    following = np.minimum(street + 1, record.MAX_STREETS - 1)
    is_last = street + 1 >= r["streets"]
    early, aside = tables["premature_cards"], tables["premature_turn"] != NO_CARD
    most = out + early + np.where(early > 0, burns[row, following], 0)
    most = most + burns[:, 2] + np.where(aside, r["board_cards"][:, 2], 0)
    yield "cursor is not where the deal has come to", errs | (tables["cursor"] == out)
    yield (
        "cursor is not where the deal has come to",
        ~errs | ((tables["cursor"] >= out - burns.max(axis=1)) & (tables["cursor"] <= most)),
    )
    coming = np.where(is_last, 0, r["board_cards"][row, following])
    yield "premature_cards are not the next street's", ~errs | (early == 0) | ((early == coming) & (street != 1))
    is_turn = (street >= 1) & (street <= 2) & (tables["premature_turn"] < tables["cursor"])
    yield "premature_turn lies where no turn can lie", ~errs | ~aside | is_turn
    orders = np.array([1, 3, 3, 4])[np.minimum(street, 3)]
    yield "there were more reshuffles than a hand can have", ~errs | (tables["reshuffles"] <= orders)


def _moves_agree(tables: Records, r: Records) -> Iterator[Claim]:
    """The moves that the record remembers of this hand."""
    made = np.arange(MAX_MOVES) < tables["moves"][:, None]
    seat, street = column(tables, "move_seat"), column(tables, "move_street")
    dealt = tables["was_dealt"][np.arange(len(tables))[:, None], np.maximum(seat, 0)]
    yield "a move by a seat that was not dealt in", ~(made & ((seat < 0) | (dealt == 0))).any(axis=1)
    later = (street < 0) | (street > tables["street"][:, None])
    yield "a move on a street that has not come", ~(made & later).any(axis=1)
    yield (
        "the betting round began after the latest move",
        ((tables["follow_ups"] & record.DEALER_ERRS == 0) | (tables["round_began"] <= tables["moves"])),
    )


def _session_agrees(tables: Records, r: Records) -> Iterator[Claim]:
    """Stage and positions of a session; hands that stand alone have none of it."""
    alone = r["is_session"] == 0
    stage = tables["blind_level"] * r["phases"] + tables["phase"]
    yield "the stage is not that of level and phase", np.where(alone, tables["phase"], stage) == tables["stage"]
    yield "nobody has the big blind", tables["big_blind_seat"] != NOBODY
    yield "nobody is due to post the small blind", alone | (tables["small_blind_due"] != NOBODY)
    idle = (tables["presence"] == record.NOT_THERE) | (tables["presence"] == record.WAITING)
    alone = alone | ~tables["presence"].any(axis=1)  # a Table by itself plays the first stage; nobody sits down there
    yield "a seat was dealt in whose player is not there", alone | ~(idle & (tables["was_dealt"] != 0)).any(axis=1)


def watched(kernel: Function) -> Function:
    """A kernel of (tables, rules, ...) that leaves its tables between two moves. With HOLDEM_CHECKS=1, each call checks
    the tables that it played at (those in `rows`, or first..last, or all), but no views, and raises
    BrokenInvariant."""
    return _watch(kernel, closes=False) if CHECKS else kernel


def watched_until_closed(kernel: Function) -> Function:
    """The same for a kernel that plays at the first table and returns the seat to act; once it has closed the hand, and
    returns a negative number, the record stands between two hands and is not checked."""
    return _watch(kernel, closes=True) if CHECKS else kernel


def _watch(kernel: Function, closes: bool) -> Function:
    names = list(inspect.signature(getattr(kernel, "py_func", kernel)).parameters)

    @wraps(kernel)
    def checking(*arguments: Any) -> Any:
        result = kernel(*arguments)
        if closes and result < 0:
            return result
        given = dict(zip(names, arguments, strict=True))
        tables, rows = given["tables"], np.arange(len(given["tables"]))
        if closes:
            rows = rows[:1]
        elif "rows" in given:
            rows = given["rows"]
        elif "first" in given:
            rows = rows[given["first"] : given["last"]]
        rows = rows[tables["deck"][rows, 0] != NO_CARD]  # code that tries moves on a copy of a view knows what it does
        if found := first_broken(tables[rows], given["rules"]):
            raise BrokenInvariant(f"after {kernel.__name__}, table {rows[found[0]]} has {found[1]}")
        return result

    return checking  # type: ignore[return-value]
