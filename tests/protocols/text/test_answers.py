"""Which move an answer in free text names."""

from __future__ import annotations

from contextlib import suppress
from itertools import product
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdem_env import Rules, Table
from holdem_env.protocols.text import AnswerError, read_answer

FOUND = Path(__file__).parents[2] / "data" / "answers.tsv"
FACING_500 = "fold, call 500, raise to 1000..4700"


def facing_a_bet():
    """On the flop, with 4,700 chips: 500 to call, a raise to 1,000 or more; the big blind is 100."""
    table = Table(Rules(seats=3, blinds=(50, 100), stacks=5000), seed=7)
    table.raise_to(300)
    for _ in range(4):
        table.check_call()
    table.raise_to(500)
    return table.view()


def unopened():
    """On the flop, nothing bet."""
    table = Table(Rules(seats=2, blinds=(50, 100), stacks=5000), seed=7)
    table.check_call()
    table.check_call()
    return table.view()


PLAIN = [
    (-1, ["fold", "FOLD.", "**Fold**", '{"action": "fold"}']),
    (0, ["call", "I call.", "call 500", "Calling", '{"action": "call", "amount": 0}']),
    (0, ["Action: call (I have 9h8h and 35% equity)"]),
    (0, ["I fold weak hands, but this one is strong.\n\nAction: call", "Action: call (the pot odds are good)"]),
    (0, ["Action: fold\nWait, the draw is live.\nAction: call", '{"action": "call", "amount": 500}']),
    (0, ["<think>Action: fold</think>\nAction: call", "<think>fold? no</think>call"]),
    (1200, ["raise to 1200", "raise to 1,200.", "Raise to $1200", "raise 1200 chips"]),
    (1200, ["re-raise to a total of 1200", "raise to 12bb", "raise to 1.2k", "raise 700 to 1200"]),
    (1200, ["Action: raise to 1,200 (12bb)", "Action: raise to 1200, as a 3-bet with AhKh"]),
    (1200, ["Action: raise\n**Amount:** 1,200 chips", "Action: raise to 1200\nThis raise charges draws."]),
    (1200, ["\\boxed{\\text{raise to 1200}}", "bet 1200"]),
    (4700, ["call all-in for 4700", "all-in", "I'm going all in!", "All\u2011in", "raise to 4700 (all-in)"]),
    (4700, ["Action = all-in", '```json\n{"action": "all_in"}\n```']),
    (1250, ["raise to 12.5 big blinds"]),
    (1500, ["My odds are 3 to 1, so folding is too tight.\nI will raise to 1500", "**Action:** raise to 1500"]),
    (1500, ["> Final action: `raise to 1500`", '{"action": "raise", "amount": 1500}']),
    (1500, ['{"action": "raise_to", "amount": "1500"}']),
    (1500, ['{"thoughts": "raise or fold?", "Action": "BET", "total": 1500.0}']),
    (1500, ['{"action": "raise to 1500", "amount": null}']),
]


@pytest.mark.parametrize(("answer", "move"), [(answer, move) for move, answers in PLAIN for answer in answers])
def test_plain_answers(answer, move):
    assert read_answer(answer, facing_a_bet()) == move


UNREADABLE = [
    ("The answer is empty", ["", "<think>hmm</think>  "]),
    ("'banana' is not one plain move", ["banana"]),
    ("is not one plain move", ["fold or call", "Action: fold, or maybe call", "I would not fold"]),
    ("is not one plain move", ["I call rather than fold", "call is what I think about", "I folded"]),
    ("is not one plain move", ["raise by 500", "raise to 50%", "bet half pot"]),
    ("is not one plain move", ['{"action": "raise", "amount": ' + "9" * 5000 + "}"]),
    ("is not one plain move", ['{"action": "raise", "amount": 1e999}', '{"action": 3}']),
    ("is not one plain move", ["Action: raise to 1500\nAction: fold if not possible"]),
    ("names several moves", ["Action: call/fold", "Action: call\nOr should I fold?"]),
    ("names several moves", ["Action: raise to 1200\nNo, raise to 1500."]),
    ("check: there are 500 chips to call", ["check-call", "check"]),
    ("call 300: there are 500 chips to call", ["call 300", '{"action": "call", "amount": 300}']),
    ("'raise' lacks its total in chips", ["raise", "Action: raise to " + "9" * 5000, '{"action": "raise"}']),
    ("'bet' lacks its total in chips", ["Action: bet half pot"]),
    ("the least it may raise to is 1000", ["raise to 700"]),
    ("the most it may raise to is 4700, its whole stack", ["raise to 9000"]),
    ("0 is not a number of whole chips", ["raise to 0"]),
    ("1000.5 is not a number of whole chips", ["raise to 1000.5"]),
    ("is not one plain amount", ["raise 500 to 1200", "Action: raise to 1200 (600 more)"]),
    ("is not one plain amount", ["Action: raise to 1200\nAmount: 700"]),
    ("is not one plain amount", ['{"action": "raise", "amount": 1200, "bet": 700}']),
    ("lacks its total in chips", ["Action: raise to 12.500", '{"action": "raise", "amount": true}']),
    ("is not one plain", ["Action: fold 50% of the time"]),
    ("all-in 900: all-in is a total of 4700 chips", ["Action: all-in for 900"]),
]


@pytest.mark.parametrize(("answer", "message"), [(answer, why) for why, answers in UNREADABLE for answer in answers])
def test_other_answers_say_what_is_legal(answer, message):
    with pytest.raises(AnswerError) as error:
        read_answer(answer, facing_a_bet())
    assert message in str(error.value)
    assert f"Legal: {FACING_500}." in str(error.value)


def test_without_a_bet():
    view = unopened()
    assert read_answer("check", view) == 0
    assert read_answer("Action: Bet 100", view) == 100
    assert read_answer("fold", view) == -1, "legal, if not clever (R14)"


def facing_300():
    """The game of `answers.tsv`: 290 to call, raises from 590 to 100,000."""
    table = Table(Rules(seats=2, blinds=(5, 10), stacks=100_000), seed=1)
    table.raise_to(300)
    return table.view()


@pytest.mark.filterwarnings("ignore:stacks")
def test_answers_of_models_are_read_as_they_are_meant():
    moves, view, wrong = {"fold": -1, "check_or_call": 0, "all_in": 100_000}, facing_300(), []
    lines = FOUND.read_text(encoding="utf-8").splitlines()[1:]
    for answer, meaning in (line.replace("\\n", "\n").split("\t") for line in lines):
        try:
            read = read_answer(answer, view)
        except AnswerError:
            read = "unclear"
        if read != moves.get(meaning, int(meaning.split()[1]) if " " in meaning else meaning):
            wrong.append((answer, meaning, read))
    assert len(lines) == 49
    assert not wrong


NUMBERS = ["{0}", "{0:,}", "${0:,}", "$ {0}", "{0} chips", "{1}k", "{2}bb", "{2} big blinds"]
NUMBERS += ["**{0}**", "`{0:,}`", "({0})"]
WORDS = ["raise {}", "I raise to {}.", "re-raise to a total of {}", "[Raise {}]", "bet {}!"]
WORDS += ["**Raise to:** {}", "raise = {}"]
PLACES = [
    "{}",
    "I have 7h7d and 3 outs.\n\n{}",
    "Action: {}",
    "<action>{}</action>",
    "Final answer: {}\nGood luck!",
    "Action: fold\nAction: {}",
]
APART = [
    "ACTION: raise\nAMOUNT: {}",
    "Action: bet\n\n- Size: {}",
    '{{"action": "raise", "bet": "{}"}}',
    '{{"move": "RAISE_TO", "amount": "{}"}}',
]
CHANGES = ["{} more", "{} on top", "{}-{}", "{} - {}", "{} thousand", "{}%", "{} 000", "{}'000"]
CHANGES += ["{},0", "{},00", "{}.000", "{}x", "{} to {}", "{} extra", "{} {}"]


@pytest.mark.filterwarnings("ignore:stacks")
@given(total=st.integers(59, 10_000).map(lambda tens: 10 * tens), data=st.data())
def test_amounts_are_read_back_however_they_are_written_or_refused(total, data):
    view = facing_300()
    number = data.draw(st.sampled_from(NUMBERS)).format(total, _decimal(total, 1000), _decimal(total, 10))
    ways = [place.replace("{}", words, 1) for place, words in product(PLACES, WORDS)] + APART
    way = data.draw(st.sampled_from(ways))
    answer = way.format(number)
    if "k" in number and total % 10_000 and len(number.split(".")[-1]) > 3:
        return
    assert read_answer(answer, view) == total, answer
    changed = way.format(data.draw(st.sampled_from(CHANGES)).format(total, total + 10))
    with pytest.raises(AnswerError):
        read_answer(changed, view)


def _decimal(amount, unit):
    """An amount in a larger unit, with two decimals at most; otherwise as it is."""
    return f"{amount / unit:g}" if amount * 100 % unit == 0 else f"{amount}"


@pytest.mark.parametrize(
    ("answer", "view", "message"),
    [
        ("call 100", unopened, "call 100: there are 0 chips to call. Legal: fold, check, bet 100"),
        ("all-in", lambda: Table("heads-up-pot-limit", seed=1).view(), "the most it may raise to is 6, the pot"),
        ("raise to 2 bb", lambda: Table("leduc", seed=1).view(), "2 bb is not a number of whole chips"),
        ("\x00" * 2**20, lambda: Table("heads-up-no-limit", seed=1).view(), "Legal: fold"),
    ],
    ids=["no bet", "too much", "no blinds", "control characters"],
)
def test_answers_that_do_not_fit_their_game(answer, view, message):
    with pytest.raises(AnswerError, match=message) as refused:
        read_answer(answer, view())
    assert len(str(refused.value)) < 400


def test_all_in_is_a_call_for_a_short_stack():
    table = Table(Rules(seats=2, blinds=(50, 100), stacks=(5000, 400)), seed=1)
    table.raise_to(1000)
    assert read_answer("all-in", table.view()) == 0
    assert read_answer("call all-in", table.view()) == 0


@pytest.mark.parametrize("filling", ["\n", " ", "{", "raise ", "raise to ", "*", "</thin", "1,", "Action:", "bet\n"])
def test_long_answers_are_read_quickly(filling):
    """A stranger writes the answers."""
    view = facing_a_bet()
    before = process_time()
    with suppress(AnswerError):
        read_answer(filling * 100_000, view)
    assert read_answer(filling * 100_000 + "\nAction: fold", view) == -1
    assert process_time() - before < 2
