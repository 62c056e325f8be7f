"""TextEnv: a learner's seat in words, as a Gymnasium environment."""

from __future__ import annotations

import string
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, get_args

import gymnasium
import numpy as np
from gymnasium.spaces import Text

from ..agents.queries import SealedAgent
from ..arena.matches.players import AgentFailed
from ..arena.scoring.spot_file import GivenSpot
from ..arena.scoring.spot_play import dealt_spot
from ..compiled.records import Records
from ..envs.opponents import OpponentsLike, weighted_agents
from ..game.rules_input import RulesLike, as_rules
from ..protocols.text.answers import LONGEST
from ..protocols.text.text_agent import TRIES
from ..table.hand_setup import checked_seat, checked_seed
from ..table.table import Table
from ..utils.suggestions import known_keywords
from ..utils.validation import whole_number
from .outcomes import Ended, Outcome, played_again
from .prompts import Prompt
from .rewards import Reward, chips
from .table import ROW, TextTable, check_questions
from .worth import require_same_game, task_spots

Episode = Literal["hand", "session", "spot", "match"]
OPTIONS: dict[str, tuple[str, ...]] = {
    "hand": ("seat", "button", "hand", "deck"),
    "session": ("seat",),
    "spot": ("seat", "spot"),
    "match": ("seat", "button", "hand"),
}
LONGEST_TEXT = 1_000_000
SEATING = 7_171_717
"""Beside the seed, what the learner's seat is drawn by: nothing else draws by it."""


class TextEnv(gymnasium.Env[str, str]):
    """A learner's seat in words, `gymnasium.make("holdem_env/HoldemText-v0", ...)`, with text in and text out.

    `step(answer)` returns the text, the reward, terminated, truncated and `info`. Hands that end before the learner's
    first decision are skipped. After an answer that is no legal move, the text says what is legal. An opponent that
    fails ends the episode: it is truncated, with the error in `info["failed"]`. If a learner stops early, `give_up()`
    folds the rest of the episode, so that it does not escape its losses.

    `info` has "seat"; "faults" and "rejected", counts of this episode; and "chips", won in it by hands that are over.

    Args:
        rules: The game: Rules, a preset's name, a dict of fields, or the path of a YAML file.
        seat: The learner's. By default it follows from the seed, all seats equally often, and moves on with the
            episodes after it.
        opponents: An agent, its name or an (agent, weight) pair, or a list of them. The agent in each other seat is
            drawn for every episode.
        episode: "hand" is one hand. "session" is hands until the session is over, by the rules' `session`. "spot" is a
            hand from a river or a turn on, of `spots`. "match" is `deals` deals, each played from every seat.
        reward: One of `rewards`, a function of `Outcome`. By default chips in big blinds.
        memory: Number of earlier hands of a session in its texts.
        prompt: "full", "short", "arena", or a function of a SeatView.
        tries: How many answers it may give for a legal move. Then it checks or folds, which `info["faults"]` counts.
        spots: The name of a task such as "river-v1", or a list of `GivenSpot`. Their rules are those of the
            environment.
        deals: Deals of a match.
        log: A file to which each answer of the learner is appended as a JSON line: seed, hand, seat, try, prompt,
            answer, refusal (null for a legal move), seconds. Environments of one process may share it.

    Attributes:
        table: The TextTable of the episode, for observers; `table.hand` has all cards.

    >>> import gymnasium, holdem_env
    >>> env = gymnasium.make("holdem_env/HoldemText-v0", rules="kuhn", opponents="calling_station", prompt="short")
    >>> text, info = env.reset(seed=1)
    >>> text, reward, terminated, truncated, info = env.step("Action: fold")
    >>> text, reward, terminated
    ('The hand is over. You lost 1.', -1.0, True)
    """

    metadata: dict[str, Any] = {"render_modes": []}
    table: TextTable

    @known_keywords("TextEnv")
    def __init__(
        self,
        rules: RulesLike = "heads-up-no-limit",
        seat: int | None = None,
        opponents: OpponentsLike = "random",
        episode: Episode = "hand",
        reward: Reward | Callable[[Outcome], float] = chips,
        memory: int = 0,
        prompt: str | Prompt = "full",
        tries: int = TRIES,
        spots: str | Sequence[GivenSpot] = "river-v1",
        deals: int = 10,
        log: str | Path | None = None,
    ) -> None:
        if episode not in get_args(Episode):
            raise ValueError(f"episode: must be one of {', '.join(get_args(Episode))}, got {episode!r}")
        if memory and episode != "session":
            raise ValueError(f"memory: hands are remembered in a session, got memory={memory} with episode={episode!r}")
        if deals < 1:
            raise ValueError(f"deals: must be 1 or more, got {deals}")
        self.rules = as_rules(rules)
        if episode != "session" and self.rules.session is not None:
            self.rules = self.rules.replace(session=None)
        self.seat = None if seat is None else checked_seat(self.rules, seat)
        self.episode, self.reward, self.deals = episode, reward, deals
        self._drawn = weighted_agents(opponents, self.rules)
        self._asks: dict[str, Any] = {"prompt": prompt, "tries": tries, "memory": memory, "log": log}
        check_questions(**self._asks)
        self.spots = list(task_spots(spots)[0] if isinstance(spots, str) else spots) if episode == "spot" else []
        for game in (each.spot.game for each in self.spots):
            require_same_game(game, self.rules, "the spots")
        if isinstance(reward, Reward):
            reward.check_rules(self.rules)
            if reward.of_spots and episode != "spot":
                raise ValueError(f"reward: knows spots only, so episode must be 'spot', got {episode!r}")
        self.observation_space = Text(LONGEST_TEXT, min_length=0, charset=string.printable)
        self.action_space = Text(LONGEST, min_length=0, charset=string.printable)
        self._clones: dict[tuple[int, int], SealedAgent] = {}
        self._seed, self._over = 0, True
        self._number: int | None = None

    # Episodes

    def reset(self, *, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        """Begin an episode, and return the text and `info`.

        Args:
            seed: Seed of the episode. Without one the next episode follows.
            options: "seat"; for a hand "button", "hand" (the number of its deck) and "deck" (cards in dealing order,
                R4); for a spot "spot", its number.

        Raises:
            ValueError: If an option is unknown or invalid.
            AgentFailed: If an opponent fails before the learner's first decision.
        """
        super().reset(seed=seed)
        given = dict(options or {})
        if unknown := sorted(set(given) - set(OPTIONS[self.episode])):
            known = ", ".join(OPTIONS[self.episode])
            raise ValueError(f"options: must be some of {known}, got {', '.join(map(repr, unknown))}")
        if seed is not None or self._number is None:
            self._seed = checked_seed(int(self.np_random.integers(2**62)) if seed is None else seed)
            self._number = -1
        self._number = whole_number("hand", given.pop("hand", self._number + 1), "the number of a deck")
        if self._number < 0:
            raise ValueError(f"hand: must be 0 or more, got {self._number}")
        self._begin(given)
        while not self._until_asked(self._ended):  # the opponents ended it; a deck that was given does so again
            self._number += 1
            self._begin({name: value for name, value in given.items() if name != "deck"})
        return self.table.text, self._info()

    def _begin(self, given: Mapping[str, Any]) -> None:
        number, seats = self._number or 0, self.rules.seats
        random = np.random.default_rng([self._seed, number])
        first = int(np.random.default_rng([self._seed, SEATING]).integers(seats))
        in_turn = (first + number // seats) % seats if self.seat is None else self.seat
        learner = checked_seat(self.rules, given.get("seat", in_turn))
        shares = [share for _, share in self._drawn]
        drawn = random.choice(len(shares), seats, p=shares)
        self._seated = [self._clone(int(k), seat) for seat, k in enumerate(drawn)]
        self._deals = self._dealing(learner, given, random)
        hand, self._learner = next(self._deals)
        self.table = TextTable(self.rules, self._seed, hand=hand, session=hand is None, **self._asks)
        self._start, self._over, self._ended, self._chips = self.table.hand.records, False, list[Ended](), 0

    def _clone(self, number: int, seat: int) -> SealedAgent:
        """An opponent of a seat: the same one in each episode, unless it remembers hands."""
        agent = self._drawn[number][0]
        if (number, seat) not in self._clones or agent.wants_hand_over:
            self._clones[number, seat] = SealedAgent(agent.clone())
        return self._clones[number, seat]

    def _dealing(
        self, learner: int, given: Mapping[str, Any], random: np.random.Generator
    ) -> Iterator[tuple[Table | None, int]]:
        """The hands of an episode, each with the learner's seat; None is the next hand of a session."""
        number, seats = self._number or 0, self.rules.seats
        button = int(given.get("button", (int(np.random.default_rng(self._seed).integers(seats)) + number) % seats))
        if self.episode == "session":
            yield None, learner
            while not self._session_over(learner):
                yield None, learner
        elif self.episode == "spot":
            yield self._spot(int(given.get("spot", number % len(self.spots))), random), learner
        elif self.episode == "hand":
            yield self._hand(number, button, given.get("deck")), learner
        else:
            for deal in range(self.deals):
                for turn in range(seats):
                    where = number * self.deals + deal
                    yield self._hand(where, (button + deal) % seats), (learner + turn) % seats

    def _hand(self, number: int, button: int, deck: Any = None) -> Table:
        return Table(self.rules, button=button, deck=deck, seed=self._seed, hand=number)

    def _spot(self, number: int, random: np.random.Generator) -> Table:
        """A hand at a spot; the button is in seat 0."""
        if not 0 <= number < len(self.spots):
            raise ValueError(f"spot: must be 0 to {len(self.spots) - 1}, got {number}")
        given = self.spots[number]
        dealt = dealt_spot(self.rules, given, 1, random)
        table = Table(self.rules, deck=dealt["deck"][0, : len(self.rules.deck)].tolist(), seed=self._seed)
        for move in (move for street in given.spot.moves for move in street):
            table.play(move)
        return table

    def _session_over(self, learner: int) -> bool:
        session = self.table.session
        assert session is not None
        return session.is_over or session.places[learner] > 0

    # Steps

    def step(self, answer: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Play the learner's answer, then the opponents' moves up to its next decision or the end of the episode.

        Raises:
            TypeError: If the answer is not text.
            ValueError: Before reset, or after the end of the episode.
        """
        if self._over:
            raise ValueError("step: the episode is over; call reset() first")
        answered, ended, failed = self.table.answer(answer), list[Ended](), None
        try:
            self._over = not self._until_asked(ended)
        except AgentFailed as error:
            self._over, failed = True, str(error)
        self._chips += sum(hand.chips for hand in ended)
        reward = float(self.reward(Outcome(self.rules, answered, (*self._ended, *ended))))
        self._ended = []
        info = self._info() | ({} if failed is None else {"failed": failed})
        return self._text(failed), reward, self._over and failed is None, failed is not None, info

    def give_up(self) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Fold the hand and the rest of the episode, and return as `step`, with the sum of the rewards.

        Call it for a learner that has stopped answering.

        Raises:
            ValueError: Before reset, or after the end of the episode.
        """
        text, reward, terminated, truncated, info = self.step("fold")
        while not self._over:
            text, more, terminated, truncated, info = self.step("fold")
            reward += more
        return text, reward, terminated, truncated, info

    def _until_asked(self, ended: list[Ended]) -> bool:
        """Let opponents play, and hand follow hand, until the learner is to act; False if the episode ends before.
        ended: gets the hands that end. Raises AgentFailed."""
        table = self.table
        while table.seat != self._learner:
            if table.seat is not None:
                table.ask(self._seated[table.seat])
                continue
            ended.append(self._ended_hand())
            following = next(self._deals, None)
            if following is None:
                return False
            hand, self._learner = following
            table.deal(hand)
            self._start = table.hand.records
        return True

    def _ended_hand(self) -> Ended:
        hand, seats, learner, start = self.table.hand, self.rules.seats, self._learner, self._start
        agents = tuple(self._seated[seat if seat != learner else (seat + 1) % seats].agent for seat in range(seats))
        if self.episode == "session":
            for seat, asked in enumerate(self._seated):
                if seat != learner and asked.agent.wants_hand_over and hand.records["was_dealt"][0, seat]:
                    asked.report_finished_hands(hand.records, hand.rules, ROW, np.array([seat]))

        def again(times: int) -> Records:
            return played_again(start, hand.rules, agents, times)

        return Ended(self.rules, hand.records, learner, agents, again)

    def _text(self, failed: str | None) -> str:
        if failed is not None:
            return "An opponent has failed; the hand is broken off."
        if not self._over:
            return self.table.text
        won = "won" if self._chips >= 0 else "lost"
        return (
            f"{'The hand' if self.episode in ('hand', 'spot') else 'The game'} is over. You {won} {abs(self._chips)}."
        )

    def _info(self) -> dict[str, Any]:
        table, seat = self.table, self._learner
        return {"seat": seat, "faults": sum(table.faults), "rejected": sum(table.rejected), "chips": self._chips}
