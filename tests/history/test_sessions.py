"""Hands of sessions are written whole, or not at all (R10)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from envs.test_sessions import SESSIONS
from holdem_env import Rules, Session, Table
from holdem_env.history import acpc, phh, pokerstars
from holdem_env.history.errors import HistoryError
from holdem_env.history.hand_record import HandRecord
from tests.history.random_play import play_randomly


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


FORMS: dict[str, dict[str, Any]] = {name: form for name, form in SESSIONS.items() if name != "mixed hands"}
FORMS["tournament"] = {"kind": "tournament"}
FORMS["hands of both"] = {**SESSIONS["mixed hands"], "phases": [{"hands": 2}, {"game": "omaha", "hands": 2}]}
FORCED = ({}, {"ante": 5}, {"big_blind_ante": 20})


def played(form: dict[str, Any], seed: int) -> Iterator[Table]:
    """The hands of a session in which players go, come and are absent, at the latest until one is left."""
    rng = random.Random(seed)
    seats = rng.randint(3, 6)
    rules = Rules(
        structure=rng.choice(("no_limit", "pot_limit")) if "phases" not in form else "no_limit",
        seats=seats,
        blinds=(10, 20),
        stacks=[rng.randint(8, 600) for _ in range(seats)],
        session=form,
        **rng.choice(FORCED),
    )
    session = Session(rules, seed=seed)
    for _ in range(30):
        if session.is_over:
            return
        with suppress(ValueError):
            rng.choice((session.sit_out, session.sit_in, session.leave, session.sit_out))(rng.randrange(seats))
        with suppress(ValueError):
            session.join(rng.randrange(seats), 300)
        try:
            table = session.deal()
        except ValueError:  # nobody is left to play against
            return
        yield play_randomly(table, rng)


def acpc_dumps(table: Table) -> str:
    return f"{acpc.game_definition(table)}\n{acpc.dumps(table)}\n"


def acpc_loads(text: str, folder: Path) -> HandRecord:
    definition, _, line = text.partition("\n\n")
    (folder / "game").write_text(definition)
    (folder / "log").write_text(line)
    (hand,) = acpc.read(folder / "log", folder / "game", on_error="raise")
    return hand


def is_read_back(table: Table, write: Callable[..., str], read: Callable[[str], HandRecord], by_seat: bool) -> bool:
    """Whether a format can express a hand; then it reads back the same. by_seat: in the order of seats, not of play."""
    try:
        text = write(table)
    except HistoryError:
        return False
    dealt = [seat for seat in range(table.game.seats) if table.records["was_dealt"][0, seat]]
    first = (table.button + 1) % table.game.seats
    order = dealt if by_seat else sorted(dealt, key=lambda seat: (seat - first) % table.game.seats)
    assert read(text).replay().payoffs == [table.payoffs[seat] for seat in order], text
    return True


@pytest.mark.fast_cases("2 seeds")
@pytest.mark.parametrize("seeds", [range(2), range(2, 22)], ids=["2 seeds", "20 seeds"])
def test_hands_of_sessions_read_back_the_same(seeds: range, tmp_path: Path) -> None:
    """R10 and all forms of sessions, with antes and without."""
    formats = {
        "PHH": (phh.dumps, phh.loads, False),
        "PokerStars": (pokerstars.dumps, pokerstars.loads, True),
        "ACPC": (acpc_dumps, lambda text: acpc_loads(text, tmp_path), False),
    }
    counts = dict.fromkeys(formats, 0)
    hands = 0
    for form in FORMS.values():
        for seed in seeds:
            for table in played(form, seed):
                hands += 1
                for name, (write, read, by_seat) in formats.items():
                    counts[name] += is_read_back(table, write, read, by_seat)
    assert hands > 50 * len(seeds)
    assert min(counts["PHH"], counts["PokerStars"]) > hands / 2
    assert counts["ACPC"] >= len(seeds) // 4
