"""A table in plain English, as one seat sees it: who sits where, what has happened, what may be done."""

from __future__ import annotations

from ...cards.text import UNKNOWN, Cards, card_name
from ...engine.legality import chips_at_stake, deed_text
from ...engine.record import CHECK_CALL, FOLD, MAX_MOVES, NOBODY
from ...table.seat_view import Move, SeatView

POSITION_WORDS = {"BTN": "the button", "SB": "the small blind", "BB": "the big blind", "CO": "the cutoff"}
STREET_NAMES = ("Before the flop", "Flop", "Turn", "River")
POSTING_WORDS = {
    "post_ante": "the ante",
    "post_small_blind": "the small blind",
    "post_big_blind": "the big blind",
    "post_big_blind_ante": "the big-blind ante",
    "post_live": "a missed big blind",
    "post_dead": "a missed small blind",
    "post_straddle": "the straddle",
}


def describe_table(view: SeatView) -> str:
    """Describe in English what a seat sees, and what it may do.

    The text has the seat's cards, all stacks in chips and big blinds, the hand so far street by street, the board, and
    the pot. It names seats by number and position, never the agents.

    Args:
        view: View of the seat to act.
    """
    board = spaced(view.board) if view.board else "none yet"
    parts = [
        f"You are {_who(view, view.seat)}. Your cards: {spaced(view.hole_cards())}.",
        "The players:",
        *(f"- {_player(view, seat)}" for seat in dealt_seats(view)),
        "The hand so far:",
        *(f"- {line}" for line in hand_so_far(view)),
        f"The board: {board}.",
        *([f"Cards that everybody has seen by mistake: {spaced(view.exposed)}."] if view.exposed else []),
        f"The pot, with the bets of this betting round: {chips(view, view.pot)}.",
        "It is your turn. You may:",
        *(f"- {choice}" for choice in describe_choices(view)),
    ]
    return "\n".join(parts)


def describe_choices(view: SeatView) -> list[str]:
    """The legal moves of the seat to act, one phrase each, with their numbers: "fold", "call 50", "raise to 200, or
    any total up to 5000 (all-in)"."""
    legal = view.legal
    all_in = view.bets[view.seat] + view.stacks[view.seat]
    choices = ["fold"]
    if legal.call:
        whole = " (all-in)" if legal.call == view.stacks[view.seat] else ""
        choices.append(f"call {legal.call}{whole}{at_stake(view)}")
    else:
        choices.append("check")
    if legal.raise_min is not None:
        sizes = _range(legal.raise_min, legal.raise_max or 0, all_in, view.game.smallest_chip, legal.opens)
        choices.append(f"{'bet' if legal.opens else 'raise to'} {sizes}")
    return choices


def _range(least: int, most: int, all_in: int, chip: int, opens: bool) -> str:
    last = f"{most} (all-in)" if most == all_in else str(most)
    if least == most:
        return last
    steps = f", in multiples of {chip}" if chip > 1 else ""
    return f"any {'amount' if opens else 'total'} from {least} to {last}{steps}"


def at_stake(view: SeatView) -> str:
    """What follows the price of a call that cannot all be lost (R9): ", of which 60 can be lost"; otherwise ""."""
    stake = chips_at_stake(view.records)
    return f", of which {stake} can be lost" if stake < (view.legal.call or 0) else ""


def has_blinds(view: SeatView) -> bool:
    """Whether positions have their names: a game without blinds names the button alone."""
    return view.game.big_blind > 0 and view.records["big_blind_seat"][0] != NOBODY


def spaced(cards: Cards) -> str:
    """Cards with spaces between them: "As Kd"."""
    return " ".join(map(card_name, cards))


def chips(view: SeatView, amount: int) -> str:
    """An amount in chips, and in big blinds if there are any: "250 chips (2.5 bb)"."""
    big = view.game.big_blind
    return f"{amount} chips ({amount / big:.4g} bb)" if big else f"{amount} chips"


def dealt_seats(view: SeatView) -> list[int]:
    """The seats that got cards, clockwise from the left of the button."""
    seats = view.game.seats
    clockwise = [(view.button + 1 + k) % seats for k in range(seats)]
    return [seat for seat in clockwise if view.records["was_dealt"][0, seat]]


def _position(view: SeatView, seat: int) -> str:
    if not has_blinds(view):
        return "BTN" if seat == view.button else ""
    position = view.positions.get(seat)
    return position.name if position else ""


def _who(view: SeatView, seat: int) -> str:
    name = _position(view, seat)
    words = ", ".join(filter(None, [name, POSITION_WORDS.get(name)]))
    return f"seat {seat} ({words})" if words else f"seat {seat}"


def _short(view: SeatView, seat: int) -> str:
    name = _position(view, seat)
    return f"seat {seat} ({name})" if name else f"seat {seat}"


def _player(view: SeatView, seat: int) -> str:
    parts = [f"{chips(view, view.stacks[seat])} left"]
    if view.bets[seat]:
        parts.append(f"{view.bets[seat]} bet in this round")
    if view.is_folded(seat):
        parts.append("has folded")
    elif not view.stacks[seat]:
        parts.append("is all-in")
    cards = view.hole_cards(seat)
    if seat != view.seat and any(card != UNKNOWN for card in cards):
        parts.append(f"its cards can be seen: {spaced(cards)}")
    you = ", you" if seat == view.seat else ""
    return f"{_short(view, seat)}{you}: {', '.join(parts)}"


def hand_so_far(view: SeatView) -> list[str]:
    """What was posted, then a line for each street with its cards and moves."""
    lines = [*_posted(view)]
    moves = _moves_by_street(view)
    if int(view.records["moves"][0]) > MAX_MOVES:
        lines.append(f"(The first moves are left out; these are the last {MAX_MOVES}.)")
    sizes = (0, *view.game.board_sizes)
    for street in range(view.street + 1):
        new = view.board[sizes[street] : sizes[street + 1]]
        words = moves.get(street, ["no moves yet" if street == view.street else "no moves"])
        cards = f" ({spaced(Cards(new))})" if new else ""
        name = STREET_NAMES[street] if view.game.has_holdem_streets else f"Betting round {street + 1}"
        lines.append(f"{name}{cards}: {', '.join(words)}.")
    return lines


def _posted(view: SeatView) -> list[str]:
    words = []
    for seat in dealt_seats(view):
        posting = view.posted[seat]
        amount = posting.ante + posting.bet + posting.dead
        if amount:
            kinds = " and ".join(POSTING_WORDS[kind] for kind in posting.kinds)
            words.append(f"{_short(view, seat)} posted {amount} ({kinds})")
    return [f"{', '.join(words)}."] if words else []


def _moves_by_street(view: SeatView) -> dict[int, list[str]]:
    betting = Betting(view)
    lines: dict[int, list[str]] = {}
    for move in view.moves:
        lines.setdefault(move.street, []).append(f"{_short(view, move.seat)} {betting.describe(move)}")
    return lines


class Betting:
    """Follows the chips of a hand from move to move, to say what each move was.

    bets, stacks: chips of each seat on the street, and behind. Of a hand with more moves than the record holds the
    amounts of calls are not shown, as the first moves are missing.
    """

    def __init__(self, view: SeatView) -> None:
        self.street, self.is_whole = 0, int(view.records["moves"][0]) <= MAX_MOVES
        self.bets = [posting.bet for posting in view.posted]
        self.stacks = [
            stack - posting.ante - posting.bet - posting.dead
            for stack, posting in zip(view.starting_stacks, view.posted, strict=True)
        ]
        game, straddled = view.game, view.records["straddle_seat"][0] != NOBODY
        self.to_match = game.straddle if straddled else max(game.blinds)

    def describe(self, move: Move) -> str:
        """A move in words; it is played."""
        if move.street != self.street:
            self.street, self.to_match, self.bets = move.street, 0, [0] * len(self.bets)
        if move.move == FOLD:
            return deed_text(FOLD, 0, 0)
        price = min(self.to_match - self.bets[move.seat], self.stacks[move.seat])
        if move.move == CHECK_CALL:
            if not self.is_whole:
                return "checks or calls"
            self._pay(move.seat, price)
            return deed_text(CHECK_CALL, price, 0) + self._all_in(move.seat)
        words = deed_text(move.move, 0, self.to_match)
        self._pay(move.seat, move.move - self.bets[move.seat])
        self.to_match = move.move
        return words + self._all_in(move.seat)

    def _pay(self, seat: int, amount: int) -> None:
        self.bets[seat] += amount
        self.stacks[seat] -= amount

    def _all_in(self, seat: int) -> str:
        return " and is all-in" if self.is_whole and not self.stacks[seat] else ""
