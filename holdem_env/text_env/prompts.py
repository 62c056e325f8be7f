"""What a seat reads when it is to act. A prompt is a function of the seat's view: `full`, `short`, or one's own."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from ..cards.text import UNKNOWN
from ..engine.record import NOBODY
from ..game.rules import Rules
from ..protocols.text import describe_game, describe_table
from ..protocols.text.answers import HOW_TO_ANSWER
from ..protocols.text.situation import Betting, dealt_seats, spaced
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
    BB AsAh, pot 8, BB 198, BTN 194
    BTN raised to 6
    fold, call 4, raise to 10..200
    """
    names = {seat: _name(view, seat) for seat in dealt_seats(view)}
    seen = {seat: view.hole_cards(seat) for seat in names if seat != view.seat}
    parts = [f"{names[view.seat]} {view.hole_cards()}"]
    parts += [f"board {view.board}"] if view.board else []
    parts += [f"pot {view.pot}", *(f"{name} {view.stacks[seat]}" for seat, name in names.items())]
    parts += [f"{names[seat]} has {cards}" for seat, cards in seen.items() if any(card != UNKNOWN for card in cards)]
    parts += [f"seen {spaced(view.exposed)}"] if view.exposed else []
    betting, streets = Betting(view), [""] * (view.street + 1)
    for move in view.moves:
        said = f"{names[move.seat]} {betting.describe(move)}"
        streets[move.street] += f", {said}" if streets[move.street] else said
    return "\n".join([", ".join(parts), " / ".join(streets), str(view.legal)])


def _name(view: SeatView, seat: int) -> str:
    """The position of a seat; in games without blinds how far from the button it is."""
    position = view.positions.get(seat)
    if position and view.records["big_blind_seat"][0] != NOBODY:
        return position.name
    steps = (seat - view.button) % view.game.seats
    return f"+{steps}" if steps else "BTN"


PROMPTS: dict[str, Prompt] = {"full": full, "short": short}


def prompt_of(given: str | Prompt) -> Prompt:
    """A prompt by its name, or as it is. Raises ValueError for an unknown name."""
    if callable(given):
        return given
    if given not in PROMPTS:
        raise ValueError(f"prompt: must be one of {', '.join(PROMPTS)} or a function of a SeatView, got {given!r}")
    return PROMPTS[given]
