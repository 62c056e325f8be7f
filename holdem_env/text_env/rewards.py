"""Rewards of decisions in words: `chips`, `aivat`, `duplicate`, `regret`, `solution`, `format_faults`.

Each is a function of what an answer led to (`Outcome`), and they add up: `chips + 0.1 * solution(solved) -
format_faults`. Chips of any kind are in big blinds (`Rules.unit`), of the learner's hands that are over; they come at
the end of a hand. Regrets and log-probabilities come with each decision.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..agents.facts import AgentFacts
from ..agents.protocol import Agent
from ..agents.registry import make_agent
from ..arena.estimators.aivat import KINDS, Aivat, Hands, HeuristicValues, Values, moves_of, net_chips, plain_weights
from ..arena.estimators.imaginary import ImaginaryAivat
from ..arena.matches.batches import in_batches
from ..compiled.records import Records
from ..engine import batch
from ..engine.record import TABLE, new_log, new_records
from ..game.rules import Rules
from ..game.rules_input import RulesLike, as_rules
from ..solvers.solution import Solution
from .outcomes import Ended, Outcome, played_out
from .table import Answered
from .worth import AgentWorth, Check, GameWorth, SpotsWorth, Worth, task_spots

LEAST = 1e-3
"""The probability that `solution` takes for a move that the solution makes less often."""


Ends = Callable[[Records, Ended], NDArray[np.float64]]


class Reward:
    """A number for what an answer led to; sums and multiples of rewards are rewards.

    Args:
        function: Maps a `Outcome` to the number.
        ends: Maps (tables, ended) to the worth of a finished hand to the learner, in chips, (N,). Rewards that have one
            can be made duplicate.
        checks: Each raises ValueError for a game that the reward does not support.
        of_spots: True if it, or a part of it, is 0 anywhere but in the spots of a task.
    """

    def __init__(
        self,
        function: Callable[[Outcome], float],
        ends: Ends | None = None,
        checks: Sequence[Check] = (),
        of_spots: bool = False,
    ) -> None:
        self.function, self.ends, self.checks, self.of_spots = function, ends, tuple(checks), of_spots
        self._checked: Rules | None = None

    def check_rules(self, rules: Rules) -> None:
        """Raise ValueError for a game that the reward, or a part of it, does not know."""
        if rules is not self._checked:
            for check in self.checks:
                check(rules)
            self._checked = rules

    def __call__(self, outcome: Outcome) -> float:
        """The reward. It does not depend on what the learner may not influence but by the luck that it leaves in.
        Raises as `check_rules`."""
        self.check_rules(outcome.rules)
        return float(self.function(outcome))

    def __add__(self, other: Reward) -> Reward:
        checks, of_spots = self.checks + other.checks, self.of_spots or other.of_spots
        return Reward(lambda outcome: self(outcome) + other(outcome), checks=checks, of_spots=of_spots)

    def __mul__(self, weight: float) -> Reward:
        return Reward(lambda outcome: weight * self(outcome), checks=self.checks, of_spots=self.of_spots)

    __rmul__ = __mul__

    def __neg__(self) -> Reward:
        return self * -1.0

    def __sub__(self, other: Reward) -> Reward:
        return self + -other


def _of_ends(ends: Ends, checks: Sequence[Check] = ()) -> Reward:
    def function(outcome: Outcome) -> float:
        return sum(float(ends(hand.tables, hand)[0] / float(hand.rules.unit)) for hand in outcome.hands)

    return Reward(function, ends, checks)


def _net(tables: Records, ended: Ended) -> NDArray[np.float64]:
    won = tables["seats"]["stack"][:, ended.seat] - tables["start_stack"][:, ended.seat]
    return np.asarray(won, np.float64)


chips = _of_ends(_net)
"""What the learner won in the hand, in big blinds."""
format_faults = Reward(lambda outcome: float(outcome.answered is None or outcome.answered.is_fault))
"""1 for each answer that was no legal move, so that its weight is negative."""


def aivat(
    weights: ArrayLike | None = None, imaginary: bool = False, plays: int = 0, learner: Agent | None = None
) -> Reward:
    """Return `chips` without the luck of the cards, and of opponents whose probabilities are known: AIVAT's estimate.

    Its mean is that of `chips` whatever the learner does. The learner's own sampling noise stays in: a gradient learns
    from it. Environments refuse games that AIVAT does not support.

    Args:
        weights: Weights of the value function, as `Aivat` takes them and `learnt_weights` finds them. By default a hand
            is worth its share of the pot.
        imaginary: Also weigh in what else a known opponent could have held; for two seats.
        plays: If above 0, the value of a position is the mean of this many plays from there on. The opponents and the
            learner's stand-in play them, with the same cards to come. That is AIVAT and `duplicate` in one. The mean is
            that of `chips` but for a constant that the learner cannot influence. Little noise is left but the learner's
            own sampling.
        learner: An agent that plays as the learner does, for stand-in. If it gives probabilities, its sampling noise is
            taken out, too. So a `TextPolicy` is measured, not trained.

    Raises:
        ValueError: If options do not go together.
    """
    if plays < 0 or (plays and (weights is not None or imaginary)) or (learner is not None and not plays):
        raise ValueError("aivat: plays must be 0 or more, alone or with learner, and learner goes with plays only")
    given = None if weights is None else np.asarray(weights, np.float64)

    def check(rules: Rules) -> None:
        column = Aivat(given)
        if why := (ImaginaryAivat(column) if imaginary else column).why_not(rules):
            raise ValueError(why)
        if learner is not None:
            learner.check_rules(rules)

    if plays:
        return _of_ends(lambda tables, ended: _Plays(tables, ended, plays, learner).estimates(), [check])

    def ends(tables: Records, ended: Ended) -> NDArray[np.float64]:
        own = plain_weights(1 + KINDS * ended.rules.streets) if given is None else given
        column: Aivat = Aivat(own)
        if imaginary:
            column = ImaginaryAivat(column)
        seating, agents = _players(tables, ended, _Learner())
        return np.asarray(column.values(tables, ended.rules, seating, agents)[:, ended.seat], np.float64)

    return _of_ends(ends, [check])


def _players(tables: Records, ended: Ended, learner: Agent) -> tuple[NDArray[np.int64], list[Agent]]:
    """Who played, (N, seats), and the agents by seat, `learner` in the learner's."""
    agents = [learner if seat == ended.seat else agent for seat, agent in enumerate(ended.agents)]
    return np.tile(np.arange(len(agents)), (len(tables), 1)), agents


class _Plays(Hands):
    """AIVAT's terms (Burch et al. 2018) with means of plays for values. As the cards to come are the same
    in all of them, the terms of all cards together are what the deal is worth to the stand-in."""

    def __init__(self, tables: Records, ended: Ended, times: int, learner: Agent | None) -> None:
        self._ended, self._times, self._finished = ended, times, tables
        seating, known = _players(tables, ended, _Learner() if learner is None else learner)
        self._players = [*ended.agents] if learner is None else known
        super().__init__(tables, ended.rules, seating, known)

    def estimates(self) -> NDArray[np.float64]:
        """(N,) what the learner won in the hands, less the terms, in chips."""
        dealt = self.values(self.tables, np.arange(len(self.tables)), self.shares).plain
        for rows, moves in moves_of(self._finished):
            self.play(rows, moves)
        found: NDArray[np.float64] = net_chips(self._finished, self.rules) - dealt + self.plain
        return found[:, self._ended.seat]

    def values(self, tables: Records, rows: NDArray[np.int64], shares: Values) -> HeuristicValues:
        plays = np.repeat(tables, self._times)
        plays["table_id"] = np.tile(np.arange(self._times), len(tables))  # agents draw by it
        won = net_chips(played_out(plays, self.rules, self._players), self.rules)
        plain = won.reshape(len(tables), self._times, -1).mean(axis=1)
        return HeuristicValues(plain, np.zeros((*plain.shape, self.features.shape[2])))

    def _deal(self) -> None:
        self.shares = np.zeros(self.plain.shape)

    def _board_came(self, rows: NDArray[np.int64], after: Records, board: NDArray[np.int64]) -> None:
        """The cards to come are the same in every play."""


def learnt_weights(
    rules: RulesLike, opponent: str | Agent, learner: str | Agent | None = None, deals: int = 2_000, seed: int = 0
) -> NDArray[np.float64]:
    """Return weights for `aivat` that leave little luck in a game.

    Scripted agents play the deals, which cost no answers. Every weight is right on average for all players; those of
    agents that play alike leave the least luck.

    Args:
        rules: The game.
        opponent: As in the environment.
        learner: An agent that plays as the learner may; by default the opponent.
        deals: Deals to play.
        seed: Seed of the decks.

    Raises:
        ValueError: If AIVAT or one of the agents does not support the game.
    """
    game, column = as_rules(rules), Aivat()
    if why := column.why_not(game):
        raise ValueError(why)
    other = make_agent(opponent)
    agents = [other if learner is None else make_agent(learner), *[other] * (game.seats - 1)]
    for agent in agents[:2]:
        agent.check_rules(game)
    tables = new_records(TABLE, deals)
    batch.number_tables(tables, seed, 0, 0)
    tables["button"] = np.arange(deals) % game.seats
    batch.deal_hands(tables, game.record, new_log(listening=False), np.arange(deals))
    played_out(tables, game, agents)
    seating = np.tile(np.minimum(np.arange(game.seats), 1), (deals, 1))
    for block in [*in_batches(deals, deals, [column.next_block or deals]), slice(-1, None)]:  # the last learns from all
        column.values(tables[block], game, seating[block], [_Learner(), other])
    assert column.weights is not None
    return column.weights


class _Learner(Agent):
    """Stands for the learner where its probabilities are asked for: nobody knows them."""

    name = "learner"
    facts = AgentFacts(is_trusted=False)

    def act(self, tables: Records, rules: Rules, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        raise NotImplementedError("the learner answers in words")


def duplicate(reward: Reward = chips, times: int = 1) -> Reward:
    """Return a reward of chips less what the same deal brings to a stand-in with the learner's cards.

    The stand-in is the opponent in the next seat. The part it takes off depends on nothing that the learner does, so
    gradients stay as they are, with less luck in them.

    Args:
        reward: A reward of chips.
        times: Number of the stand-in's plays, whose mean is taken off.

    Raises:
        ValueError: If the reward is not a win of chips (`chips`, `aivat`), or `times` is below 1.
    """
    if reward.ends is None:
        raise ValueError("duplicate: reward must be chips or aivat, alone and without a weight")
    if times < 1:
        raise ValueError(f"duplicate: times must be 1 or more, got {times}")
    own = reward.ends

    def ends(tables: Records, ended: Ended) -> NDArray[np.float64]:
        return np.asarray(own(tables, ended) - own(ended.again(times), ended).mean(), np.float64)

    return _of_ends(ends, reward.checks)


def less_group_mean(rewards: Sequence[float]) -> NDArray[np.float64]:
    """Return the rewards of N answers to one prompt, or of N plays of one deal, less the mean of the others: (N,).

    GRPO and RLOO use this advantage, with no bias.

    >>> less_group_mean([1.0, 2.0, 6.0]).tolist()
    [-3.0, -1.5, 4.5]

    Raises:
        ValueError: If there are fewer than two rewards.
    """
    given = np.asarray(rewards, np.float64)
    if given.ndim != 1 or len(given) < 2:
        raise ValueError(f"rewards: must be two or more numbers, got shape {given.shape}")
    others: NDArray[np.float64] = (given.sum() - given) / (len(given) - 1)
    return given - others


WorthLike = Solution | str | Agent | Worth
"""Argument of `regret` and `solution`, such as a game solved by `solve`, the name of a task with spots ("river-v1"), an
agent with probabilities, or a `Worth`."""


def worth_of(known: WorthLike) -> Worth:
    """Return what a solution says of decisions.

    Raises:
        TypeError: If `known` is not a solution, a task's name, an agent or a `Worth`.
    """
    if isinstance(known, Solution):
        if not known.is_whole:
            raise TypeError("give the solution of a whole game, of `solve`; of spots a task's name, such as 'river-v1'")
        return GameWorth(known)
    if isinstance(known, str):
        return SpotsWorth(*task_spots(known))
    if isinstance(known, Agent):
        return AgentWorth(known)
    if hasattr(known, "values") and hasattr(known, "probabilities"):
        return known
    raise TypeError(f"give a solution, a task's name or an agent with probabilities, got {type(known).__name__}")


def _of_decisions(worth: Worth, of: Callable[[Outcome, Answered], float]) -> Reward:
    """A reward of the answers that were played."""

    def function(outcome: Outcome) -> float:
        return 0.0 if outcome.answered is None else of(outcome, outcome.answered)

    checks = [worth.check_rules] if hasattr(worth, "check_rules") else []  # one of the reader's own may have none
    return Reward(function, checks=checks, of_spots=isinstance(worth, SpotsWorth))


def regret(known: WorthLike) -> Reward:
    """Return minus what a decision loses against the exact solution, in big blinds.

    It is 0 for every move in the solution's support and below 0 for any other. It has no luck of the cards or of the
    opponents' sampling. Regret alone is silent where the solution mixes; see `solution`.

    Args:
        known: A `Solution` (Kuhn, Leduc, no-limit Leduc), "river-v1" or "turn-v1" for their spots, or a
            `BlueprintWorth` for the first betting round. A decision that the solution never reaches counts 0.
    """
    worth = worth_of(known)
    if isinstance(worth, AgentWorth):
        raise TypeError(f"regret: agent {worth.agent.name!r} gives no values; give a solution")

    def loss(outcome: Outcome, answered: Answered) -> float:
        values = worth.values(answered.before, answered.move)
        return (values[answered.move] - max(values.values())) / float(outcome.rules.unit) if values else 0.0

    return _of_decisions(worth, loss)


def solution(known: WorthLike, least: float = LEAST) -> Reward:
    """Return the log-probability that the solution gives to the move, at least log(least).

    It is 0 where the solution has nothing to say. Regret alone is silent where the solution mixes: all moves in its
    support cost nothing. A policy that maximises it may play any of them always, and be exploited for it. The mean of
    this reward alone is largest for the solution's likeliest move. With an entropy bonus of the same weight, E[log
    s(a)] + H(p) = -KL(p, s), and the solution itself is the optimum.

    Args:
        known: As in `regret`, or any agent with probabilities.
        least: Lower bound of the probability.
    """
    if not 0 < least < 1:
        raise ValueError(f"solution: least must be between 0 and 1, got {least}")
    worth = worth_of(known)

    def log_probability(outcome: Outcome, answered: Answered) -> float:
        likely = worth.probabilities(answered.before, answered.move, outcome.rules)
        return math.log(max(likely.get(answered.move, 0.0), least)) if likely else 0.0

    return _of_decisions(worth, log_probability)
