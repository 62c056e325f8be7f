"""A model that stops early is never better off than one that folds there: `TextEnv.give_up` and the three integrations.

The integrations' frameworks are replaced by stubs, as the adapters' own logic is what is tested.
"""

from __future__ import annotations

import asyncio
import importlib.util
import sys
from collections.abc import Callable
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict

from holdem_env import Rules, SessionRules, Table
from holdem_env.text_env import TextEnv

pytestmark = pytest.mark.stands_on("integrations", "holdem_env/text_env")
FOLDER = Path(__file__).parents[2] / "integrations"
SESSION = Rules(seats=3, blinds=(1, 2), stacks=20, session=SessionRules(num_hands=4))
GAMES: list[dict[str, Any]] = [
    {"rules": "kuhn"},
    {"rules": "leduc", "episode": "match", "deals": 2},
    {"rules": "heads-up-no-limit", "opponents": "loose_aggressive"},
    {"rules": Rules(seats=6, blinds=(50, 100), stacks=5000)},
    {"rules": SESSION, "episode": "session"},
    {"rules": "heads-up-no-limit", "episode": "spot"},
]


class Anything:
    """Stands for a framework's class, generic or not."""

    def __class_getitem__(cls, _: Any) -> Any:
        return cls


class Model(BaseModel):
    """Stands for a framework's data class, generic or not."""

    model_config = ConfigDict(arbitrary_types_allowed=True, extra="allow")

    def __class_getitem__(cls, _: Any) -> Any:
        return cls


def loaded(monkeypatch: pytest.MonkeyPatch, path: str, **modules: dict[str, Any]) -> Any:
    """A module of an integration with stubs for what it imports: names by module, dots written as __."""
    stubs: dict[str, ModuleType] = {}  # in place of the real ones, too, which stay as they are
    for name, content in modules.items():
        parts = name.split("__")
        for package in (".".join(parts[:k]) for k in range(1, len(parts) + 1)):
            stub = stubs.setdefault(package, ModuleType(package))
            stub.__path__ = []
        vars(stub).update(content)
    for package, stub in stubs.items():
        monkeypatch.setitem(sys.modules, package, stub)
    spec = importlib.util.spec_from_file_location(f"loaded_{Path(path).stem}", FOLDER / path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def trl(monkeypatch: pytest.MonkeyPatch) -> Any:
    no_grad = {"no_grad": lambda: lambda function: function}
    stubs = {"datasets": {"Dataset": None}, "trl": {"GRPOTrainer": None}}
    return loaded(
        monkeypatch, "trl/holdem_trl.py", torch=no_grad, trl__models={"unwrap_model_for_generation": None}, **stubs
    )


def reached(env: Any, seed: int, random: np.random.Generator, most: int) -> bool:
    """Play up to `most` random answers; whether the episode goes on."""
    text, _ = env.reset(seed=seed)
    for _ in range(most):
        words = ["fold", "check", "call", "all-in", f"raise to {random.integers(1, 300)}", "hm"]
        text, _, terminated, truncated, _ = env.step(words[random.integers(len(words))])
        if terminated or truncated:
            return False
    return bool(text)


def folded(env: Any) -> float:
    """The rewards of one who folds the hand, and all that are left."""
    rewards, over = 0.0, False
    while not over:
        _, reward, over, _, _ = env.step("Action: fold")
        rewards += reward
    return rewards


@cache
def made_twice(game: int) -> tuple[TextEnv, TextEnv]:
    given = {"opponents": "calling_station", **GAMES[game]}
    return TextEnv(**given), TextEnv(**given)


@given(game=st.sampled_from(range(len(GAMES))), seed=st.integers(0, 999), answers=st.integers(0, 6))
def test_giving_up_is_worth_what_folding_is(game: int, seed: int, answers: int) -> None:
    left, folding = made_twice(game)
    if not all(reached(env, seed, np.random.default_rng(seed), answers) for env in (left, folding)):
        return
    text, reward, terminated, truncated, info = left.give_up()
    assert (terminated, truncated) == (True, False)
    assert reward == folded(folding)
    assert "is over" in text
    assert info["chips"] == folding._info()["chips"]
    with pytest.raises(ValueError, match="over"):
        left.give_up()


@pytest.mark.parametrize("game", GAMES[:5], ids=lambda game: str(game.get("episode", game["rules"]))[:12])
def test_a_model_that_stops_calling_tools_pays_more_than_one_that_folds(trl: Any, game: dict[str, Any]) -> None:
    make = trl.hands(**{"opponents": "calling_station", **game}, seed=3, unfinished=-0.5)
    for hand in range(4):
        stops, folds = make(), make()
        for seat in (stops, folds):
            seat.reset(hand)
            seat.check_or_call()
            if not seat._over:
                seat.raise_to(100)
        while not folds._over:
            folds.fold()
        expected = folds.get_reward() - 0.5 * (not stops._over)
        assert stops.get_reward() == expected
        assert stops.get_reward() == expected, "the same when it is read again"


def test_stopping_after_a_raise_costs_the_raise(trl: Any) -> None:
    for hand in range(8):
        seat = trl.hands("heads-up-no-limit", opponents="calling_station")()
        seat.reset(hand)
        seat.raise_to(100)
        if not seat._over:
            assert seat.get_reward() == -51.0
    with pytest.raises(ValueError, match=r"unfinished: must be 0 or less, got 1\.0"):
        trl.hands("kuhn", unfinished=1.0)


@pytest.mark.parametrize("ends", [True, False], ids=["ended", "cut off"])
def test_an_answer_that_is_cut_off_is_none(trl: Any, monkeypatch: pytest.MonkeyPatch, ends: bool) -> None:
    said, alike = [*b"Action: call"] + [0] * ends, [0.0] * 20
    monkeypatch.setattr(trl, "_sampled", lambda contexts, *_: [(said, alike[: len(said)])] * len(contexts))
    tokenizer = SimpleNamespace(
        encode=lambda text, add_special_tokens: [*text.encode()],
        decode=lambda ids, skip_special_tokens: bytes(filter(None, ids)).decode(),
        chat_template=None,
    )
    seats = [trl.hands("kuhn", opponents="calling_station", seat=0)() for _ in range(2)]
    trainer = SimpleNamespace(processing_class=tokenizer, eos_token_ids=[0], max_completion_length=len(said))
    for played in trl._play(seats, [0, 1], trainer):
        assert (played["reward"] == -2.0) is not ends
        assert len(played["completion_ids"]) == len(said)


def test_openenv_folds_for_a_client_that_gives_up(monkeypatch: pytest.MonkeyPatch) -> None:
    base = {"Environment": Anything}
    types = {"Action": Model, "Observation": Model, "State": Model}
    models = loaded(monkeypatch, "openenv/models.py", openenv__core__env_server__types=types)
    server = loaded(
        monkeypatch,
        "openenv/server/holdem_environment.py",
        holdem_openenv__models=vars(models),
        openenv__core__env_server__interfaces=base,
        openenv__core__env_server__types=types,
    )
    given = {"rules": "heads-up-no-limit", "opponents": "calling_station"}
    for seed in range(4):
        made, twin = server.HoldemEnvironment(), TextEnv(**given)
        made.reset(seed=seed, **given)
        twin.reset(seed=seed)
        observed, over = made.step(models.HoldemAction(text="raise to 100")), twin.step("raise to 100")[2]
        assert observed.done == over
        if not over:
            left = made.step(models.HoldemAction(give_up=True))
            assert left.done
            assert left.reward == folded(twin) - 1.0


class Talk:
    """Stands for the rollout of a seat: what its model says, and why it stops after that."""

    def __init__(self, answers: list[str], stop: str | None) -> None:
        self.answers, self.rewards = answers, dict[str, float]()
        self.trace = SimpleNamespace(
            stop_condition=stop,
            errors=[SimpleNamespace(message="the server is gone")] if stop == "error" else [],
            record_reward=self.record_reward,
            record_metrics=lambda metrics: None,
        )

    def record_reward(self, name: str, score: float, weight: float) -> None:
        self.rewards[name] = score * weight

    async def turn(self, text: str) -> SimpleNamespace:
        said = self.answers.pop(0) if self.answers else None
        return SimpleNamespace(terminated=said is None, last_reply=said)

    @asynccontextmanager
    async def interaction(self, task: Any) -> Any:
        yield self


@pytest.fixture
def tables(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    class Env(Anything):
        def __init__(self, config: Any) -> None:
            self.config, self.taskset = config, SimpleNamespace(config=SimpleNamespace(rules="heads-up-no-limit"))

    stubs = dict.fromkeys(["Task", "Taskset", "Harness", "HarnessConfig"], Anything)
    stubs |= dict.fromkeys(["TaskData", "TasksetConfig", "EnvConfig", "AgentConfig", "SubprocessConfig"], Model)
    stubs |= dict.fromkeys(["ModelContext", "Trace", "Runtime", "ProgramResult", "Agents"], Anything)
    parts = {"verifiers__v1": {**stubs, "Env": Env}, "verifiers__v1__dialects__chat": {"message_to_wire": None}}
    module = loaded(monkeypatch, "verifiers/holdem_verifiers.py", **parts)

    def play(*talks: Talk) -> None:
        env = module.HoldemEnv(module.HoldemEnvConfig())
        task = SimpleNamespace(data=SimpleNamespace(seed=1, hand=0))
        asyncio.run(env.run(task, SimpleNamespace(**{f"seat{seat}": talk for seat, talk in enumerate(talks)})))

    return play


@pytest.mark.parametrize("stop", ["max_turns", "max_total_tokens", "harness_timeout"])
def test_verifiers_folds_for_a_model_that_stops(tables: Callable[..., None], stop: str) -> None:
    first, other = Talk(["Action: raise to 100"], stop), Talk(["Action: call", "Action: check"] * 4, None)
    tables(*((first, other) if Table("heads-up-no-limit", button=0, seed=1).actor == 0 else (other, first)))
    assert first.rewards == {"chips": -50.0, "unfinished": -1.0}
    assert other.rewards == {"chips": 50.0}


def test_verifiers_breaks_off_where_a_server_fails(tables: Callable[..., None]) -> None:
    talks = Talk([], "error"), Talk([], "error")
    with pytest.raises(RuntimeError, match=r"the model gave no answer \(the server is gone\); the hand is broken off"):
        tables(*talks)
    assert not any(talk.rewards for talk in talks)
