"""The move in a free-text answer: "fold", "Action: raise to 300", {"action": "call"}. Only what is said plainly counts:
an answer that names two moves, or none, is an error that says what is legal, so that the model can answer again."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

from ...engine.legality import why_illegal
from ...engine.record import CHECK_CALL, FOLD
from ...table.seat_view import SeatView
from ...utils.plain_data import json_of

HOW_TO_ANSWER = (
    "End with one line: Action: and then fold, check, call, bet N, raise to N or all-in. N is the total of your "
    "chips in this betting round, not what you add to them."
)
ACTION_KEYS = ("action", "move", "decision")
AMOUNT_KEYS = ("amount", "total", "to", "raise_to", "bet_to", "bet", "size", "value")
MARKS = (
    re.compile(
        r"^[ \t>*_#`\"-]*(?:(?:final|my)\s+)?(?:action|answer|move|decision)[\s*_`\"]*[:=](?P<said>.+)$", re.M | re.I
    ),
    re.compile(r"<(?P<tag>action|answer|move|decision)>(?P<said>[^<>]{1,200})</(?P=tag)>", re.I),
    re.compile(r"\\boxed\{(?:\\text\{)?(?P<said>[^{}]{1,200})\}"),
)
"""What marks the move: "Action: call", "<action>call</action>", "\boxed{call}"."""
AMOUNT_LINE = re.compile(
    r"\s*^[ \t>*_#-]*(?:amount|total|size|value|bet|raise(?:[ _]to)?)[ \t*_]*[:=](?P<said>.+)$", re.M | re.I
)
JSON = re.compile(r"\{[^{}]*\}")
END_OF_THOUGHTS = re.compile(r"</think(?:ing)?>", re.I)
MARKUP = re.compile(r"(?<!\d)[*`]+|[*`]+(?!\d)|(?<![^\W_])_+|_+(?![^\W_])")
UNDERSCORES = re.compile(r"(?<=[a-z])_+(?=[a-z])", re.I)
DIGITS_APART = re.compile(r"\b(?:(?:10|[2-9TJQKA])[cdhs])+\b|\b\d-?bet\b")
"""Digits that are no amounts: cards, and "3-bet"."""
NEGATION = re.compile(r"\b(?:not|never|no|cannot|without|instead|rather|unless|if|or)\b|n't\b", re.I)
# "300", "$1,200", "2.5 bb", "1.2k". A comma stands before three digits; 12.500 is a thousand in half of the world.
AMOUNT = (
    r"\$?\s*(?P<{0}>(?:\d{{1,3}}(?:,\d{{3}}){{1,5}}|\d{{1,19}})(?:\.\d{{1,2}})?)(?![.,']?\d)"
    r"(?:\s*(?P<{0}_unit>k|bbs?|big\ blinds?|chips?))?(?!\w)"
)
LINK = r"(?P<link>(?:\s+(?:to|of|for|a|total|it|up))*)\s*[:=]?\s*[(\[]?\s*"
PHRASE = re.compile(
    rf"""\b(?:
        (?P<all_in>(?:(?:re-?)?rais(?:e|ing)\s+|bet(?:ting)?\s+|call(?:ing)?\s+|go(?:ing)?\s+|mov(?:e|ing)\s+)?(?:to\s+)?all[\s-]?in
            |jam(?:ming)?|shov(?:e|ing))
      | (?P<fold>fold(?:ing)?)
      | (?P<check>check(?:ing)?)
      | (?P<call>call(?:ing)?)
      | (?P<raise>(?:re-?)?rais(?:e|ing)|bet(?:ting)?)
    )(?!\w)(?:{LINK}{AMOUNT.format("amount")}(?:\s+to\s+{AMOUNT.format("total")})?(?:\s+(?:in\s+)?total\b)?)?""",
    re.X | re.I,
)
NUMBER = re.compile(AMOUNT.format("amount"), re.X | re.I)
AFTER_AMOUNT = re.compile(r"\s*(?:$|[.,;:!()\]}\"']|-\s|(?:for|with|as|because|since|and|here|now|all)\b)", re.I)
CHANGES_AMOUNT = re.compile(r"\b(?:more|on\s+top|extra|additional|thousand|million)\b|%", re.I)
STARTS_WITH_NUMBER = re.compile(r"[\s:=(\[$~]*\d")
SHARE_OF_TIME = re.compile(r"\bof\s+the\s+time\b", re.I)
END = re.compile(r"[\s.!)\]}\"']*(?:(?:my|this|the)\s+hand|it|here|now)?[\s.!)\]}\"']*$", re.I)
KINDS = ("fold", "check", "call", "all_in", "raise")
SHOWN = 200
LONGEST = 20_000  # of a longer answer only this many characters at its end are read


class AnswerError(ValueError):
    """An answer in which there is no single legal move. The message says why, and what is legal."""


def read_answer(answer: str, view: SeatView) -> int:
    """Return the engine move of an answer in free text.

    The move is read from the last mark: a line that begins with "Action:", a JSON object with a key "action", an
    `<action>` tag or a `\\boxed{}`. If text after it names another move, nothing is read. Without a mark the last line
    must end with the move.

    Amounts are street totals in chips, or in big blinds if the answer says "bb". An amount that can be read in two ways
    ("9,00", "600 more", "600-900") is an error. Case, Markdown and text before </think> do not matter.

    >>> from holdem_env import Table
    >>> view = Table("heads-up-no-limit", seed=1).view()
    >>> read_answer("Strong enough. Action: **raise to 6**", view)
    6
    >>> read_answer("Fold or call?", view)
    Traceback (most recent call last):
    holdem_env.protocols.text.answers.AnswerError: 'Fold or call?' is not one plain move. Legal: fold, call 1, raise ...

    Returns:
        -1 folds, 0 checks or calls, a positive number is the street total.

    Raises:
        AnswerError: If the answer does not name one legal move.
    """
    plain = END_OF_THOUGHTS.split(answer[-LONGEST:].translate(PLAIN))[-1].strip()
    if not plain:
        raise AnswerError(f"The answer is empty. {_legal(view)}")
    said, after = _said(plain)
    found = [*PHRASE.finditer(said)]
    is_plain = bool(found) and not NEGATION.search(said) and not SHARE_OF_TIME.search(said)
    if not is_plain or (after is None and not END.match(said, found[-1].end())):
        raise AnswerError(f"{_short(said)} is not one plain move. {_legal(view)}")
    moves = {_move(phrase, said, view) for phrase in found}
    if len(moves) > 1 or any(_differs(later, found[-1]) for later in PHRASE.finditer(_clean(after or ""))):
        raise AnswerError(f"{_short(f'{said} {after or str()}'.strip())} names several moves. {_legal(view)}")
    return moves.pop()


PLAIN = str.maketrans({"‐": "-", "‑": "-", "–": "-", "—": "-", "’": "'", "‘": "'", "“": '"', "”": '"', "\xa0": " "})
"""Typographic hyphens, quotes and spaces as plain ones."""


def _said(answer: str) -> tuple[str, str | None]:
    """The part of an answer that names the move, and the text after it if that part is marked."""
    marked = [(match.end(), match["said"]) for mark in MARKS for match in mark.finditer(answer)]
    marked += [(match.end(), said) for match in JSON.finditer(answer) if (said := _of_json(match[0]))]
    if not marked:
        return _clean(answer.splitlines()[-1]), None
    end, said = max(marked)
    if amount := AMOUNT_LINE.match(answer, end):
        end, said = amount.end(), _with_amount(_clean(said), _clean(amount["said"]))
    return _clean(said), answer[end:]


def _clean(text: str) -> str:
    """Text without Markdown, and without digits that are no amounts."""
    return DIGITS_APART.sub("", UNDERSCORES.sub(" ", MARKUP.sub("", text))).strip(" \"'")


def _of_json(text: str) -> str | None:
    """A JSON object in the words of a plain answer; None if it is none, or has no action."""
    try:
        fields: dict[str, Any] = {key.lower(): value for key, value in json_of(text).items()}
    except ValueError:
        return None
    action = next((fields[key] for key in ACTION_KEYS if isinstance(fields.get(key), str)), None)
    if action is None:
        return None
    said = _clean(action).lower()
    for amount in dict.fromkeys(str(fields[key]) for key in AMOUNT_KEYS if fields.get(key) not in (None, "")):
        said = _with_amount(said, amount)
    return said


def _with_amount(said: str, amount: str) -> str:
    """A move in words and an amount that is named apart from it. Folds and checks have none, and a call may say 0."""
    phrase = PHRASE.match(said)
    if phrase is None or phrase["fold"] or phrase["check"] or (not phrase["raise"] and amount.strip(" .0") == ""):
        return said
    return f"{said} ({amount})" if phrase["amount"] else f"{said.removesuffix(':')} {amount}"


def _kind(phrase: re.Match[str]) -> str:
    return next(kind for kind in KINDS if phrase[kind])


def _differs(later: re.Match[str], phrase: re.Match[str]) -> bool:
    """Whether a phrase after the marked one names another move."""
    named = later["total"] or later["amount"]
    return _kind(later) != _kind(phrase) or named not in (None, phrase["total"] or phrase["amount"])


def _move(phrase: re.Match[str], said: str, view: SeatView) -> int:
    rest = said[phrase.end() :]
    amount = _plain_amount(phrase, rest, view)
    if phrase["fold"]:
        move = FOLD
    elif phrase["check"]:
        if price := view.legal.call:
            raise AnswerError(f"check: there are {price} chips to call. {_legal(view)}")
        move = CHECK_CALL
    elif phrase["call"]:
        move = _call(amount, view)
    elif phrase["all_in"]:
        move = _all_in(amount, view)
    elif amount is None:
        raise AnswerError(f"{_short(phrase[0])} lacks its total in chips. {_legal(view)}")
    else:
        move = amount
    if why := why_illegal(view.records, view.rules.record, 0, move):
        raise AnswerError(why[0].upper() + why[1:])
    return move


def _plain_amount(phrase: re.Match[str], rest: str, view: SeatView) -> int | None:
    """The amount of a phrase in chips; None without one. Raises AnswerError if the `rest` after it may change it."""
    if phrase["amount"] is None:
        is_plain = phrase["raise"] or not STARTS_WITH_NUMBER.match(rest)
    else:
        amount = _amount(phrase, "amount", view)
        if phrase["total"] is not None:  # "raise 8 to 10", as poker sites write it
            added, amount = amount, _amount(phrase, "total", view)
            is_plain = (
                phrase["raise"]
                and "to" not in phrase["link"].lower().split()
                and amount - added == max(int(view.records["bet_to_match"][0]), 0)
            )
        else:
            is_plain = not (phrase["fold"] or phrase["check"])
        others = {_amount(number, "amount", view) for number in NUMBER.finditer(rest)}
        left = NUMBER.sub("", rest)
        is_plain = is_plain and others <= {amount} and not re.search(r"\d", left)
        is_plain = is_plain and AFTER_AMOUNT.match(rest) and not CHANGES_AMOUNT.search(rest)
        if is_plain:
            return amount
    if not is_plain:
        raise AnswerError(f"{_short(phrase[0] + rest)} is not one plain amount. {_legal(view)}")
    return None


def _call(named: int | None, view: SeatView) -> int:
    """A call. Its price, if it is named, must be what there is to call, or the total that this makes."""
    price = view.legal.call or 0
    if named not in (None, price, price + view.bets[view.seat]):
        raise AnswerError(f"call {named}: there are {price} chips to call. {_legal(view)}")
    return CHECK_CALL


def _all_in(named: int | None, view: SeatView) -> int:
    stack = view.stacks[view.seat]
    total = stack + view.bets[view.seat]
    if named not in (None, stack, total):
        raise AnswerError(f"all-in {named}: all-in is a total of {total} chips. {_legal(view)}")
    return CHECK_CALL if view.legal.call == stack else total


def _amount(phrase: re.Match[str], name: str, view: SeatView) -> int:
    number, unit = phrase[name], phrase[f"{name}_unit"]
    amount = Fraction(number.replace(",", ""))
    if unit and unit.lower().startswith(("bb", "big")):
        amount *= view.game.big_blind
    elif unit and unit.lower() == "k":
        amount *= 1000
    if amount.denominator != 1 or not amount:
        raise AnswerError(f"{number}{f' {unit}' if unit else ''} is not a number of whole chips. {_legal(view)}")
    return int(amount)


def _legal(view: SeatView) -> str:
    return f"Legal: {view.legal}."


def _short(text: str) -> str:
    """An answer as a refusal quotes it: control characters take several signs each."""
    quoted = repr(text[:SHOWN])
    return quoted if len(text) <= SHOWN and len(quoted) <= SHOWN + 2 else f"{quoted[:SHOWN]}…{quoted[-1]}"
