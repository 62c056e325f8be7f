"""Rules in every form that people give them: amounts in big blinds, whole numbers."""

from __future__ import annotations

import re
import warnings
from pathlib import Path

import gymnasium
import numpy as np
import pytest

from errors import complaint, mentions
from holdem_agents.runs.config import load_config
from holdem_env import Rules, Session, Table, Tables, holdem_v0
from holdem_env.agents.registry import make_agent
from holdem_env.arena import play_deals, play_match
from holdem_env.arena.best_responses.exploitability import exploitability
from holdem_env.envs.arguments import checked_options
from holdem_env.envs.learner_tables import LearnerTables
from holdem_env.envs.sb3 import HoldemVecEnv
from holdem_env.game.rules import AS_PLAYED
from holdem_env.game.rules_input import as_rules
from holdem_env.game.session_rules import SessionRules

GAME = Rules.preset("heads-up-limit", stacks=40)
TEXT = "preset: heads-up-limit\nstacks: 40\n"


@pytest.fixture(params=["Rules", "preset and changes", "all fields", "path as text", "Path"])
def given(request, tmp_path) -> object:
    """One game, in one of the forms."""
    file = tmp_path / "mine.yaml"
    file.write_text(TEXT)
    return {
        "Rules": GAME,
        "preset and changes": {"preset": "heads-up-limit", "stacks": 40},
        "all fields": GAME.model_dump(),
        "path as text": str(file),
        "Path": file,
    }[request.param]


def test_tables_sessions_and_environments_take_every_form(given):
    assert Table(given).rules == GAME
    assert Table.from_position(given, [40, 40]).rules == GAME
    assert Tables(given, 2).rules == GAME
    assert Session(given).rules.replace(session=None) == GAME
    assert holdem_v0.env(given).unwrapped.rules.replace(session=None) == GAME
    assert LearnerTables(given, 2, ["random"]).rules == GAME
    assert HoldemVecEnv(given, 2).rules == GAME
    assert gymnasium.make("holdem_env/HoldemSeat-v0", rules=given).unwrapped.rules == GAME
    assert gymnasium.make_vec("holdem_env/HoldemSeat-v0", num_envs=2, rules=given).unwrapped.rules == GAME


def test_matches_take_every_form(given):
    expected = play_match("maniac", "calling_station", GAME, hands=64, num_tables=32)
    assert play_match("maniac", "calling_station", given, hands=64, num_tables=32) == expected
    agents = [make_agent("maniac"), make_agent("calling_station")]
    assert play_deals(given, agents, [0, 1], range(4)).hands == 8


def test_a_name_alone():
    assert Table("heads-up-limit").rules == as_rules("heads-up-limit") == Rules.preset("heads-up-limit")
    assert exploitability("random", "kuhn") == exploitability("random", Rules.preset("kuhn"))
    assert as_rules(None) == Rules()


@pytest.mark.parametrize("ask", [Table, Tables, Session, holdem_v0.env, HoldemVecEnv, as_rules])
def test_what_is_no_game_is_told(ask, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    mentions(complaint(ask, "heads-up-nolimit"), "heads-up-nolimit", "heads-up-no-limit")
    mentions(complaint(ask, {"preset": "leduk"}), "leduk", "leduc")
    mentions(complaint(ask, {"preset": "leduc", "stack": 3}), "stack", "stacks")
    for missing in ("mine.yaml", "games/mine", Path("mine")):
        mentions(complaint(ask, missing, kind=FileNotFoundError), "rules")
    mentions(complaint(ask, 6, kind=TypeError), 6)
    Path("list.yaml").write_text("- 1\n")
    mentions(complaint(ask, "list.yaml"), "list.yaml")


def test_amounts_in_big_blinds():
    rules = Rules(blinds=(50, 100), stacks="50bb", ante="0.5bb", straddle="2 BB")
    assert rules == Rules(blinds=(50, 100), stacks=5_000, ante=50, straddle=200)
    assert type(rules.stacks) is int
    assert Rules(stacks="20bb").stacks == 2_000  # the usual blinds
    assert Rules(seats=2, blinds=(1, 2), stacks=("50bb", 70)).stacks == (100, 70)
    assert Rules(blinds=[5, 10], big_blind_ante="1bb", min_bet="2bb").min_bet == 20
    assert Rules(seats=2, stacks="5000").stacks == 5_000  # digits are chips


def test_the_rebuy_of_a_session():
    session = {"kind": "cash", "rebuy": "100bb", "num_hands": 5}
    rules = Rules(blinds=(1, 2), session=session)
    assert rules.session == SessionRules(kind="cash", rebuy=200, num_hands=5)
    assert session["rebuy"] == "100bb"
    assert Rules(blinds=(5, 10)).replace(session=session).session.rebuy == 1_000
    assert holdem_v0.env("heads-up-no-limit", session=session).session.rebuy == 200


def test_presets_replacements_dicts_files_and_changes(tmp_path):
    assert Rules.preset("heads-up-no-limit", stacks="50bb").stacks == 100
    assert Rules.preset("leaflet", stacks="50bb").stacks == 500  # a set of chips no longer counts
    assert Rules(blinds=(1, 2)).replace(stacks="7bb").stacks == 14
    (tmp_path / "mine.yaml").write_text("preset: heads-up-no-limit\nstacks: 12.5bb\n")
    assert as_rules(tmp_path / "mine.yaml").stacks == 25
    (tmp_path / "run.yaml").write_text("rules: heads-up-no-limit\nbudget: {decisions: 100}\n")
    assert load_config(tmp_path / "run.yaml", ["rules.stacks=30bb"]).rules.stacks == 60


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"blinds": (2, 5), "ante": "0.5bb"}, r"ante: '0.5bb' is 2.5 chips with a big blind of 5; give whole chips"),
        ({"stacks": "50b"}, r"stacks: '50b' is no amount; give chips, or big blinds such as '50bb'"),
        ({"stacks": "-5bb"}, "stacks: '-5bb' is no amount"),
        ({"session": {"kind": "cash", "rebuy": "100b"}}, "session, rebuy: '100b' is no amount"),
        ({"stacks": "0bb"}, "stacks"),
        ({"stacks": "50bb", "blinds": 100}, r"needs blinds, \(small, big\) in chips, not 100"),
        ({"stacks": "50bb", "blinds": (0, 0), "ante": 1}, "stacks: '50bb' needs a big blind"),
    ],
)
def test_what_is_no_amount_is_told(fields, words):
    assert re.search(words, complaint(Rules, **fields))


def test_very_deep_stacks_are_a_warning():
    with pytest.warns(
        UserWarning, match=r"20,000 chips are 10,000 big blinds of 2, more than the usual 1,000"
    ) as raised:
        Rules(blinds=(1, 2), stacks=20_000)
    assert raised[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for name in Rules.presets():
            Rules.preset(name)
        Rules(stacks="1000bb")
        Rules.preset("kuhn", stacks=100_000)  # without a big blind
        Rules.model_validate({"blinds": (1, 2), "stacks": 20_000}, context=AS_PLAYED)


@pytest.mark.parametrize("stacks", ["50bb", ["50bb", 100], 100, "100", ["50 BB", "100"], np.array([100, 100])])
def test_a_table_takes_stacks_in_big_blinds(stacks):
    rules = Rules.preset("heads-up-no-limit")
    assert Table(rules, stacks=stacks, seed=1).starting_stacks == [100, 100]
    assert Session(rules, stacks=stacks, seed=1).stacks == [100, 100]
    for empty_seats in (False, True):
        assert checked_options(rules, {"stacks": stacks}, 1, empty_seats).stacks == [100, 100]


RULES = Rules.preset("heads-up-no-limit")


@pytest.mark.parametrize(
    ("given", "kind", "words"),
    [
        ({"stacks": ["50bb", 99.5]}, TypeError, "stacks: give chips as integers, or big blinds .*, not 99.5"),
        ({"stacks": "much"}, ValueError, "stacks: 'much' is no amount"),
        ({"stacks": "1.25bb"}, ValueError, "stacks: '1.25bb' is 2.5 chips with a big blind of 2"),
        ({"stacks": "0bb"}, ValueError, "stacks: seat 0 has 0"),
        *(
            ({"button": seat}, TypeError, r"button: give a seat, 0\.\.1, not")
            for seat in (1.5, 1.0, True, "1", np.True_)
        ),
    ],
)
def test_stacks_and_buttons_of_a_table_that_are_none(given, kind, words):
    assert re.search(words, complaint(Table, RULES, **given, kind=kind))


@pytest.mark.parametrize("make", [Table, Session, Table.from_position])
@pytest.mark.parametrize("stack", [True, 1.5, 100.0, None, np.True_])
def test_stacks_that_are_no_chips(make, stack):
    mentions(complaint(make, RULES, stacks=[stack, 100], kind=TypeError), "stacks")


@pytest.mark.parametrize("seed", [1.5, True, "1", None])
def test_seeds_of_many_tables_that_are_no_numbers(seed):
    tables = Tables(RULES, 2, seed=3)
    before = tables.records.tobytes()
    for make in (lambda: Tables(RULES, 2, seed=seed), lambda: tables.reset(seed)):
        mentions(complaint(make, kind=TypeError), "seed", 0)
    assert tables.records.tobytes() == before
    assert tables.seed == 3


def test_booleans_that_mean_something_stay():
    assert Rules(seats=3, straddle=True).straddle == 200
    assert Rules(muck=False).muck is False


@pytest.mark.parametrize(("name", "right"), [("buton", "button"), ("stack", "stacks"), ("Deck", "deck")])
def test_a_misspelt_option_of_reset(name, right):
    env = holdem_v0.env(RULES)
    env.reset(seed=1)
    with pytest.raises(ValueError, match=f"options: there is no '{name}': did you mean '{right}'"):
        env.reset(seed=2, options={name: 1})
    env.reset(seed=2, options={"somebody_elses": 1})


@pytest.mark.parametrize(
    "text", ["stacks: .inf", "blinds: [1, .nan]", "seats: 2.5", "rake: {percent: .nan}", "deck: [9]"]
)
def test_a_file_of_rules_is_named_with_what_is_wrong(tmp_path: Path, text: str) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(text)
    found = complaint(as_rules, path)
    mentions(found, path, text.split(":")[0])
    assert "\n" not in found
