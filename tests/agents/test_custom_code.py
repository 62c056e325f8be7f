"""Encoders, a reward and a network of one's own in a training, and what is left of them in its run folder."""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from arena.isolation.bots import needs_jail
from command_line import holdem
from errors import complaint, mentions
from holdem_agents import custom_code
from holdem_agents.ppo import RolloutBuffer
from holdem_agents.runs.config import ConfigError, load_config
from holdem_agents.runs.run import resume, train
from holdem_agents.training.config import Training
from holdem_agents.web.site import Site
from holdem_env.agents import make_agent
from holdem_env.arena.tournaments.store import Store
from holdem_env.arena.tournaments.tournament import Tournament, run
from holdem_env.encoders import observation_names
from pages import DOCS, blocks

(MINE,) = (code for code in blocks(DOCS / "encoders.md", "python") if code.startswith("# mine.py"))
(EMBEDDING,) = (code for code in blocks(DOCS / "own_network.md", "python") if code.startswith("# net.py"))
NET = """
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self, shape, actions):
        super().__init__()
        self.trunk = nn.Sequential(nn.Flatten(), nn.LazyLinear(64), nn.Tanh())
        self.policy, self.value = nn.Linear(64, actions), nn.Linear(64, 1)

    def logits_and_values(self, observations):
        x = self.trunk(observations)
        return self.policy(x), self.value(x)[:, 0]
"""
SHOVE = """
from helper import ALL

from holdem_env.encoders import action_encoder

@action_encoder(["fold", "call", ALL])
def shove(t, r, choices):
    choices[0] = -1
    choices[1] = 0
    if t.raise_max == t.stack[t.actor] + t.bet[t.actor]:
        choices[2] = t.raise_max
"""
NAMES = {
    "observation": "flat+mine.py:pot_odds",
    "actions": "shove.py:shove",
    "reward": "mine.py:timid",
    "learner": {"policy": "net.py:Net", "n_steps": 8, "batch_size": 64, "threads": 1},
}


def unload(monkeypatch: pytest.MonkeyPatch) -> None:
    """As another process: nothing is loaded."""
    monkeypatch.setattr(custom_code, "_loaded", {})
    sys.modules.pop("helper", None)


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory has the files of the pages."""
    monkeypatch.chdir(tmp_path)
    unload(monkeypatch)
    for name, code in {"mine": MINE, "net": NET, "shove": SHOVE, "helper": "ALL = 'all-in'"}.items():
        Path(f"{name}.py").write_text(code)
    return tmp_path


def settings(kind: str = "ppo", decisions: int = 400, **changes: Any) -> Training:
    evaluation = {"opponents": ["calling_station"], "hands": 64, "times": 1, "past_selves": 1}
    learner = {**NAMES["learner"], "kind": kind}
    fixed = {"rules": "heads-up-no-limit", "budget": {"decisions": decisions}, "tables": 16, "evaluation": evaluation}
    opponents = {"latest_self": 1, "past_selves": 1}
    return Training(**{**fixed, **NAMES, "learner": learner, "opponents": opponents, **changes})


@pytest.mark.parametrize("kind", ["ppo", "sb3"])
def test_a_run_is_resumed_and_played_without_the_files(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = train(settings(kind), Path("runs/one"), show=False)
    shutil.copytree(folder, "runs/two")
    copied = sorted(path.name for path in (folder / "code").iterdir())
    assert [name.partition("-")[0].removesuffix(".py") for name in copied] == ["helper", "mine", "net", "shove"]
    for path in Path().glob("*.py"):
        path.unlink()
    unload(monkeypatch)
    mentions(complaint(make_agent, "runs/one"), "final.safetensors", "--trust")
    words = ["match", "runs/one", "random", "--hands", "64"]
    assert [holdem(*words, *trust).exit_code for trust in ([], ["--trust"])] == [2, 0]
    unload(monkeypatch)
    site = Site(trust=True)
    (offered,) = (name for name in site.agents if name.startswith("run-one"))
    assert site.new_agent(offered).policy
    config = Path("runs/one/config.yaml")
    config.write_text(config.read_text().replace("decisions: 400", "decisions: 800"))
    unload(monkeypatch)
    resume(Path("runs/one"), show=False)
    unload(monkeypatch)
    later, before = (make_agent(f"runs/{name}", trust=True).policy.state_dict() for name in ("one", "two"))
    assert later.keys() == before.keys() >= {"trunk.1.weight", "policy.bias"}
    assert not torch.equal(later["policy.bias"], before["policy.bias"])
    assert "--trust" in Path("runs/one/model_card.md").read_text()


def test_the_reward_is_what_the_learner_is_paid() -> None:
    """With rewards of nothing but zeros a learner learns no values."""
    Path("mine.py").write_text(MINE + "\ndef nothing(hands):\n    return 0 * hands.rewards\n")
    seen, sizes = torch.from_numpy(np.random.default_rng(0).random((64, 150), dtype=np.float32)), []
    for name in ("nothing", "timid"):
        config = settings(reward=f"mine.py:{name}", decisions=2_000)
        agent = make_agent(train(config, Path("runs", name), show=False), trust=True)
        with torch.no_grad():
            sizes.append(float(agent.policy.logits_and_values(seen)[1].abs().mean()))
    assert sizes[0] < sizes[1] / 2


def tokens(kind: str, **changes: Any) -> Training:
    """A training of embedding.py:Net on tokens, with 16 tables, so that batches of the rollout are padded."""
    learner = {**NAMES["learner"], "policy": "embedding.py:Net", "kind": kind, "threads": "auto"}
    return settings(**{"observation": "tokens", "actions": "fcpa", "reward": "result", "learner": learner, **changes})


# Attributes that mean something elsewhere in this library, and weights that two layers share.
NAMES_OF_OTHERS = """
        self.cards, self.shape, self.architecture = self.tables[3], "mine", None
        self.predict_values = self.values = self.features = self.actions = 7
"""
CHECK = """
        starts = (numbers[:, 0, 0] == 1) & ((observations != 0).sum((1, 2)) > 20)
        assert starts.all(), "no table has this row"
"""


@pytest.mark.parametrize("kind", ["ppo", "sb3"])
def test_a_network_of_embeddings_sees_nothing_but_what_tables_show(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 2)  # numbers of threads are tried
    make = RolloutBuffer.__init__

    def make_unwritten(buffer: RolloutBuffer, *sizes: int) -> None:
        make(buffer, *sizes)
        buffer.observation[:] = 99  # memory that nobody wrote may hold anything

    monkeypatch.setattr(RolloutBuffer, "__init__", make_unwritten)
    code = EMBEDDING.replace("    def logits", f"{NAMES_OF_OTHERS}\n    def logits")
    Path("embedding.py").write_text(code.replace(".long()\n", f".long()\n{CHECK}"))
    agent = make_agent(train(tokens(kind), Path("runs/one"), show=False), trust=True)
    assert agent.observation_encoder.name == "tokens"
    assert "tables.3.weight" in agent.policy.state_dict()


@pytest.mark.parametrize(
    ("before", "after", "place", "message"),
    [
        ("x + table(", "x + self.gone(", "x + table(", "AttributeError: .*gone"),
        ("= self.trunk(x)", "= self.trunk(x) if len(x) < 3 else 1 / 0", "= self.trunk(x)", "ZeroDivisionError"),
        ("= self.trunk(x)", "= self.trunk(x).add_(1)", "def logits_and_values", "RuntimeError"),  # in its gradient
        ("super().__init__()", "nothing", "super().__init__()", "NameError: name 'nothing' is not defined"),
        ("nn.Tanh()", "nn.Tanh(3)", "nn.Tanh()", "TypeError"),
        ("# net.py", "1 / 0", "# net.py", "ZeroDivisionError: division by zero"),
    ],
)
@pytest.mark.parametrize("kind", ["ppo", "sb3"])
def test_an_error_in_a_network_is_a_sentence_with_its_file_and_line(
    kind: str, before: str, after: str, place: str, message: str
) -> None:
    line = 1 + EMBEDDING.partition(place)[0].count("\n")
    Path("embedding.py").write_text(EMBEDDING.replace(before, after, 1))
    with pytest.raises(custom_code.OwnCodeError, match=rf"^embedding\.py, line {line}, .*: {message}") as caught:
        train(tokens(kind), Path("runs/one"), show=False)
    assert "\n" not in str(caught.value)


def test_to_read_a_configuration_runs_nothing() -> None:
    Path("mine.py").write_text("raise RuntimeError('it runs')")
    Path("own.yaml").write_text(json.dumps({**NAMES, "rules": "heads-up-no-limit", "budget": {"decisions": 9}}))
    before = observation_names()
    assert load_config("own.yaml").observation == NAMES["observation"]
    assert observation_names() == before


@needs_jail
@pytest.mark.slow
def test_in_a_jail_they_need_no_trust(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    train(settings(), Path("runs/one"), show=False)
    unload(monkeypatch)
    agents = ["random", "runs/one", {"agent": "runs/one/final.safetensors", "name": "file"}]
    tournament = Tournament(rules=settings().rules, agents=agents, hands=64)
    store = Store(files / "t.db", create=True)
    run(tournament, store)
    assert not store.forfeits()


NOT_FLAT, NO_ACTIONS = NET.replace("[:, 0]", ""), NET.replace(", actions)", ")", 1)


@pytest.mark.parametrize(
    ("code", "changes", "message"),
    [
        ("", {"observation": "mine.py:no_such"}, r"observation: mine.py must define no_such, got nothing"),
        ("x = 3", {"observation": "mine.py:x"}, r"observation: mine.py:x must be an ObservationEncoder, .* got 3"),
        ("x = 3", {"actions": "mine.py:x"}, r"actions: mine.py:x must be an ActionEncoder, such as .* got 3"),
        ("x = 3", {"reward": "mine.py:x"}, r"reward: mine.py:x must be a function of EndedHands .* got 3"),
        ("x = 3", {"policy": "mine.py:x"}, r"learner.policy: mine.py:x must be a class of torch.nn.Module, .* got 3"),
        ("x =", {"reward": "mine.py:x"}, r"mine.py, line 1: invalid syntax"),
        ("", {"reward": "gone.py:x"}, r"reward: there is no file gone.py; looked for gone.py"),
        (NOT_FLAT, {"policy": "mine.py:Net"}, r"must return \(B, 4\) logits and \(B,\) values, got"),
        (NO_ACTIONS, {"policy": "mine.py:Net"}, r"must be made with \(shape, actions\)"),
    ],
)
def test_errors_say_what_is_right(code: str, changes: dict[str, str], message: str) -> None:
    Path("mine.py").write_text(code)
    learner = {"policy": changes.get("policy"), "batch_size": 64}
    usual = {"observation": "flat", "actions": "fcpa", "reward": "result", "learner": learner}
    named = {key: text for key, text in changes.items() if key != "policy"}
    with pytest.raises((ValueError, FileNotFoundError), match=message):
        train(settings(**{**usual, **named}), Path("runs/one"), show=False)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"reward": "timid"}, "reward: must be 'result', 'all_in_value' or FILE.py:NAME, got 'timid'"),
        ({"learner": {"policy": "Net", "batch_size": 9}}, "learner.policy: must be FILE.py:NAME, got 'Net'"),
        ({"start": "a.safetensors"}, "learner.policy: start is for the built-in network"),
        ({"exploiters": {"every": 0.5}}, "learner.policy: exploiters is for the built-in network"),
    ],
)
def test_what_does_not_go_together(changes: dict[str, Any], message: str) -> None:
    assert re.search(message, complaint(settings, **changes))


def test_a_league_takes_names_only() -> None:
    league = {"rules": "leduc", "observation": "mine.py:pot_odds", "learners": {"a": {}, "b": {}}}
    Path("league.yaml").write_text(json.dumps(league))
    mentions(complaint(load_config, "league.yaml", kind=ConfigError), "mine.py", "pot_odds")


RATHER = """
from holdem_agents.training.learners.ppo import OwnPPO

class Rather(OwnPPO):
    ...

class NoLearner:
    ...
"""


def leduc(kind: str, decisions: int = 600, **more: Any) -> Training:
    learner = {"kind": kind, "n_steps": 8, "batch_size": 64, "hidden": [8], "threads": 1}
    learner |= {"learning_rate": (1e-3, 1e-3), "entropy": (0.02, 0.02)}  # whatever the budget
    settings = {"rules": "leduc", "budget": {"decisions": decisions}, "tables": 32, "learner": learner}
    evaluation = {"opponents": ["random"], "hands": 100, "past_selves": 0}
    return Training(**settings, evaluation=evaluation, checkpoint_minutes=0, **more)


@pytest.mark.parametrize("kind", ["reinforce.py:Reinforce", "rather.py:Rather"])
def test_a_learner_of_ones_own_trains_goes_on_and_plays(files, monkeypatch, kind):
    shutil.copyfile(DOCS / "examples" / "reinforce.py", files / "reinforce.py")
    (files / "rather.py").write_text(RATHER)
    whole = train(leduc(kind, 1_200), files / "whole", show=False)
    part = train(leduc(kind), files / "part", show=False)
    Path(kind.partition(":")[0]).unlink()  # the run has a copy
    unload(monkeypatch)
    resume(part, show=False, changes=["budget={decisions: 1200}"])
    one, two = (make_agent(folder / "final.safetensors", trust=True) for folder in (whole, part))
    weights = [agent.policy.state_dict() for agent in (one, two)]
    assert all(torch.equal(weights[0][name], weights[1][name]) for name in weights[0])


SCALED = """
from reinforce import Reinforce

class Scaled(Reinforce):
    def __init__(self, policy, tables, *, scale, n_steps, **settings):
        super().__init__(policy, tables, n_steps=n_steps, **settings)
        self.scale = scale

    def losses(self, batch):
        found = super().losses(batch)
        return found._replace(policy=self.scale * found.policy)
"""


def test_settings_of_a_learner_of_ones_own(files):
    shutil.copyfile(DOCS / "examples" / "reinforce.py", files / "reinforce.py")
    (files / "scaled.py").write_text(SCALED)
    config = leduc("scaled.py:Scaled")
    learner = config.learner.model_copy(update={"own": {"scale": 0.0}})
    folder = train(config.model_copy(update={"learner": learner}), files / "run", show=False)
    assert load_config(folder / "config.yaml").learner.own == {"scale": 0.0}
    assert "Scaled in self-play" in (folder / "model_card.md").read_text()
    (files / "rather.py").write_text(RATHER)
    rather = learner.model_copy(update={"kind": "rather.py:Rather"})
    with pytest.raises(ValueError, match=r"learner\.own: Rather takes no 'scale'"):
        train(config.model_copy(update={"learner": rather}), files / "other", show=False)
    ours = config.model_copy(update={"learner": learner.model_copy(update={"kind": "ppo"})})
    mentions(complaint(train, ours, files / "ours", show=False), "learner.own", "scale")


def test_a_loss_without_a_reference_has_no_kl_penalty(files):
    shutil.copyfile(DOCS / "examples" / "reinforce.py", files / "reinforce.py")
    config = leduc("reinforce.py:Reinforce")
    learner = config.learner.model_copy(update={"kl_coef": 0.1})
    with pytest.raises(ValueError, match="kl_coef: must be 0, as the losses of Reinforce have no reference_kl"):
        train(config.model_copy(update={"learner": learner}), files / "run", show=False)


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("reinforc", "there is no learner 'reinforc'"),
        ("pppo", "did you mean 'ppo'"),
        ("rather.py:NoLearner", "must be a subclass of holdem_agents.ppo.PPO"),
        ("rather.py:Other", "must define Other, got .*Rather, NoLearner"),
    ],
)
def test_what_is_no_learner(files, kind, words):
    (files / "rather.py").write_text(RATHER)
    assert re.search(words, complaint(lambda: train(leduc(kind), files / "run", show=False)))
    assert not (files / "run").exists()
