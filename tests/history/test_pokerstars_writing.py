"""Hands written as PokerStars' text read back as the same hands; PokerKit's parser reads them to the same stacks."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from pokerkit import HandHistory

from differential.pokerkit_rulings import payoffs_by_pokerkit
from examples import examples
from holdem_env import Rules, Session, Table
from holdem_env.game.presets import PRESETS, VARIANTS
from holdem_env.history import HistoryError, phh, pokerstars, times
from rules.playing import check_down
from tests.history.random_play import play_randomly, random_tables

DID = ("fold", "check", "call", "bet", "raise", "return_uncalled", "deal_board", "push_pot", "rake")
WRITTEN = [name for name in PRESETS if name not in VARIANTS] + ["omaha", "omaha-hi-lo"]


def done(table: Table, seats: dict[int, int] | None = None) -> list[tuple[Any, ...]]:
    """What happened, with seats renamed if given; without showing, which the rules decide again."""
    return [
        (step.kind, None if step.seat is None else (seats or {}).get(step.seat, step.seat), step.amount, step.cards)
        for step in table.log
        if step.kind in DID or step.kind.startswith("post_")
    ]


def assert_same_hand(table: Table, text: str) -> None:
    """The text reads back as the hand. Seats that were not dealt in are left out."""
    dealt = [seat for seat in range(table.game.seats) if table.records["was_dealt"][0, seat]]
    hand = pokerstars.loads(text)
    again = hand.replay()
    assert hand.payoffs == again.payoffs == [table.payoffs[seat] for seat in dealt]
    assert done(again) == done(table, {seat: k for k, seat in enumerate(dealt)})
    assert again.is_over


@given(random_tables())
def test_random_hands_read_back_the_same(table: Table) -> None:
    text = pokerstars.dumps(table)
    assert_same_hand(table, text)
    again = pokerstars.loads(text)
    options: dict[str, Any] = {"hand": again.hand, "players": again.players, "metadata": again.metadata}
    assert sorted(pokerstars.dumps(again.replay(), **options).splitlines()) == sorted(text.splitlines())


@given(random_tables(raked=True))
def test_r31_raked_hands_read_back_the_same(table: Table) -> None:
    """Whatever was taken from whichever pot, dead money alone below the main pot included."""
    assert_same_hand(table, pokerstars.dumps(table))


@pytest.mark.fast_cases(3)
@pytest.mark.parametrize("preset", WRITTEN)
def test_every_preset_reads_back_the_same(preset: str) -> None:
    rules = Rules.preset(preset)
    for seed in range(30):
        table = play_randomly(Table(rules, button=seed % rules.seats, seed=seed), random.Random(seed), calm=0.7)
        assert_same_hand(table, pokerstars.dumps(table))


@given(random_tables(least=300))
def test_the_view_of_a_seat_has_no_hidden_cards(table: Table) -> None:
    text = pokerstars.dumps(table, seat=1)
    hidden = [seat for seat in range(table.rules.seats) if seat != 1 and not table.is_shown(seat)]
    assert text.count("Dealt to ") == 1
    assert not any(f"[{str(table.hole_cards(seat))[:2]} " in text for seat in hidden)
    hand = pokerstars.loads(text)
    assert hand.replay().payoffs == table.payoffs
    public = pokerstars.dumps(table, public=True)
    assert "Dealt to " not in public
    assert pokerstars.loads(public).payoffs == table.payoffs


def pokerkit_can_read(table: Table) -> bool:
    """PokerKit's parser knows no antes and no straddles; with equal blinds heads-up it lets the other player begin."""
    rules = table.rules
    return not (rules.ante or rules.big_blind_ante or rules.straddle) and rules.small_blind < rules.big_blind


@pytest.mark.filterwarnings("ignore:The field")
@given(random_tables(structures=("no_limit",), least=300), st.integers(0, 9))
@settings(suppress_health_check=[HealthCheck.filter_too_much])
def test_pokerkit_reads_the_same_stacks(table: Table, hero: int) -> None:
    assume(pokerkit_can_read(table))
    rules = table.rules
    text = pokerstars.dumps(table, seat=hero % rules.seats, unit=Decimal("0.01"), currency="USD", hand=17)
    cents = {"parse_value": lambda value: round(100 * float(value))}
    (theirs,) = HandHistory.from_pokerstars(text, **cents, error_status=True)
    *_, state = theirs
    seats = [int(number) - 1 for number in theirs.seats]
    if state.status:  # hole cards that were mucked are unknown: nobody has shown them
        return
    assert list(theirs.starting_stacks) == [table.starting_stacks[seat] for seat in seats]
    assert theirs.hand == 17


@pytest.mark.filterwarnings("ignore:The field")
@given(random_tables(structures=("no_limit",), least=300))
@settings(suppress_health_check=[HealthCheck.filter_too_much])
def test_pokerkit_pays_the_same(table: Table) -> None:
    """Up to the odd chips, which it gives to the first winner (R28)."""
    assume(pokerkit_can_read(table))
    text = pokerstars.dumps(table)
    (theirs,) = HandHistory.from_pokerstars(text, error_status=True)
    *_, state = theirs
    seats = [int(number) - 1 for number in theirs.seats]
    paid = payoffs_by_pokerkit(table)
    assert [int(stack) for stack in state.stacks] == [table.starting_stacks[seat] + paid[seat] for seat in seats]


@given(st.integers(0, 2**32), st.sampled_from(["cash", "tournament"]), st.sampled_from(["dead", "moving"]))
@examples(40)
def test_hands_of_sessions_read_back_the_same(seed: int, kind: str, button: str) -> None:
    """R10: players sit out, leave and return; missed blinds, dead small blinds, the button at an empty seat."""
    rng = random.Random(seed)
    rules = Rules(seats=5, blinds=(50, 100), stacks=4_000, session={"kind": kind, "button": button})
    session = Session(rules, seed=seed)
    for _ in range(8):
        if session.is_over or sum(stack > 0 for stack in session.stacks) < 4:
            break
        for seat in range(5):
            if kind == "cash" and session.stacks[seat] and rng.random() < 0.3:
                (session.sit_in if session.is_away(seat) else session.sit_out)(seat)
        if sum(not session.is_away(seat) and session.stacks[seat] > 0 for seat in range(5)) < 2:
            break
        table = play_randomly(session.deal(), rng, calm=0.8)
        assert_same_hand(table, pokerstars.dumps(table, seat=table.button) if seed % 2 else pokerstars.dumps(table))


def finished(seed: int = 1, **options: Any) -> Table:
    return play_randomly(Table("heads-up-no-limit", seed=seed, **options), random.Random(seed))


def test_the_first_lines() -> None:
    table = finished()
    when = datetime(2026, 3, 1, 7, 5, 9, tzinfo=timezone(timedelta(hours=2)))
    text = pokerstars.dumps(
        table, hand=12, players=["Ann", "Bob"], unit=Decimal("0.5"), time=when, table_name="Ada", currency="EUR", seat=0
    )
    assert text.splitlines()[:4] == [
        "PokerStars Hand #12:  Hold'em No Limit (€0.50/€1 EUR) - 2026/03/01 5:05:09 UTC",
        "Table 'Ada' 2-max Seat #1 is the button",
        "Seat 1: Ann (€100 in chips)",
        "Seat 2: Bob (€100 in chips)",
    ]
    metadata = pokerstars.loads(text).metadata
    assert (metadata["year"], metadata["month"], metadata["day"]) == (2026, 3, 1)
    assert times.time_of(metadata) == when.astimezone(UTC)
    assert times.time_of(times.time_fields(when)) == when
    assert times.time_of(pokerstars.loads(pokerstars.dumps(table)).metadata) is None


def test_a_hand_of_a_tournament() -> None:
    metadata = {"event": "Tournament #900", "level": "IV", "_buy_in": "$10+$1 USD", "seats": [3, 8], "seat_count": 9}
    text = pokerstars.dumps(finished(), metadata=metadata)
    assert "Tournament #900, $10+$1 USD  Hold'em No Limit - Level IV (1/2) - " in text
    assert "Table 'holdem' 9-max Seat #3 is the button\nSeat 3: player 1 (200 in chips)" in text
    assert metadata.items() <= pokerstars.loads(text).metadata.items()


def test_names_can_be_told_apart() -> None:
    hand = pokerstars.loads(pokerstars.dumps(finished(), players=["  bot\n", "bot"]))
    assert hand.players == ("bot", "bot (2)")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        *(
            ({"players": [name, "Bob"]}, "reads like a line")
            for name in ("PokerStars Hand #1", "*** FLOP ***", "Seat 1", "Dealt to me")
        ),
        ({"players": ["Bob"]}, "each of the 2 seats"),
        ({"currency": "XYZ"}, "'XYZ' is not one of USD, EUR, GBP"),
        ({"seat": 2}, "there is no seat 2"),
    ],
)
def test_options_that_are_none(options: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        pokerstars.dumps(finished(), **options)


@given(st.lists(st.text(min_size=1, max_size=20), min_size=2, max_size=2), st.integers(0, 20))
def test_any_names_read_back(names: list[str], seed: int) -> None:
    table = finished(seed)
    try:
        text = pokerstars.dumps(table, players=names)
    except ValueError as problem:
        assert "reads like a line" in str(problem)  # noqa: PT017
        return
    assert pokerstars.loads(text).payoffs == table.payoffs


REFUSED = [
    (lambda: finished(1, dealer_errors={"extra_card": 1}), "a dealer's error"),
    (lambda: Table("heads-up-no-limit"), "the hand is not over"),
    (lambda: play_randomly(Table("leduc", seed=1), random.Random(1)), "cannot express this game"),
    (lambda: play_randomly(Table("flop-holdem", seed=1), random.Random(1)), "cannot express this game"),
    (lambda: play_randomly(Table(Rules(min_bet=300), seed=1), random.Random(1)), "cannot express bets"),
    (lambda: play_randomly(Table(Rules(blinds=(0, 0), ante=5, stacks=500), seed=1), random.Random(1)), "big blind"),
    (lambda: check_down(Table.from_position("heads-up-no-limit", 200, "AsKsQs", pot=8)), "begins in the middle"),
]


@pytest.mark.parametrize(("make", "why"), REFUSED, ids=[why for _, why in REFUSED])
def test_hands_that_the_format_cannot_express(make: Any, why: str) -> None:
    with pytest.raises(HistoryError, match=why):
        pokerstars.dumps(make())


@pytest.mark.parametrize("suffix", ["txt", "txt.xz", "txt.gz"])
def test_files(tmp_path: Path, suffix: str) -> None:
    tables = [finished(seed) for seed in range(5)]
    path = tmp_path / f"hands.{suffix}"
    pokerstars.write(tables, path, players=["Ann", "Bob"])
    hands = list(pokerstars.read(path, on_error="raise"))
    assert [hand.hand for hand in hands] == [1, 2, 3, 4, 5]
    assert [hand.payoffs for hand in hands] == [table.payoffs for table in tables]
    pokerstars.write(tables[0], path)
    assert len(list(pokerstars.read(path))) == 1


def through_pokerstars(hands: Any) -> int:
    """Write hands that were read as PHH as PokerStars' text, read them again, and compare. Returns how many."""
    count = 0
    for hand in hands:
        table = hand.replay()
        text = pokerstars.dumps(
            table, hand=hand.hand, players=hand.players, unit=hand.unit, known=hand.known_cards, metadata=hand.metadata
        )
        again = pokerstars.loads(text)
        assert again.payoffs == again.replay().payoffs == table.payoffs
        assert again.players == hand.players
        assert again.holes == hand.holes
        count += 1
    return count


def test_real_hands_of_an_excerpt() -> None:
    assert through_pokerstars(phh.read(Path(__file__).parent.parent / "data" / "pluribus.phhs")) == 60


@pytest.mark.slow
def test_all_real_hands(data_dir: Path) -> None:
    assert through_pokerstars(phh.read(data_dir / "pluribus.phhs.xz", on_error="raise")) == 10_000
