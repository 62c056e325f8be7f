"""PHH that cannot be read or replayed: what the error says, and that the other hands are read all the same."""

from __future__ import annotations

import lzma
import pickle
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errors import complaint, mentions
from history.phh_text import FOLDED, HAND, HAND_PAYOFFS, TWO_PLAYERS, hand, text
from holdem_env import IllegalMove
from holdem_env.history import HistoryError, HistoryWarning, phh

ACTIONS = HAND["actions"]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"variant": None}, "variant is missing"),
        ({"variant": "FR"}, r"variant 'FR' \(fixed-limit razz\) is not Texas hold'em; supported are 'NT' .* and 'FT'"),
        ({"variant": "PO", "actions": ["d dh p1 AhKhQhJhTh"]}, "player 1 gets more than four hole cards"),
        ({"variant": "XYZ"}, r"variant 'XYZ' is not Texas hold'em"),
        ({"min_bet": None}, "min_bet is missing"),
        ({"actions": None}, "actions is missing"),
        ({"actions": "p1 f"}, "actions is not an array of strings"),
        ({"actions": [1]}, "actions is not an array of strings"),
        ({"actions": [*ACTIONS[:-2], "p3 sm JsJc"]}, "player 3 shows other cards than were dealt"),
        ({"actions": [*ACTIONS[:-1], "p3 sm"]}, "player 3 has shown or mucked before"),
        ({"actions": [*ACTIONS[:-2], "p3 sm KsKcKd"]}, "more than two cards are shown"),
        ({"actions": [*ACTIONS, "d db 5c6c7c"]}, "a board run twice cannot be played"),
        ({"starting_stacks": [200, 200]}, "differ in length.*3 antes, 3 blinds_or_straddles, 2 starting_stacks"),
        ({"starting_stacks": 200}, "starting_stacks is not an array"),
        ({"players": ["Ann"]}, "differ in length.*1 players"),
        ({"antes": [0] * 11, "blinds_or_straddles": [0] * 11, "starting_stacks": [9] * 11}, "11 players; 2 to 10"),
        ({"starting_stacks": [200, 0, 200]}, "player 2 has 0"),
        ({"starting_stacks": [200, 200, -5]}, "starting_stacks: -5 is below zero"),
        ({"starting_stacks": ["a", "b", "c"]}, "starting_stacks: 'a' is not a number"),
        ({"starting_stacks": [200, True, 200]}, "not a number|broken TOML"),
        ({"starting_stacks": [200, 10**12, 200]}, "stacks"),
        ({"min_bet": 0}, "min_bet"),
        ({"antes": [3, 0, 0]}, r"antes = \[3, 0, 0\]: supported are: the same ante"),
        ({"blinds_or_straddles": [2, 1, 0]}, r"blinds_or_straddles = \[2, 1, 0\]: supported are"),
        ({"blinds_or_straddles": [1, 2, 2]}, "supported are"),
        ({"blinds_or_straddles": [1, 2, -2]}, "-2 is below zero; supported are"),
        ({"blinds_or_straddles": [1, 2, 4], "starting_stacks": [200, 200, 3]}, "cannot pay the straddle in full"),
    ],
)
def test_fields(changes: dict[str, Any], reason: str) -> None:
    assert re.search(reason, complaint(hand, **changes, kind=HistoryError))


@pytest.mark.parametrize(
    ("changes", "more", "reason"),
    [
        ({"starting_stacks": None}, "starting_stacks = [200, inf, 200]", r"starting_stacks: Infinity \(unknown\)"),
        ({}, "_holdem_env = {jokers = 2}", "_holdem_env: 'jokers' is not one of structure"),
        ({}, '_holdem_env = {reopen = "often"}', "reopen"),
    ],
)
def test_fields_as_text(changes: dict[str, Any], more: str, reason: str) -> None:
    assert re.search(reason, complaint(phh.loads, text(**changes) + more, kind=HistoryError))
    assert hand(_holdem_env="x")  # is somebody else's


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        ("p1", "not an action of hold'em; these are: d dh pN CARDS"),
        ("p1 sd AhQd", "not an action"),
        ("p4 f", "'p4' is not a player; these are p1 to p3"),
        ("p0 f", "'p0' is not a player"),
        ("p1 cbr", "not an action"),
        ("p1 cbr x", "'x' is not an amount"),
        ("p1 cbr -5", "'-5' is not an amount"),
        ("d dh p1 AhXx", "'Xx' is not a card"),
        ("d dh p1 Ah9", "'9' is not a card"),
        ("d dh p1 AhQdJd", "more than two hole cards"),
        ("d dh p1 9c9d", "9c appears twice: dealt to player 1 and on the board"),
        ("d dh p1 2c9d", "2c appears twice: dealt to player 1 and dealt to player 2"),
        ("d dh p1 AhAh", "Ah appears twice"),
    ],
)
def test_an_action_that_cannot_be_read_is_named(action: str, reason: str) -> None:
    with pytest.raises(HistoryError, match=reason) as caught:
        hand(actions=[action, *ACTIONS[1:]])
    if "twice" not in reason:
        assert (caught.value.action_index, caught.value.action) == (0, action)
        assert f"actions[0] {action!r}: " in str(caught.value)


@pytest.mark.parametrize(
    ("actions", "index", "reason"),
    [
        ([*ACTIONS[:3], "p1 f"], 3, "out of turn: player 3 is to act, not player 1"),
        ([*ACTIONS[:3], "p3 cbr 3"], 3, "the least it may raise to is 4"),
        ([*ACTIONS[:3], "p3 cbr 201"], 3, "the most it may raise to is 200"),
        ([*FOLDED, "p2 cc"], 5, "nobody is to act any more"),
        ([*ACTIONS[:5], "d db 9c8d2h"], 5, "the betting is not over: player 2 is still to act"),
        ([*ACTIONS[:6], "p1 cc"], 6, "the flop has not been dealt before it"),
        ([*ACTIONS[:6], "d db 9c8d", "p1 cc"], 7, "the flop has not been dealt"),
        ([*ACTIONS[:6], "d db 9c8d2h3s"], 6, "the betting is not over"),
        ([*FOLDED, "d db 9c8d2h"], 5, "3 board cards, but the hand ended with 0"),
        ([*ACTIONS[:8], "p3 sm"], 8, "no showdown yet: player 3 is still to act"),
        ([*ACTIONS[:-2], "p2 sm 2c7s"], 17, "has folded and is not in the showdown"),
        ([*ACTIONS[:-2], "p3 sm", "p1 sm AhQd"], 17, "the mucked hand wins"),
    ],
)
def test_a_move_that_is_not_legal_is_named(actions: list[str], index: int, reason: str) -> None:
    record = hand(actions=actions)
    with pytest.raises(HistoryError, match=reason) as caught:
        record.replay()
    error = caught.value
    assert (error.file, error.hand, error.action_index, error.action) == ("<text>", 1, index, actions[index])
    assert str(error).startswith(f"<text>, line 1, hand 1: actions[{index}] {actions[index]!r}: ")
    if "raise" in reason:
        assert isinstance(error.__cause__, IllegalMove)


BROKEN = {
    "broken TOML": (text().replace("[0, 0, 0]", "[0, 0, 0"), r"broken TOML: .*\(at line 1[012], column"),
    "a key twice": (text() + "min_bet = 2\n", "broken TOML: Cannot overwrite a value"),
    "wrong variant": (text(variant="FB"), "badugi"),
    "stacks": (text(starting_stacks=[1, 2]), "differ in length"),
    "card twice": (text(actions=["d dh p1 AhAh"]), r"actions\[0\] 'd dh p1 AhAh': Ah appears twice"),
    "nothing": ("", "variant is missing"),
    "too deep": ("x = " + "[" * 10_000, "nested too deep"),
    "not UTF-8": (text() + "_x = '\udc80'\n", "not UTF-8 text"),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_malformed_record_does_not_stop_the_others(tmp_path: Path, kind: str) -> None:
    broken, reason = BROKEN[kind]
    path = tmp_path / "hands.phhs"
    records = [f"[{k}]\n{record}\n" for k, record in enumerate((text(), broken, text(TWO_PLAYERS)), 1)]
    path.write_text("".join(records), encoding="utf-8", errors="surrogateescape")

    with pytest.warns(HistoryWarning, match=reason) as warned:
        hands = list(phh.read(path))
    assert [record.hand for record in hands] == [1, 3]
    assert [record.replay().payoffs for record in hands] == [HAND_PAYOFFS, [1, -1]]
    assert str(warned[0].message).startswith(f"{path}, line 9, hand 2: ")
    assert warned[0].filename == __file__

    errors: list[HistoryError] = []
    assert len(list(phh.read(path, on_error=errors.append))) == 2
    assert [(error.file, error.hand, error.line) for error in errors] == [(str(path), 2, 9)]
    assert len(list(phh.read(path, on_error="skip"))) == 2
    assert re.search(reason, complaint(list, phh.read(path, on_error="raise"), kind=HistoryError))


def test_a_broken_header_costs_one_record(tmp_path: Path) -> None:
    path = tmp_path / "hands.phhs"
    path.write_text(f"stray = \n[1]\n{text()}[2\n{text()}[3]\n{text()}")
    errors: list[HistoryError] = []
    assert [record.hand for record in phh.read(path, on_error=errors.append)] == [1, 3]
    assert [error.line for error in errors] == [1, 9]


@pytest.mark.slow
def test_an_archive_that_was_cut_short(tmp_path: Path) -> None:
    path = tmp_path / "hands.phhs.xz"
    hands = "".join(f"[{k}]\n{text(_x='%032x' % (k * 12345678901234567))}\n" for k in range(9000))
    data = lzma.compress(hands.encode())
    path.write_bytes(data[: len(data) // 2])
    with pytest.warns(HistoryWarning, match="the archive is damaged or cut short"):
        assert len(list(phh.read(path))) > 1000


def test_what_read_itself_refuses(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="on_error = 'ignore'"):
        phh.read(tmp_path / "x.phh", on_error="ignore")  # type: ignore[arg-type]
    complaint(phh.read, tmp_path / "x.phh", kind=FileNotFoundError)
    mentions(complaint(phh.loads, f"[1]\n{text()}[2]\n{text()}", kind=HistoryError), 2)
    empty = tmp_path / "empty.phhs"
    empty.write_text("# nothing\n")
    assert list(phh.read(empty, on_error="raise")) == []


@given(st.data())
def test_damaged_text_raises_nothing_but_history_errors(data: st.DataObject) -> None:
    damaged = list(text(finishing_stacks=[164, 198, 238]))
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(damaged) - 1))
        end = place + data.draw(st.sampled_from([0, 1, 1, 8]))
        damaged[place:end] = data.draw(st.text("0123456789pdbhcrfsm?#[]{}'\",.=- \nAKQJTeinf_", max_size=3))
    with suppress(HistoryError):
        record = phh.loads("".join(damaged))
        record.replay()
        assert record.payoffs is None or len(record.payoffs) == 3


def test_errors_can_be_pickled() -> None:
    error = HistoryError("file", 3, "reason", 7, 1, "p1 f")
    twin = pickle.loads(pickle.dumps(error))
    assert str(twin) == str(error) == "file, line 7, hand 3: actions[1] 'p1 f': reason"
    assert str(HistoryError(None, None, "reason")) == "reason"


HUGE = 10**20


@pytest.mark.parametrize(
    ("changes", "more"),
    [
        ({"starting_stacks": [200, HUGE, 200]}, ""),
        ({"antes": [HUGE, HUGE, HUGE]}, ""),
        ({"blinds_or_straddles": [1, HUGE, 0]}, ""),
        ({"min_bet": HUGE}, ""),
        ({}, f"finishing_stacks = [{HUGE}, 1, 2]"),
        ({}, "winnings = [1e99999999, 0, 0]"),
        ({}, "winnings = [1e-99999999, 0, 0]"),
        ({"starting_stacks": None}, "starting_stacks = [200, 1e999999999, 200]"),
        ({"actions": [*ACTIONS[:3], f"p3 cbr {HUGE}"]}, ""),
        ({"actions": [*ACTIONS[:3], "p3 cbr 1" + "0" * 5000]}, ""),
        ({"starting_stacks": None}, f"starting_stacks = [200, 1{'0' * 5000}, 200]"),
    ],
)
def test_a_number_beyond_64_bits_is_an_error_of_its_hand(changes: dict[str, Any], more: str, tmp_path: Path) -> None:
    path = tmp_path / "hands.phhs"
    path.write_text(f"[1]\n{text()}\n[2]\n{text(**changes)}{more}\n\n[3]\n{text()}\n")
    errors: list[HistoryError] = []
    assert [hand.hand for hand in phh.read(path, on_error=errors.append)] == [1, 3]
    [error] = errors
    assert error.hand == 2
    assert error.line == path.read_text().splitlines().index("[2]") + 1
    assert len(str(error)) < 500
