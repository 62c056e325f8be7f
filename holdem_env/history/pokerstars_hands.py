"""Making a HandRecord of what PokerStars' text says of a hand: seats, game, blinds, moves, and the stated result."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from itertools import pairwise
from typing import Any

from ..cards.text import UNKNOWN, Cards
from ..game.rules import AS_PLAYED, Rules
from .blind_positions import BlindPositions, usual_positions
from .errors import HistoryError
from .hand_record import BOARD, CALL, CHECK, FOLD, MUCK, RAISE, SHOW, HandRecord, Move
from .known_cards import HOLE_SIZE, Seen
from .phh_rules import shape_of
from .pokerstars_lines import (
    ANTE,
    BETS,
    BIG,
    BOTH,
    CALLS,
    CHECKS,
    DEALS,
    FOLDS,
    MUCKS,
    RAISES,
    SHOWS,
    SMALL,
    STRADDLE,
    Act,
    LineError,
    ParsedHand,
    Post,
)

SHAPES: dict[str, dict[str, Any]] = {"Hold'em": {}, "Omaha": shape_of("PO"), "Omaha Hi/Lo": shape_of("FO/8")}
"""The games by PokerStars' names, and the fields of Rules that describe their cards."""
CENTS = 2
MAX_PLACES = 18


@dataclass
class _Ledger:
    """The chips that players have put in so far, as the text tells it. Lists by seat."""

    stacks: list[int]
    put: list[int] = field(default_factory=list)
    street: list[int] = field(default_factory=list)
    dead: list[int] = field(default_factory=list)
    back: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.put, self.street, self.dead, self.back = ([0] * len(self.stacks) for _ in range(4))

    def pay(self, seat: int, chips: int, is_all_in: bool, index: int, live: int | None = None) -> None:
        """Chips go in. live: how many of them count as the bet, by default all. Raises LineError for more than there
        are, and for an all-in that leaves chips."""
        self.put[seat] += chips
        self.street[seat] += chips if live is None else live
        left = self.stacks[seat] - self.put[seat]
        if left < 0:
            raise LineError(f"that is {-left} more than the player has left", index)
        if is_all_in and left:
            raise LineError(f"the player is not all-in: {left} are left", index)


class _Reader:
    """Makes one record. Seats are numbered from 0, in the order of the file's numbers, without those not dealt in."""

    def __init__(self, parsed: ParsedHand) -> None:
        self.parsed = parsed
        acting = {post.name for post in parsed.posts} | {act.name for act in parsed.acts} | set(parsed.dealt)
        for name in acting - {""}:
            if name not in parsed.seats:
                raise LineError(f"{name!r} acts, but has no seat")
        self.names = sorted(acting - {""}, key=lambda name: parsed.seats[name].number)
        if not 2 <= len(self.names) <= 10:
            raise LineError(f"{len(self.names)} players are dealt in; 2 to 10 can play (R5)")
        self.seat_of = {name: seat for seat, name in enumerate(self.names)}
        self.places = _places(parsed)
        self.ledger = _Ledger([self.chips(parsed.seats[name].stack) for name in self.names])
        self.button = self._button()

    def chips(self, amount: Decimal) -> int:
        return int(amount.scaleb(self.places))

    def _button(self) -> int:
        """The seat with the button. Where it lies at a seat without a player, the next player on its right stands for
        it: the same seat is then first."""
        numbers = [self.parsed.seats[name].number for name in self.names]
        return max(
            (seat for seat, number in enumerate(numbers) if number <= self.parsed.header.button), default=-1
        ) % len(numbers)

    # What is posted

    def post(self) -> dict[str, Any]:
        """Read the posts; returns the fields of Rules that follow, and "positions"."""
        posts = self.parsed.posts
        first_big = next((k for k, post in enumerate(posts) if post.kind == BIG), len(posts))
        small = next((post for post in posts[:first_big] if post.kind == SMALL), None)
        big = posts[first_big] if first_big < len(posts) else None
        blinds = self._blinds(small, big)
        antes = self._antes()
        positions = self._positions(small, big, blinds, antes["ante"])
        straddle, anted = 0, set[str]()
        for post in posts:
            seat, chips = self.seat_of[post.name], self.chips(post.amount)
            live = {ANTE: 0, BOTH: min(chips, blinds[1])}.get(post.kind, chips)
            if post.kind == SMALL and post is not small:
                live = 0
            self.ledger.pay(seat, chips, post.is_all_in, post.action, live)
            if post.kind != ANTE or not antes["ante"] or post.name in anted:
                self.ledger.dead[seat] += chips - live
            anted |= {post.name} if post.kind == ANTE else set()
            if post.kind == STRADDLE:
                straddle = self._straddle(post, positions, blinds, straddle)
        self._check_blinds(small, big, blinds)
        return {"blinds": blinds, "straddle": straddle, "positions": positions, **antes}

    def _blinds(self, small: Post | None, big: Post | None) -> tuple[int, int]:
        """In fixed limit the stakes are bets; the small blind is what is posted, half a bet if nobody posts it."""
        header = self.parsed.header
        stakes = self.chips(header.small), self.chips(header.big)
        if header.structure != "fixed_limit":
            return stakes
        posted = self.chips(small.amount) if small else 0
        return (posted if small and not small.is_all_in else max(posted, stakes[0] // 2)), stakes[0]

    def _antes(self) -> dict[str, int]:
        """Everybody's ante, and the big blind's. Who posts a second one, or the only one, posts it for the table."""
        paid: dict[str, list[int]] = {}
        for post in self.parsed.posts:
            if post.kind == ANTE:
                paid.setdefault(post.name, []).append(self.chips(post.amount))
        if not paid:
            return {"ante": 0, "big_blind_ante": 0}
        if len(paid) == 1:
            chips = next(iter(paid.values()))
            return {"ante": 0, "big_blind_ante": sum(chips)}
        ante = max(chips[0] for chips in paid.values())
        for name in self.names:
            chips = paid.get(name, [0])
            stack = self.chips(self.parsed.seats[name].stack)
            if chips[0] != min(ante, stack):
                raise LineError(f"{name} posts an ante of {chips[0]}, others of {ante}")
        return {"ante": ante, "big_blind_ante": max(sum(chips[1:]) for chips in paid.values())}

    def _positions(self, small: Post | None, big: Post | None, blinds: tuple[int, int], ante: int) -> BlindPositions:
        count, stacks = len(self.names), self.ledger.stacks
        usual = usual_positions(count, self.button)
        at_small = self.seat_of[small.name] if small else None
        at_big = self.seat_of[big.name] if big else None
        if at_small is None and usual.small_blind is not None and usual.small_blind != at_big:
            is_broke = stacks[usual.small_blind] <= ante
            at_small = usual.small_blind if is_broke or not blinds[0] else None
        if at_big is None:
            after = self.button if at_small is None else at_small
            if small is None and stacks[(after + 1) % count] > ante:  # then the small blind is dead (R10)
                at_small, after = None, self.button
            at_big = (after + 1) % count
            if stacks[at_big] > ante:
                raise LineError("nobody posts the big blind")
        posts_big, posts_small = set[int](), set[int]()
        for post in self.parsed.posts:
            seat = self.seat_of[post.name]
            if post.kind == BOTH or (post.kind == BIG and post is not big):
                posts_big.add(seat)
            if post.kind == BOTH or (post.kind == SMALL and post is not small):
                posts_small.add(seat)
        if at_small == at_big:
            raise LineError(f"{self.names[at_big]} posts both blinds")
        return BlindPositions(at_small, at_big, frozenset(posts_big), frozenset(posts_small))

    def _straddle(self, post: Post, positions: BlindPositions, blinds: tuple[int, int], before: int) -> int:
        seat = self.seat_of[post.name]
        total = self.ledger.street[seat]
        if before or len(self.names) < 3 or seat != (positions.big_blind + 1) % len(self.names) or total <= blinds[1]:
            raise LineError(
                "one straddle can be played, by the seat left of the big blind and of more than it (R8)", post.action
            )
        return total

    def _check_blinds(self, small: Post | None, big: Post | None, blinds: tuple[int, int]) -> None:
        for post, due in ((small, blinds[0]), (big, blinds[1])):
            if post and self.chips(post.amount) != due:
                seat = self.seat_of[post.name]
                if self.chips(post.amount) > due or self.ledger.put[seat] < self.ledger.stacks[seat]:
                    raise LineError(f"the first line of the hand says that this blind is {due}", post.action)

    # What is done

    def moves(self) -> list[Move]:
        """The moves in the file's order, the showing last."""
        moves, folded, showing = list[Move](), set[int](), dict[int, Move]()
        for act in self.parsed.acts:
            if act.kind == DEALS:
                moves.append(Move(BOARD, None, int(act.amount), act.action))
                self.ledger.street = [0] * len(self.names)
                continue
            seat = self.seat_of[act.name]
            if act.kind in (SHOWS, MUCKS):
                if seat not in folded:
                    showing[seat] = Move(SHOW if act.kind == SHOWS else MUCK, seat, 0, act.action)
                continue
            folded |= {seat} if act.kind == FOLDS else set()
            moves.append(self._move(act, seat))
        return [*moves, *showing.values()]

    def _move(self, act: Act, seat: int) -> Move:
        if act.kind in (FOLDS, CHECKS):
            return Move(FOLD if act.kind == FOLDS else CHECK, seat, 0, act.action)
        chips = self.chips(act.amount)
        added = chips - self.ledger.street[seat] if act.kind == RAISES else chips
        if added <= 0:
            raise LineError("no chips go in", act.action)
        self.ledger.pay(seat, added, act.is_all_in, act.action)
        if act.kind == CALLS:
            return Move(CALL, seat, chips, act.action)
        assert act.kind in (BETS, RAISES)
        return Move(RAISE, seat, self.ledger.street[seat], act.action)

    # What came of it

    def payoffs(self) -> list[int]:
        """Net chips by seat. Raises LineError if the pot is not what went in, or not what was collected and raked."""
        parsed = self.parsed
        pot, rake = self.chips(parsed.pot or Decimal(0)), self.chips(parsed.rake)
        collected = parsed.collected or parsed.collected_in_summary
        won, back = self._by_seat(collected), self._by_seat(parsed.returned)
        if not any(back):
            back = self._left_out(pot)
        self.ledger.back = back
        if (inside := sum(self.ledger.put) - sum(back)) != pot:
            raise LineError(f"the total pot is {pot}, but the players put in {inside}")
        if sum(won) + rake != pot:
            raise LineError(f"the total pot is {pot}, but {sum(won)} were collected, and the rake is {rake}")
        if parsed.collected_in_summary and self._by_seat(parsed.collected_in_summary) != won:
            raise LineError("the summary has other winnings than the hand")
        return [chips + returned - put for chips, returned, put in zip(won, back, self.ledger.put, strict=True)]

    def _left_out(self, pot: int) -> list[int]:
        """The uncalled bet that older files leave out: what nobody matched (R26), if the pot is without it."""
        back = [0] * len(self.names)
        second, most = sorted(self.ledger.put)[-2:]
        left = zip(self.ledger.put, self.ledger.stacks, strict=True)
        could_call = sum(seat not in self._folded and put < stack for seat, (put, stack) in enumerate(left))
        if could_call > 1:
            return back
        if most > second and sum(self.ledger.put) - (most - second) == pot:
            back[self.ledger.put.index(most)] = most - second
        return back

    def rake_of_pots(self) -> tuple[int, ...]:
        """What was taken from each of several pots, in the engine's order (R27): its chips, by what players have put
        in, less what was collected from it. Nothing where the text does not tell the pots apart."""
        pots, parts = self._pots(), self.parsed.parts
        beside = pots[:1] if not self._levels[0] else []  # of dead money alone; the text has it in the main pot
        if beside and len(pots) > 1:
            pots = [pots[0] + pots[1], *pots[2:]]
        names = sorted({pot for pot, _ in parts}, key=lambda name: (name != "main pot", len(name), name))
        collected = [sum(self.chips(part) for pot, part in parts if pot == name) for name in names]
        taken = [chips - won for chips, won in zip(pots, collected, strict=False)]
        if not len(pots) == len(names) > 1 or min(taken) < 0 or sum(taken) != self.chips(self.parsed.rake):
            return ()
        return (*(max(0, taken[0] - pots[0] + dead) for dead in beside), *taken)

    @cached_property
    def _folded(self) -> set[int]:
        return {self.seat_of[act.name] for act in self.parsed.acts if act.kind == FOLDS}

    @cached_property
    def _live_chips(self) -> list[int]:
        """What each seat has put in, without dead money and what came back."""
        ledger = self.ledger
        return [put - back - dead for put, back, dead in zip(ledger.put, ledger.back, ledger.dead, strict=True)]

    @cached_property
    def _levels(self) -> list[int]:
        """The contributions that make a player a contestant of each pot, main pot first (R27)."""
        return sorted({chips for seat, chips in enumerate(self._live_chips) if seat not in self._folded})

    def _pots(self) -> list[int]:
        """The chips of each pot before the rake (R27)."""
        up_to = [sum(min(chips, level) for chips in self._live_chips) for level in self._levels[:-1]]
        edges = [-sum(self.ledger.dead), *up_to, sum(self._live_chips)]
        return [top - below for below, top in pairwise(edges)]

    def _by_seat(self, amounts: dict[str, Decimal]) -> list[int]:
        chips = [0] * len(self.names)
        for name, amount in amounts.items():
            if name not in self.seat_of:
                raise LineError(f"{name} is paid, but was not dealt in")
            chips[self.seat_of[name]] = self.chips(amount)
        return chips

    def holes(self, size: int) -> tuple[Cards, ...]:
        """The hole cards by seat, as far as they are known. Raises LineError for cards that contradict each other."""
        parsed = self.parsed
        hands: dict[str, list[int]] = {name: [] for name in self.names}
        for name, cards in (*parsed.dealt.items(), *parsed.shown):
            hand = hands.setdefault(name, [])
            hand += [card for card in cards if card not in hand and card != UNKNOWN]
            if len(hand) > size:
                raise LineError(f"{name} shows other cards than before, or more than {size}")
        seen = Seen()
        try:
            for name, hand in hands.items():
                seen.take(hand, f"in the hand of {name}")
            seen.take(parsed.board, "on the board")
        except ValueError as problem:
            raise LineError(str(problem)) from problem
        return tuple(Cards([*hands[name], *[UNKNOWN] * (size - len(hands[name]))]) for name in self.names)


def record_of(parsed: ParsedHand, file: str, line: int, max_raises: tuple[int, ...] | None) -> HandRecord:
    """The hand. Raises LineError for a hand that contradicts itself, ValueError for one that Rules cannot express."""
    shape = SHAPES.get(parsed.header.game)
    if shape is None:
        raise LineError(f"{parsed.header.game} cannot be played; {', '.join(SHAPES)} can")
    reader = _Reader(parsed)
    holes = reader.holes(shape.get("hole_cards", HOLE_SIZE))
    posted = reader.post()
    positions: BlindPositions = posted.pop("positions")
    moves = reader.moves()
    problem = None
    try:
        payoffs = reader.payoffs()
    except LineError as found:
        payoffs, problem = [0] * len(reader.names), found
    usual = positions == usual_positions(len(reader.names), reader.button)
    hand = HandRecord(
        file=file,
        hand=parsed.header.number,
        line=line,
        rules=_rules(parsed, reader, {**shape, **posted}, max_raises, usual),
        button=reader.button,
        holes=holes,
        board=Cards(parsed.board),
        actions=tuple(parsed.actions),
        moves=tuple(moves),
        players=tuple(reader.names),
        unit=Decimal(1).scaleb(-reader.places),
        stated={"payoffs": list(payoffs)},
        metadata=_metadata(parsed, reader.names),
        blinds=None if usual else positions,
    )
    if problem is not None and not _is_cut_short(hand):
        raise problem
    return hand


def _is_cut_short(hand: HandRecord) -> bool:
    """Whether the moves end before the hand does; then the chips cannot add up, and the replay says who is to act."""
    try:
        return hand.replay(unfinished=True).actor is not None
    except HistoryError:
        return False


def _rules(
    parsed: ParsedHand,
    reader: _Reader,
    posted: dict[str, Any],
    max_raises: tuple[int, ...] | None,
    is_usual: bool,
) -> Rules:
    header = parsed.header
    fields = {
        **posted,
        "structure": header.structure,
        "seats": len(reader.names),
        "stacks": tuple(reader.ledger.stacks),
        "face_up_all_in": not any(act.kind == MUCKS for act in parsed.acts),
    }
    if header.structure == "fixed_limit":
        bets = {"small_bet": reader.chips(header.small), "big_bet": reader.chips(header.big)}
        fields |= {**bets, "max_raises": max_raises}
    if _splits_large_chips(parsed, reader):
        fields["smallest_chip"] = math.gcd(*map(reader.chips, parsed.amounts()))
    if parsed.rake:
        # The rake of this hand, whatever percentage and cap it came from.
        fields["rake"] = {"percent": 100, "cap": reader.chips(parsed.rake), "no_flop_no_drop": False}
        fields["rake"] |= {"by_pot": reader.rake_of_pots()}
    if not is_usual:
        fields["session"] = {"kind": "cash"}
    return Rules.model_validate(fields, context=AS_PLAYED)


def _splits_large_chips(parsed: ParsedHand, reader: _Reader) -> bool:
    """Whether parts of one pot differ by more than a chip: then its odd chip was a larger one (R13, R28)."""
    shares: dict[str, list[int]] = {}
    for pot, amount in parsed.parts:
        shares.setdefault(pot, []).append(reader.chips(amount))
    return any(max(parts) - min(parts) > 1 for parts in shares.values())


def _metadata(parsed: ParsedHand, names: Sequence[str]) -> dict[str, Any]:
    seats = [parsed.seats[name].number for name in names]
    hero = {"_hero": next(iter(parsed.dealt))} if len(parsed.dealt) == 1 else {}
    return {**parsed.header.metadata, "seats": seats, "_button": parsed.header.button, **hero}


def _places(parsed: ParsedHand) -> int:
    """The decimal places of a chip: two for money with a sign, otherwise as many as the amounts have."""
    most = CENTS if parsed.header.sign else 0
    for amount in parsed.amounts():
        exponent = int(amount.normalize().as_tuple().exponent)
        most = max(most, -exponent)
    if most > MAX_PLACES:
        raise LineError(f"amounts have {MAX_PLACES} decimal places at most")
    return most
