"""What a seat reads when it is to act.

A prompt is a function of the seat's view: `full`, `short`, `arena`, or yours.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from ..cards.text import UNKNOWN
from ..game.rules import Rules
from ..protocols.text import describe_game, describe_table
from ..protocols.text.answers import HOW_TO_ANSWER
from ..protocols.text.situation import Betting, at_stake, dealt_seats, has_blinds, spaced
from ..table.seat_view import SeatView

Prompt = Callable[[SeatView], str]


def full(view: SeatView) -> str:
    """The rules of the game, how to answer, and the table, in sentences."""
    return f"{_rules(view.game)}\n\n{describe_table(view)}"


@lru_cache(maxsize=64)
def _rules(game: Rules) -> str:
    return f"You are playing poker.\n{describe_game(game)}\n{HOW_TO_ANSWER}"


def short(view: SeatView) -> str:
    """The table in a few words, for models that learn the game from its rewards: a quarter of the tokens of `full`.

    Seats are positions, so that a situation has the same words whichever seat it is in.

    >>> from holdem_env import Table
    >>> table = Table("heads-up-no-limit", deck="AsKdAhKc")
    >>> table.raise_to(6)
    >>> print(short(table.view()))
    BB AsAh, blinds 1/2, pot 8, BB 198, BTN 194
    BTN raises 4 to 6
    fold, call 4, raise to 10..200
    """
    names = {seat: _name(view, seat) for seat in dealt_seats(view)}
    seen = {seat: view.hole_cards(seat) for seat in names if seat != view.seat and _is_seen(view, seat)}
    parts = [f"{names[view.seat]} {view.hole_cards()}"]
    parts += [f"board {view.board}"] if view.board else []
    parts += [_forced(view.game)] if _forced(view.game) else []
    parts += [f"pot {view.pot}", *(f"{name} {view.stacks[seat]}" for seat, name in names.items())]
    parts += [f"{names[seat]} has {cards}" for seat, cards in seen.items()]
    parts += [f"seen {spaced(view.exposed)}"] if view.exposed else []
    betting, streets = Betting(view), dict[int, list[str]]()
    for move in view.moves:
        streets.setdefault(move.street, []).append(f"{names[move.seat]} {betting.describe(move)}")
    moves = " / ".join(map(", ".join, streets.values()))
    return "\n".join(filter(None, [", ".join(parts), moves, str(view.legal) + at_stake(view)]))


def _forced(game: Rules) -> str:
    """What is paid before the cards: "blinds 1/2, ante 1"."""
    parts = [f"blinds {game.small_blind}/{game.big_blind}"] if game.big_blind else []
    parts += [f"ante {game.ante}"] if game.ante else []
    parts += [f"big-blind ante {game.big_blind_ante}"] if game.big_blind_ante else []
    parts += [f"straddle {game.straddle}"] if game.straddle else []
    return ", ".join(parts)


def _name(view: SeatView, seat: int) -> str:
    """The position of a seat; in games without blinds how far from the button it is."""
    position = view.positions.get(seat)
    if position and has_blinds(view):
        return position.name
    steps = (seat - view.button) % view.game.seats
    return f"+{steps}" if steps else "BTN"


ADVICE = """You are an expert poker player. Decide by the expected value of each move.
Start from what cannot be exploited, and deviate where the opponents' tendencies pay for it. Consider in writing:
- the opponents' likely hands and your own, as the moves so far show them
- how the board fits these hands
- stacks, pot odds, and your plan for the rest of the hand
Say what you believe, and how sure you are. Then end with one line, and nothing else on it:
Final Answer: fold, check, call, bet N or raise N
N is the total of your chips in this betting round, in chips."""
BANNERS = ("*** HOLE CARDS ***", "*** FLOP ***", "*** TURN ***", "*** RIVER ***")


def arena(view: SeatView) -> str:
    """The form in which Kaggle's Game Arena asks: advice to reason at length, a "Final Answer:", and the hand as a
    poker site writes it, with players by number. Theirs also shows what opponents held in earlier hands, folded or not;
    ours never does.
    """
    game, you = view.game, f"Player{view.seat}"
    lines = [ADVICE, "", describe_game(game), "", f"You are {you}.", "", f"Seat #{view.button} is the button"]
    lines += [f"Seat {seat}: Player{seat} ({view.starting_stacks[seat]} in chips)" for seat in dealt_seats(view)]
    lines += [f"Player{seat}: posts {what}" for seat, what in _posts(view)]
    betting, moves, sizes = Betting(view), list(view.moves), (0, *game.board_sizes)
    for street in range(view.street + 1):
        banner = BANNERS[street] if game.has_holdem_streets else f"*** ROUND {street + 1} ***"
        board = view.board[: sizes[street + 1]]
        lines.append(f"{banner} [{spaced(board)}]" if board else banner)
        lines += [_dealt(view, seat) for seat in dealt_seats(view) if street == 0 and _is_seen(view, seat)]
        lines += [f"Player{move.seat}: {betting.describe(move)}" for move in moves if move.street == street]
    lines += [f"Seen by mistake: {spaced(view.exposed)}"] if view.exposed else []
    price = f"{view.legal.call} to call{at_stake(view)}. " if view.legal.call else ""
    return "\n".join([*lines, "", f"Action is on you. The pot is {view.pot}. {price}Legal: {view.legal}."])


POSTS = ("post_small_blind", "post_big_blind", "post_dead", "post_live", "post_straddle")


def _posts(view: SeatView) -> list[tuple[int, str]]:
    """Who posted what: antes, then the small blind, the big blind and the rest."""
    antes = [(seat, f"the ante {view.posted[seat].ante}") for seat in dealt_seats(view) if view.posted[seat].ante]
    blinds = []
    for seat in dealt_seats(view):
        posting = view.posted[seat]
        kinds = sorted((kind for kind in posting.kinds if kind in POSTS), key=POSTS.index)
        if posting.bet + posting.dead:
            words = " and ".join(kind.removeprefix("post_").replace("_", " ") for kind in kinds)
            blinds.append((POSTS.index(kinds[0]), seat, f"{words} {posting.bet + posting.dead}"))
    return antes + [(seat, words) for _, seat, words in sorted(blinds, key=lambda each: each[0])]


def _is_seen(view: SeatView, seat: int) -> bool:
    return any(card != UNKNOWN for card in view.hole_cards(seat))


def _dealt(view: SeatView, seat: int) -> str:
    return f"Dealt to Player{seat} [{spaced(view.hole_cards(seat))}]"


PROMPTS: dict[str, Prompt] = {"full": full, "short": short, "arena": arena}


def prompt_of(given: str | Prompt) -> Prompt:
    """A prompt by its name, or as it is. Raises ValueError for an unknown name."""
    if callable(given):
        return given
    if given not in PROMPTS:
        raise ValueError(f"prompt: must be one of {', '.join(PROMPTS)} or a function of a SeatView, got {given!r}")
    return PROMPTS[given]
