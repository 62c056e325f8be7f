"""TextPolicy: log-probabilities of answers as an agent whose exploitability is exact."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from errors import complaint, mentions
from holdem_env import Table
from holdem_env.agents.queries import asked_range_probabilities
from holdem_env.arena import exploitability, play_match, sampled_exploitability
from holdem_env.engine.record import NOBODY
from holdem_env.testing.sampled_tables import GAMES, random_positions
from holdem_env.text_env import SampledPolicy, TextPolicy


def alike(prompts: list[str], answers: list[list[str]]) -> list[list[float]]:
    return [[0.0] * len(each) for each in answers]


@pytest.mark.parametrize(("game", "prompts", "gain"), [("kuhn", 12, 11 / 24), ("leduc", 936, 2.3736)])
def test_each_prompt_is_asked_once_in_batches(game: str, prompts: int, gain: float) -> None:
    batches: list[int] = []
    seen: list[str] = []

    def ask(given: list[str], answers: list[list[str]]) -> list[list[float]]:
        batches.append(len(given))
        seen.extend(given)
        return alike(given, answers)

    policy = TextPolicy(ask, batch=50)
    assert exploitability(policy, game) == pytest.approx(gain, abs=1e-4)
    assert policy.asked == len(seen) == len(set(seen)) == prompts
    assert max(batches) <= 50
    exploitability(policy, game)
    assert policy.asked == prompts
    policy.forget()
    assert policy.asked == 0


def test_what_the_model_gives_to_other_texts_is_left_out() -> None:
    def ask(prompts: list[str], answers: list[list[str]]) -> list[list[float]]:
        return [[{"fold": -9.0, "check": -9.0, "call": -7.0}.get(answer, -8.0) for answer in each] for each in answers]

    table = Table("kuhn", deck="KsQs")
    moves, likely = TextPolicy(ask).probabilities(table.records, table.rules, np.zeros(1, np.int64))
    given = dict(zip(moves[0].tolist(), likely[0].tolist(), strict=True))
    assert given == pytest.approx({0: 1 / (1 + np.e), 1: np.e / (1 + np.e)})


@pytest.mark.parametrize("rules", GAMES, ids=range(len(GAMES)))
@pytest.mark.parametrize("sizes", [None, "50%, all-in"])
def test_all_answers_are_legal_in_every_game(rules: object, sizes: str | None) -> None:
    tables = random_positions(rules, 20, seed=3)  # type: ignore[arg-type]
    rows = np.flatnonzero(tables["actor"] != NOBODY)
    policy = TextPolicy(alike, sizes=sizes)
    moves, likely = policy.probabilities(tables, rules, rows)  # type: ignore[arg-type]
    np.testing.assert_allclose(likely.sum(axis=1), 1)
    drawn = policy.act(tables, rules, rows)  # type: ignore[arg-type]
    assert ((moves == drawn[:, None]) & (likely > 0)).any(axis=1).all()


def test_it_answers_range_queries_and_plays_matches() -> None:
    table, asked = Table("heads-up-no-limit", seed=1), np.zeros((1, 1326), np.bool_)
    asked[0, :5] = True
    policy = TextPolicy(alike)
    _, likely = asked_range_probabilities(policy, table.records, table.rules, np.zeros(1, np.int64), hands=asked)
    assert likely[0, :5].sum() == pytest.approx(5)
    result = play_match(policy, "calling_station", "leduc", hands=8, num_tables=2)
    assert "text_policy" in str(result)


NAN = float("nan")
WRONG: list[tuple[object, str]] = [([], "prompts"), ([[0.0]], "log-probability")]
WRONG += [([[one, two]], "log-probability") for one, two in ((NAN, 0.0), (-np.inf, -np.inf), (np.inf, 0.0))]


@pytest.mark.parametrize(("given", "noun"), WRONG, ids=range(len(WRONG)))
def test_what_a_model_may_not_give(given: Sequence[Sequence[float]], noun: str) -> None:
    table = Table("kuhn", seed=1)
    assert re.search(noun, complaint(TextPolicy(lambda prompts, answers: given).move, table))


@pytest.mark.parametrize("wrong", [{"batch": 0}, {"prompt": "long"}])
def test_arguments_that_cannot_be(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        TextPolicy(alike, **wrong)  # type: ignore[arg-type]


def drawing(shares: dict[str, NDArray[np.float64]], seed: int) -> SampledPolicy:
    """A model that draws its answers: which of the listed moves, by the shares of a prompt."""
    stream = np.random.default_rng(seed)

    def answer(prompts: list[str]) -> list[str]:
        return [str(stream.choice(answers_in(prompt), p=shares[prompt])) for prompt in prompts]

    return SampledPolicy(answer, answers=100)


def answers_in(prompt: str) -> list[str]:
    return ["check", "bet 1"] if "check" in prompt.splitlines()[-1] else ["fold", "call"]


def test_the_interval_of_a_model_that_is_asked_many_times_holds_the_truth() -> None:
    held, halves = 0, []
    for seed in range(10):
        stream, shares = np.random.default_rng(seed), {}

        def ask(prompts: list[str], answers: list[list[str]]) -> list[NDArray[np.float64]]:
            shares.update({prompt: stream.dirichlet(np.ones(2)) for prompt in prompts})  # noqa: B023
            return [np.log(shares[prompt]) for prompt in prompts]  # noqa: B023

        truth = exploitability(TextPolicy(ask), "kuhn")
        found = sampled_exploitability(drawing(shares, seed), "kuhn", draws=50)
        held += found.low <= truth <= found.high
        halves.append(found.half_width)
    assert held >= 9
    assert 0.02 < np.mean(halves) < 0.1


def test_unclear_and_illegal_answers_of_a_sampled_model_check_or_fold() -> None:
    policy = SampledPolicy(lambda prompts: ["bet 999", "what?", "call"] * (len(prompts) // 3), answers=3)
    table = Table("kuhn", deck="KsQs")
    moves, likely = policy.probabilities(table.records, table.rules, np.zeros(1, np.int64))
    assert dict(zip(moves[0].tolist(), likely[0].tolist(), strict=True)) == {0: 1.0, 1: 0.0}
    assert policy.faults == 2


def test_only_counted_probabilities_have_an_interval() -> None:
    mentions(complaint(sampled_exploitability, TextPolicy(alike), "kuhn"), "exactly")
    mentions(complaint(SampledPolicy, lambda prompts: prompts, answers=1), "answers")
    mentions(complaint(SampledPolicy(lambda prompts: []).move, Table("kuhn", seed=1)), "texts")
