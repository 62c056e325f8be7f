"""PHH as it is written: tables of every kind read back as the same hand, and PokerKit pays them the same."""

from __future__ import annotations

import datetime
import random
import re
import tomllib
import warnings
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from errors import complaint, mentions
from history.phh_text import HAND, hand, text
from history.random_play import play_randomly, random_rules, random_tables
from holdem_env import Rules, Table
from holdem_env.history import HandRecord, HistoryError, phh, pokerstars


def seen_from_the_left(table: Table) -> list[tuple[object, ...]]:
    """The log with seats counted from the left of the button, without the burn cards, which PHH does not tell."""
    left, seats = table.button + 1, table.rules.seats
    return [
        (kind, None if seat is None else (seat - left) % seats, amount, cards, pot)
        for kind, seat, amount, cards, pot in table.log
        if kind != "burn"
    ]


def check_same(table: Table, record: HandRecord) -> None:
    again = record.replay()
    seats = table.rules.seats
    order = [(table.button + 1 + i) % seats for i in range(seats)]
    assert seen_from_the_left(again) == seen_from_the_left(table)
    assert again.payoffs == [table.payoffs[seat] for seat in order]
    assert again.stacks == [table.stacks[seat] for seat in order]
    assert record.payoffs == (again.payoffs if table.is_over else None)
    assert record.known_cards == {card for seat in order for card in table.hole_cards(seat)} | set(table.board)


@given(random_tables())
def test_random_hands_read_back_the_same(table: Table) -> None:
    check_same(table, phh.loads(phh.dumps(table)))


@given(random_rules(), st.integers(0, 2**32), st.integers(1, 40))
def test_unfinished_hands_read_back_the_same(rules: Rules, seed: int, moves: int) -> None:
    table = play_randomly(Table(rules, seed=seed), random.Random(seed), moves=moves)
    check_same(table, phh.loads(phh.dumps(table)))


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(
    "changes",
    [
        {"structure": "pot_limit"},
        {"structure": "fixed_limit", "max_raises": None},
        {"structure": "fixed_limit", "max_raises": (2, 3, 3, 5), "uncapped_heads_up": "at_start"},
        {"reopen": "strict", "reopen_fraction": 0.5},
        {"smallest_chip": 5, "blinds": (5, 10)},
        {"rake": {"percent": 5, "cap": 3}},
        {"min_bet": (2, 4, 4, 8), "blinds": (1, 2)},
        {"min_bet": 6, "blinds": (1, 2)},
        {"muck": False, "face_up_all_in": False},
        {"showing": "manual"},
        {"blinds": (0, 2)},
    ],
)
def test_rules_that_phh_does_not_know_are_carried(changes: dict[str, object]) -> None:
    rules = Rules(seats=4, **changes)  # type: ignore[arg-type]
    for seed in range(10):
        table = play_randomly(Table(rules, button=3, seed=seed), random.Random(seed))
        record = phh.loads(phh.dumps(table))
        check_same(table, record)
        ignored = {"stacks", "reward_unit", "small_bet", "big_bet", "min_bet"}
        assert record.rules.model_dump(exclude=ignored) == rules.model_dump(exclude=ignored)
        assert record.rules.street_bets == rules.street_bets


def test_a_plain_game_needs_no_field_of_ours() -> None:
    for structure in ("no_limit", "fixed_limit"):
        table = play_randomly(Table(Rules(structure=structure), seed=1), random.Random(1))
        assert "_holdem_env" not in phh.dumps(table)


def test_games_without_a_code() -> None:
    rules = Rules(board_cards=(0, 3), first_to_act=("after_blinds", "left_of_button"), max_raises=(3, 4))
    mentions(complaint(phh.dumps, Table(rules, seed=1), kind=HistoryError), "board_cards")


def test_the_text() -> None:
    table = Table(Rules.preset("heads-up-no-limit"), button=0, deck="AsKdAhKc")
    table.raise_to(6)
    table.fold()
    assert phh.dumps(table, hand=3, players=["Ann", "Ben"], metadata={"event": "café", "_x": [1.5, True]}) == (
        'variant = "NT"\n'
        "ante_trimming_status = true\n"
        "antes = [0, 0]\n"
        "blinds_or_straddles = [1, 2]\n"
        "min_bet = 2\n"
        "starting_stacks = [200, 200]\n"
        'actions = ["d dh p1 AsAh", "d dh p2 KdKc", "p2 cbr 6", "p1 f"]\n'
        "hand = 3\n"
        "seats = [2, 1]\n"
        "seat_count = 2\n"
        'players = ["Ben", "Ann"]\n'
        "finishing_stacks = [198, 202]\n"
        'event = "café"\n'
        "_x = [1.5, true]\n"
    )


def test_cents_and_unknown_cards_survive() -> None:
    actions = ["d dh p1 ????", "d dh p2 ????", "d dh p3 ????", *HAND["actions"][3:-2], "p3 sm KsKc"]
    record = hand(actions=actions, winnings=[0, 0, 74])
    text = phh.dumps(record.replay(), unit=Decimal("0.05"), known=record.known_cards)
    assert 'p3 cbr 0.3"' in text
    assert "d dh p1 ????" in text
    assert "d dh p3 KsKc" in text
    again = phh.loads(text)
    assert again.known_cards == record.known_cards
    assert again.unit == Decimal("0.01")
    assert [payoff * again.unit for payoff in again.replay().payoffs] == [
        payoff * Decimal("0.05") for payoff in record.replay().payoffs
    ]


@pytest.mark.parametrize("name", ["one.phh", "one.phhs", "one.phh.gz", "one.phhs.xz"])
def test_files_with_one_hand(tmp_path: Path, name: str) -> None:
    table = play_randomly(Table(Rules(), button=5, seed=3), random.Random(3))
    phh.write(table, tmp_path / name, players=["a", "b", "c", "d", "e", "f"])
    [record] = phh.read(tmp_path / name, on_error="raise")
    check_same(table, record)
    assert record.players == ("a", "b", "c", "d", "e", "f")


def test_files_with_many_hands(tmp_path: Path) -> None:
    tables = [play_randomly(Table(Rules(seats=2 + k), seed=k), random.Random(k)) for k in range(8)]
    phh.write(iter(tables), tmp_path / "many.phhs.gz")
    records = list(phh.read(tmp_path / "many.phhs.gz", on_error="raise"))
    assert [record.hand for record in records] == list(range(1, 9))
    for table, record in zip(tables, records, strict=True):
        check_same(table, record)
    assert re.search(r"several hands go into a \.phhs file", complaint(phh.write, tables, tmp_path / "many.phh"))


@given(
    st.dictionaries(
        st.text(st.characters(codec="utf-8"), min_size=1),
        st.recursive(
            st.one_of(
                st.text(st.characters(codec="utf-8")), st.integers(-(2**62), 2**62), st.booleans(),
                st.floats(allow_nan=False), st.dates(), st.times(),
            ),
            lambda values: st.one_of(st.lists(values), st.dictionaries(st.text(st.characters(codec="utf-8")), values)),
            max_leaves=5,
        ),
    )
)  # fmt: skip
def test_metadata_of_any_kind(metadata: dict[str, object]) -> None:
    table = Table(Rules(), seed=1)
    fields = tomllib.loads(phh.dumps(table, metadata={f"_{name}": value for name, value in metadata.items()}))
    assert {name[1:]: value for name, value in fields.items() if name.startswith("_")} == metadata


NUMBERS = ["inf", "-inf", "nan", "1e999999999", "1e-999999999", "-0.0", "100.0", "0.10", f"1.{'123456789' * 5}"]


@pytest.mark.parametrize("number", NUMBERS)
def test_numbers_of_any_size_are_kept_as_toml(number: str) -> None:
    """The specification allows `time_limit = inf`."""
    kept = phh.loads(f"{text()}time_limit = {number}\ntime_banks = [{number}, {number}, {number}]\n")
    again = phh.loads(phh.dumps(kept.replay(), metadata=kept.metadata))
    for each in (again.metadata["time_limit"], *again.metadata["time_banks"]):
        assert each == Decimal(number) or (each.is_nan() and number == "nan")


def test_a_record_with_a_number_beyond_all_does_not_stop_the_others(tmp_path: Path) -> None:
    path, problems = tmp_path / "mine.phhs", list[HistoryError]()
    path.write_text(f"[1]\n{text()}x = 1e{'9' * 30}\n[2]\n{text()}x = inf\n")
    assert [each.hand for each in phh.read(path, on_error=problems.append)] == [2]
    assert "beyond" in problems[0].reason


@pytest.mark.parametrize("suffix", ["phhs", "txt", "phhs.xz", "txt.gz"])
def test_a_hand_that_is_refused_leaves_the_file_as_it_was(tmp_path: Path, suffix: str) -> None:
    path, write = tmp_path / f"mine.{suffix}", pokerstars.write if "txt" in suffix else phh.write
    write(good := play_randomly(Table("heads-up-no-limit", seed=1), random.Random(1)), path)
    before = path.read_bytes()
    leduc = play_randomly(Table("leduc", seed=1), random.Random(1))
    complaint(write, [good, leduc], path, kind=HistoryError)
    assert (path.read_bytes(), list(tmp_path.iterdir())) == (before, [path])


def test_metadata_that_toml_cannot_hold() -> None:
    mentions(complaint(phh.dumps, Table(Rules(), seed=1), metadata={"_x": object()}), "cannot be written in TOML")
    kept = phh.loads(phh.dumps(Table(Rules(), seed=1), metadata={"time": datetime.time(12, 30), "variant": "PO"}))
    assert kept.metadata["time"] == datetime.time(12, 30)


# PokerKit as the oracle. Where the two rule differently:
# - the price to call is what the big blind posted, ours is the full blind (R9);
# - the big-blind ante is paid before the blind, ours after it (R8);
# - its fixed limit knows no half-bet rule (R24);
# - several odd chips of a pot all go to one winner, ours one to each (R28);
# - heads-up with equal blinds the big blind acts first, ours is always the button (R7).
# The first three need short stacks, so stacks are deep enough here, and blinds differ; odd chips are allowed for.


def pokerkit_payoffs(text: str) -> list[int]:
    notation = pytest.importorskip("pokerkit").HandHistory.loads(text)
    played = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for state, action in notation.state_actions:  # noqa: B007
            played += [action] if action is not None else []
    assert played == notation.actions
    return list(state.payoffs)


def check_pokerkit(table: Table) -> None:
    assume(table.rules.blinds != (25, 25))
    table_payoffs = phh.loads(phh.dumps(table)).replay().payoffs
    payoffs = pokerkit_payoffs(phh.dumps(table))
    pots: dict[int | None, int] = {}
    for operation in table.log:
        if operation.kind == "push_pot":
            pots[operation.pot] = pots.get(operation.pot, 0) + 1
    odd_chips = sum(winners - 1 for winners in pots.values())
    assert sum(payoffs) == sum(table_payoffs) == 0
    assert all(abs(ours - theirs) <= odd_chips for ours, theirs in zip(table_payoffs, payoffs, strict=True))


@given(random_tables(("no_limit", "pot_limit"), least=300, most=6000))
def test_pokerkit_replays_what_we_write(table: Table) -> None:
    check_pokerkit(table)


@given(random_tables(("fixed_limit",), least=8000, most=20000))
def test_pokerkit_replays_fixed_limit(table: Table) -> None:
    check_pokerkit(table)


@pytest.mark.fast_cases(10)
@pytest.mark.parametrize("seed", range(40))
def test_we_replay_what_pokerkit_writes(seed: int) -> None:
    pokerkit = pytest.importorskip("pokerkit")
    rng = random.Random(seed)
    automations = tuple(a for a in pokerkit.Automation if a.name not in ("RUNOUT_COUNT_SELECTION",))
    count = rng.randint(2, 9)
    game = pokerkit.NoLimitTexasHoldem(automations, True, rng.choice((0, 5)), (50, 100), 100)
    state = game([rng.randint(300, 9000) for _ in range(count)], count)
    while state.status:
        least = state.min_completion_betting_or_raising_to_amount
        most = state.max_completion_betting_or_raising_to_amount
        draw = rng.random()
        if draw < 0.2 and state.checking_or_calling_amount:
            state.fold()
        elif draw < 0.8 or least is None:
            state.check_or_call()
        else:
            state.complete_bet_or_raise_to(rng.randint(least, most))
    record = phh.loads(pokerkit.HandHistory.from_game_state(game, state).dumps())
    table = record.replay()
    assert table.is_over
    assert sum(table.payoffs) == 0
    assert all(abs(ours - theirs) <= count for ours, theirs in zip(table.payoffs, state.payoffs, strict=True))


MANUAL = Rules.preset("heads-up-no-limit", showing="manual")


@given(random_rules(), st.integers(0, 2**32), st.integers(1, 40))
def test_choices_to_show_read_back_the_same(rules: Rules, seed: int, moves: int) -> None:
    table = play_randomly(Table(rules.replace(showing="manual"), seed=seed), random.Random(seed), moves=moves)
    assume(table.is_over or not table.is_showing)
    record = phh.loads(phh.dumps(table))
    again = record.replay()
    assert seen_from_the_left(again) == seen_from_the_left(table)
    assert (again.is_over, again.is_showing) == (table.is_over, False)


def test_a_choice_that_is_still_open_stays_open() -> None:
    table = Table(MANUAL, seed=1)
    table.fold()
    again = phh.loads(phh.dumps(table)).replay()
    assert again.is_showing


def test_who_wins_alone_and_mucks_is_not_in_the_file() -> None:
    # PHH has no muck without a showdown: PokerKit refuses such a file.
    table = Table(MANUAL, seed=1)
    table.fold()
    winner = table.actor
    assert winner is not None
    table.muck(winner)
    text = phh.dumps(table)
    assert " sm" not in text
    assert phh.loads(text).replay().log[-2].kind == "muck"


def test_a_choice_out_of_turn_is_told() -> None:
    # With the burn cards: nobody's pair of aces, kings or queens improves.
    deck = "AsKsQsAhKhQh" + "2d2c7d8h" + "3d3s" + "4d4c"
    table = Table(Rules(seats=3, blinds=(1, 2), stacks=200, showing="manual"), button=2, deck=deck)
    while not table.is_showing:
        table.check_call()
    text = phh.dumps(table)
    assert table.actor == 1
    mentions(complaint(phh.loads(text.replace('"]', '", "p3 sm"]')).replay, kind=HistoryError), 2, 1)
