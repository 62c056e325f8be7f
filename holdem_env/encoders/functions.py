"""Encoders made from your own functions of a few lines.

The function is compiled. A loop over the batch calls it; the loop is compiled once for all functions, and cached. The
output is checked: a number outside the space, an illegal move, or a write outside the array is an error. Indices are
Python's: -1 is the last place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..compiled import types
from ..compiled.compiler import CHECKS, kernel_of, typed
from ..compiled.records import Records, column
from ..compiled.scalars import Floats, Ints
from ..engine.batch import NO_MOVE, first_illegal
from ..engine.betting import is_legal
from ..engine.legality import why_illegal
from ..engine.record import NOBODY, RULES_TYPE, SEAT, TABLE_TYPE
from ..game.rules import Rules
from .base import ActionEncoder, EncoderError, Layout, ObservationEncoder, Rows, Shape
from .compile_errors import check_arguments, explained

if TYPE_CHECKING:  # spaces are imported when asked for
    from gymnasium.spaces import Box

OBSERVE_SIGNATURE = types.void(TABLE_TYPE, RULES_TYPE, types.int64, types.float32[::1])
CHOOSE_SIGNATURE = types.void(TABLE_TYPE, RULES_TYPE, types.int64[::1])
ROWS_TYPE = types.int64[::1]
TABLES_TYPE, RULES_ARRAY = types.Array(TABLE_TYPE, 1, "C"), types.Array(RULES_TYPE, 1, "C", readonly=True)
GUARD = 1024  # numbers on either side of an encoder's output that it must not change
UNTOUCHED = -98765
FINE = -1
MAX_TRIED = 32  # tables on whose copies an encoder is tried first
LINES = {"seats": SEAT.names or (), "made": ("move", "move_seat", "move_street")}

Size = int | tuple[int, ...] | Callable[[Rules], int | tuple[int, ...]]
Meanings = list[str] | Callable[[Rules], list[str]]


@cache
def _observe_each() -> Callable[..., int]:
    """The loop that applies a first-class function to a batch; compiled once for all functions, and cached."""
    function, number = types.FunctionType(OBSERVE_SIGNATURE), types.float32
    signature = types.int64(function, TABLES_TYPE, RULES_ARRAY, ROWS_TYPE, ROWS_TYPE, number[:, ::1], number, number)
    return kernel_of(signature, observe_each)


@cache
def _choose_each() -> Callable[..., int]:
    """The same loop for action encoders."""
    function = types.FunctionType(CHOOSE_SIGNATURE)
    signature = types.int64(function, TABLES_TYPE, RULES_ARRAY, ROWS_TYPE, types.int64[:, ::1])
    return kernel_of(signature, choose_each)


def observe_each(
    function: Callable[..., None],
    tables: Records,
    rules: Records,
    rows: Ints,
    seats: Ints,
    out: Floats,
    low: float,
    high: float,
) -> int:
    """Zero the rows, then let the function write them. Returns the first row with a number outside low..high, or
    FINE."""
    for k in range(rows.size):
        out[k, :] = 0.0
        t = tables[rows[k]]
        function(t, rules[t.stage], seats[k], out[k])
        inside = 0
        for i in range(out.shape[1]):
            inside += (out[k, i] >= low) & (out[k, i] <= high)
        if inside < out.shape[1]:
            return k
    return FINE


def choose_each(function: Callable[..., None], tables: Records, rules: Records, rows: Ints, choices: Ints) -> int:
    """Offer nothing, then let the function write its offers where a seat is to act. Returns the first row that offers
    an illegal move or no move, or FINE."""
    for k in range(rows.size):
        choices[k, :] = NO_MOVE
        t = tables[rows[k]]
        if t.actor == NOBODY:
            continue
        function(t, rules[t.stage], choices[k])
        offered = 0
        for action in range(choices.shape[1]):
            if choices[k, action] != NO_MOVE:
                offered += 1
                if not is_legal(t, rules[t.stage], choices[k, action]):
                    return k
        if offered == 0:
            return k
    return FINE


class FunctionObservation(ObservationEncoder):
    """An observation encoder made from a function; see `observation_encoder`."""

    thread_safe = True

    def __init__(self, function: Callable[..., None], size: Size, low: float, high: float) -> None:
        self.name = function.__name__
        self._what = f"observation encoder {self.name!r}"
        self._size, self._low, self._high = size, float(np.float32(low)), float(np.float32(high))
        self._function = _compiled(function, OBSERVE_SIGNATURE, "observation encoder", ("t", "r", "seat", "out"))
        self._tried: set[int] = set()

    def shape(self, rules: Rules) -> Shape:
        if not callable(self._size):
            return self._checked(self._size)
        return self._largest([self._checked(self._size(game)) for game in _games(rules)])

    def _checked(self, size: int | tuple[int, ...]) -> Shape:
        shape = size if isinstance(size, tuple) else (size,)
        if not shape or not all(isinstance(number, int) and number > 0 for number in shape):
            raise ValueError(f"observation encoder {self.name!r}: size={size!r}; give a positive integer, or a shape")
        return shape

    def _largest(self, shapes: list[Shape]) -> Shape:
        """The shape with the most rows. Shorter observations end in zeros, so the other axes must be the same."""
        if len({shape[1:] for shape in shapes}) > 1:
            raise ValueError(
                f"observation encoder {self.name!r}: its shapes in the phases of this game, {shapes}, differ in more "
                "than the first axis; give one shape for all"
            )
        return max(shapes)

    def layout(self, rules: Rules) -> Layout:
        return [(self.name, 0, self.shape(rules)[0])]

    def space(self, rules: Rules) -> Box:
        from gymnasium.spaces import Box

        return Box(self._low, self._high, self.shape(rules), np.float32)

    def observe(self, tables: Records, rules: Records, rows: Rows, seats: Rows, out: NDArray[np.float32]) -> None:
        if out.shape[1] not in self._tried and rows.size:
            self._try(tables, rules, rows, seats, out.shape[1])
        before = tables[rows] if CHECKS else None
        bad = self._run(tables, rules, rows, seats, out)
        if before is not None:
            _raise_if_written(self._what, before, tables[rows])
        if bad != FINE:
            raise EncoderError(self._outside(out[bad], int(rows[bad]), int(seats[bad])))

    def _run(self, tables: Records, rules: Records, rows: Rows, seats: Rows, out: NDArray[np.float32]) -> int:
        return _observe_each()(self._function, tables, rules, rows, seats, out, self._low, self._high)

    def _try(self, tables: Records, rules: Records, rows: Rows, seats: Rows, size: int) -> None:
        def run(copies: Records, row: Rows, k: int, out: NDArray[np.float32]) -> None:
            self._run(copies, rules, row, seats[k : k + 1], out)

        _try_on_copies(self._what, "numbers", tables, rows, run, np.full((1, size + 2 * GUARD), UNTOUCHED, np.float32))
        self._tried.add(size)

    def _outside(self, row: NDArray[np.float32], table: int, seat: int) -> str:
        index = int(np.flatnonzero(~((row >= self._low) & (row <= self._high)))[0])
        return (
            f"observation encoder {self.name!r} writes {row[index]} at index {index}, for table {table}, seat {seat}; "
            f"its space is {self._low:g} to {self._high:g}: give low= and high= to observation_encoder, or clip"
        )


class FunctionActions(ActionEncoder):
    """An action encoder made from a function; see `action_encoder`."""

    thread_safe = True

    def __init__(self, function: Callable[..., None], meanings: Meanings) -> None:
        self.name = function.__name__
        self._what = f"action encoder {self.name!r}"
        self._meanings = meanings
        self._function = _compiled(function, CHOOSE_SIGNATURE, "action encoder", ("t", "r", "choices"))
        self._tried: set[int] = set()

    def meanings(self, rules: Rules) -> list[str]:
        if not callable(self._meanings):
            return self._meanings
        who = f"action encoder {self.name!r}"
        by_phase = zip_longest(*(_checked_meanings(who, self._meanings(game)) for game in _games(rules)))
        return [" or ".join(dict.fromkeys(filter(None, meanings))) for meanings in by_phase]

    def choose(self, tables: Records, rules: Records, rows: Rows, choices: NDArray[np.int64]) -> None:
        if choices.shape[1] not in self._tried and rows.size:
            self._try(tables, rules, rows, choices.shape[1])
        before = tables[rows] if CHECKS else None
        bad = _choose_each()(self._function, tables, rules, rows, choices)
        if before is not None:
            _raise_if_written(self._what, before, tables[rows])
        if bad != FINE:
            raise EncoderError(self._why_not(tables, rules, rows[bad : bad + 1], choices[bad]))

    def _try(self, tables: Records, rules: Records, rows: Rows, size: int) -> None:
        def run(copies: Records, row: Rows, k: int, out: NDArray[np.int64]) -> None:
            _choose_each()(self._function, copies, rules, row, out)

        _try_on_copies(self._what, "actions", tables, rows, run, np.full((1, size + 2 * GUARD), UNTOUCHED, np.int64))
        self._tried.add(size)

    def _why_not(self, tables: Records, rules: Records, row: Rows, choices: NDArray[np.int64]) -> str:
        at = int(row[0])
        for action in np.flatnonzero(choices != NO_MOVE):
            move = choices[action : action + 1]
            if first_illegal(tables, rules, row, move) != FINE:
                why = why_illegal(tables, rules, at, int(move[0]))
                return f"action encoder {self.name!r} offers, as action {action} at table {at}, an illegal move: {why}"
        return (
            f"action encoder {self.name!r} offers nothing at table {at}, where seat {tables['actor'][at]} is to act; "
            "0 (check or call) is always legal"
        )


def _try_on_copies(
    what: str, outputs: str, tables: Records, rows: Rows, run: Callable[..., None], guarded: NDArray[Any]
) -> None:
    """Once for each size: apply a function to copies of the first tables, one by one, and raise EncoderError if it
    writes beside its output, or to the record.

    run: of the copies, the row of one, its number, and its output. guarded: (1, size + 2 * GUARD) for the output.
    """
    first = rows[:MAX_TRIED]
    copies = tables[np.concatenate([first[:1], first, first[-1:]])]  # one more on either side: nobody reads these
    before = copies.copy()
    size = guarded.shape[1] - 2 * GUARD
    for k in range(len(first)):
        run(copies, np.array([1 + k]), k, guarded[:, GUARD : GUARD + size])
        _raise_if_touched(what, guarded[0], size, outputs)
    _raise_if_written(what, before, copies)


def _raise_if_written(what: str, before: Records, after: Records) -> None:
    """Raise EncoderError if a function has changed the records that it read."""
    names = [name for name in before.dtype.names or () if not np.array_equal(before[name], after[name])]
    if names:
        fields = [name for line in names for name in LINES.get(line, (line,))]
        of_lines = [name for name in fields if not np.array_equal(column(before, name), column(after, name))]
        raise EncoderError(
            f"{what} writes to the record: it changes t.{', t.'.join(of_lines or names)}. A table is only read; an "
            "encoder never changes the table, and writes to its last argument alone"
        )


def _games(rules: Rules) -> tuple[Rules, ...]:
    """The games for which a size or meanings are asked: the phases where these differ in their hands (R19)."""
    return rules.stages if rules.changes_hands else (rules,)


def _checked_meanings(who: str, given: Any) -> list[str]:
    """A few words for each action. Raises EncoderError for anything else."""
    if isinstance(given, str) or not isinstance(given, Sequence) or not all(isinstance(words, str) for words in given):
        raise EncoderError(f"{who}: give a few words for each action, such as ['fold', 'call'], not {given!r}")
    if not given:
        raise EncoderError(f"{who}: the list of actions is empty; give one action or more, such as ['fold', 'call']")
    if again := [words for words, often in Counter(given).items() if often > 1]:
        raise EncoderError(f"{who}: {again[0]!r} is given twice; every action needs words of its own")
    return list(given)


def _compiled(function: Callable[..., None], signature: Any, what: str, arguments: Sequence[str]) -> Any:
    """The function, compiled. Raises EncoderError, in a sentence, if that fails."""
    check_arguments(function, what, arguments)
    try:
        return typed(signature, negative_indices=True)(function)
    except Exception as error:
        # The compiler's message is long, and its kind depends on what is wrong: KeyError, TypingError and others.
        raise explained(error, function, what)  # noqa: B904 - it has a cause: the compiler's error cut to its core


def _raise_if_touched(who: str, guarded: NDArray[np.float32] | NDArray[np.int64], size: int, what: str) -> None:
    touched = np.flatnonzero(guarded != guarded.dtype.type(UNTOUCHED)) - GUARD
    outside = touched[(touched < 0) | (touched >= size)]
    if outside.size:
        raise EncoderError(f"{who} writes at index {outside[0]}; it has {size} {what}, at 0 to {size - 1}")


def observation_encoder(
    size: Size, low: float = 0.0, high: float = 1.0
) -> Callable[[Callable[..., None]], FunctionObservation]:
    """Make an encoder from a function (t, r, seat, out) that reads the records and writes float32 numbers to `out`.

    `out` is zeroed first, and always flat, in C order.

    Args:
        size: The number of numbers, a shape, or a function of the rules that returns either. Where phases differ in
            their hands (R19), the function is asked for each phase and the largest size is taken. What a phase does not
            write stays zero.
        low, high: The smallest and the largest number that it writes; a number outside is an error.

    >>> @observation_encoder(size=2)
    ... def pot_odds(t, r, seat, out):
    ...     call = t.bet_to_match - t.bet[seat]
    ...     out[0] = call / (t.pot + call)
    ...     out[1] = t.in_hand[seat]
    """
    if callable(size) and hasattr(size, "__code__") and size.__code__.co_argcount == 4:
        raise TypeError("observation_encoder: write @observation_encoder(size=...), with the size in parentheses")
    return lambda function: FunctionObservation(function, size, low, high)


def action_encoder(meanings: Meanings) -> Callable[[Callable[..., None]], FunctionActions]:
    """Make an encoder from a function (t, r, choices) that writes an engine move for each action that it offers.

    The function is called only if a seat is to act. It must offer at least one move; an illegal move is an error.

    Args:
        meanings: A few words for each action, or a function of the rules that returns them. Where phases differ in
            their hands (R19), the function is asked for each phase and the longest list is taken.

    Raises:
        EncoderError: If the meanings are not a list of different words.

    >>> @action_encoder(["fold", "call", "shove"])
    ... def push_or_fold(t, r, choices):
    ...     choices[0] = -1
    ...     choices[1] = 0
    ...     if t.raise_max == t.stack[t.actor] + t.bet[t.actor]:
    ...         choices[2] = t.raise_max
    """
    if callable(meanings) and hasattr(meanings, "__code__") and meanings.__code__.co_argcount == 3:
        raise TypeError("action_encoder: write @action_encoder([...]), with the meanings in parentheses")
    if not callable(meanings):
        meanings = _checked_meanings("action_encoder", meanings)
    return lambda function: FunctionActions(function, meanings)
