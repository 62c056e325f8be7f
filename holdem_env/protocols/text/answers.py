"""The move in a free-text answer: "fold", "Action: raise to 300", {"action": "call"}.

Only what is said plainly counts. An answer that names two different moves, or none, is an error that says what would be
legal, so that the one who was asked can answer again.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

from ...agents.table_agent import move_of
from ...engine.legality import why_illegal
from ...engine.record import CHECK_CALL, FOLD
from ...table.seat_view import SeatView
from ...utils.plain_data import json_of

HOW_TO_ANSWER = (
    "End with one line: Action: and then fold, check, call, bet to N, raise to N or all-in. N is the total of your "
    "chips in this betting round, not what you add to them."
)
ACTION_KEYS = ("action", "move", "decision")
AMOUNT_KEYS = ("amount", "total", "to", "raise_to", "bet_to", "size", "value")
LABEL = re.compile(
    r"^[ \t>*_#`\"-]*(?:(?:final|my)\s+)?(?:action|answer|move|decision)[\s*_`\"]*[:=](.+)$", re.M | re.I
)
JSON = re.compile(r"\{[^{}]*\}")
END_OF_THOUGHTS = re.compile(r"</think(?:ing)?>", re.I)
NEGATION = re.compile(r"\b(?:not|never|no|cannot|without|instead|rather|unless|if|or)\b|n't\b", re.I)
# "300", "$1,200", "2.5 bb"; not the beginning of "300%", "3x" or "1.2k".
AMOUNT = r"\$?(?P<{0}>\d[\d,]{{0,18}}(?:\.\d{{1,6}})?)(?:\s*(?P<{0}_unit>bbs?|big\ blinds?|chips?))?(?!\w|\.\d|\s*%)"
PHRASE = re.compile(
    rf"""\b(?:
        (?P<all_in>(?:(?:re-?)?rais(?:e|ing)\s+|bet(?:ting)?\s+|go(?:ing)?\s+|mov(?:e|ing)\s+)?(?:to\s+)?all[\s-]?in)
      | (?P<fold>fold(?:ing)?)
      | (?P<check>check(?:ing)?)
      | (?P<call>call(?:ing)?)(?:\s+{AMOUNT.format("price")})?
      | (?P<raise>(?:re-?)?rais(?:e|ing)|bet(?:ting)?)(?:(?:\s+(?:to|of|a|total|it|up))*\s+{AMOUNT.format("total")})?
    )(?!\w)""",
    re.X | re.I,
)
SHOWN = 200
LONGEST = 20_000
"""Of a longer answer only this many characters at its end are read."""


class AnswerError(ValueError):
    """An answer in which there is no single legal move. The message says why, and what is legal."""


def read_answer(answer: str, view: SeatView) -> int:
    """The engine move of an answer in free text: -1 folds, 0 checks or calls, a positive number is the street total.

    The move is read from the last JSON object with a key "action" or the last line that begins with "Action:",
    whichever comes later; without either from the last line, which must end with the move. Amounts are street totals in
    chips, or in big blinds if the answer says "bb". Case and Markdown do not matter; what stands before </think> is
    not read.

    Raises AnswerError.

    >>> from holdem_env import Table
    >>> view = Table("heads-up-no-limit", seed=1).view()
    >>> read_answer("Strong enough. Action: **raise to 6**", view)
    6
    >>> read_answer("Fold or call?", view)
    Traceback (most recent call last):
    holdem_env.protocols.text.answers.AnswerError: 'Fold or call?' is not one plain move. Legal: fold, call 1, raise ...
    """
    plain = END_OF_THOUGHTS.split(answer[-LONGEST:].translate(PLAIN))[-1].strip()
    if not plain:
        raise AnswerError(f"The answer is empty. {_legal(view)}")
    said, is_marked = _said(plain)
    found = [*PHRASE.finditer(said)]
    end = found[-1].end() if found else 0
    ends_with_it = not said[end:].strip(" .!)\"'*_`")
    if not found or NEGATION.search(said) or not (is_marked or ends_with_it):
        raise AnswerError(f"{_short(said)} is not one plain move. {_legal(view)}")
    moves = {_move(phrase, view) for phrase in found}
    if len(moves) > 1:
        raise AnswerError(f"{_short(said)} names several moves. {_legal(view)}")
    return moves.pop()


PLAIN = str.maketrans({"‐": "-", "‑": "-", "–": "-", "—": "-", "’": "'", "‘": "'", "“": '"', "”": '"', "\xa0": " "})
"""Typographic hyphens, quotes and spaces as plain ones."""


def _said(answer: str) -> tuple[str, bool]:
    """The part of an answer that names the move, and whether it is marked as such."""
    marked = [(match.start(), match[1]) for match in LABEL.finditer(answer)]
    marked += [(match.start(), said) for match in JSON.finditer(answer) if (said := _of_json(match[0]))]
    if marked:
        return max(marked)[1].strip(" *_`\"'"), True
    return answer.splitlines()[-1].strip(" *_`\"'"), False


def _of_json(text: str) -> str | None:
    """A JSON object in the words of a plain answer; None if it is none, or has no action."""
    try:
        fields: dict[str, Any] = {key.lower(): value for key, value in json_of(text).items()}
    except ValueError:
        return None
    action = next((fields[key] for key in ACTION_KEYS if isinstance(fields.get(key), str)), None)
    if action is None:
        return None
    words: str = action.strip().lower().replace("_", " ")
    amount = next((fields[key] for key in AMOUNT_KEYS if fields.get(key) not in (None, "")), None)
    if amount is None or words.removesuffix(" to") not in ("bet", "raise"):
        return words
    return f"{words.removesuffix(' to')} to {amount}"


def _move(phrase: re.Match[str], view: SeatView) -> int:
    """The engine move of one phrase. Raises AnswerError if it is not legal."""
    if phrase["fold"]:
        move = FOLD
    elif phrase["check"]:
        move = _checked("check", view)
    elif phrase["call"]:
        move = _call(phrase, view)
    elif phrase["all_in"]:
        move = _all_in(view)
    elif phrase["total"] is None:
        raise AnswerError(f"{_short(phrase[0])} lacks its total in chips. {_legal(view)}")
    else:
        move = _amount(phrase["total"], phrase["total_unit"], view)
    if why := why_illegal(view.records, view.rules.record, 0, move):
        raise AnswerError(why[0].upper() + why[1:])
    return move


def _checked(word: str, view: SeatView) -> int:
    try:
        return move_of(word, view)
    except ValueError as error:
        raise AnswerError(f"{word}: {error}") from None


def _call(phrase: re.Match[str], view: SeatView) -> int:
    """A call. Its price, if it is named, must be what there is to call, or the total that this makes."""
    price = view.legal.call or 0
    if phrase["price"] is not None:
        price_named = _amount(phrase["price"], phrase["price_unit"], view)
        if price_named not in (price, price + view.bets[view.seat]):
            raise AnswerError(f"call {price_named}: there are {price} chips to call. {_legal(view)}")
    return CHECK_CALL


def _all_in(view: SeatView) -> int:
    stack = view.stacks[view.seat]
    if view.legal.call == stack:
        return CHECK_CALL
    return stack + view.bets[view.seat]


def _amount(number: str, unit: str | None, view: SeatView) -> int:
    """An amount in chips. Raises AnswerError for parts of a chip."""
    amount = Fraction(number.replace(",", ""))
    if unit and unit.lower().startswith(("bb", "big")):
        amount *= view.game.big_blind
    if amount.denominator != 1 or not amount:
        raise AnswerError(f"{number}{f' {unit}' if unit else ''} is not a number of whole chips. {_legal(view)}")
    return int(amount)


def _legal(view: SeatView) -> str:
    return f"Legal: {view.legal}."


def _short(text: str) -> str:
    """An answer as a refusal quotes it: control characters take several signs each."""
    quoted = repr(text[:SHOWN])
    return quoted if len(text) <= SHOWN and len(quoted) <= SHOWN + 2 else f"{quoted[:SHOWN]}…{quoted[-1]}"
