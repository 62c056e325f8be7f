"""TextTable: whose turn, what it reads, what it answered."""

from __future__ import annotations

import numpy as np
import pytest

from errors import complaint, mentions
from holdem_env import Rules, Table
from holdem_env.engine.record import NOBODY
from holdem_env.table.seat_view import SeatView, record_seen
from holdem_env.testing.hidden_fields import DRAWS, HIDDEN, varied
from holdem_env.testing.sampled_tables import GAMES, random_positions
from holdem_env.text_env import TextTable
from holdem_env.text_env.prompts import PROMPTS


def passive(table: TextTable) -> str:
    return "check" if table.hand.legal.call == 0 else "call"


def test_a_hand_in_words_is_that_of_the_seed() -> None:
    table = TextTable("heads-up-no-limit", seed=5)
    twin = Table("heads-up-no-limit", seed=5)
    seats = []
    while table.seat is not None:
        seats.append(table.seat)
        assert f"You are seat {table.seat}" in table.text
        answered = table.answer(f"I think.\nAction: {passive(table)}")
        assert answered is not None
        assert answered[:2] == (seats[-1], 0)
        twin.check_call()
    assert set(seats) == {0, 1}
    assert table.text == ""
    assert table.hand.payoffs == twin.payoffs
    assert sum(twin.payoffs) == 0


def test_the_button_moves_and_in_a_session_chips_stay() -> None:
    table = TextTable("kuhn", seed=1)
    buttons = [table.hand.button]
    while table.seat is not None:
        table.answer("fold")
    table.deal()
    assert [*buttons, table.hand.button] == [0, 1]
    session = TextTable(Rules(seats=3, blinds=(1, 2), stacks=50), seed=1, session=True)
    while session.seat is not None:
        session.answer("fold")
    session.deal()
    assert session.hand.starting_stacks != [50, 50, 50]


WRONG = ["", "x" * 2**20, "\x00\x1b[2J\x07", "Action: raise to 9999", "fold or call", "Action: check"]
WRONG += ["\ud800 call?", "😀"]


@pytest.mark.parametrize("wrong", WRONG, ids=range(len(WRONG)))
def test_a_wrong_answer_is_told_what_is_legal_and_then_is_a_fault(wrong: str) -> None:
    table = TextTable("heads-up-no-limit", seed=1, tries=2)
    seat = table.seat
    assert seat is not None
    assert table.answer(wrong) is None
    assert "Legal: fold, call 1, raise" in table.text
    assert len(table.text) < 1000
    assert table.text.isascii()
    assert table.text.isprintable()
    assert (table.seat, table.faults[seat], table.rejected[seat]) == (seat, 0, 1)
    answered = table.answer(wrong)
    assert answered is not None
    assert (answered.move, answered.rejected, answered.is_fault) == (-1, 1, True)  # there is something to call
    assert (table.faults[seat], table.rejected[seat]) == (1, 2)


def test_a_fault_checks_where_that_is_free() -> None:
    table = TextTable("kuhn", seed=1, tries=1)
    answered = table.answer("?")
    assert answered is not None
    assert answered.move == 0
    assert not table.hand.is_over


def test_a_legal_answer_after_a_refusal_is_no_fault() -> None:
    table = TextTable("kuhn", seed=1)
    assert table.answer("?") is None
    answered = table.answer("check")
    assert answered is not None
    assert answered[3:] == (1, False)
    assert "Legal" not in table.text


@pytest.mark.parametrize("answer", [None, b"fold", 0, ["fold"]])
def test_only_text_is_an_answer(answer: object) -> None:
    table = TextTable("kuhn", seed=1)
    with pytest.raises(TypeError, match="text"):
        table.answer(answer)  # type: ignore[arg-type]
    assert table.rejected == [0, 0]


def test_nobody_is_asked_after_the_hand_or_dealt_before_its_end() -> None:
    table = TextTable("kuhn", seed=1)
    mentions(complaint(table.deal), "not over")
    table.answer("fold")
    mentions(complaint(table.answer, "fold"), "over")


@pytest.mark.parametrize("wrong", [{"tries": 0}, {"memory": -1}, {"prompt": "long"}, {"seed": -1}])
def test_arguments_that_cannot_be(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        TextTable("kuhn", **wrong)  # type: ignore[arg-type]


def test_each_seat_remembers_what_it_saw_itself() -> None:
    table = TextTable("kuhn", seed=3, memory=2)
    held = table.hand.hole_cards(0), table.hand.hole_cards(1)
    table.answer("fold")
    table.deal()
    while table.seat is not None:
        assert f"1. You had {held[table.seat]}." in table.text
        assert "seat 1 showed" not in table.text
        table.answer(passive(table))


def test_nobody_is_asked_whether_to_show() -> None:
    table = TextTable(Rules(seats=2, blinds=(1, 2), showing="manual"), seed=2)
    while table.seat is not None:
        assert "It is your turn" in table.text
        table.answer(passive(table))
    assert sum(table.hand.payoffs) == 0


@pytest.mark.parametrize("prompt", PROMPTS)
@pytest.mark.parametrize("rules", GAMES, ids=range(len(GAMES)))
def test_no_hidden_card_reaches_a_text(rules: Rules, prompt: str) -> None:
    tables = random_positions(rules, 30, seed=9)
    tables = tables[tables["actor"] != NOBODY]
    changed = varied(tables, rules, [*HIDDEN, *DRAWS], seed=4)
    assert (changed["hole"] != tables["hole"]).any()

    def texts(records: np.ndarray) -> list[str]:
        views = [
            SeatView(record_seen(records[k : k + 1], rules, records["actor"][k]), rules, int(records["actor"][k]))
            for k in range(len(records))
        ]
        return [PROMPTS[prompt](view) for view in views]

    assert texts(tables) == texts(changed)


def test_a_short_prompt_is_alike_in_both_seats() -> None:
    texts = [
        TextTable("kuhn", prompt="short", hand=Table("kuhn", deck="QsKs", button=button)).text for button in (0, 1)
    ]
    assert texts[0] == texts[1]


def test_short_is_a_quarter_of_full() -> None:
    short, full = (TextTable("heads-up-no-limit", seed=1, prompt=prompt).text for prompt in ("short", "full"))
    assert 4 * len(short) < len(full)


def test_the_arenas_form_has_a_history_and_reads_its_final_answer() -> None:
    table = TextTable("heads-up-no-limit", prompt="arena", hand=Table("heads-up-no-limit", deck="AsKdAhKc", seed=1))
    table.answer("Medium confidence.\nFinal Answer: raise 6")
    assert table.hand.bets == [6, 2]
    history = table.text[table.text.index("You are Player1.") :]
    assert history.splitlines()[2:] == [
        "Seat #0 is the button",
        "Seat 1: Player1 (200 in chips)",
        "Seat 0: Player0 (200 in chips)",
        "Player0: posts small blind 1",
        "Player1: posts big blind 2",
        "*** HOLE CARDS ***",
        "Dealt to Player1 [As Ah]",
        "Player0: raises 4 to 6",
        "",
        "Action is on you. The pot is 8. 4 to call. Legal: fold, call 4, raise to 10..200.",
    ]


def test_an_earlier_hand_does_not_tell_what_was_folded() -> None:
    table = TextTable("heads-up-no-limit", seed=4, prompt="arena", memory=1)
    folded = table.hand.hole_cards(0)
    table.answer("Final Answer: fold")
    table.deal()
    assert table.seat == 1
    assert str(folded) not in table.text.replace(" ", "")
