"""Reading the lines of one PokerStars hand: who sits where, what was posted, done, shown, returned and collected.

What is read here is what the text says, name by name and in the money of the file; `pokerstars_hands` makes a
HandRecord of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import NamedTuple

from .known_cards import read_cards
from .pokerstars_text import AMOUNT, STREETS, Header, money, read_header

ANTE, SMALL, BIG, BOTH, STRADDLE = "the ante", "small blind", "big blind", "small & big blinds", "straddle"
FOLDS, CHECKS, CALLS, BETS, RAISES, SHOWS, MUCKS, DEALS = (
    "folds", "checks", "calls", "bets", "raises", "shows", "mucks", "deals"
)  # fmt: skip

_ALL_IN = r"(?P<all_in> and is all-in)?"
_SEAT = re.compile(
    rf"Seat (?P<number>\d{{1,3}}): (?P<name>.+) \((?P<stack>{AMOUNT}) in chips(?:, [^)]*)?\)(?P<more>.*)$"
)
_VERB = re.compile(
    rf"(?P<verb>folds|checks|calls|bets|raises)(?: (?P<amount>{AMOUNT}))?(?: to (?P<total>{AMOUNT}))?{_ALL_IN}"
    r"(?: \[(?P<cards>[^\]]*)\])?$"
)
_POST = re.compile(
    r"posts (?P<kind>the ante|small blind|big blind|small & big blinds|straddle)(?: \(dead\))? "
    rf"(?P<amount>{AMOUNT}){_ALL_IN}$"
)
_SHOW = re.compile(r"(?:shows|showed) \[(?P<cards>[^\]]*)\]")
_DEALT = re.compile(r"Dealt to (?P<name>.+) \[(?P<cards>[^\]]*)\]$")
_STREET = re.compile(r"\*\*\* (?P<street>FLOP|TURN|RIVER) \*{3,4} (?:\[(?P<before>[^\]]*)\] )?\[(?P<cards>[^\]]*)\]$")
_UNCALLED = re.compile(rf"Uncalled bet \((?P<amount>{AMOUNT})\) returned to (?P<name>.+)$")
_COLLECTED = re.compile(rf" collected (?P<amount>{AMOUNT}) from (?:the )?(?P<pot>main pot|side pot(?:-\d+)?|pot)$")
_POT = re.compile(rf"Total pot (?P<pot>{AMOUNT})(?: .*)?\| Rake (?P<rake>{AMOUNT})")
_BOARD = re.compile(r"Board \[(?P<cards>[^\]]*)\]$")
_IN_SUMMARY = re.compile(r"Seat (?P<number>\d{1,3}): (?P<rest>.*)$")
_WON = re.compile(rf"(?:collected|won) \((?P<amount>{AMOUNT})\)")
_MUCKED = re.compile(r"mucked \[(?P<cards>[^\]]*)\]")
_ACTION = re.compile(r"(?P<name>.+?): (?:folds|checks|calls|bets|raises|posts)\b")
_KNOWN_VERBS = ("folds", "checks", "calls", "bets", "raises", "posts ", "shows [")
_TWICE = "the board was dealt more than once (run it twice), and the engine deals one board (R4)"


class LineError(ValueError):
    """A line that cannot be read. action: its index among the actions, if it is one of them."""

    def __init__(self, reason: str, action: int | None = None) -> None:
        super().__init__(reason)
        self.action = action


class Seated(NamedTuple):
    """A line "Seat 3: Ann ($20 in chips)"."""

    number: int
    stack: Decimal


class Post(NamedTuple):
    """A blind, an ante or a straddle. action: the index of its line among the actions."""

    name: str
    kind: str
    amount: Decimal
    is_all_in: bool
    action: int


class Act(NamedTuple):
    """What a player did, or a street that was dealt (`kind` is DEALS). amount: as the verb gives it: what a call adds,
    a bet, the total of a raise; for a street the number of cards. action: the index of its line among the actions."""

    kind: str
    name: str
    amount: Decimal
    is_all_in: bool
    action: int


@dataclass
class ParsedHand:
    """What the text of one hand says. parts: what was collected, line by line, each with its pot."""

    header: Header
    seats: dict[str, Seated] = field(default_factory=dict)
    posts: list[Post] = field(default_factory=list)
    acts: list[Act] = field(default_factory=list)
    actions: list[str] = field(default_factory=list)
    dealt: dict[str, list[int]] = field(default_factory=dict)
    shown: list[tuple[str, list[int]]] = field(default_factory=list)
    board: list[int] = field(default_factory=list)
    returned: dict[str, Decimal] = field(default_factory=dict)
    collected: dict[str, Decimal] = field(default_factory=dict)
    parts: list[tuple[str, Decimal]] = field(default_factory=list)
    collected_in_summary: dict[str, Decimal] = field(default_factory=dict)
    pot: Decimal | None = None
    rake: Decimal = Decimal(0)

    def amounts(self) -> Iterator[Decimal]:
        yield from (self.header.small, self.header.big, self.rake, self.pot or Decimal(0))
        yield from (seat.stack for seat in self.seats.values())
        yield from (post.amount for post in self.posts)
        yield from (act.amount for act in self.acts if act.kind != DEALS)
        yield from (*self.returned.values(), *self.collected.values())


def read_lines(lines: list[str]) -> ParsedHand:
    """Read the lines of one hand. Raises LineError for what cannot be read, or cannot be played."""
    if len(lines) < 2:
        raise LineError("the hand is cut short after its first line")
    try:
        parsed = ParsedHand(read_header(lines[0], lines[1]))
    except ValueError as problem:
        raise LineError(str(problem)) from problem
    at = _read_seats(parsed, lines)
    longest_first = sorted(parsed.seats, key=len, reverse=True)
    in_summary = False
    for line in lines[at:]:
        action = len(parsed.actions)
        try:
            if line == "*** SUMMARY ***":
                in_summary = True
            elif in_summary:
                _read_summary(parsed, line)
            elif not any(_read_of(parsed, name, line) for name in longest_first if line.startswith(name)):
                _read_other(parsed, line)
        except ValueError as problem:
            raise LineError(str(problem), action if len(parsed.actions) > action else None) from problem
    if parsed.pot is None:
        raise LineError("the hand is cut short: it has no summary with the total pot")
    return parsed


def _read_seats(parsed: ParsedHand, lines: list[str]) -> int:
    """Read the seats; returns the index of the line after them."""
    at = 2
    while at < len(lines) and (found := _SEAT.match(lines[at])):
        name = found["name"]
        if name in parsed.seats:
            raise LineError(f"two players have the name {name!r}")
        try:
            parsed.seats[name] = Seated(int(found["number"]), money(found["stack"]))
        except ValueError as problem:
            raise LineError(str(problem)) from problem
        at += 1
    numbers = [seat.number for seat in parsed.seats.values()]
    if len(set(numbers)) < len(numbers):
        raise LineError(f"two players sit in the same seat: {sorted(numbers)}")
    return at


def _cards(text: str) -> list[int]:
    return read_cards(text.replace(" ", ""))


def _read_of(parsed: ParsedHand, name: str, line: str) -> bool:
    """A line that begins with a player's name. Returns whether it says something of that player."""
    rest = line[len(name) :]
    if rest.startswith(": "):
        return _read_action(parsed, name, rest[2:], line)
    if found := _COLLECTED.match(rest):
        parsed.parts.append((found["pot"], money(found["amount"])))
        parsed.collected[name] = parsed.collected.get(name, Decimal(0)) + parsed.parts[-1][1]
        return True
    if rest.startswith(" cashed out the hand"):
        raise ValueError(f"{name} cashed the hand out; what was paid is not what the cards won, and cannot be replayed")
    return rest.startswith(" said, ")


def _read_action(parsed: ParsedHand, name: str, text: str, line: str) -> bool:
    index = len(parsed.actions)
    if found := _POST.match(text):
        parsed.actions.append(line)
        parsed.posts.append(Post(name, found["kind"], money(found["amount"]), bool(found["all_in"]), index))
        return True
    if found := _VERB.match(text):
        parsed.actions.append(line)
        parsed.acts.append(Act(found["verb"], name, _verb_amount(found), bool(found["all_in"]), index))
        if found["cards"]:
            parsed.shown.append((name, _cards(found["cards"])))
        return True
    if found := _SHOW.match(text):
        parsed.actions.append(line)
        parsed.shown.append((name, _cards(found["cards"])))
        parsed.acts.append(Act(SHOWS, name, Decimal(0), False, index))
        return True
    if text == "mucks hand":
        parsed.actions.append(line)
        parsed.acts.append(Act(MUCKS, name, Decimal(0), False, index))
        return True
    if text.startswith("posts button blind"):
        raise ValueError("a game in which the button posts the only blind cannot be played")
    if text.startswith(_KNOWN_VERBS):
        raise ValueError(f"{line[:80]!r} cannot be read: it is not an action with its amount")
    return False


def _verb_amount(found: re.Match[str]) -> Decimal:
    """The amount of a verb. Raises ValueError for one too few or too many."""
    verb, amount, total = found["verb"], found["amount"], found["total"]
    if (amount is not None) != (verb in (CALLS, BETS, RAISES)) or (total is not None) != (verb == RAISES):
        raise ValueError(f"{found[0][:60]!r} is not an action: calls and bets have one amount, raises have two")
    return money(total or amount) if amount else Decimal(0)


def _read_other(parsed: ParsedHand, line: str) -> None:
    """A line that does not begin with a player's name."""
    if found := _STREET.match(line):
        _deal(parsed, found, line)
    elif found := _DEALT.match(line):
        if found["name"] not in parsed.seats:
            raise ValueError(f"{line[:80]!r}: nobody of that name has a seat")
        parsed.dealt[found["name"]] = _cards(found["cards"])
    elif found := _UNCALLED.match(line):
        if found["name"] not in parsed.seats:
            raise ValueError(f"{line[:80]!r}: nobody of that name has a seat")
        parsed.returned[found["name"]] = parsed.returned.get(found["name"], Decimal(0)) + money(found["amount"])
    elif line.startswith(("*** FIRST ", "*** SECOND ")):
        raise ValueError(_TWICE)
    elif line.startswith(("*** FLOP", "*** TURN", "*** RIVER")):
        raise ValueError(f"{line[:80]!r} does not name the cards of its street")
    elif line.lower().startswith("hand cancelled"):
        raise ValueError("the hand was cancelled")
    elif " said, " not in line and (found := _ACTION.match(line)):
        raise ValueError(f"{line[:80]!r}: nobody of that name has a seat")


def _deal(parsed: ParsedHand, found: re.Match[str], line: str) -> None:
    street, cards, before = found["street"], _cards(found["cards"]), _cards(found["before"] or "")
    index = len(parsed.actions)
    parsed.actions.append(line)
    if len(cards) != STREETS[street]:
        raise ValueError(f"the {street.lower()} has {len(cards)} cards, not {STREETS[street]}")
    if before != parsed.board:
        raise ValueError("the cards before the new one are not those of the streets before")
    parsed.board += cards
    parsed.acts.append(Act(DEALS, "", Decimal(len(cards)), False, index))


def _read_summary(parsed: ParsedHand, line: str) -> None:
    if found := _POT.match(line):
        parsed.pot, parsed.rake = money(found["pot"]), money(found["rake"])
    elif found := _BOARD.match(line):
        if _cards(found["cards"]) != parsed.board:
            raise ValueError(f"the summary has another board than was dealt: {line}")
    elif line.startswith(("Hand was run ", "FIRST Board", "SECOND Board")):
        raise ValueError(_TWICE)
    elif found := _IN_SUMMARY.match(line):
        _read_summary_of(parsed, int(found["number"]), found["rest"])


def _read_summary_of(parsed: ParsedHand, number: int, rest: str) -> None:
    name = next((name for name, seat in parsed.seats.items() if seat.number == number), None)
    if name is None or not rest.startswith(name):
        return  # someone who came during the hand, or left
    rest = rest[len(name) :]
    for found in (_SHOW.search(rest), _MUCKED.search(rest)):
        if found and found["cards"]:
            parsed.shown.append((name, _cards(found["cards"])))
    for won in _WON.finditer(rest):
        parsed.collected_in_summary[name] = parsed.collected_in_summary.get(name, Decimal(0)) + money(won["amount"])
