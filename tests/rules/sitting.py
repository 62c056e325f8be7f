"""How the tests of sessions play: hands that cost only the blinds, short words for who has which place."""

from __future__ import annotations

from typing import Any, NamedTuple

from holdem_env import Rules, Session, Table
from rules.playing import stacked_deck


class Places(NamedTuple):
    """Where button and blinds are in a hand; small None: nobody posts it."""

    button: int
    small: int | None
    big: int


def cash(
    seats: int, stacks: int = 1000, button: int = 0, session: dict[str, Any] | None = None, **rules: Any
) -> Session:
    """A cash session with blinds 10/20."""
    return start(seats, stacks, button, {"kind": "cash", **(session or {})}, **rules)


def tournament(
    seats: int, stacks: Any = 1000, button: int = 0, session: dict[str, Any] | None = None, **rules: Any
) -> Session:
    """A freezeout with blinds 10/20."""
    return start(seats, stacks, button, session or {}, **rules)


def start(seats: int, stacks: Any, button: int, session: dict[str, Any], **rules: Any) -> Session:
    game = Rules(seats=seats, **{"blinds": (10, 20), "session": session, **rules})
    each = [stacks] * seats if isinstance(stacks, int) else stacks
    return Session(game, stacks=each, button=button, seed=1)


def fold_out(table: Table) -> Table:
    """Everybody folds to the last."""
    while not table.is_over:
        table.fold()
    return table


def next_hand(session: Session) -> Places:
    """Deal a hand, fold it out, and tell where button and blinds were."""
    return places(fold_out(session.deal()))


def places(table: Table) -> Places:
    """Where button and blinds are, the blinds by who posted them."""
    posted = {operation.kind: operation.seat for operation in table.log}
    small, big = posted.get("post_small_blind"), posted["post_big_blind"]
    assert big is not None
    return Places(table.button, small, big)


def posts(table: Table) -> dict[str, list[tuple[int | None, int]]]:
    """Who came back with which blinds: kind -> [(seat, chips)]."""
    kinds = ("post_live", "post_dead")
    return {kind: [(deed.seat, deed.amount) for deed in table.log if deed.kind == kind] for kind in kinds}


def dealt(table: Table) -> list[int]:
    """The seats that have cards, in the order in which they got the first."""
    seats = [deed.seat for deed in table.log if deed.kind == "deal_hole"]
    return [seat for seat in dict.fromkeys(seats) if seat is not None]


def bust(session: Session, losers: set[int]) -> Places:
    """A hand that `losers` lose all-in to the first of the others who plays with them; the rest folds."""
    seats = session.rules.seats
    probe = session_order(session)
    winner = next(seat for seat in probe if seat not in losers)
    hands = {winner: "AsAd"}
    hands |= dict(zip(sorted(losers), ("7s5d", "7h5c", "6s4d", "6h4c"), strict=False))
    table = session.deal(deck=deck_for(probe, hands, "AhAcKdQs2h"))
    while not table.is_over:
        if table.actor in losers or table.actor == winner:
            if table.legal.raise_max is not None:
                table.raise_to(table.legal.raise_max)
            else:
                table.check_call()
        else:
            table.fold()
    assert all(session.stacks[seat] == 0 for seat in losers), session.stacks
    assert seats
    return places(table)


def session_order(session: Session) -> list[int]:
    """The seats that the next hand deals to, in order (asked of a copy)."""
    import copy

    return dealt(copy.deepcopy(session).deal())


def deck_for(order: list[int], holes: dict[int, str], board: str) -> str:
    """A deck in dealing order for these seats: hole cards by seat, and a board."""
    numbered = {order.index(seat): text for seat, text in holes.items()}
    return stacked_deck(len(order), len(order) - 1, numbered, board)
