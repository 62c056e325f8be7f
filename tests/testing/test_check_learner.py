"""`check_learner`: both kinds of learner pass, faulty ones are told what is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

from errors import complaint, mentions
from holdem_agents import learning
from holdem_agents.learning import Learner, learner_of
from holdem_agents.runs import train
from holdem_agents.training.config import Budget, Evaluation, Training, load_own_parts
from holdem_agents.training.learners.learner import capabilities_of, check_capabilities
from holdem_agents.training.learners.ppo import OwnPPO
from holdem_env.arena import exploitability
from holdem_env.testing import ConformanceError, check_learner

SMALL = {"n_steps": 8, "batch_size": 64, "hidden": [8], "threads": 1}


def config(tables: int = 16, **learner: Any) -> Training:
    budget = {"decisions": 10_000}
    return Training(rules="kuhn", budget=budget, tables=tables, opponents={"latest_self": 1}, learner=SMALL | learner)


@pytest.mark.parametrize("kind", ["ppo", "sb3"])
def test_ours_pass(kind: str) -> None:
    check_learner(lambda: learner_of(config(kind=kind)), seconds=0.1)


NOT_OF_SB3 = [("memory", {"sitting": 4}, {"memory": {"width": 8}}), ("sittings", {"sitting": 4}, {})]
NOT_OF_SB3 += [("sessions", {"rules": {"preset": "heads-up-no-limit", "session": {}}, "levels": "sessions"}, {})]
NOT_OF_SB3 += [("compile", {}, {"compile": True})]


@pytest.mark.parametrize(("what", "changes", "learner"), NOT_OF_SB3)
def test_settings_need_a_learner_that_is_capable_of_them(what: str, changes: dict[str, Any], learner: Any) -> None:
    fields = {"rules": "kuhn", "budget": {"decisions": 9}, "tables": 16, "opponents": {"latest_self": 1}} | changes
    ours, theirs = (Training(**fields, learner=SMALL | learner | {"kind": kind}) for kind in ("ppo", "sb3"))
    check_capabilities(ours)
    mentions(complaint(check_capabilities, theirs), what, "sb3")


def test_a_function_may_make_a_learner(tmp_path: Path) -> None:
    code = "from holdem_agents.training.learners.ppo import OwnPPO\n\n\ndef made(config):\n    return OwnPPO(config)\n"
    (tmp_path / "mine.py").write_text(code)
    own = config(kind=f"{tmp_path}/mine.py:made").model_copy(update={"budget": Budget(decisions=300)})
    own = own.model_copy(update={"evaluation": Evaluation(opponents=("random",), hands=100, past_selves=0)})
    assert (train(own, tmp_path / "run", show=False) / "final.safetensors").is_file()
    assert capabilities_of(own.learner.kind) == frozenset()


OTHER_ALGORITHMS = [
    ("nfsp.py:NFSP", {"decisions": 400_000}, {"learning_rate": (1e-3, 1e-3), "entropy": (0, 0)}),
    ("deep_cfr.py:DeepCFR", {"decisions": 400_000}, {"learning_rate": (1e-3, 1e-3)}),
    ("mmd.py:MMD", {"decisions": 800_000}, {"learning_rate": (3e-4, 3e-4), "entropy": (0.02, 0.02)}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "budget", "settings"), OTHER_ALGORITHMS)
def test_examples_of_other_algorithms_pass_and_learn(kind: str, budget: Any, settings: dict[str, Any]) -> None:
    kind = f"{Path(__file__).parents[2]}/docs/examples/{kind}"
    other = config(tables=512, kind=kind, hidden=[64], n_steps=8, batch_size=512, kl_coef=0, **settings)
    load_own_parts(other)
    check_learner(lambda: learner_of(other), seconds=0.5)
    learner = learner_of(other)
    learner.env.set_opponents([learner.agent(learner.model.policy, "self")])
    torch.set_num_threads(1)
    learning.train(learner.model, **budget)
    assert exploitability(learner.agent(learner.model.policy, "other"), other.rules) < 0.2  # uniform: 0.458


def miscounts(learner: OwnPPO) -> None:
    step = learner.model.step

    def twice(goes_on: Any = None) -> Any:
        stats = step(goes_on)
        learner.model.decisions += 1
        return stats

    learner.model.step = twice  # type: ignore[method-assign]


def forgets(learner: OwnPPO) -> None:
    load = learner.load_state

    def load_state(state: Any) -> None:
        load(state)
        learner.model.optimizer.state.clear()

    learner.load_state = load_state  # type: ignore[method-assign]


def never_learns(learner: OwnPPO) -> None:
    learner.model.learning_rate = 0.0


def has_no_state(learner: OwnPPO) -> None:
    learner.model.__dict__.pop("rollout_buffer")


FAULTS = [(miscounts, "`decisions` must count"), (forgets, "to the bit"), (never_learns, "`model.policy` must change")]
FAULTS += [(has_no_state, "it lacks rollout_buffer")]


@pytest.mark.parametrize(("fault", "words"), FAULTS)
def test_faults_are_named(fault: Any, words: str) -> None:
    def make() -> Learner:
        learner = OwnPPO(config())
        fault(learner)
        return learner

    assert words in complaint(check_learner, make, seconds=0.1, kind=ConformanceError)
