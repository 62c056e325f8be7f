"""`holdem replay`: hand histories checked against the rules, every move and result, and what was read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Annotated

import typer

from holdem_env.game.title import game_title
from holdem_env.history import HandRecord, HistoryError, hand_steps, read_hands
from holdem_env.history.formats import FORMATS, histories_of, in_words, unreadable
from holdem_env.history.money import money_text
from holdem_env.history.results import ODD_CHIPS, contradiction, difference
from holdem_env.history.summary import seat_names
from holdem_env.render.table_text import table_text
from holdem_env.table.table import Table
from holdem_env.utils.counting import counted
from holdem_env.utils.shown_names import shown_name

from ..playing.log_lines import hand_log
from .console import flag, option, say, user_errors

PROBLEMS_SHOWN = 10
Definition = Annotated[
    Path | None, option("FILE", "ACPC: the game definition. Default: the file that the log names.", "--game")
]
IgnoreResults = Annotated[
    bool, flag("Take the moves, whatever result is stated; count where they differ.", "--ignore-results")
]


class Problems:
    """What was wrong with hands: how often each kind of thing, and the first of them as text."""

    def __init__(self) -> None:
        self.kinds: Counter[str] = Counter()
        self.first: list[str] = []

    def __len__(self) -> int:
        return self.kinds.total()

    def add(self, problem: HistoryError, kind: str | None = None) -> None:
        """Count a problem. kind: what it counts as; by default its reason without names, numbers and details."""
        self.kinds[kind or _kind_of(problem.reason)] += 1
        if len(self.first) < PROBLEMS_SHOWN:
            self.first.append(str(problem))

    def lines(self) -> list[str]:
        """How many of each kind, if there are several problems; then the first."""
        hidden = len(self) - len(self.first)
        more = [f"... and {hidden:,} more problem{'s' * (hidden > 1)}"] if hidden else []
        return [*(_counts(self.kinds, "problem") if len(self) > 1 else []), *self.first, *more]


@dataclass
class Checked:
    """Hands whose stated results were compared with the rules'.

    ignores_results: whether another result than the rules' is no problem. ignored: how many of each kind there were.
    uneven: the hands whose site has given odd chips another way than R28. problems: what was wrong with the others.
    """

    ignores_results: bool = False
    ignored: Counter[str] = field(default_factory=Counter)
    uneven: list[str] = field(default_factory=list)
    problems: Problems = field(default_factory=Problems)

    def replay(self, hand: HandRecord) -> tuple[Table, bool]:
        """Replay a hand and compare its result: the table, and whether the result agrees or is ignored. Raises
        HistoryError for a hand that cannot be replayed."""
        table = hand.replay(unfinished=self.ignores_results)
        kind = difference(hand, table)
        if kind == ODD_CHIPS:
            self.uneven.append(str(hand.hand))
        elif kind and self.ignores_results:
            self.ignored[kind] += 1
        elif kind:
            self.problems.add(hand.error(contradiction(hand, table)), kind)
            return table, False
        return table, True

    def found(self) -> list[str]:
        """What there is to say of the hands, as text."""
        lines = uneven_splits(self.uneven)
        if self.ignores_results:
            lines += [f"stated results ignored: {self.ignored.total():,} differ from the moves"]
            lines += _counts(self.ignored, "hand")
        return lines + self.problems.lines()


@dataclass
class HandsRead(Checked):
    """What was read of histories: hands replayed, those with a stated result and with fractions in it, how many of each
    game, of each player, and what each has won in each currency."""

    replayed: int = 0
    stated: int = 0
    parts: int = 0
    games: Counter[str] = field(default_factory=Counter)
    players: Counter[str] = field(default_factory=Counter)
    won: dict[tuple[str, str], Fraction] = field(default_factory=dict)
    left_out: int = 0

    def leave_out(self, problem: HistoryError) -> None:
        """Count a hand or file that cannot be read."""
        self.problems.add(problem)
        self.left_out += 1

    def take(self, hand: HandRecord) -> None:
        """Replay a hand and compare its result. Raises HistoryError for one that cannot be replayed."""
        table, agrees = self.replay(hand)
        payoffs = hand.payoffs_of(table)
        self.replayed += 1
        self.games[game_title(table.game, hand.money)] += 1
        self.players.update(hand.players or ())
        if not table.is_over:
            return
        results = table.payoffs if payoffs is None or self.ignores_results or not agrees else payoffs
        for name, chips in zip(hand.players or (), results, strict=False):
            key = name, hand.sign
            self.won[key] = self.won.get(key, Fraction(0)) + chips * Fraction(hand.unit)
        self.stated += payoffs is not None
        self.parts += any(isinstance(chips, Fraction) for chips in payoffs or ())

    def lines(self, what: str) -> list[str]:
        """All of it as text. what: what was read."""
        lines = [f"{what}: {counted(self.replayed, 'hand')} replayed; results stated for {self.stated:,}"]
        lines += _some([f"  {game}: {counted(hands, 'hand')}" for game, hands in self.games.most_common()], "game")
        lines += _some(list(self._players()), "player")
        if self.parts:
            lines.append(f"{counted(self.parts, 'result')} with fractions of a chip, which are not paid out here")
        lines += self.found()
        if self.left_out:
            lines.append(f"left out: {self.left_out:,}")
        return [*lines, counted(len(self.problems), "problem") if self.problems else "no problems"]

    def _players(self) -> Iterator[str]:
        names = {name: shown_name(name) for name in self.players}
        widest = max(map(len, names.values()), default=0)
        for name, hands in self.players.most_common():
            won = [_money(chips, sign) for (player, sign), chips in self.won.items() if player == name]
            yield f"  {names[name]:{widest}}  {counted(hands, 'hand')}, net {' and '.join(won) or 'unknown'}"


def _money(amount: Fraction, sign: str) -> str:
    text = money_text(round(amount * 100), Decimal("0.01"), sign)
    return f"+{text}" if amount > 0 else text


def _some(lines: list[str], thing: str) -> list[str]:
    """The first lines, and how many others there are."""
    hidden = len(lines) - PROBLEMS_SHOWN
    return [*lines[:PROBLEMS_SHOWN], *([f"... and {hidden:,} more {thing}{'s' * (hidden > 1)}"] if hidden > 0 else [])]


def _counts(kinds: Counter[str], thing: str) -> list[str]:
    return _some([f"  {kind}: {counted(count, thing)}" for kind, count in kinds.most_common()], "kind")


def _kind_of(reason: str) -> str:
    """A reason without quotations, numbers and details."""
    text = re.sub(r"""(?<!\w)('[^']*'|"[^"]*")""", "...", reason)
    text = re.sub(r"\d+([.,]\d+)*", "N", text).lstrip(".: ")
    return re.split(r"[:;(\[]", text, maxsplit=1)[0].strip(" ,")


def summary(paths: Sequence[Path], game: Path | None, ignore_results: bool = False) -> tuple[str, bool]:
    """What was read of files, folders and patterns, as text; and whether there are no problems.

    Raises ValueError for a file that is no history and a pattern or folder without any, OSError for one that is not
    there.
    """
    files, read = histories_of(paths), HandsRead(ignore_results)
    for file in files:
        try:
            for hand in read_hands(file, game, read.leave_out):
                try:
                    read.take(hand)
                except HistoryError as problem:
                    read.leave_out(problem)
        except (OSError, ValueError) as problem:
            if len(files) == 1:
                raise
            read.leave_out(unreadable(file, problem))
    what = str(files[0]) if len(files) == 1 else counted(len(files), "file")
    return "\n".join(read.lines(what)), not read.problems


def uneven_splits(hands: list[str]) -> list[str]:
    """The line that names hands whose site has given odd chips another way than R28; none without any."""
    if not hands:
        return []
    more = f" and {len(hands) - PROBLEMS_SHOWN:,} more" if len(hands) > PROBLEMS_SHOWN else ""
    named = f"hand{'s' * (len(hands) > 1)} {', '.join(hands[:PROBLEMS_SHOWN])}{more}"
    return [f"odd chips of the site: {named}; a split pot was split another way than here (R28)"]


def show_hand(paths: Sequence[Path], game: Path | None, name: str) -> str:
    """One hand, operation by operation, with its final table. Raises ValueError if it is in none of the files."""
    problems: list[str] = []
    for file in histories_of(paths):
        for hand in read_hands(file, game, lambda error: problems.append(str(error))):
            bots = hand.metadata.get("_hands")
            if name == str(hand.hand) or (isinstance(bots, dict) and name in bots.values()):
                return play_through(hand)
    details = "".join(f"\n{problem}" for problem in problems[:PROBLEMS_SHOWN])
    raise ValueError(f"{', '.join(map(str, paths))}: there is no hand {name!r}{details}")


def play_through(hand: HandRecord) -> str:
    """A hand in sentences, in the file's money and with the players' names; cards that it does not tell are `??`."""
    table = hand.replay()
    last = hand_steps(table, hand.known_cards)[-1]
    names = [shown_name(name) for name in seat_names(hand.players, hand.rules.seats)]
    widest = max(map(len, names))
    dealt = [
        f"{names[seat]:{widest}}  {last.hole_cards(seat)}  {hand.money(table.starting_stacks[seat])}"
        for seat in range(hand.rules.seats)
    ]
    lines = hand_log(last, names, hand.money)
    drawn = table_text(last.records[0], last.game, names, hand.money)
    return "\n".join([f"hand {hand.hand} of {hand.file}", *dealt, "", *map(str, lines), "", drawn])


def replay_command(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...",
            help=f"Hand histories, {in_words(FORMATS.all())}, also as .xz and .gz; "
            "folders of them, and patterns such as 'hands/2026-*.txt'.",
        ),
    ],
    hand: Annotated[
        str | None, option("NAME", "Show one hand, by its name in the file or for a bot, move by move.")
    ] = None,
    game: Definition = None,
    ignore_results: IgnoreResults = False,
) -> None:
    """Replay hand histories, check every move and result against the rules, and say what was read.

    That is: hands, games, players and what they have won, and the hands that were left out and why.
    """
    with user_errors():
        text, is_good = summary(files, game, ignore_results) if hand is None else (show_hand(files, game, hand), True)
    say(text)
    if not is_good:
        raise typer.Exit(1)
