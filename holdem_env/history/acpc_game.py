"""Game definition files of the Annual Computer Poker Competition: reading them as Rules, and writing Rules."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from os import fspath
from pathlib import Path
from typing import NamedTuple

from ..game.rules import AS_PLAYED, Rules
from ..table.table import Table
from ..utils.suggestions import suggestion
from .errors import HistoryError, reason
from .files import StrPath, bounded_lines, open_text

SUFFIX = ".game"
# The dealer program's defaults for missing lines. With a stack this large, nobody is ever all-in.
DEFAULT_STACK = 2**31 - 1
NO_CAP = 255
ROUNDS = 4
_STRUCTURES = {"limit": "fixed_limit", "nolimit": "no_limit"}
_LISTS = ("stack", "blind", "raiseSize", "firstPlayer", "maxRaises", "numBoardCards")
_NUMBERS = ("numPlayers", "numRounds", "numSuits", "numRanks", "numHoleCards")
_NAMES = {name.lower(): name for name in (*_LISTS, *_NUMBERS)}
_TEXAS = {"numRounds": [ROUNDS], "numSuits": [4], "numRanks": [13], "numHoleCards": [2], "numBoardCards": [0, 3, 1, 1]}


class Game(NamedTuple):
    """A game definition: seat i of the rules is position i of the file, `button` the seat with the button."""

    rules: Rules
    button: int


def shipped_games() -> dict[str, Path]:
    """The game definitions that come with this library, by file name."""
    return {path.name: path for path in sorted((Path(__file__).parent / "acpc_games").glob(f"*{SUFFIX}"))}


def game_file(name: StrPath, others: Iterable[str] = ()) -> Path:
    """The file of a game definition: a path, or the name of one that comes with this library.

    others: names that mean a game where this is called. Raises FileNotFoundError if there is no such game.
    """
    path, known = Path(name), shipped_games()
    if path.is_file():
        return path
    if found := known.get(str(path)) or known.get(f"{path}{SUFFIX}"):
        return found
    hint = suggestion(path.name, [*known, *others]) if len(path.parts) == 1 else ""
    raise FileNotFoundError(f"{path}: there is no such game file; {hint}".removesuffix("; "))


@dataclass
class _Lines:
    """The lines of a definition read so far: values and line numbers, by name."""

    file: str
    structure: str = ""
    values: dict[str, list[int]] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)

    def error(self, name: str, why: str) -> HistoryError:
        text = " ".join(map(str, self.values.get(name, ())))
        return HistoryError(self.file, None, f"{name} = {text}: {why}" if text else why, self.numbers.get(name))


def read_game(path: StrPath) -> Game:
    """Read a game definition file (`.game`), or one of this library by its name.

    Without a `stack` line, stacks are 2,147,483,647 chips, the dealer program's default, and nobody is ever all-in.

    Raises:
        HistoryError: If the game is not Texas hold'em or Rules cannot express it, with file and line.
        OSError: If the file cannot be opened.
    """
    lines = _Lines(fspath(path))
    with open_text(game_file(path)) as file:
        for number, line in enumerate(bounded_lines(file), 1):
            _read_line(lines, line.partition("#")[0].strip(), number)
    return _game(lines)


def _read_line(lines: _Lines, text: str, number: int) -> None:
    if not text or text.lower() in ("gamedef", "end gamedef"):
        return
    if text.lower() in _STRUCTURES:
        lines.structure = _STRUCTURES[text.lower()]
        return
    name, equals, values = text.partition("=")
    name = _NAMES.get(name.strip().lower(), name.strip())
    if not equals or name not in _NAMES.values():
        raise HistoryError(lines.file, None, f"{text!r} is not a line of a game definition", number)
    try:
        lines.values[name] = [int(value) for value in values.split()]
    except ValueError:
        raise HistoryError(lines.file, None, f"{text!r}: the values are not whole numbers", number) from None
    lines.numbers[name] = number


def _game(lines: _Lines) -> Game:
    if not lines.structure:
        raise HistoryError(lines.file, None, "neither `limit` nor `nolimit` is given")
    for name, needed in _TEXAS.items():
        values = lines.values.get(name, [])
        if values[: len(needed)] != needed:
            raise lines.error(name, f"Texas hold'em has {name} = {' '.join(map(str, needed))}")
    seats = (lines.values.get("numPlayers") or [0])[0]
    if not 2 <= seats <= 10:
        raise lines.error("numPlayers", f"{seats} players; 2 to 10 can play (R5)")
    button, blinds = _seating(lines, seats)
    stacks = _listed(lines, "stack", seats, DEFAULT_STACK)
    fields = _limit_fields(lines) if lines.structure == "fixed_limit" else {}
    if lines.structure != "fixed_limit" and min(_listed(lines, "maxRaises", ROUNDS, NO_CAP)) < NO_CAP:
        raise lines.error("maxRaises", "no-limit has no cap on raises (R16)")
    try:
        shape = {"structure": lines.structure, "seats": seats, "blinds": blinds, "stacks": stacks}
        rules = Rules.model_validate({**shape, **fields}, context=AS_PLAYED)
    except ValueError as problem:
        raise HistoryError(lines.file, None, reason(problem)) from problem
    return Game(rules, button)


def _listed(lines: _Lines, name: str, count: int, default: int) -> tuple[int, ...]:
    """One value for each player or round; without the line, the default for each."""
    values = lines.values.get(name, [])
    if name in lines.values and len(values) < count:
        raise lines.error(name, f"{count} values are needed")
    return tuple(values[:count]) or (default,) * count


def _seating(lines: _Lines, seats: int) -> tuple[int, tuple[int, int]]:
    """The button and the blinds (small, big), from the lines `blind` and `firstPlayer` together."""
    posted = list(_listed(lines, "blind", seats, 0))
    first = list(_listed(lines, "firstPlayer", ROUNDS, 1))
    for button in range(seats):
        left = (button + 1) % seats
        small = button if seats == 2 else left
        big = (small + 1) % seats
        blinds = [0] * seats
        blinds[small], blinds[big] = posted[small], posted[big]
        if blinds == posted and posted[small] <= posted[big] and first == [(big + 1) % seats + 1] + [left + 1] * 3:
            return button, (posted[small], posted[big])
    raise lines.error(
        "blind" if "blind" in lines.values else "firstPlayer",
        f"with firstPlayer = {' '.join(map(str, first))} this is not an order of play that Rules can express: small "
        "and big blind left of the button (heads-up, the small blind on the button); first to act before the flop is "
        "the seat after the big blind, on later streets the seat left of the button (R6, R7, R15)",
    )


def _limit_fields(lines: _Lines) -> dict[str, object]:
    sizes = _listed(lines, "raiseSize", ROUNDS, 0)
    if sizes[0] != sizes[1] or sizes[2] != sizes[3] or min(sizes) <= 0:
        raise lines.error("raiseSize", "fixed limit has a small bet on two rounds and a big bet on the others (R18)")
    caps = _listed(lines, "maxRaises", ROUNDS, NO_CAP)
    return {"small_bet": sizes[0], "big_bet": sizes[2], "max_raises": None if min(caps) >= NO_CAP else caps}


def check_expressible(rules: Rules) -> None:
    """Raise HistoryError for rules that the ACPC's formats cannot express."""
    for name in ("ante", "big_blind_ante", "straddle", "rake"):
        if getattr(rules, name):
            raise HistoryError(None, None, f"the ACPC's formats have no {name} ({getattr(rules, name)})")
    if rules.structure not in _STRUCTURES.values():
        raise HistoryError(None, None, f"the ACPC's formats have no {rules.structure} games")
    others = rules.hand_differences()
    if rules.first_to_act is not None:
        others.append("first_to_act")
    if others:
        raise HistoryError(
            None, None, f"only Texas hold'em can be written, not {others[0]} = {getattr(rules, others[0])!r}"
        )
    if rules.structure == "no_limit" and set(rules.street_bets) != {rules.big_blind}:
        raise HistoryError(
            None, None, f"the ACPC's formats have no min_bet other than the big blind ({rules.street_bets})"
        )


def game_definition(game: Rules | Table) -> str:
    """Return the game definition file for logs written by `dumps`.

    Args:
        game: A Table or Rules. For a Table, position 0 is the seat left of the button, and the stacks are its starting
            stacks. For Rules, position 0 is seat 0. For a session's Table, the blinds are those of its level.

    Raises:
        HistoryError: If such a file cannot express the game: antes, straddle, rake, pot-limit.
    """
    rules = game if isinstance(game, Rules) else game.game
    check_expressible(rules)
    seats = rules.seats
    stacks = list(rules.starting_stacks)
    if isinstance(game, Table):
        stacks = [game.starting_stacks[(game.button + 1 + i) % seats] for i in range(seats)]
    small, big = rules.blinds
    blinds = [big, small] if seats == 2 else [small, big] + [0] * (seats - 2)
    first = 2 if seats == 2 else 3
    structure = "limit" if rules.structure == "fixed_limit" else "nolimit"
    lines = ["GAMEDEF", structure, f"numPlayers = {seats}", f"numRounds = {ROUNDS}"]
    if min(stacks) < DEFAULT_STACK:
        lines.append(f"stack = {_words(stacks)}")
    lines.append(f"blind = {_words(blinds)}")
    if rules.structure == "fixed_limit":
        lines.append(f"raiseSize = {_words(rules.street_bets)}")
    lines.append(f"firstPlayer = {first} 1 1 1")
    if rules.structure == "fixed_limit" and rules.max_raises:
        lines.append(f"maxRaises = {_words(rules.max_raises)}")
    lines += ["numSuits = 4", "numRanks = 13", "numHoleCards = 2", "numBoardCards = 0 3 1 1", "END GAMEDEF"]
    return "\n".join(lines) + "\n"


def _words(numbers: list[int] | tuple[int, ...]) -> str:
    return " ".join(map(str, numbers))
