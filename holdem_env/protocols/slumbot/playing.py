"""An agent plays hands against Slumbot."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ...agents.error_places import with_place
from ...agents.protocol import Agent
from ...agents.queries import SealedAgent
from ...engine.record import FOLD
from ...history import phh
from ...table.table import Table
from .client import SlumbotClient
from .hands import AGENT, GAME, SlumbotError, State, action_of, table_of

ONE_ROW = np.zeros(1, np.int64)
OWN_SEAT = np.array([AGENT])


class PlayedHand(NamedTuple):
    """A finished hand."""

    number: int
    """From 0."""
    table: Table
    """The agent has seat 0, Slumbot seat 1."""
    state: State
    """What the server has said of it last."""
    free_folds: int
    """How often the agent folded where checking was free, and checked instead."""

    @property
    def winnings(self) -> int:
        """What the agent has won, in chips, as the server says."""
        return self.state.winnings or 0

    @property
    def baseline(self) -> int | None:
        """How much more it has won than Slumbot did with the same cards against itself, in chips; None if the server
        does not say."""
        return self.state.baseline

    @property
    def is_as_ruled(self) -> bool:
        """Whether the rules give the same result as the server. True if Slumbot's cards are unknown."""
        is_known = bool(self.state.bot_cards) and len(self.state.board) == len(self.table.board)
        return not is_known or self.table.payoffs[AGENT] == self.winnings


def play_slumbot(agent: Agent, client: SlumbotClient, hands: int, seed: int = 0) -> Iterator[PlayedHand]:
    """Play hands against Slumbot, and yield each when it is finished.

    The agent sees what its seat may see. An agent with memory (a method `reset`) is reset before the first hand. If it
    has a method `hand_over`, it is called with how each hand ended. Hands that were yielded stay good after an error.

    Args:
        agent: The agent.
        client: The session at the server, which deals.
        hands: Number of hands.
        seed: Seed of the random numbers that an agent takes from the deal.

    Raises:
        ValueError: If the agent fails or makes an illegal move.
        SlumbotError: If the server refuses a request or breaks the rules.
        HttpError: If the server cannot be reached. It is an OSError.
    """
    agent.reset()
    player = SealedAgent(agent)
    for number in range(hands):
        yield _play_hand(player, client, seed, number)


def _play_hand(player: SealedAgent, client: SlumbotClient, seed: int, number: int) -> PlayedHand:
    state, free_folds = client.new_hand(), 0
    table = table_of(state, seed, number)
    while state.winnings is None:
        with _naming(player.agent):
            move = int(player.moves(table.records, GAME, ONE_ROW)[0])
        free_folds += move == FOLD and not table.legal.call
        before, state = state, client.act(action_of(move, table))
        if not state.action.startswith(before.action) or state.hole_cards != before.hole_cards:
            raise SlumbotError(f"the hand has changed from {before} to {state}")
        table = table_of(state, seed, number)
    if player.agent.wants_hand_over:
        with _naming(player.agent):
            player.report_finished_hands(table.records, GAME, ONE_ROW, OWN_SEAT)
    return PlayedHand(number, table, state, free_folds)


@contextmanager
def _naming(agent: Agent) -> Iterator[None]:
    """Whatever goes wrong in an agent is a ValueError that names it."""
    try:
        yield
    except Exception as error:
        reason = with_place(agent, error)
        name = "" if repr(agent.name) in reason else f"agent {agent.name!r}: "
        raise ValueError(f"{name}{type(error).__name__}: {reason}") from error


class SavedHands:
    """A writer of finished hands to a .phhs file, one by one, so that an interruption loses no finished hand.

    Args:
        path: A new .phhs file.
        name: The agent's name.

    Raises:
        ValueError: If the suffix is not .phhs.
        FileExistsError: If the file exists.
    """

    def __init__(self, path: Path, name: str) -> None:
        if path.suffix != ".phhs":
            raise ValueError(f"{path}: hands go into a .phhs file")
        self.path, self._players = path, [name, "Slumbot"]
        try:
            path.open("x", encoding="utf-8").close()
        except FileExistsError:
            raise FileExistsError(f"{path} exists already; name a new file") from None

    def add(self, hand: PlayedHand) -> None:
        """Write a hand, with Slumbot's cards if they are known, and what the server said that it won."""
        state, number = hand.state, hand.number + 1
        known = {*state.hole_cards, *state.bot_cards, *state.board}
        results = {"_winnings": state.winnings, "_baseline_winnings": state.baseline}
        metadata = {name: value for name, value in results.items() if value is not None}
        text = phh.dumps(hand.table, hand=number, players=self._players, known=known, metadata=metadata)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(phh.in_phhs(text, number))
