"""Slumbot's hands: its answers read and checked, replayed on a Table, and moves in its words.

A hand is a string of actions: k checks, c calls, f folds, b200 bets or raises to a total of 200 in this betting round,
and / ends a round: "b200c/kk/kb400f". The button acts first before the flop. After an all-in that is called the string
may end in the slashes of the rounds that are left out: "b20000c///".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from ...cards.text import UNKNOWN, Cards, parse_cards
from ...engine.record import CHECK_CALL, FOLD
from ...game.rules import Rules
from ...history.deck_completion import Showdown, full_deck
from ...table.table import IllegalMove, Table

GAME = Rules(structure="no_limit", seats=2, blinds=(50, 100), stacks=20_000)
"""What Slumbot plays: 200 big blinds, which both have again in every hand."""
AGENT, SLUMBOT = 0, 1  # the seats of a replayed table
BUTTON = 1  # the client's position on the button; 0 is the big blind
ACTIONS = re.compile(r"[kcf/]|b[1-9]\d*")
SPREAD = 1_000_003  # between the seeds of runs, which are those of their hands, one after the other


class SlumbotError(ValueError):
    """The server refused something, or said something that does not fit the rules. The message quotes it."""


class State(NamedTuple):
    """A hand as the server tells it. The last three fields are there when it is over."""

    token: str
    """Of the client's session at the server."""
    action: str
    """All actions so far."""
    position: int
    """The client's position, 0 for the big blind and 1 for the button."""
    hole_cards: Cards
    board: Cards
    bot_cards: Cards
    """Slumbot's hole cards; empty while they are unknown."""
    winnings: int | None
    """What the client has won, in chips; None while the hand goes on."""
    baseline: int | None
    """How much more that is than Slumbot won with the same cards against itself, in chips; None if it is unknown."""

    @classmethod
    def of(cls, answer: Mapping[str, Any], token: str | None = None) -> State:
        """Return the state in an answer of the server.

        Args:
            answer: The answer.
            token: The token to keep if the answer has none.

        Raises:
            SlumbotError: If the server reports an error, or fields are missing or wrong.
        """
        if answer.get("error_msg"):
            raise SlumbotError(f"Slumbot says: {answer['error_msg']}")
        own = _field(answer, "token", str) if answer.get("token") else token
        if own is None:
            raise SlumbotError(f"the answer has no token: {dict(answer)}")
        position = _field(answer, "client_pos", int)
        if position not in (0, 1):
            raise SlumbotError(f"client_pos is 0 or 1, not {position}")
        return cls(
            own,
            _field(answer, "action", str),
            position,
            _cards(answer, "hole_cards", (2,)),
            _cards(answer, "board", (0, 3, 4, 5)),
            _cards(answer, "bot_hole_cards", (2,)) if answer.get("bot_hole_cards") else Cards(()),
            None if answer.get("winnings") is None else _field(answer, "winnings", int),
            None if answer.get("baseline_winnings") is None else _field(answer, "baseline_winnings", int),
        )


def table_of(state: State, seed: int = 0, hand: int = 0) -> Table:
    """Return the hand, replayed on a Table in which the agent has seat 0 and Slumbot seat 1; every action is checked.

    Unknown cards are drawn by `seed` and `hand` from the remaining ones; at a showdown they agree with the winner.
    Views of seat 0 do not show them.

    Args:
        state: The state of the hand.
        seed: Seed of unknown cards.
        hand: The hand's number.

    Raises:
        SlumbotError: If the rules forbid an action, the number of board cards is wrong, or the hand should be over and
            is not, or the reverse.
    """
    button = AGENT if state.position == BUTTON else SLUMBOT
    try:
        table = Table(GAME, button=button, deck=_deck(state, button, SPREAD * seed + hand), seed=seed, hand=hand)
    except ValueError as error:
        raise SlumbotError(f"the cards {state.hole_cards} {state.board} {state.bot_cards}: {error}") from None
    _play(table, state.action)
    _check_end(table, state)
    return table


def action_of(move: int, table: Table) -> str:
    """An engine move in Slumbot's words. A fold where checking is free is "k": Slumbot takes no such fold."""
    if move > 0:
        return f"b{move}"
    if not table.legal.call:
        return "k"
    return "f" if move == FOLD else "c"


def _play(table: Table, actions: str) -> None:
    """Play a string of actions. Raises SlumbotError that says where it is wrong."""
    at = rounds = 0
    while at < len(actions):
        token = ACTIONS.match(actions, at)
        why = f"{actions[at]!r} is no action" if token is None else None
        if token and token[0] == "/":
            rounds += 1
            is_showdown = table.is_over and not any(map(table.is_folded, (AGENT, SLUMBOT)))
            last = len(GAME.board_cards) - 1 if is_showdown else table.street
            why = "no betting round has ended there" if rounds > last else None
        elif token:
            why = _played(table, token[0], rounds)
        if why or token is None:
            raise SlumbotError(f"the actions {actions!r}, at character {at + 1}: {why}")
        at = token.end()


def _played(table: Table, token: str, rounds: int) -> str | None:
    """Play one action. Returns what is wrong with it, or None. rounds: how many have been ended by a slash."""
    if table.actor is None:
        return "the hand is over"
    if rounds != table.street:
        return "a slash is missing: a new betting round has begun"
    price = table.legal.call
    if token == "k" and price:
        return f"a check, but there are {price} chips to call"
    if token == "c" and not price:
        return "a call, but there is nothing to call"
    try:
        table.play(int(token[1:]) if token[0] == "b" else FOLD if token == "f" else CHECK_CALL)
    except IllegalMove as error:
        return str(error)
    return None


def _check_end(table: Table, state: State) -> None:
    if state.winnings is None and table.actor != AGENT:
        turn = "the hand is over" if table.actor is None else "Slumbot is to act"
        raise SlumbotError(f"the actions {state.action!r}: {turn}, but the answer has no winnings")
    if state.winnings is not None and table.actor is not None:
        raise SlumbotError(f"the actions {state.action!r}: the hand is not over, but the answer has winnings")
    dealt, shown = len(table.board), len(state.board)
    if shown > dealt or (shown < dealt and not table.is_over):
        raise SlumbotError(f"the actions {state.action!r} deal {dealt} board cards, the answer has {shown}")


def _deck(state: State, button: int, seed: int) -> list[int]:
    unknown = Cards([UNKNOWN] * GAME.hole_cards)
    showdown = Showdown()
    if state.winnings is not None and not state.bot_cards and not state.action.endswith("f"):
        showdown = Showdown((AGENT,), (SLUMBOT,), SLUMBOT if state.winnings < 0 else None)
    return full_deck([state.hole_cards, state.bot_cards or unknown], state.board, button, showdown, seed)


def _field(answer: Mapping[str, Any], name: str, kind: type[Any]) -> Any:
    value = answer.get(name)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise SlumbotError(f"the answer has {name} {value!r}; it should be {kind.__name__}: {dict(answer)}")
    return value


def _cards(answer: Mapping[str, Any], name: str, counts: tuple[int, ...]) -> Cards:
    names = _field(answer, name, list)
    try:
        cards = parse_cards(" ".join(names))
    except (TypeError, ValueError) as error:
        raise SlumbotError(f"{name}: {error}") from None
    if len(cards) not in counts or UNKNOWN in cards:
        raise SlumbotError(f"{name}: {names} should be {' or '.join(map(str, counts))} cards")
    return Cards(cards)
