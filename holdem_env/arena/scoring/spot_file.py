"""Files of spots: where a line of real moves led to a river or a turn, and with which hands both players are there.

A file is JSON, a list of spots: {"name": "river-01", "board": "Ks7h2d3c9s", "moves": [[5, 0], [0, 6, 0], [0, 0], []],
"ranges": [..., ...]}. moves: the engine moves of each street (-1 folds, 0 checks or calls, a positive number is the
street total to raise to), an empty list for the street that begins. ranges: of the button and of the other player, each
a text ("77+, AQs+"), or 1,326 signs, which are weights: 0 to 9, then a to z, in the order of `cards.combos`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, TypeAdapter, ValidationError

from ...cards.combos import COMBOS
from ...engine.record import NOBODY
from ...game.rules import Rules
from ...game.street_names import STREETS
from ...solvers.blueprints.resolving import BOARD, Spot, at_spot
from ...solvers.games import check_hands
from ...solvers.reading import RangeLike, read_ranges, read_subgame_board
from ...solvers.trees.roots import checked_moves, playable, whole_hand
from ...utils.validation import Validated, what_is_wrong

SIGNS = "0123456789abcdefghijklmnopqrstuvwxyz"
MAX_SIGN = len(SIGNS) - 1


class GivenSpot(NamedTuple):
    """A spot of a file. ranges: (2, 1326) float64, of players 0 (the button) and 1. pot: chips in the middle."""

    name: str
    spot: Spot
    ranges: NDArray[np.float64]
    pot: int


class _Entry(Validated):
    name: str
    board: str
    moves: Annotated[tuple[tuple[int, ...], ...], Field(min_length=1)]
    ranges: tuple[str, str]


def load_spots(path: str | Path, rules: Rules) -> list[GivenSpot]:
    """Read the spots of a file.

    Raises:
        FileNotFoundError: If the file does not exist.
        ValueError: If the file, a line, a board or ranges cannot be in the game. The message names the spot.
    """
    path = Path(path)
    if not path.is_file():
        raise FileNotFoundError(f"{path}: there is no such file of spots")
    try:
        entries = TypeAdapter(tuple[_Entry, ...]).validate_json(path.read_bytes())
    except ValidationError as error:
        raise ValueError(f"{path}: this is no list of spots: {what_is_wrong(error)}") from None
    if not entries:
        raise ValueError(f"{path}: there is no spot in it")
    check_hands(rules)
    return [_read(path, entry, rules) for entry in entries]


def _read(path: Path, entry: _Entry, rules: Rules) -> GivenSpot:
    try:
        board = read_subgame_board(entry.board)
        game = playable(rules)
        checked_moves(game, whole_hand(game, None), [move for street in entry.moves for move in street])
        cards = (*sorted(board[:3]), *board[3:])
        spot = Spot(game, tuple(game.starting_stacks), entry.moves, cards)
        here, street = at_spot(spot), len(entry.moves) - 1
        if BOARD.get(street) != len(board) or entry.moves[-1] or int(here["street"][0]) != street:
            raise ValueError(f"moves must lead to the beginning of the street of {entry.board}, a turn or a river")
        if int(here["actor"][0]) == NOBODY:
            raise ValueError(f"somebody must be to act on the {STREETS[street]}; the moves leave nobody")
        ranges = read_ranges([_range(text) for text in entry.ranges], board)
    except (ValueError, TypeError) as error:
        raise ValueError(f"{path}: {entry.name}: {error}") from None
    return GivenSpot(entry.name, spot, ranges, int(here["pot"][0]))


def _range(text: str) -> RangeLike:
    if len(text) != COMBOS or not set(text) <= set(SIGNS):
        return text
    return np.array([SIGNS.index(sign) for sign in text]) / MAX_SIGN


def weights_text(weights: NDArray[np.float64]) -> str:
    """Weights (1326,) as a file has them, rounded to 35ths of the largest."""
    return "".join(SIGNS[int(each)] for each in np.rint(weights * MAX_SIGN / weights.max()))
