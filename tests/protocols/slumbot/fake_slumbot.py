"""A server that speaks Slumbot's protocol on loopback. It plays by our engine, and takes no action but the right ones.

It keeps its own string of actions, word by word as an action is played, and shares no code with the client.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from holdem_env import Rules, Table
from holdem_env.cards.text import card_name
from protocols.loopback import Asked, Loopback, Reply, serving

GAME = Rules(seats=2, blinds=(50, 100), stacks=20_000)
BOT, CLIENT = 0, 1


def texts(cards: Any) -> list[str]:
    return [card_name(card) for card in cards]


class Game:
    """One hand of a session. The client has the big blind in even hands."""

    def __init__(self, seed: int, number: int, policy: Callable[[Table, random.Random], int]) -> None:
        self.position, self.random, self.policy = number % 2, random.Random(f"{seed}-{number}"), policy
        self.table = Table(GAME, button=CLIENT if self.position else BOT, seed=seed, hand=number)
        self.action = ""
        self.let_the_bot_play()

    def let_the_bot_play(self) -> None:
        while self.table.actor == BOT:
            self.play(self.policy(self.table, self.random))

    def play(self, move: int) -> None:
        street, call = self.table.street, self.table.legal.call
        self.action += "f" if move < 0 else f"b{move}" if move else "c" if call else "k"
        self.table.play(move)
        if move >= 0:
            self.action += "/" * ((3 if self.table.is_over else self.table.street) - street)

    def take(self, word: str) -> str | None:
        """Play the client's action. Returns what is wrong with it, or None."""
        legal = self.table.legal
        if self.table.actor != CLIENT:
            return "It is not your turn"
        if not re.fullmatch(r"k|c|f|b[1-9]\d*", word):
            return "Could not parse action"
        if word == "k" and legal.call:
            return "Illegal check"
        if word == "c" and not legal.call:
            return "Illegal call"
        if word == "f" and not legal.call:
            return "Illegal fold"
        if word[0] == "b" and (legal.raise_min is None or not legal.raise_min <= int(word[1:]) <= legal.raise_max):
            return "Illegal bet"
        self.play({"k": 0, "c": 0, "f": -1}.get(word, 0) or int(word[1:] or 0))
        self.let_the_bot_play()
        return None

    def seen(self, token: str) -> dict[str, Any]:
        hole, board = texts(self.table.hole_cards(CLIENT)), texts(self.table.board)
        answer = {"old_action": "", "action": self.action, "client_pos": self.position}
        answer |= {"hole_cards": hole, "board": board, "token": token}
        if self.table.is_over:
            won = self.table.payoffs[CLIENT]
            answer |= {"bot_hole_cards": texts(self.table.hole_cards(BOT)), "winnings": won, "won_pot": 2 * won}
            answer |= {"baseline_winnings": won + 50, "session_num_hands": 1}
        return answer


def caller(table: Table, _: random.Random) -> int:
    return 0


def wild(table: Table, dice: random.Random) -> int:
    """Folds, calls, raises of all sizes, all-ins."""
    legal, throw = table.legal, dice.random()
    if throw < 0.1 and legal.call:
        return -1
    if throw < 0.5 or legal.raise_min is None:
        return 0
    assert legal.raise_max is not None
    return dice.choice([legal.raise_min, legal.raise_max, dice.randint(legal.raise_min, legal.raise_max)])


class FakeSlumbot:
    """The sessions of a server. fault: given each request and how many came before, it may answer instead."""

    def __init__(
        self,
        seed: int = 1,
        policy: Callable[[Table, random.Random], int] = wild,
        fault: Callable[[Asked, int], Any] | None = None,
    ) -> None:
        self.seed, self.policy, self.fault = seed, policy, fault
        self.games: dict[str, Game] = {}
        self.requests = self.dealt = 0
        self.played: list[Game] = []

    def answer(self, asked: Asked) -> Any:
        self.requests += 1
        if self.fault and (instead := self.fault(asked, self.requests - 1)) is not None:
            return instead
        token = asked.body.get("token")
        if asked.path.endswith("/new_hand"):
            if token is not None and token not in self.games:
                return {"error_msg": "Unknown token"}
            token = token or f"session-{len(self.games)}"
            self.games[token] = Game(self.seed, self.dealt, self.policy)
            self.played.append(self.games[token])
            self.dealt += 1
            return self.games[token].seen(token)
        if asked.path.endswith("/act"):
            if token not in self.games:
                return {"error_msg": "Unknown token"}
            wrong = self.games[token].take(asked.body["incr"])
            return {"error_msg": wrong} if wrong else self.games[token].seen(token)
        return Reply(404, {"error_msg": "No such page"})


@contextmanager
def fake_slumbot(**options: Any) -> Iterator[tuple[FakeSlumbot, Loopback]]:
    """A server as long as the block runs; its address is `loopback.url + "/api"`."""
    fake = FakeSlumbot(**options)
    with serving(fake.answer) as loopback:
        yield fake, loopback
