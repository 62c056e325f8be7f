"""Hands of sessions are written whole, or not at all (R10)."""

from __future__ import annotations

import pytest

from holdem_env import Rules, Session, Table
from holdem_env.history import acpc, phh
from holdem_env.history.errors import HistoryError


def cash_session() -> Session:
    """Four players, after three hands in which everybody folds to the big blind."""
    session = Session(Rules(seats=4, blinds=(50, 100), stacks=10_000, session={"kind": "cash"}), seed=1)
    for _ in range(3):
        fold_out(session.deal())
    return session


def fold_out(table: Table) -> Table:
    while not table.is_over:
        table.no_action()
    return table


@pytest.mark.parametrize("write", [phh.dumps, acpc.dumps], ids=["phh", "acpc"])
def test_formats_refuse_what_they_cannot_tell_of_sessions(write) -> None:
    """R10: a dead small blind, a dead button, missed blinds. Never silently left out."""
    session = cash_session()
    assert write(fold_out(session.deal()))
    big_blind = int(session.table.records["big_blind_seat"][0])
    session.leave(big_blind)
    with pytest.raises(HistoryError, match="nobody has the small blind"):
        write(fold_out(session.deal()))
    with pytest.raises(HistoryError, match="button at an empty seat"):
        write(fold_out(session.deal()))
    session.join(big_blind, 5_000)
    while (table := fold_out(session.deal())) and not table.records["posts"].any():
        pass
    with pytest.raises(HistoryError, match="missed big blind was posted"):
        write(table)


def test_a_seat_that_is_held_out_is_not_written() -> None:
    session = cash_session()
    session.sit_out(1)
    table = fold_out(session.deal())
    hand = phh.loads(phh.dumps(table))
    dealt = [seat for seat in range(4) if seat != 1]
    assert len(hand.starting_stacks) == 3
    assert sorted(hand.replay().payoffs) == sorted(table.payoffs[seat] for seat in dealt)
