"""A user's own encoders: functions of a few lines, in the AEC environment and in the batch alike."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

from holdem_env import Rules, Tables, holdem_v0
from holdem_env.encoders import (
    action_encoder,
    get_actions,
    get_observation,
    observation_encoder,
    register_actions,
    register_observation,
)

RULES = Rules.preset("heads-up-no-limit")


@observation_encoder(size=lambda rules: 1 + rules.seats, high=1000.0)
def price_and_stacks(t, r, seat, out):  # type: ignore[no-untyped-def]
    out[0] = t.level - t.bet[seat]
    for other in range(r.seats):
        out[1 + other] = t.stack[other]


@action_encoder(["fold", "call", "shove"])
def push_or_fold(t, r, choices):  # type: ignore[no-untyped-def]
    choices[0] = -1
    choices[1] = 0
    if t.raise_max == t.stack[t.actor] + t.bet[t.actor]:
        choices[2] = t.raise_max


def test_same_objects_everywhere() -> None:
    env = holdem_v0.env(rules=RULES, observation=price_and_stacks, actions=push_or_fold)
    env.reset(seed=0)
    seen = env.observe("player_0")
    assert seen["observation"].tolist() == [1, 199, 198]
    assert seen["action_mask"].tolist() == [1, 1, 1]
    assert env.observation_space("player_0").contains(seen)
    tables = Tables(RULES, 3, observation=price_and_stacks, actions=push_or_fold)
    assert tables.observation.tolist() == [[1, 199, 198]] * 3
    tables.step([2, 1, 0])
    assert tables.observation.tolist() == [[198, 0, 198], [0, 198, 198], [1, 198, 199]]


def test_registered_names() -> None:
    register_observation("price_and_stacks", lambda: price_and_stacks)
    register_actions("push_or_fold", lambda: push_or_fold)
    assert get_observation("price_and_stacks") is price_and_stacks
    assert get_actions("push_or_fold", RULES) is push_or_fold


@pytest.mark.parametrize("thing", [3, None, print])
def test_what_is_not_an_encoder_is_an_error(thing: object) -> None:
    with pytest.raises(TypeError, match="neither a name nor an ObservationEncoder"):
        get_observation(thing)  # type: ignore[arg-type]
    if thing is not None:
        with pytest.raises(TypeError, match="neither a name nor an ActionEncoder"):
            get_actions(thing, RULES)  # type: ignore[arg-type]


def test_no_compilation_in_the_next_process(tmp_path: Path) -> None:
    """Passed as a plain argument it would be compiled anew in each process; a first-class function is not."""
    script = tmp_path / "users_encoder.py"
    script.write_text(
        textwrap.dedent(
            """
            from numba.core import event
            compiled = []
            class Listener(event.Listener):
                def on_start(self, event): compiled.append(event.data["dispatcher"].py_func.__name__)
                def on_end(self, event): pass
            event.register("numba:compile", Listener())
            from holdem_env import Rules, Tables
            from holdem_env.encoders import observation_encoder
            @observation_encoder(size=1, high=1e6)
            def pot(t, r, seat, out):
                out[0] = t.pot
            tables = Tables(Rules.preset("heads-up-no-limit"), 4, observation=pot)
            print(int(tables.observation.sum()), len(compiled))
            """
        )
    )
    runs = [
        subprocess.run([sys.executable, script], capture_output=True, text=True, check=True).stdout.split()
        for _ in range(2)
    ]
    assert runs[0][0] == runs[1][0] == "12"
    assert int(runs[0][1]) > 0
    assert int(runs[1][1]) == 0


def test_observation_is_zeroed_before_each_call() -> None:
    @observation_encoder(size=2)
    def first_only(t, r, seat, out):  # type: ignore[no-untyped-def]
        out[0] = 1.0

    out = np.full((1, 2), 7.0, np.float32)
    tables = Tables(RULES, 1, observation=first_only)
    tables.observation_encoder.observe(tables.records, RULES.record, np.zeros(1, np.int64), tables.actor, out)
    assert out.tolist() == [[1.0, 0.0]]


def test_functions_without_a_source_file_work_too() -> None:
    """Typed into a shell, or made by exec: not cached, but not an error either."""
    names = {"observation_encoder": observation_encoder}
    code = "@observation_encoder(size=1)\ndef always(t, r, seat, out):\n    out[0] = 0.5\n"
    exec(code, names)
    assert Tables(RULES, 2, observation=names["always"]).observation.tolist() == [[0.5], [0.5]]
