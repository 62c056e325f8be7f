"""Logs of the Annual Computer Poker Competition (ACPC), as its dealer program writes them: one line per hand,

    STATE:0:r300c/cr600c/cc/cc:5d5c|9hQd/8dAs8s/4h/6d:600|-600:alice|bob

with the hand number, the betting by round, cards, results and names. The last three are listed by position. A game
definition file (`acpc_game`) defines the positions; heads-up with reversed blinds, position 0 is the big blind and
position 1 the button. In no-limit, `rN` raises to N chips over the whole hand. The view of one player,
`MATCHSTATE:0:7:r300:5d5c|`, is read as well; the other players' cards are unknown there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import takewhile
from os import fspath
from pathlib import Path

from ..cards.text import UNKNOWN, Cards
from ..engine.record import AWAY
from ..table.table import Table
from .acpc_game import Game, check_expressible, game_definition, read_game, shipped_games
from .acpc_text import ACTION, BOARD_SIZES, by_position, last_street, moves_of, state_text
from .errors import HistoryError, OnError
from .files import DAMAGED, Kept, Piece, StrPath, bounded_lines, open_text
from .hand_record import BOARD, CALL, FOLD, RAISE_FIXED, RAISE_HAND_TOTAL, Amount, HandRecord, Move
from .known_cards import HOLE_SIZE, Seen, read_cards
from .reading import Parse, damaged_archive, hands_of
from .writing import check_dealing, inexpressible

__all__ = ["Game", "dumps", "game_definition", "read", "read_game"]

# A log begins with "# name/game/hands/seed 2p.limit.h1000.r0 holdem.limit.2p.reverse_blinds.game 1000 0".
_NAMES_GAME = re.compile(r"#\s*name/game/hands/seed\s+\S+\s+(\S+)")
_RESULT = re.compile(r"-?\d+(\.\d+)?", re.ASCII)
_FORMAT = "the ACPC's format"
_NO_HAND = ("#", ";", "SCORE")
_HAND = ("STATE:", "MATCHSTATE:")


def read(log: StrPath, game: StrPath | Game | None = None, *, on_error: OnError = "warn") -> Iterator[HandRecord]:
    """Read the hands of a log, one by one; `.xz` and `.gz` files are decompressed.

    Args:
        log: The log.
        game: The path of the game definition, the name of one in this library, or a Game from `read_game`. By default
            the game that the log names in its first lines, in the same folder or in this library.
        on_error: What to do with a malformed line. It is skipped, and reading continues with the next one. "warn" also
            warns (HistoryWarning), "skip" does nothing else, "raise" stops with the HistoryError. A function is called
            with the HistoryError.

    Raises:
        OSError: If a file cannot be opened.
        HistoryError: If the game cannot be played.
        ValueError: If `on_error` is unknown.
    """
    return hands_of(log, split, parser(log, game), on_error)


def split(lines: Iterable[str]) -> Iterator[Piece]:
    """A piece for each line: hands, comments and the score."""
    for number, line in enumerate(lines, 1):
        kept = Kept(number)
        kept.add(line)
        yield kept.piece()


def parser(log: StrPath, game: StrPath | Game | None = None) -> Parse:
    """What parses the lines of a log; arguments and errors as of `read`."""
    if game is None:
        game = _named_game(log)
    definition = game if isinstance(game, Game) else read_game(game)
    name = fspath(log)
    return lambda piece: _parse(piece, name, definition)


def is_log(file: StrPath) -> bool:
    """Whether a line of the file is a hand or the head of a log, as ACPC writes them; also where the archive is damaged
    and nobody knows."""
    try:
        with open_text(file) as source:
            lines = bounded_lines(source)
            return any(line.lstrip().startswith(_HAND) or _NAMES_GAME.match(line) for line in lines)
    except DAMAGED:
        return True


def _named_game(log: StrPath) -> Path:
    named = None
    try:
        with open_text(log) as source:
            for line in takewhile(lambda line: line.startswith("#"), bounded_lines(source)):
                named = named or _NAMES_GAME.match(line)
    except DAMAGED as damage:
        raise damaged_archive(log, damage) from damage
    path = Path(log).parent / Path(named[1]).name if named else None
    found = path if path is None or path.is_file() else shipped_games().get(path.name)
    if found is None:
        missing = f"; {path} is not there" if path else ""
        raise HistoryError(fspath(log), None, f"no game definition: give its path as `game`{missing}")
    return found


def _parse(piece: Piece, file: str, game: Game) -> HandRecord | None:
    number, line = piece.line, piece.text.strip()
    if not line or line.startswith(_NO_HAND):
        return None
    kind, *fields = line.split(":")
    name: int | None = None
    try:
        if piece.problem:
            raise ValueError(piece.problem)
        if kind == "STATE":
            viewer = None
        elif kind == "MATCHSTATE" and fields:
            viewer = fields.pop(0)
        else:
            raise ValueError(f"{line[:20]!r} begins neither with STATE nor with MATCHSTATE")
        if len(fields) not in (3, 5):
            needed = "hand:betting:cards, or hand:betting:cards:results:names"
            raise ValueError(f"{len(fields)} fields after {kind}; it needs {needed}")
        if not fields[0].isdecimal():
            raise ValueError(f"the hand number {fields[0]!r} is not a number")
        name = int(fields[0])
        return _hand(fields, file, name, number, game, viewer)
    except HistoryError:
        raise
    except ValueError as problem:
        raise HistoryError(file, name, str(problem), number) from problem


def _hand(fields: list[str], file: str, name: int, number: int, game: Game, viewer: str | None) -> HandRecord:
    holes, board = _read_cards(fields[2], game.rules.seats)
    rounds = fields[1].split("/")
    if len(rounds) != len(board) + 1:
        raise ValueError(
            f"{len(rounds)} rounds of betting, but {len(board)} of board cards; betting needs one round more"
        )
    actions, moves = _read_betting(rounds, game.rules.structure)
    names = _by_position(fields[4], game.rules.seats, "names") if len(fields) > 3 else None
    "".join(names or ()).encode()  # raises for a name that is not UTF-8, which no writer could write
    return HandRecord(
        file=file,
        hand=name,
        line=number,
        rules=game.rules,
        button=game.button,
        holes=holes,
        board=Cards(card for cards in board for card in cards),
        actions=tuple(actions),
        moves=tuple(moves),
        players=tuple(names) if names else None,
        stated={"payoffs": _results(fields[3], game.rules.seats)} if names else {},
        metadata={} if viewer is None else {"viewer": viewer},
    )


def _read_cards(text: str, seats: int) -> tuple[tuple[Cards, ...], list[list[int]]]:
    private, *public = text.split("/")
    seen = Seen()
    holes = []
    for seat, part in enumerate(_by_position(private, seats, "hands")):
        cards = read_cards(part) if part else [UNKNOWN] * HOLE_SIZE
        if len(cards) != HOLE_SIZE:
            raise ValueError(f"{part!r} is not a hand of two cards")
        seen.take(cards, f"in hand {seat + 1}")
        holes.append(Cards(cards))
    board = [read_cards(part) for part in public]
    if tuple(map(len, board)) != BOARD_SIZES[: len(board)]:
        raise ValueError(f"{'/'.join(public)!r} is not a board: three cards, then one, then one")
    for cards in board:
        seen.take(cards, "on the board")
    return tuple(holes), board


def _read_betting(rounds: list[str], structure: str) -> tuple[list[str], list[Move]]:
    actions: list[str] = []
    moves: list[Move] = []
    raising = RAISE_FIXED if structure == "fixed_limit" else RAISE_HAND_TOTAL
    kinds = {"c": CALL, "f": FOLD, "r": raising}
    for street, text in enumerate(rounds):
        if street:
            moves.append(Move(BOARD, None, BOARD_SIZES[street - 1], len(actions)))
            actions.append("/")
        found = ACTION[structure].findall(text)
        if "".join(found) != text:
            letters = "r, c and f" if structure == "fixed_limit" else "rN, c and f"
            raise ValueError(f"{text!r} is not a round of betting in this game: {letters}")
        for action in found:
            moves.append(Move(kinds[action[0]], None, int(action[1:] or 0), len(actions)))
            actions.append(action)
    return actions, moves


def _by_position(text: str, seats: int, what: str) -> list[str]:
    parts = text.split("|")
    if len(parts) != seats:
        raise ValueError(f"{len(parts)} {what} for {seats} players: {text!r}")
    return parts


def _results(text: str, seats: int) -> list[Amount]:
    results: list[Amount] = []
    for part in _by_position(text, seats, "results"):
        if not _RESULT.fullmatch(part):
            raise ValueError(f"the result {part!r} is not a number")
        exact = Fraction(part)
        results.append(int(exact) if exact.denominator == 1 else exact)
    return results


def dumps(table: Table, hand_number: int = 0, names: Sequence[str] | None = None, first_seat: int | None = None) -> str:
    """Return a finished Table as a STATE line, without a newline; position 0 is the seat left of the button.

    `game_definition(table)` writes the matching game definition.

    Args:
        table: The table.
        hand_number: The number of the hand.
        names: Names by seat; "seat0", "seat1" and so on by default.
        first_seat: The seat at position 0, for game definitions with another than the seat left of the button.

    Raises:
        HistoryError: If the hand is not over or has a dealer's error, or the format cannot express the game: antes,
            straddle, rake, pot-limit.
    """
    check_expressible(table.game)
    check_dealing(_FORMAT, hand_number, table)
    if not table.records["was_dealt"][0, : table.game.seats].all():
        raise inexpressible(_FORMAT, hand_number, "empty seats")
    presence = table.records["presence"][0]
    if any(presence[seat] == AWAY and table.is_folded(seat) for seat in range(table.game.seats)):
        raise inexpressible(_FORMAT, hand_number, "the fold of an absent player (R10)")
    if not table.is_over:
        raise HistoryError(None, hand_number, "the hand is not over; a STATE line needs its result")
    seats = table.game.seats
    order = by_position(seats, table.button + 1 if first_seat is None else first_seat)
    named = names if names is not None else [f"seat{seat}" for seat in range(seats)]
    holes = (table.hole_cards(seat) for seat in order)
    state = state_text(table, hand_number, moves_of(table), holes, last_street(table))
    results = "|".join(str(table.payoffs[seat]) for seat in order)
    return f"STATE:{state}:{results}:{'|'.join(named[seat] for seat in order)}"
