"""How the rule tests play hands: stacked decks, moves as text, short words for what a table asks and what happened.

Seats are called A, B, C ... as in the rulebook: after the flop A acts first, so the button is at the last seat unless a
test says otherwise (and heads-up B has the small blind, A the big one).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from holdem_env import Rules, Table
from holdem_env.table import Posting

NAMES = "ABCDEFGHIJ"
A, B, C, D, E, F = range(6)
PREFLOP, FLOP, TURN, RIVER = range(4)

# A dry board, and hands that rank on it as their names say. Nobody can make a straight or a flush.
BOARD = "2c7d8hQsKc"
BEST, GOOD, POOR, WORST = "AsAd", "JsJd", "5s5d", "3s4h"
# Where what is posted goes: 0 an ante, 1 a bet, 2 dead money.
CHIPS = {"post_ante": 0, "post_big_blind_ante": 2, "post_dead": 2}
CHIPS |= dict.fromkeys(("post_small_blind", "post_big_blind", "post_live", "post_straddle"), 1)
# Other cards of the same worth as BEST and GOOD.
BEST_TOO, GOOD_TOO = "AhAc", "JhJc"


def stacked_deck(seats: int, button: int, holes: dict[int, str], board: str = "") -> str:
    """A deck in dealing order (R4) with these hole cards and this board; the rest is unknown."""
    cards = ["??"] * (2 * seats + 8)
    for seat, text in holes.items():
        place = (seat - button - 1) % seats
        cards[place], cards[seats + place] = text[:2], text[2:]
    for place, at in zip((1, 2, 3, 5, 7), range(0, len(board), 2), strict=False):
        cards[2 * seats + place] = board[at : at + 2]
    return "".join(cards)


def deal(
    stacks: list[int],
    *,
    button: int | None = None,
    holes: dict[int, str] | Sequence[str] = (),
    board: str = BOARD,
    **rules: Any,
) -> Table:
    """A posted and dealt hand, by default no-limit with blinds 10/20; `holes` by seat, or from A on."""
    seats = len(stacks)
    if button is None:
        button = seats - 1
    holes = holes if isinstance(holes, dict) else dict(enumerate(holes))
    game = Rules(seats=seats, **{"blinds": (10, 20), **rules})
    return Table(game, stacks=stacks, button=button, deck=stacked_deck(seats, button, holes, board), seed=1)


def flop(stacks: list[int], **options: Any) -> Table:
    """A hand that everybody called and checked to the flop; `stacks` are what they have left there. A is to act."""
    big_blind = options.get("blinds", (10, 20))[1]
    return play_to(deal([stack + big_blind for stack in stacks], **options), FLOP)


def river(stacks: list[int], **options: Any) -> Table:
    """Likewise, checked to the river."""
    return play_to(flop(stacks, **options), RIVER)


def play_to(table: Table, street: int) -> Table:
    """Everybody checks and calls until the street begins."""
    while table.street < street and not table.is_over:
        table.check_call()
    return table


def check_down(table: Table) -> Table:
    """Everybody checks and calls to the end."""
    while not table.is_over:
        table.check_call()
    return table


def play(table: Table, script: str) -> Table:
    """Play moves such as "A:b20 B:r60 c f k": seat (if given), then f fold, k check, c call, b bet, r raise to.

    A check is refused where there is something to call, a call where there is nothing, a bet where there is one.
    """
    for word in script.split():
        seat, _, move = word.rpartition(":")
        assert table.actor is not None, f"{word}: the hand is over"
        assert not seat or table.actor == NAMES.index(seat), f"{word}: seat {table.actor} is to act"
        price, faces_bet = table.legal.call, max(table.bets) > 0
        if move == "f":
            table.fold()
        elif move in ("k", "c"):
            assert (price == 0) == (move == "k"), f"{word}: there is {price} to call"
            table.check_call()
        else:
            assert faces_bet == (move[0] == "r"), f"{word}: the bets are {table.bets}"
            table.raise_to(int(move[1:]))
    return table


def asks(
    table: Table, seat: int, call: int, least: int | None = None, most: int | None = None, exactly: int | None = None
) -> None:
    """The table asks this seat, at this price; it may raise to `least`..`most` or to `exactly`, or not at all."""
    assert (table.actor, table.legal.call) == (seat, call), f"seat {table.actor} is asked: {table.legal}"
    assert table.legal.fold
    least, most = (exactly, exactly) if exactly is not None else (least, most)
    if least is None and most is None:
        assert table.legal[2:] == (None, None), f"no raise expected: {table.legal}"
    if least is not None:
        assert table.legal.raise_min == least, f"expected the least raise to be to {least}: {table.legal}"
    if most is not None:
        assert table.legal.raise_max == most, f"expected the greatest raise to be to {most}: {table.legal}"


def asked(table: Table) -> str:
    """Who is asked, at what price, and to what it may raise: "B 20 40..500", "B 20 33" (all-in, or a limit), "B 20"."""
    assert table.actor is not None
    assert table.legal.fold
    _, call, least, most = table.legal
    raises = "" if least is None else f" {least}" if least == most else f" {least}..{most}"
    return f"{NAMES[table.actor]} {call}{raises}"


def case(start: Callable[..., Table], stacks: list[int], script: str, expected: object, **rules: Any) -> tuple:
    """A row of a table of hands: `played` begins and plays it, and the test compares with what is expected."""
    return start, stacks, rules, script, expected


CASE = ("start", "stacks", "rules", "script", "expected")


def played(start: Callable[..., Table], stacks: list[int], rules: dict[str, Any], script: str) -> Table:
    """The hand of a row after its moves."""
    return play(start(stacks, **rules), script)


def deeds(table: Table, *kinds: str) -> list[str]:
    """What happened, of these kinds, in order: "A bet 20", "B show", "A push_pot 30 of 1"."""
    words = []
    for operation in table.log:
        if operation.kind in kinds:
            parts = [] if operation.seat is None else [NAMES[operation.seat]]
            parts.append(operation.kind)
            parts += [str(operation.amount)] if operation.amount else []
            parts += [f"of {operation.pot}"] if operation.pot is not None else []
            words.append(" ".join(parts))
    return words


def outcome(table: Table) -> str:
    """What went back uncalled, what was pushed of which pot, and the payoffs: "A<100 A 60/0 | 40 -20 -20"."""
    moved = " ".join(deeds(table, "return_uncalled", "push_pot"))
    moved = moved.replace(" return_uncalled ", "<").replace(" push_pot", "").replace(" of ", "/")
    return f"{moved} | {' '.join(map(str, table.payoffs))}"


def logged_postings(table: Table) -> list[Posting]:
    """What each seat posted, as the log tells it."""
    found = []
    for seat in range(table.rules.seats):
        posts = [deed for deed in table.log if deed.seat == seat and deed.kind.startswith("post_")]
        ante, bet, dead = (sum(deed.amount for deed in posts if CHIPS[deed.kind] == where) for where in range(3))
        found.append(Posting(tuple(deed.kind for deed in posts), ante, bet, dead))
    return found


def showing(table: Table) -> list[str]:
    """Who showed and who mucked, in order."""
    return deeds(table, "show", "muck")


def pots(table: Table) -> list[tuple[int, tuple[int, ...]]]:
    """The collected pots: chips and contestants, main pot first."""
    return [(pot.amount, pot.seats) for pot in table.pots]
