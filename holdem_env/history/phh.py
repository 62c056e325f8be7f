"""PHH, the poker hand history format (TOML): `.phh` with one hand, `.phhs` with many, also as `.xz` and `.gz`.

    for hand in phh.read("hands.phhs"):
        table = hand.replay()

It reads the variants `NT` (no-limit Texas hold'em), `FT` (fixed-limit Texas hold'em), `NS` (no-limit short deck), `PO`
(pot-limit Omaha) and `FO/8` (fixed-limit Omaha hi-lo). `dumps` and `write` are implemented in `phh_writing`.
Specification: https://phh.readthedocs.io
"""

from __future__ import annotations

import io
import re
import tomllib
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from functools import partial
from os import fspath
from typing import Any

from .errors import HistoryError, OnError, reason
from .files import Piece, StrPath, kind_of, records
from .hand_record import Amount, HandRecord
from .known_cards import HOLE_SIZE
from .phh_actions import ActionError, Actions, read_actions
from .phh_money import PER_PLAYER, RULES_FIELD, Forced, Money, forced_bets
from .phh_rules import BETS, MAX_RAISES, VARIANTS, amounts_of, read_rules, shape_of, with_amounts
from .phh_writing import dumps, in_phhs, write
from .reading import Parse, Split, hands_of

__all__ = ["dumps", "in_phhs", "loads", "read", "write"]

OTHER_VARIANTS = {
    "F7S": "fixed-limit seven card stud",
    "F7S/8": "fixed-limit seven card stud eight or better",
    "FR": "fixed-limit razz",
    "N2L1D": "no-limit deuce-to-seven single draw",
    "F2L3D": "fixed-limit deuce-to-seven triple draw",
    "FB": "fixed-limit badugi",
}
DEEPEST_KEY = 32
"""Parts of a dotted key: the TOML library takes a second for thousands, and the square of it for more."""
_PART = r"""(?:[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*')[ \t]*"""
# Strings and comments are passed over.
_DEEP_KEY = re.compile(
    rf"""(?P<deep>{_PART}(?:\.[ \t]*{_PART}){{{DEEPEST_KEY}}})|"{{3}}(?s:.*?)"{{3}}|'{{3}}(?s:.*?)'{{3}}"""
    r"""|"(?:[^"\\\n]|\\.)*"?|'[^'\n]*'?|\#[^\n]*|[A-Za-z0-9_-]+"""
)
_PER_PLAYER_OPTIONAL = ("players", "finishing_stacks", "winnings", "seats", "time_banks")
_PLAYED = {"variant", "actions", *PER_PLAYER, "min_bet", "small_bet", "big_bet", RULES_FIELD}


def read(
    path: StrPath, *, on_error: OnError = "warn", max_raises: tuple[int, ...] | None = MAX_RAISES
) -> Iterator[HandRecord]:
    """Read the hands of a `.phh` or `.phhs` file, one by one; `.xz` and `.gz` files are decompressed.

    Args:
        path: The file.
        on_error: What to do with a malformed record. It is skipped, and reading continues with the next one. "warn"
            also warns (HistoryWarning), "skip" does nothing else, "raise" stops with the HistoryError. A function is
            called with the HistoryError.
        max_raises: The cap of fixed-limit hands, per street, as in Rules; None for no cap.

    Raises:
        OSError: If the file cannot be opened.
        ValueError: If `on_error` is unknown.
    """
    return hands_of(path, splitter(path), parser(path, max_raises), on_error)


def splitter(path: StrPath) -> Split:
    """What splits the lines of a file into records."""
    return partial(records, many=kind_of(path) == ".phhs")


def parser(path: StrPath, max_raises: tuple[int, ...] | None = MAX_RAISES) -> Parse:
    """What parses the records of a file."""
    return partial(_parse, file=fspath(path), max_raises=max_raises)


def loads(text: str, *, max_raises: tuple[int, ...] | None = MAX_RAISES) -> HandRecord:
    """Return the single hand in `text`, read as `read` does.

    >>> hand = loads('''
    ... variant = "NT"
    ... antes = [0, 0, 0]
    ... blinds_or_straddles = [0.5, 1, 0]
    ... min_bet = 1
    ... starting_stacks = [100, 100, 80]
    ... actions = ["d dh p1 ????", "d dh p2 ????", "d dh p3 AsKd", "p3 cbr 2.5", "p1 f", "p2 f"]
    ... ''')
    >>> hand.replay().payoffs, hand.unit
    ([-5, -10, 15], Decimal('0.1'))

    Raises:
        HistoryError: If the text is malformed.
    """
    pieces = list(records(io.StringIO(text, newline=None), many=False))
    if len(pieces) != 1:
        raise HistoryError(None, None, f"the text has {len(pieces)} records; write them to a .phhs file and use read()")
    return _parse(pieces[0], "<text>", max_raises)


def _parse(piece: Piece, file: str, max_raises: tuple[int, ...] | None) -> HandRecord:
    key = piece.key
    name: int | str = 1 if key is None else int(key) if key.isdecimal() else key
    try:
        if piece.problem:
            raise ValueError(piece.problem)
        fields = _fields(piece)
        if key is None and isinstance(fields.get("hand"), int | str):
            name = fields["hand"]
        return _hand(fields, file, name, piece.line, max_raises)
    except HistoryError:
        raise
    except ValueError as problem:
        raise HistoryError(file, name, reason(problem), piece.line) from problem


def _fields(piece: Piece) -> dict[str, Any]:
    if not piece.text.isascii():
        try:
            piece.text.encode()
        except UnicodeEncodeError:
            raise ValueError("not UTF-8 text") from None
    if any(found["deep"] for found in _DEEP_KEY.finditer(piece.text)):
        raise ValueError(f"a key has more than {DEEPEST_KEY} parts with dots between them")
    try:
        fields = tomllib.loads(piece.text, parse_float=_decimal)
    except tomllib.TOMLDecodeError as problem:
        raise ValueError(f"broken TOML: {_in_file(str(problem), piece.line)}") from problem
    except RecursionError:
        raise ValueError("broken TOML: nested too deep") from None
    return fields if piece.key is None else next(iter(fields.values()))


def _decimal(text: str) -> Decimal:
    try:
        return Decimal(text)
    except InvalidOperation:
        raise ValueError(f"{text[:40]} is beyond every number that can be kept") from None


def _in_file(message: str, first_line: int) -> str:
    """A TOML error message with its line number counted in the file instead of in the record."""
    return re.sub(r"at line (\d+)", lambda found: f"at line {int(found[1]) + first_line - 1}", message)


def _hand(
    fields: dict[str, Any], file: str, name: int | str, line: int, max_raises: tuple[int, ...] | None
) -> HandRecord:
    variant = _variant(fields)
    count = _player_count(fields, variant)
    texts = fields["actions"]
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise ValueError("actions is not an array of strings")
    actions = _read_actions(texts, count, shape_of(variant).get("hole_cards", HOLE_SIZE), file, name, line)
    extras = fields.get(RULES_FIELD)
    money = Money.of(fields, (*PER_PLAYER, *BETS[variant]), actions.amounts, amounts_of(extras))
    if isinstance(extras, dict):
        extras = with_amounts(extras, lambda amount: money.chips(amount, RULES_FIELD))
    stacks = money.chips_of(fields, "starting_stacks")
    forced = forced_bets(money.chips_of(fields, "antes"), money.chips_of(fields, "blinds_or_straddles"))
    _check_stacks(stacks, forced, fields.get("ante_trimming_status", False))
    rules = read_rules(
        variant, stacks, forced, tuple(money.chips(fields[bet], bet) for bet in BETS[variant]), max_raises, extras
    )
    return HandRecord(
        file=file,
        hand=name,
        line=line,
        rules=rules,
        button=count - 1,
        holes=actions.holes,
        board=actions.board,
        actions=tuple(texts),
        moves=tuple(actions.scaled(money)),
        players=tuple(fields["players"]) if "players" in fields else None,
        unit=money.unit,
        stated=_stated(fields, stacks, money),
        metadata={field: value for field, value in fields.items() if field not in _PLAYED},
    )


def _variant(fields: dict[str, Any]) -> str:
    variant = fields.get("variant")
    if variant is None:
        raise ValueError("variant is missing")
    if not isinstance(variant, str) or variant not in VARIANTS:
        known = f" ({OTHER_VARIANTS[variant]})" if str(variant) in OTHER_VARIANTS else ""
        supported = "'NT' (no-limit) and 'FT' (fixed-limit), 'NS' (short deck), 'PO' and 'FO/8' (Omaha)"
        raise ValueError(f"variant {variant!r}{known} is not Texas hold'em; supported are {supported}")
    return variant


def _player_count(fields: dict[str, Any], variant: str) -> int:
    for field in (*PER_PLAYER, *BETS[variant], "actions"):
        if field not in fields:
            raise ValueError(f"{field} is missing")
    lengths = {}
    for field in (*PER_PLAYER, *_PER_PLAYER_OPTIONAL):
        if field in fields:
            if not isinstance(fields[field], list):
                raise ValueError(f"{field} is not an array")
            lengths[field] = len(fields[field])
    if len(set(lengths.values())) > 1:
        counted = ", ".join(f"{length} {field}" for field, length in lengths.items())
        raise ValueError(f"the arrays differ in length, but need one value per player: {counted}")
    count = lengths["starting_stacks"]
    if not 2 <= count <= 10:
        raise ValueError(f"{count} players; 2 to 10 can play (R5)")
    return count


def _read_actions(texts: list[str], count: int, hole_size: int, file: str, name: int | str, line: int) -> Actions:
    try:
        return read_actions(texts, count, hole_size)
    except ActionError as problem:
        raise HistoryError(file, name, str(problem), line, problem.index, texts[problem.index]) from problem


def _check_stacks(stacks: tuple[int, ...], forced: Forced, trimmed: object) -> None:
    for player, stack in enumerate(stacks, 1):
        if stack <= 0:
            raise ValueError(f"starting_stacks: player {player} has {stack}; stacks are above zero")
        if stack < forced.ante and trimmed is False:
            raise ValueError(
                f"player {player} cannot pay the ante in full, and ante_trimming_status is false: the rules do not "
                "let a short ante win all antes in full (it makes a side pot, R8)"
            )
    if forced.straddle and stacks[2] < forced.straddle + forced.ante:
        raise ValueError("player 3 cannot pay the straddle in full; a straddle is posted only in full (R8)")


def _stated(fields: dict[str, Any], stacks: tuple[int, ...], money: Money) -> dict[str, list[Amount]]:
    if "finishing_stacks" in fields:
        final = [money.exact(value, "finishing_stacks") for value in fields["finishing_stacks"]]
        return {"payoffs": [_plain(end - start) for end, start in zip(final, stacks, strict=True)]}
    if "winnings" in fields:
        return {"winnings": [_plain(money.exact(value, "winnings")) for value in fields["winnings"]]}
    return {}


def _plain(amount: Amount) -> Amount:
    return int(amount) if amount.denominator == 1 else amount
