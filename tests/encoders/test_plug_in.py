"""A user's own encoders: functions of a few lines, in the AEC environment and in the batch alike."""

from __future__ import annotations

import re
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba.core import config

from engine.test_invariants import printed
from errors import complaint, mentions
from holdem_env import Rules, Table, Tables, holdem_v0
from holdem_env.encoders import (
    EncoderError,
    action_encoder,
    get_actions,
    get_observation,
    observation_encoder,
    register_actions,
    register_observation,
)
from holdem_env.engine.batch import NO_MOVE

RULES = Rules.preset("heads-up-no-limit")


@observation_encoder(size=lambda rules: 1 + rules.seats, high=1000.0)
def price_and_stacks(t, r, seat, out):  # type: ignore[no-untyped-def]
    out[0] = t.bet_to_match - t.bet[seat]
    for other in range(r.seats):
        out[1 + other] = t.stack[other]


@action_encoder(("fold", "call", "shove"))  # type: ignore[arg-type]
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
    assert push_or_fold.meanings(RULES) == ["fold", "call", "shove"]


def test_names_that_a_package_declares(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x-1.dist-info").mkdir()
    (tmp_path / "x-1.dist-info" / "METADATA").write_text("Name: x\nVersion: 1\n")
    lines = "[holdem_env.observations]\nits_odds = its:Odds\n[holdem_env.actions]\nits_moves = its:Moves\n"
    (tmp_path / "x-1.dist-info" / "entry_points.txt").write_text(lines)
    code = "from holdem_env.encoders.flat import Flat as Odds\nfrom holdem_env.encoders.actions import FCPA as Moves\n"
    (tmp_path / "its.py").write_text(code)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert get_observation("flat+its_odds").shape(RULES) == (298,)
    assert get_actions("its_moves", RULES).size(RULES) == 4


@pytest.mark.parametrize("thing", [3, None, print])
def test_what_is_not_an_encoder_is_an_error(thing: object) -> None:
    with pytest.raises(TypeError, match="neither a name nor an ObservationEncoder"):
        get_observation(thing)  # type: ignore[arg-type]
    if thing is not None:
        with pytest.raises(TypeError, match="neither a name nor an ActionEncoder"):
            get_actions(thing, RULES)  # type: ignore[arg-type]


@pytest.mark.slow
def test_no_compilation_in_the_next_process(tmp_path: Path) -> None:
    """Passed as a plain argument it would be compiled in each process; a first-class function is not."""
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
    command = [sys.executable, script]
    runs = [subprocess.run(command, capture_output=True, text=True, check=True).stdout.split() for _ in range(2)]
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


def test_an_observation_of_several_axes() -> None:
    @observation_encoder(size=lambda rules: (rules.seats, 2), high=1e6)
    def stacks_and_bets(t, r, seat, out):  # type: ignore[no-untyped-def]
        for other in range(r.seats):
            out[2 * other] = t.stack[other]
            out[2 * other + 1] = t.bet[other]

    tables = Tables(RULES, 3, observation=stacks_and_bets)
    assert tables.observation.tolist() == [[[199, 1], [198, 2]]] * 3
    env = holdem_v0.env(rules=RULES, observation=stacks_and_bets)
    env.reset(seed=0)
    assert env.observe("player_1")["observation"].tolist() == [[199, 1], [198, 2]]
    assert env.observation_space("player_0")["observation"].shape == (2, 2)
    assert env.state().shape == (8,) == env.state_space.shape
    assert stacks_and_bets.layout(RULES) == [("stacks_and_bets", 0, 2)]


def test_numbers_outside_the_space_are_an_error() -> None:
    @observation_encoder(size=3)
    def chips(t, r, seat, out):  # type: ignore[no-untyped-def]
        out[1] = t.pot / 3.0

    tables = Tables(RULES, 4, observation=chips)  # the blinds are 3, and that is still 1
    mentions(complaint(tables.step, [0, 0, 1, 0], kind=EncoderError), "chips", "index 1", "table 2", "seat 1")

    @observation_encoder(size=1, low=-1)
    def share(t, r, seat, out):  # type: ignore[no-untyped-def]
        out[0] = t.dead / t.dead

    mentions(complaint(Tables, RULES, 1, observation=share, kind=EncoderError), "share", 0)


@pytest.mark.skipif(bool(config.BOUNDSCHECK or config.DISABLE_JIT), reason="checked code says so itself: IndexError")
def test_writing_outside_ones_place_is_an_error() -> None:
    """Compiled code would write over whatever stands there."""

    @observation_encoder(size=2)
    def too_long(t, r, seat, out):  # type: ignore[no-untyped-def]
        for other in range(r.seats + 1):
            out[other] = 0.5

    mentions(complaint(Tables, RULES, 2, observation=too_long, kind=EncoderError), "too_long", 2, 0, 1)

    @action_encoder(["fold", "call"])
    def no_such_action(t, r, choices):  # type: ignore[no-untyped-def]
        choices[1] = 0
        choices[-3] = 0

    mentions(complaint(Tables, RULES, 2, actions=no_such_action, kind=EncoderError), "no_such_action", -1, 2)


def test_offering_what_is_not_legal_is_an_error() -> None:
    @action_encoder(["call", "raise by 1"])
    def by_one(t, r, choices):  # type: ignore[no-untyped-def]
        choices[0] = 0
        choices[1] = t.bet_to_match + 1

    mentions(complaint(Tables, RULES, 2, actions=by_one, kind=EncoderError), "by_one", 1, 0, 4)

    @action_encoder(["shove"])
    def shove_only(t, r, choices):  # type: ignore[no-untyped-def]
        if t.raise_max > 0:
            choices[0] = t.raise_max

    tables = Tables(RULES, 3, actions=shove_only)
    mentions(complaint(tables.step, [0, 0, 0], kind=EncoderError), "shove_only", 0, 1)


def test_nothing_is_asked_where_nobody_is_to_act() -> None:
    @action_encoder(["call"])
    def call(t, r, choices):  # type: ignore[no-untyped-def]
        choices[0] = 0

    table = Table(RULES, seed=0)
    table.fold()
    choices = np.zeros((1, 1), np.int64)
    call.choose(table.records, RULES.record, np.zeros(1, np.int64), choices)
    assert choices.tolist() == [[NO_MOVE]]


def test_meanings_may_depend_on_the_rules() -> None:
    @action_encoder(lambda rules: ["fold", "call", f"raise to {3 * rules.big_blind}"])
    def triple(t, r, choices):  # type: ignore[no-untyped-def]
        choices[0] = -1
        choices[1] = 0
        if t.raise_min <= 3 * r.big_blind <= t.raise_max:
            choices[2] = 3 * r.big_blind

    mentions(complaint(Tables(RULES, 2, actions=triple).step, [7, 0]), 0, 1, 2, 6)


@pytest.mark.parametrize(
    ("meanings", "why"),
    [
        (3, "give a few words for each action, .* not 3"),
        ("fold", "give a few words for each action, .* not 'fold'"),
        ([1, 2], r"give a few words for each action, .* not \[1, 2\]"),
        ({"fold": 0}, "give a few words for each action"),
        ([], "the list of actions is empty"),
        (["fold", "call", "fold"], "'fold' is given twice"),
    ],
)
def test_actions_have_names_of_their_own(meanings: Any, why: str) -> None:
    assert re.search(f"action_encoder: {why}", complaint(action_encoder, meanings, kind=EncoderError))

    @action_encoder(lambda rules: meanings)
    def described_later(t, r, choices):  # type: ignore[no-untyped-def]
        choices[0] = 0

    with pytest.raises(EncoderError, match=f"action encoder 'described_later': {why}"):
        described_later.meanings(RULES)


@pytest.mark.parametrize("size", [0, -1, (2, 0), "many", 1.5])
def test_a_size_is_a_positive_number_or_shape(size: object) -> None:
    @observation_encoder(size=size)  # type: ignore[arg-type]
    def nothing(t, r, seat, out):  # type: ignore[no-untyped-def]
        pass

    mentions(complaint(Tables, RULES, 1, observation=nothing, kind=(ValueError, TypeError)), "nothing")


def test_an_encoder_that_writes_beside_its_record_is_told():
    @observation_encoder(size=1)
    def stray(t, r, seat, out):
        t.premature_after[300] = 1  # in the next record

    with pytest.raises((EncoderError, IndexError), match=r"writes to the record|out of bounds"):
        Tables(RULES, 1, observation=stray)


WRITES_LATER = """
from holdem_env import Rules, Tables
from holdem_env.encoders import EncoderError, action_encoder, observation_encoder

@observation_encoder(size=1)
def sometimes(t, r, seat, out):
    if t.board_count == 3:
        t.dead = 1

@action_encoder(["call"])
def rarely(t, r, choices):
    choices[0] = 0
    if t.board_count == 4:
        t.rake = 1

for options in ({"observation": sometimes}, {"actions": rarely}):
    tables = Tables(Rules.preset("heads-up-no-limit"), 2, **options)
    try:
        for salt in range(20):
            tables.step(tables.random_actions(salt))
    except EncoderError as error:
        print(error)
"""


@pytest.mark.slow
def test_with_checks_an_encoder_that_writes_sometimes_is_refused():
    told = printed(WRITES_LATER, "1")
    assert "observation encoder 'sometimes' writes to the record: it changes t.dead" in told
    assert "action encoder 'rarely' writes to the record: it changes t.rake" in told


def test_an_encoder_that_writes_to_the_record_is_told_and_changes_nothing():
    @observation_encoder(size=1)
    def thief(t, r, seat, out):
        t.stack[0] = 5

    @action_encoder(["call"])
    def cheat(t, r, choices):
        t.pot = 0
        choices[0] = 0

    for options, words in (({"observation": thief}, "'thief' .*t.stack"), ({"actions": cheat}, "'cheat' .*t.pot")):
        assert re.search(words, complaint(Tables, Rules.preset("heads-up-no-limit"), 4, **options, kind=EncoderError))
