"""Rewards in words: what they pay for, what they leave out, and what maximises them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import permutations
from math import log
from typing import Any

import numpy as np
import pytest

from holdem_env import Table
from holdem_env.agents.known_strategy import KnownStrategy
from holdem_env.agents.registry import make_agent
from holdem_env.arena import exploitability
from holdem_env.arena.best_responses.exploitability import exact_value
from holdem_env.engine.legality import move_text
from holdem_env.game.rules import Rules
from holdem_env.solvers import solve
from holdem_env.solvers.solution import Solution
from holdem_env.text_env import Answered, TextEnv, TextPolicy, rewards
from holdem_env.text_env.outcomes import Outcome
from holdem_env.text_env.prompts import short
from holdem_env.text_env.rewards import Reward, aivat, chips, duplicate, format_faults, less_group_mean, regret
from holdem_env.text_env.worth import BlueprintWorth, GameWorth


@cache
def solved(game: str) -> Solution:
    return solve(game, accuracy={"kuhn": 1e-4, "leduc": 0.02}[game])


def paid(reward: Reward, table: Table, move: int) -> float:
    """What a reward pays for a move alone."""
    view = table.view()
    return reward(Outcome(table.rules, Answered(view.seat, move, view.records, 0, False)))


def kuhn_table(deck: str, *moves: int) -> Table:
    table = Table("kuhn", deck=deck)
    for move in moves:
        table.play(move)
    return table


@pytest.mark.parametrize(
    ("deck", "moves", "move", "loss"),
    [
        ("KsQs", (), -1, 2 + 1 / 6),  # the first to act has the king, worth 1 1/6 in a pot of 2
        ("KsQs", (), 1, 0),
        ("QsKs", (1,), -1, 3),
        ("QsKs", (1,), 0, 0),
        ("JsQs", (0,), 0, 0),
        ("KsJs", (1,), 0, 1),
    ],
)
def test_regret_in_kuhn_is_what_a_move_loses(deck: str, moves: tuple[int, ...], move: int, loss: float) -> None:
    assert paid(regret(solved("kuhn")), kuhn_table(deck, *moves), move) == pytest.approx(-loss, abs=0.02)


class Deviating(KnownStrategy):
    """Plays a solution but for one decision: with a king against a bet on a board with a king it makes one move."""

    name = "deviating"

    def __init__(self, solution: Solution, move: int) -> None:
        super().__init__()
        self.inner, self.move = solution.agent(), move

    def probabilities(self, tables, rules, rows):  # type: ignore[no-untyped-def]
        moves, likely = self.inner.probabilities(tables, rules, rows)
        for k, t in enumerate(tables[rows]):
            faces_bet = t["moves"] == 3 and t["made"]["move"][:3].tolist() == [0, 0, 4]
            if faces_bet and {t["hole"][t["actor"], 0] // 4, t["board"][0] // 4} == {11}:
                likely[k] = moves[k] == self.move
        return moves, likely


def test_regret_in_leduc_is_as_exact_values_say() -> None:
    """The differences between two deviations' values are in proportion to the moves' worth."""
    table = Table("leduc", deck="QsKsKh")
    for move in (0, 0, 4):
        table.play(move)
    worth = GameWorth(solved("leduc")).values(table.view().records, 0)
    agent, raises = solved("leduc").agent(), max(worth)
    fold, call, raised = (exact_value(Deviating(solved("leduc"), move), agent, "leduc") for move in (-1, 0, raises))
    assert fold < call < raised
    ratio = (call - fold) / (raised - fold)
    assert (worth[0] - worth[-1]) / (worth[raises] - worth[-1]) == pytest.approx(ratio, rel=1e-6)


def learnt(reward: Reward, policy: Callable[[np.ndarray], np.ndarray]) -> TextPolicy:
    """A policy over the prompts of Kuhn. policy: log-probabilities by the rewards of a prompt's answers."""
    known: dict[str, dict[str, float]] = {}
    for deck in permutations(("Js", "Qs", "Ks"), 2):
        for moves in [(), (0,), (1,), (0, 1)]:
            table = kuhn_table("".join(deck), *moves)
            view = table.view()
            offered = [move for move in table.abstract_moves() if move >= 0 or view.legal.call]
            known[short(view)] = {
                move_text(move, view.legal.call, not any(view.bets)): paid(reward, table, move) for move in offered
            }

    def ask(prompts: list[str], answers: list[list[str]]) -> list[np.ndarray]:
        return [
            policy(np.array([known[prompt][answer] for answer in each]))
            for prompt, each in zip(prompts, answers, strict=True)
        ]

    return TextPolicy(ask)


def test_regret_alone_may_be_exploited_and_log_probability_with_entropy_may_not() -> None:
    """Regret is 0 for all that the solution mixes, so whichever of these a policy makes always is a maximum of it. Of
    the log-probability with an entropy bonus of the same weight the maximum is softmax(reward): the solution."""

    def never_bluffs(given: np.ndarray) -> np.ndarray:
        return np.where(np.arange(len(given)) == int(np.argmax(given > -0.01)), 0.0, -np.inf)

    silent = learnt(regret(solved("kuhn")), never_bluffs)
    mixed = learnt(rewards.solution(solved("kuhn"), least=1e-6), lambda given: given)
    assert exploitability(silent, "kuhn") > 0.1
    assert exploitability(mixed, "kuhn") < 0.001
    assert (silent.asked, mixed.asked) == (12, 12)


def test_log_probability_of_any_agent_and_its_least() -> None:
    reward = rewards.solution(make_agent("calling_station"))
    table = Table("heads-up-no-limit", seed=1)
    assert paid(reward, table, 0) == 0.0
    assert paid(reward, table, -1) == pytest.approx(log(1e-3))


def won(reward: Reward, game: str, opponent: object, hands: int, answer: str = "Action: call") -> np.ndarray:
    """(hands,): what somebody wins who checks and calls, or folds."""
    env = TextEnv(game, opponents=opponent, reward=reward)  # type: ignore[arg-type]
    found = []
    for hand in range(hands):
        env.reset(seed=None if hand else 1)
        total, over = 0.0, False
        while not over:
            said = "Action: check" if answer != "Action: fold" and not env.table.hand.legal.call else answer
            _, paid_now, over, _, _ = env.step(said)
            total += paid_now
        found.append(total)
    return np.array(found)


def test_aivat_and_duplicates_leave_less_luck_and_keep_the_mean() -> None:
    agent = solved("kuhn").agent()
    raw, luckless, both = (won(reward, "kuhn", agent, 150) for reward in (chips, aivat(), duplicate(aivat(), times=8)))
    assert raw.var() > 5 * luckless.var()
    error = np.sqrt((raw - luckless).var() / len(raw))
    assert abs((raw - luckless).mean()) < 4 * error
    assert both.var() < luckless.var()


@pytest.mark.parametrize("reward", [duplicate(chips, 2), aivat(plays=2)])
def test_the_baseline_of_a_duplicate_does_not_see_what_the_learner_does(reward: Reward) -> None:
    baselines = []
    for answer in ("Action: call", "Action: fold"):
        less, raw = (won(each, "leduc", "calling_station", 12, answer) for each in (reward, chips))
        baselines.append(raw - less)
    np.testing.assert_allclose(*baselines)


def test_plays_for_values_leave_the_learners_draws_alone() -> None:
    """It calls: with its like for stand-in there is nothing left but how well the plays guess."""
    agent, caller = solved("leduc").agent(), make_agent("calling_station")
    raw, guessed = (won(reward, "leduc", agent, 80) for reward in (chips, aivat(plays=40, learner=caller)))
    assert raw.var() > 20 * guessed.var()


@pytest.mark.parametrize("learner", [None, "calling_station"])
def test_the_terms_of_opponents_draws_are_zero_on_average(learner: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    sums = []
    estimates = rewards._Plays.estimates

    def noted(self: Any) -> Any:
        found = estimates(self)
        sums.append(self.plain[0, self._ended.seat])
        return found

    monkeypatch.setattr(rewards._Plays, "estimates", noted)
    agent = solved("kuhn").agent()
    won(aivat(plays=3, learner=learner and make_agent(learner)), "kuhn", agent, 400)
    assert np.std(sums) > 0.1
    assert abs(np.mean(sums)) < 4 * np.std(sums) / np.sqrt(len(sums))


def test_learnt_weights_leave_less_luck() -> None:
    agent = solved("kuhn").agent()
    weights = rewards.learnt_weights("kuhn", agent, "calling_station", deals=500)
    plain, taught = (won(aivat(each), "kuhn", agent, 150) for each in (None, weights))
    assert taught.var() < 0.6 * plain.var()


def test_rewards_add_up_and_faults_are_paid() -> None:
    reward = 2 * chips - 0.25 * format_faults + chips * 0
    env = TextEnv("kuhn", seat=0, opponents="calling_station", reward=reward, tries=2)
    env.reset(seed=1)
    assert env.step("?")[1] == -0.25
    assert env.step("Action: fold")[1] == -2.0


def test_a_function_of_ones_own_is_a_reward() -> None:
    env = TextEnv("kuhn", opponents="calling_station", reward=lambda outcome: 7.0 * len(outcome.hands))
    env.reset(seed=1)
    assert env.step("fold")[1] == 7.0


def test_regret_of_a_river_and_of_a_bet_that_its_solution_does_not_have() -> None:
    env = TextEnv("heads-up-no-limit", opponents="calling_station", episode="spot", reward=regret("river-v1"))
    env.reset(seed=1, options={"spot": 0})
    legal = env.table.hand.legal
    assert legal.call == 0
    _, loss, *_ = env.step(f"Action: bet {legal.raise_min}")
    assert -200 < loss <= 0
    env.reset(seed=1, options={"spot": 0})
    assert env.step("Action: fold")[1] < loss


@pytest.mark.slow
def test_regret_before_the_flop_is_the_blueprints() -> None:
    rules = Rules.preset("heads-up-no-limit")
    reward = regret(BlueprintWorth(rules, rollouts=200))
    table = Table(rules, deck="2sAs7dAd")  # the button has the aces
    table_of_rags = Table(rules, deck="As2sAd7d")
    assert paid(reward, table, -1) < -1
    assert paid(reward, table_of_rags, -1) > -0.5


def test_less_group_mean() -> None:
    np.testing.assert_allclose(less_group_mean([1, 2, 6]), [-3, -1.5, 4.5])
    with pytest.raises(ValueError, match="two"):
        less_group_mean([1.0])


WRONG: list[tuple[Callable[[], object], type[Exception], str]] = [
    (lambda: duplicate(format_faults), ValueError, "duplicate"),
    (lambda: duplicate(chips, 0), ValueError, "times"),
    (lambda: aivat(plays=-1), ValueError, "plays"),
    (lambda: aivat(plays=2, imaginary=True), ValueError, "plays"),
    (lambda: aivat(learner=make_agent("random")), ValueError, "learner"),
    (lambda: won(aivat(plays=2), Rules(seats=2, dealer_errors={}), "random", 1), ValueError, "AIVAT"),
    (lambda: regret(make_agent("calling_station")), TypeError, "solution"),
    (lambda: regret(3), TypeError, "solution"),  # type: ignore[arg-type]
    (lambda: regret("kuhn-v1"), ValueError, "spots"),
    (lambda: rewards.solution(solved("kuhn"), least=0), ValueError, "least"),
    (lambda: BlueprintWorth(Rules.preset("kuhn")), ValueError, "blueprint"),
    (lambda: rewards.learnt_weights(Rules(seats=2, session={}), "random"), ValueError, "session"),
]


@pytest.mark.parametrize(("make", "error", "noun"), WRONG, ids=range(len(WRONG)))
def test_rewards_that_cannot_be(make: Callable[[], object], error: type[Exception], noun: str) -> None:
    with pytest.raises(error, match=noun):
        make()


FIVE_CARDS = Rules.preset("kuhn").replace(deck="TsJsQsKsAs")
OF_KUHN: dict[str, Callable[[], Any]] = {
    "regret": lambda: {"reward": regret(solved("kuhn"))},
    "solution": lambda: {"reward": rewards.solution(solved("kuhn"))},
    "of a sum": lambda: {"reward": chips + 0.1 * (chips - rewards.solution(solved("kuhn")))},
    "an agent's": lambda: {"reward": -rewards.solution(solved("kuhn").agent())},
    "learner's": lambda: {"reward": aivat(plays=2, learner=solved("kuhn").agent())},
    "opponent": lambda: {"opponents": ["random", solved("kuhn").agent()]},
}


@pytest.mark.parametrize("known", OF_KUHN.values(), ids=OF_KUHN)
@pytest.mark.parametrize("rules", [FIVE_CARDS, "leduc", "heads-up-no-limit"], ids=["five cards", "leduc", "no-limit"])
def test_solutions_of_another_game_are_refused_at_construction(known: Callable[[], Any], rules: Any) -> None:
    given = known()
    TextEnv("kuhn", **given)
    with pytest.raises(ValueError, match="deck"):
        TextEnv(rules, **given)


@pytest.mark.parametrize(
    "reward",
    [
        lambda: regret("river-v1"),
        lambda: regret(BlueprintWorth(Rules.preset("heads-up-no-limit"))),
        lambda: rewards.solution(make_agent("blueprint_100bb")),
        lambda: chips + duplicate(aivat([0.5] * 13)),
    ],
    ids=["spots", "worth of a blueprint", "blueprint", "weights of four streets"],
)
def test_rewards_of_holdem_are_refused_in_kuhn(reward: Callable[[], Reward]) -> None:
    with pytest.raises(ValueError, match=r"rules: must|cannot play|weights"):
        TextEnv("kuhn", reward=reward())


def test_rewards_of_spots_are_refused_where_none_is_dealt() -> None:
    with pytest.raises(ValueError, match="episode must be 'spot', got 'hand'"):
        TextEnv(reward=chips - 0.5 * regret("river-v1"))


def test_weights_are_not_learnt_from_agents_of_another_game() -> None:
    with pytest.raises(ValueError, match="it has solved another game"):
        rewards.learnt_weights("leduc", solved("kuhn").agent())


def test_a_reward_refuses_what_happened_in_another_game() -> None:
    table = Table(FIVE_CARDS, deck="TsAs")
    with pytest.raises(ValueError, match=r"rules: must be those of the solution.*deck"):
        paid(regret(solved("kuhn")), table, 0)
