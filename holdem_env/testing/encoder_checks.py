"""`check_encoder`: checks that an encoder keeps its contract."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..encoders import (
    ActionEncoder,
    BoxActionEncoder,
    EncoderError,
    ObservationEncoder,
    get_actions,
    get_observation,
)
from ..encoders.decoding import decoded_moves
from ..engine import batch, record
from ..game.rules import Rules
from .sampled_tables import GAMES, ConformanceError, random_positions, rotate_seats, shuffle_hidden_cards, where

Rows = NDArray[np.int64]
GARBAGE = 12345


def check_encoder(
    encoder: str | ObservationEncoder | ActionEncoder,
    games: Sequence[Rules] = GAMES,
    positions: int = 200,
    seed: int = 0,
) -> None:
    """Check an encoder in random positions of several games. Returns silently if it passes.

    The checks of observations:

    - They fit the space (shape, bounds, finite numbers), and every number is written.
    - The same position gives the same numbers.
    - Nothing hidden leaks: permuting all cards that the seat cannot know changes nothing.
    - Seats are relative to the observer: moving everybody one seat on changes nothing.
    - The table is not changed.

    The checks of actions:

    - Every offered move is legal. A position with a decision offers at least one move, and other positions offer none.
    - Nothing hidden leaks, and the table is not changed.
    - All continuous actions mean legal moves, at the corners of their space, too.

    Args:
        encoder: An encoder or a registered name.
        games: The rules to try; give your own if the encoder is made for one game.
        positions: The number of positions in each game.
        seed: The seed of the positions.

    Raises:
        ConformanceError: If a check fails. It is an AssertionError that says what failed, where, and how to fix it.
    """
    if isinstance(encoder, str):
        encoder = _by_name(encoder, games[0])
    for rules in games:
        tables = random_positions(rules, positions, seed)
        try:
            if isinstance(encoder, ObservationEncoder):
                _check_observation(encoder, rules, tables, seed)
            else:
                _check_actions(encoder, rules, tables, seed)
        except EncoderError as error:  # encoders made from functions check themselves
            raise ConformanceError(f"{rules.structure}, {rules.seats} seats: {error}") from None


def _by_name(name: str, rules: Rules) -> ObservationEncoder | ActionEncoder:
    try:
        return get_observation(name)
    except ValueError:
        return get_actions(name, rules)


def _check_observation(encoder: ObservationEncoder, rules: Rules, tables: record.Records, seed: int) -> None:
    seats = np.arange(len(tables)) % rules.seats
    before = tables.tobytes()
    seen = _observe(encoder, rules, tables, seats, fill=np.nan)
    if tables.tobytes() != before:
        raise ConformanceError(f"{encoder.name} changes the table that it observes: write only to `out`.")
    _check_space(encoder, rules, seen, seats)
    name = encoder.name
    again = _observe(encoder, rules, tables, seats, fill=GARBAGE)
    _same(seen, again, rules, seats, f"{name} gives other numbers the second time: write every number, none at random")
    hidden = shuffle_hidden_cards(tables, rules, seats.tolist(), seed)
    leaked = _observe(encoder, rules, hidden, seats, fill=np.nan)
    _same(seen, leaked, rules, seats, f"{name} leaks: it changes with cards that the seat cannot know. Read {READABLE}")
    turned = _observe(encoder, rules, rotate_seats(tables, rules, 1), (seats + 1) % rules.seats, fill=np.nan)
    _same(seen, turned, rules, seats, f"{name} depends on the seat's number: count from the observer or button")


READABLE = "t.hole[seat] of the observer only, t.board up to t.board_count, t.exposed, and neither t.deck nor t.seed"


def _observe(
    encoder: ObservationEncoder, rules: Rules, tables: record.Records, seats: Rows, fill: float
) -> NDArray[Any]:
    out = np.full((len(tables), encoder.size(rules)), fill, np.float32)
    encoder.observe(tables, rules.record, np.arange(len(tables)), seats, out)
    return out


def _check_space(encoder: ObservationEncoder, rules: Rules, seen: NDArray[Any], seats: Rows) -> None:
    space = encoder.space(rules)
    if int(np.prod(space.shape)) != seen.shape[1]:
        raise ConformanceError(
            f"{encoder.name}: its space has shape {space.shape}, but it writes {seen.shape[1]} numbers."
        )
    low, high = space.low.reshape(-1), space.high.reshape(-1)
    for row, index in np.argwhere(~((seen >= low) & (seen <= high)))[:1].tolist():
        value = seen[row, index]
        why = "it was not written, or is NaN" if np.isnan(value) else f"the space has {low[index]}..{high[index]}"
        raise ConformanceError(
            f"{where(rules, row, seats[row])}: number {index} of {encoder.name} is {value}; {why}. "
            "Write every number, and give the encoder bounds that include all of them."
        )


def _same(seen: NDArray[Any], other: NDArray[Any], rules: Rules, seats: Rows, complaint: str) -> None:
    for row, index in np.argwhere(seen != other)[:1].tolist():
        values = f"number {index} is {seen[row, index]} and then {other[row, index]}"
        raise ConformanceError(f"{where(rules, row, int(seats[row]))}, {values}. {complaint}.")


def _check_actions(encoder: ActionEncoder, rules: Rules, tables: record.Records, seed: int) -> None:
    before = tables.tobytes()
    choices = _choose(encoder, rules, tables)
    if tables.tobytes() != before:
        raise ConformanceError(f"{encoder.name} changes the table that it reads: write only to `choices`.")
    _check_offers(encoder, rules, tables, choices)
    actors = tables["actor"]
    name = encoder.name
    _same(choices, _choose(encoder, rules, tables), rules, actors, f"{name} offers other moves the second time")
    hidden = shuffle_hidden_cards(tables, rules, actors.tolist(), seed)
    complaint = f"{name} leaks: its offers change with cards that the seat cannot know. Read {READABLE}"
    _same(choices, _choose(encoder, rules, hidden), rules, actors, complaint)
    if isinstance(encoder, BoxActionEncoder):
        _check_decoding(encoder, rules, tables, hidden, seed)


def _check_decoding(
    encoder: BoxActionEncoder, rules: Rules, tables: record.Records, hidden: record.Records, seed: int
) -> None:
    """Check continuous actions: the corners of the space, its middle and random numbers must all mean legal moves."""
    rows = np.flatnonzero(tables["actor"] != record.NOBODY)
    shape = (len(rows), *encoder.shape(rules))
    generator = np.random.default_rng(seed)
    tries = [generator.uniform(-1, 1, shape), generator.choice([-1.0, 0.0, 1.0], shape)]
    before = tables.tobytes()
    for actions in (tried.astype(np.float32) for tried in tries):
        moves = decoded_moves(encoder, rules, tables, rows, actions)
        actors = tables["actor"][rows]
        again = decoded_moves(encoder, rules, tables, rows, actions)
        complaint = f"{encoder.name} decodes the same numbers to other moves the second time"
        _same(moves[:, None], again[:, None], rules, actors, complaint)
        leaked = decoded_moves(encoder, rules, hidden, rows, actions)
        complaint = f"{encoder.name} leaks: what an action means changes with cards that the seat cannot know"
        _same(moves[:, None], leaked[:, None], rules, actors, complaint)
    if tables.tobytes() != before:
        raise ConformanceError(f"{encoder.name} changes the table that it decodes for: write only to `moves`.")


def _choose(encoder: ActionEncoder, rules: Rules, tables: record.Records) -> NDArray[np.int64]:
    choices = np.full((len(tables), encoder.size(rules)), GARBAGE, np.int64)
    encoder.choose(tables, rules.record, np.arange(len(tables)), choices)
    return choices


def _check_offers(encoder: ActionEncoder, rules: Rules, tables: record.Records, choices: NDArray[np.int64]) -> None:
    offered = choices != batch.NO_MOVE
    asked = tables["actor"] != record.NOBODY
    for row in np.flatnonzero(asked != offered.any(axis=1))[:1].tolist():
        what = "nothing" if asked[row] else "a move although the hand is over"
        raise ConformanceError(f"{where(rules, row, tables['actor'][row])}: {encoder.name} offers {what}.")
    for action in range(choices.shape[1]):
        rows = np.flatnonzero(offered[:, action])
        bad = batch.first_illegal(tables, rules.record, rows, np.ascontiguousarray(choices[rows, action]))
        if bad >= 0:
            _complain_of_move(encoder, rules, tables, int(rows[bad]), action, int(choices[rows[bad], action]))


def _complain_of_move(
    encoder: ActionEncoder, rules: Rules, tables: record.Records, row: int, action: int, move: int
) -> None:
    from ..engine.legality import why_illegal

    why = why_illegal(tables, rules.record, row, move)
    what = f"action {action} ({encoder.meanings(rules)[action]})"
    raise ConformanceError(
        f"{where(rules, row, tables['actor'][row])}: {what} of {encoder.name} is offered, but "
        f"{why} Write NO_MOVE there; do not round a bet to a legal size."
    )
