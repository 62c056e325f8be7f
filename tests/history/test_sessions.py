"""Hands of sessions and with a dealer's error are written whole, or not at all."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from envs.test_sessions import SESSIONS
from errors import complaint, mentions
from holdem_env import DealerErrors, Rules, Session, Table
from holdem_env.history import HandWriter, acpc, phh, pokerstars, read_hands
from holdem_env.history.errors import HistoryError
from holdem_env.history.hand_record import HandRecord
from rules.playing import check_down
from rules.sitting import fold_out
from tests.history.random_play import play_randomly


def cash_session() -> Session:
    """Four players, after three hands in which everybody folds to the big blind."""
    session = Session(Rules(seats=4, blinds=(50, 100), stacks=10_000, session={"kind": "cash"}), seed=1)
    for _ in range(3):
        fold_out(session.deal())
    return session


@pytest.mark.parametrize("write", [phh.dumps, acpc.dumps], ids=["phh", "acpc"])
def test_formats_refuse_what_they_cannot_tell_of_sessions(write) -> None:
    """R10: a dead small blind, a dead button, missed blinds. Never silently left out."""
    session = cash_session()
    assert write(fold_out(session.deal()))
    big_blind = int(session.table.records["big_blind_seat"][0])
    session.leave(big_blind)
    mentions(complaint(write, fold_out(session.deal()), kind=HistoryError), "nobody has the small blind")
    mentions(complaint(write, fold_out(session.deal()), kind=HistoryError), "button at an empty seat")
    session.join(big_blind, 5_000)
    while (table := fold_out(session.deal())) and not table.records["posts"].any():
        pass
    mentions(complaint(write, table, kind=HistoryError), "missed big blind was posted")


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


# Dealer's errors (R33-R38)


ERRORS = [
    ({"exposed_hole_card": 0}, "a hole card was exposed"),
    ({"exposed_hole_card": 3}, "a hole card was exposed"),
    ({"extra_card": 1}, "a card too many"),
    ({"extra_card": 2}, "a card too many"),
    ({"premature_flop": True}, "before the betting was complete"),
    ({"premature_flop": 2}, "before the betting was complete"),
    ({"premature_turn": 1}, "before the betting was complete"),
    ({"premature_turn": True}, "before the betting was complete"),
    ({"premature_river": True}, "before the betting was complete"),
    ({"flop_too_many": True}, "the flop had too many cards"),
]


def checked_down(rules: Rules, **message: object) -> Table:
    return check_down(Table(rules, seed=3, **message))


@pytest.mark.parametrize(("errors", "words"), ERRORS)
def test_a_hand_with_an_error_is_refused(errors, words):
    table = checked_down(Rules(seats=3), dealer_errors=errors)
    for dumps in (phh.dumps, acpc.dumps):
        assert re.search(f"cannot express a dealer's error: .*{words}", complaint(dumps, table, kind=HistoryError))


@pytest.mark.parametrize("probability", [0, 0.02])
def test_a_hand_without_an_error_is_written_as_ever(probability):
    plain = checked_down(Rules(seats=3))
    table = checked_down(Rules(seats=3, dealer_errors=DealerErrors(flop_too_many=probability)))
    assert table.log == plain.log
    assert phh.dumps(table) == phh.dumps(plain)
    assert acpc.dumps(table) == acpc.dumps(plain)
    assert acpc.game_definition(table) == acpc.game_definition(plain)


def test_an_error_that_came_to_nothing_does_not_hinder():
    table = Table(Rules(seats=3), seed=3, dealer_errors={"flop_too_many": True, "premature_river": 1})
    table.fold()
    table.fold()
    assert "p1 f" in phh.dumps(table)


def test_cards_that_came_on_time_do_not_hinder():
    seen = {"premature_flop": 3, "premature_turn": 3, "premature_river": 3}
    table = checked_down(Rules(seats=3), dealer_errors=seen)
    assert phh.dumps(table) == phh.dumps(checked_down(Rules(seats=3)))


# HandWriter


def finished(seed: int, rules: str = "heads-up-no-limit") -> Table:
    return play_randomly(Table(rules, seed=seed), random.Random(seed))


@pytest.mark.parametrize("suffix", ["phhs", "txt", "phhs.xz", "phhs.gz", "txt.xz", "txt.gz"])
def test_many_hands_in_every_format(tmp_path: Path, suffix: str) -> None:
    tables = [finished(seed) for seed in range(4)]
    with HandWriter(tmp_path / f"hands.{suffix}") as writer:
        for table in tables:
            writer.write(table, players=["Ann", "Bob"])
    hands = list(read_hands(tmp_path / f"hands.{suffix}", on_error="raise"))
    assert [hand.hand for hand in hands] == [1, 2, 3, 4]
    assert [sorted(hand.replay().payoffs) for hand in hands] == [sorted(table.payoffs) for table in tables]


def test_the_format_may_be_said(tmp_path: Path) -> None:
    with HandWriter(tmp_path / "hands", to="pokerstars") as writer:
        writer.write(finished(1), hand=7)
    assert [hand.hand for hand in pokerstars.read(tmp_path / "hands")] == [7]
    with HandWriter(tmp_path / "one.phh") as writer:
        writer.write(finished(1))
        mentions(complaint(writer.write, finished(2)), "holds one hand")
    assert len(list(phh.read(tmp_path / "one.phh"))) == 1


def test_a_hand_that_cannot_be_written_does_not_stop_the_others(tmp_path: Path) -> None:
    with HandWriter(tmp_path / "hands.txt") as writer:
        mentions(complaint(writer.write, finished(1, "leduc"), kind=HistoryError), "cannot express this game")
        writer.write(finished(2))
    assert len(list(pokerstars.read(tmp_path / "hands.txt"))) == 1


def test_an_error_leaves_no_file_and_no_file_is_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "hands.txt.xz"
    with pytest.raises(ValueError, match="reads like a line"), HandWriter(path) as writer:
        writer.write(finished(1), players=["***", "Bob"])
    assert list(tmp_path.iterdir()) == []
    path.write_text("mine")
    assert re.search("exists already; name a new file", complaint(HandWriter, path, kind=FileExistsError))
    assert path.read_text() == "mine"


@pytest.mark.parametrize(("name", "to"), [("hands.pdf", None), ("hands", None), ("hands.txt", "pdf")])
def test_formats_that_there_are_not(tmp_path: Path, name: str, to: str | None) -> None:
    assert re.search(r"does not say the format|is no format", complaint(HandWriter, tmp_path / name, to))


def test_writing_needs_the_block(tmp_path: Path) -> None:
    assert re.search("only within the `with` block", complaint(HandWriter(tmp_path / "hands.txt").write, finished(1)))
