"""Golden play-throughs: whole hands as text, the log and the table after each move, to be read as diffs.

After a change that is meant, write the texts again, and read what `git diff tests/golden` says before committing:

    UPDATE_GOLDEN=1 python -m pytest tests/golden
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from holdem_env import Rake, Rules, Table
from rules.playing import play, stacked_deck

FOLDER = Path(__file__).parent
UPDATE = "UPDATE_GOLDEN"


class Hand(NamedTuple):
    """A hand, and why it is worth reading. Seats are A, B, C ... and A sits left of the button."""

    why: str
    stacks: list[int]
    holes: str
    board: str
    moves: str
    rules: dict[str, Any]
    errors: dict[str, Any] | None = None  # the dealer's


HANDS = {
    "side_pots": Hand(
        why="Antes, calls for less, a short all-in that reopens nothing, and a pot for each all-in level (R21, R27).",
        stacks=[35, 80, 150, 400, 400, 22],
        holes="KsKd QsQd JsJd TsTd 5s5d AsAd",
        board="2c7d8h3s4c",
        moves="C:r60 D:c E:c F:c A:c B:r78 C:c D:c E:c C:b70 D:r140 E:c D:k E:b50 D:c D:k E:k",
        rules={"blinds": (10, 20), "ante": 2},
    ),
    "half_bet_rule": Hand(
        why="Fixed limit: 36 counts as a raise although 28 did not, and the round is capped (R18, R24). A mucks.",
        stacks=[500, 48, 56, 500],
        holes="5s5d AsAd QhJh KsKd",
        board="2c7d8hTs3c",
        moves="C:c D:c A:c B:k A:b20 B:r28 C:r36 D:r56 A:r76 D:c A:k D:k A:k D:b40 A:c",
        rules={"structure": "fixed_limit", "blinds": (10, 20)},
    ),
    "split_pot_heads_up": Hand(
        why="Pot limit with chips of 5, a dead ante, rake on what was called, and an odd chip for the big blind (R28).",
        stacks=[625, 400],
        holes="AsKd AhKc",
        board="AcKs8h3s4c",
        moves="B:r25 A:r75 B:c A:b115 B:r325 A:c",
        rules={"structure": "pot_limit", "blinds": (5, 10), "big_blind_ante": 5, "smallest_chip": 5}
        | {"rake": Rake(percent=5, cap=20)},
    ),
    "short_all_ins": Hand(
        why="A straddle; two short all-ins together reopen the betting for who faces both (R23); a river bettor shows.",
        stacks=[500, 70, 500, 81, 500],
        holes="KsKd 5s5d 9s9d AsAd JhTh",
        board="2c7d8hQs3c",
        moves="D:c E:c A:c B:c C:k A:b20 B:r30 C:c D:r41 E:f A:c C:c A:k C:b60 A:c A:k C:b100 A:c",
        rules={"blinds": (10, 20), "straddle": 40},
    ),
    "high_low": Hand(
        why="Hi-lo (R32): the side pot has no low; two share the main pot's low half, an odd chip is the high's.",
        stacks=[62, 500, 62, 500, 500],
        holes="As3d QsQh Ad3s JsJd 9s9d",
        board="2c4d7hKsKc",
        moves="C:c D:c E:c A:r61 B:c C:c D:c E:f B:k D:b100 B:c B:k D:k B:b50 D:c",
        rules={"blinds": (10, 20), "ante": 1, "split": "high_low"},
    ),
    "everybody_folds": Hand(
        why="A bluff on the river: the uncalled bet goes back and is not raked, and nobody shows (R26, R30, R31).",
        stacks=[1000, 1000, 1000],
        holes="3s4h AsAd KsKd",
        board="2c7d8hQsKc",
        moves="C:r60 A:c B:f A:k C:b80 A:c A:k C:k A:b300 C:f",
        rules={"blinds": (10, 20), "rake": Rake(percent=5)},
    ),
    "dealer_errors": Hand(
        why="An exposed card is replaced and burned; a flop of four is dealt again; the turn comes early (R34-R37).",
        stacks=[500, 500, 500],
        holes="3s4h AsAd KsKd",
        board="2c7d8hQsKc",
        moves="C:r60 A:c B:c A:k B:b100 C:c A:f B:k C:k B:k C:k",
        rules={"blinds": (10, 20)},
        errors={"exposed_hole_card": 4, "flop_too_many": True, "premature_turn": True},
    ),
    "mid_round_errors": Hand(
        why="The flop comes after two moves of the first round, the river after one of the turn's (R36, R38).",
        stacks=[500, 500, 500],
        holes="3s4h AsAd KsKd",
        board="QsJs9s5d5h",
        moves="C:r60 A:c B:c A:k B:b100 C:c A:f B:k C:b100 B:c B:k C:k",
        rules={"blinds": (10, 20)},
        errors={"premature_flop": 2, "premature_river": 1},
    ),
}


def played(hand: Hand) -> str:
    """The whole hand as text."""
    seats = len(hand.stacks)
    holes = dict(enumerate(hand.holes.split()))
    deck = stacked_deck(seats, seats - 1, holes, hand.board)
    rules = Rules(seats=seats, **hand.rules)
    orders = None if hand.errors is None else ["2c7d8h9h", "Jd"]
    table = Table(rules, hand.stacks, seats - 1, deck, seed=1, dealer_errors=hand.errors, reshuffles=orders)
    parts = [hand.why, "", *state(table, 0)]
    for move in hand.moves.split():
        known = len(table.log)
        play(table, move)
        parts += ["", f"=== {move}", *state(table, known)]
    assert table.is_over, "the golden hand does not reach its end"
    return "\n".join([*parts, "", f"payoffs {table.payoffs}, rake {table.rake}", ""])


def state(table: Table, known: int) -> list[str]:
    """What happened since, and the table as it is now."""
    return [*(f"- {operation}" for operation in table.log[known:]), str(table)]


@pytest.mark.parametrize("name", HANDS)
def test_golden(name):
    file = FOLDER / f"{name}.txt"
    text = played(HANDS[name])
    if os.environ.get(UPDATE):
        file.write_text(text)
    assert file.exists(), f"{file.name} is not there: write it with {UPDATE}=1"
    assert text == file.read_text(), f"{file.name} differs; if that is meant, {UPDATE}=1 writes it again"


def test_no_golden_text_is_left_over():
    assert {file.stem for file in FOLDER.glob("*.txt")} == set(HANDS)
