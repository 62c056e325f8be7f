"""`opponents: {best_response: ...}`: training against the exact best response to the learner."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents.run_files import rows_of
from holdem_agents.runs.config import load_config
from holdem_agents.runs.run import train
from holdem_agents.training.learners.trainee import Trainee
from holdem_env.arena import exploitability

SMALL = ["rules=kuhn", "budget.decisions=2000", "tables=32", "learner.batch_size=128", "learner.hidden=[16]"]
SMALL += ["opponents={latest_self: 0.5, best_response: 0.5}"]
SMALL += ["evaluation={opponents: [random], hands: 100, times: 0, past_selves: 0}"]
UNIFORM = 0.458
ROLLOUT = 256  # decisions


@pytest.mark.parametrize("kind", ["ppo", "sb3"])
def test_the_best_response_is_computed_again_every_so_many_decisions(kind: str, tmp_path: Path) -> None:
    more = [f"learner.kind={kind}", "best_response_every=500"]
    rows = rows_of(train(load_config("leduc", [*SMALL, *more]), tmp_path / "run", show=False) / "progress.csv")
    found = [row["best_response/exploitability"] for row in rows]
    assert float(found[0]) == pytest.approx(UNIFORM, abs=0.02)
    assert [bool(text) for text in found[:5]] == [True, False, True, False, True]
    assert all(float(row["best_response/cpu_seconds"]) > 0 for row, text in zip(rows, found, strict=True) if text)
    assert sum(float(row["training_chips_per_hand/best_response"]) for row in rows) < 0


def test_it_answers_the_agent_that_would_be_delivered_and_a_checkpoint_keeps_its_answer() -> None:
    learner, resumed = (Trainee(load_config("leduc", SMALL)) for _ in range(2))
    learner.set_up()
    learner.model.learn(2 * ROLLOUT, learner.callbacks())
    best, again = learner.best_response, resumed.best_response
    assert best
    assert again
    best.update(7)
    assert best.exploitability == pytest.approx(exploitability(learner.final_agent, "kuhn"), abs=1e-6)
    learner.model.learn(2 * ROLLOUT, learner.callbacks())
    assert best.exploitability != pytest.approx(exploitability(learner.final_agent, "kuhn"), abs=1e-6)
    resumed.load_state(learner.state())
    assert (again.decisions, again.exploitability) == (best.decisions, best.exploitability)
