"""How games and what plays them show themselves: reprs, the signature of Rules, and lists of games."""

from __future__ import annotations

import inspect
from itertools import chain

import gymnasium

from holdem_env import Rules, Session, Tables
from holdem_env.envs.learner_tables import LearnerTables
from holdem_env.envs.sb3 import HoldemVecEnv
from holdem_env.game.presets import FAMILIES, PRESETS

GAME = "2 seats, Fixed limit 2/4, observation 'flat', actions 'limit'"
SEAT = "holdem_env/HoldemSeat-v0"


def test_what_plays_through_encoders():
    assert repr(Tables("heads-up-limit", 2_000)) == f"<Tables: 2,000 tables, {GAME}>"
    assert repr(LearnerTables("heads-up-limit", 2, ["random"])) == f"<LearnerTables: 2 tables, {GAME}>"
    assert repr(HoldemVecEnv("heads-up-limit", 3)) == f"<HoldemVecEnv: 3 tables, {GAME}>"
    assert repr(gymnasium.make(SEAT, rules="heads-up-limit").unwrapped) == f"<HoldemSeatEnv: {GAME}>"
    many = gymnasium.make_vec(SEAT, num_envs=3, rules="heads-up-limit").unwrapped
    assert repr(many) == f"<HoldemSeatVectorEnv: 3 tables, {GAME}>"


def test_a_session_tells_how_far_it_is():
    session = Session("heads-up-limit", seed=1)
    assert repr(session) == "<Session: 2 seats, Fixed limit 2/4, 0 hands played, between hands, stacks [200, 200]>"
    table = session.deal()
    assert "in a hand" in repr(session)
    table.fold()
    assert "1 hand played, between hands, stacks" in repr(session)


def test_the_signature_of_rules_can_be_read():
    signature = inspect.signature(Rules)
    assert list(signature.parameters) == list(Rules.model_fields)
    text = str(signature)
    assert "deck: tuple[int, ...] = (0, 1, ..., 51)," in text
    assert not [word for word in ("Ellipsis", "Annotated", "FieldInfo") if word in text]
    assert len(text) < 2_000


def test_every_preset_is_in_one_family_and_has_a_name_of_its_own():
    listed = list(chain.from_iterable(FAMILIES.values()))
    assert len({*listed}) == len(listed)
    assert {*listed} == {*PRESETS}, f"FAMILIES of presets.py must have each preset: { ({*listed} ^ {*PRESETS}) }"
    names = [preset.name for preset in PRESETS.values()]
    assert all(names)
    assert len({*names}) == len(names)
