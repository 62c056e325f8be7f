"""Fingerprints: a store notices when a name stands for another agent, and says what has changed."""

from __future__ import annotations

import json
import shutil
import sys

import pytest

from arena.open_book_agents import Silent
from holdem_agents.scripted import profile
from holdem_env import Rules
from holdem_env.agents import fingerprints, make_agent, names
from holdem_env.agents.fingerprints import difference, fingerprint_of, fingerprint_of_files
from holdem_env.arena.tournaments.store import Store, StoreError
from holdem_env.arena.tournaments.tournament import Tournament, run
from holdem_env.solvers.blueprints import agent as blueprint_agent

HEADS_UP = Rules.preset("heads-up-no-limit")
BOT = """
from holdem_env.agents import TableAgent

class Mine(TableAgent):
    def __init__(self, size: int = 3) -> None:
        self.size = size

    def decide(self, view):
        return "call"
"""


def small(*agents, **changes) -> Tournament:
    given = {"rules": HEADS_UP, "agents": agents, "hands": 40, "shard": 20, "estimators": (), "isolation": "none"}
    return Tournament(**given | changes)


def play(tournament, path, **options):
    with Store(path, create=True) as store:
        run(tournament, store, **options)
        return store.hands()


def fingerprint(what) -> str:
    made_of = what if isinstance(what, dict) else {"agent": str(what)}
    return fingerprint_of(make_agent(made_of), json.dumps(made_of))


@pytest.fixture
def bot(tmp_path):
    file = tmp_path / "mybot.py"
    file.write_text(BOT)
    return file


def test_other_code_under_an_old_name_is_refused_and_named(bot, tmp_path):
    mine, path = {"agent": str(bot), "name": "mine"}, tmp_path / "x.db"
    assert play(small(mine, "maniac"), path) == 40
    bot.write_text(BOT.replace('"call"', '"fold"'))
    words = r"'mine' is another agent there, .* \(other code in mybot.py\); give this one another name .*, use another "
    with pytest.raises(StoreError, match=words + r"file of results, or accept the change with --accept-changed"):
        play(small(mine, "maniac", hands=80), path)
    with Store(path) as store:
        assert store.hands() == 40
    assert play(small({**mine, "name": "mine 2"}, "maniac"), path) == 80  # a new name
    assert play(small(mine, "maniac", hands=80), path, accept_changed=True) == 120
    assert play(small(mine, "maniac", hands=120), path) == 160  # accepted once and for all


def test_a_strategy_that_is_given_by_name_counts_by_its_content(tmp_path, monkeypatch) -> None:
    """A store notices when another version has another strategy of the same name."""
    before = fingerprint("blueprint_20bb")
    assert before == fingerprint(blueprint_agent.shipped_path("blueprint_20bb"))
    shutil.copytree(blueprint_agent.SHIPPED, tmp_path, dirs_exist_ok=True)
    shutil.copy(blueprint_agent.shipped_path("blueprint_limit"), tmp_path / "blueprint_20bb.strategy")
    monkeypatch.setattr(blueprint_agent, "SHIPPED", tmp_path)
    assert difference(before, fingerprint("blueprint_20bb")).startswith("file 'a file with the digest ")


def test_other_parameters_are_named(bot, tmp_path):
    mine, path = {"agent": str(bot), "name": "mine"}, tmp_path / "x.db"
    play(small(mine, "maniac"), path)
    bot.write_text(BOT.replace("size: int = 3", "size: int = 5"))
    with pytest.raises(StoreError, match=r"\(other code in mybot.py; size 3, here 5\)"):
        play(small(mine, "maniac"), path)
    bot.write_text(BOT)
    with pytest.raises(StoreError, match=r"'maniac' is another agent there.*\(aggression 0.75, here 0.5\)"):
        play(small(mine, {"agent": "maniac", "aggression": 0.5}), path)


def test_another_class_of_a_registered_name(monkeypatch, tmp_path):
    class One(Silent):
        name = "one"

    class Two(One):
        pass

    monkeypatch.setitem(names.AGENTS.registered, "one", One)
    play(small("one", "maniac"), tmp_path / "x.db")
    monkeypatch.setitem(names.AGENTS.registered, "one", Two)
    play(small("maniac", "random"), tmp_path / "x.db")  # who does not play is not looked at
    from holdem_env.arena.tournaments.entrants import _agent

    _agent.cache_clear()  # a later process
    with pytest.raises(StoreError, match=r"class test_.*One, here test_.*Two"):
        play(small("one", "maniac"), tmp_path / "x.db")


def test_a_file_may_be_moved_but_not_changed(bot, tmp_path):
    (tmp_path / "net.bin").write_bytes(b"weights")
    config, there = {"agent": "maniac", "seed": 1}, tmp_path / "there"
    there.mkdir()
    for folder in (tmp_path, there):
        (folder / "mine.json").write_text(json.dumps(config))
    shutil.copy(bot, there)
    assert fingerprint(bot) == fingerprint(there / "mybot.py")
    assert fingerprint(tmp_path / "mine.json") == fingerprint(there / "mine.json")
    (there / "mine.json").write_text(json.dumps({**config, "seed": 2}))
    seen = difference(fingerprint(tmp_path / "mine.json"), fingerprint(there / "mine.json"))
    assert seen == "seed 1, here 2"


@pytest.mark.parametrize("changed", ["one", "two"])
def test_files_of_one_name_in_two_folders_both_count(changed, tmp_path, monkeypatch):
    files = [tmp_path / folder / "net.py" for folder in ("one", "two")]
    for path in files:
        path.parent.mkdir()
        path.write_text("SIZE = 1")
    found = []
    monkeypatch.setattr(fingerprints, "_code_of", lambda agent: set(files))
    for _ in range(2):
        made = json.dumps({"agent": "nit"})
        found.append((fingerprint_of(make_agent("nit"), made), fingerprint_of_files(made, files)))
        (tmp_path / changed / "net.py").write_text("SIZE = 2")
    for before, after in zip(*found, strict=True):
        assert difference(before, after) == "other code in net.py"


def test_the_content_of_a_model_file_counts(tmp_path, monkeypatch):
    class Net(Silent):
        name = "net"

        def __init__(self, weights: str) -> None:
            self.weights = weights

    monkeypatch.setitem(names.AGENTS.registered, "net", Net)
    file, found = tmp_path / "net.bin", []
    for content in (b"one", b"two", b"one"):
        file.write_bytes(content)
        found.append(fingerprint({"agent": "net", "weights": str(file)}))
    assert found[0] == found[2] != found[1]
    assert str(tmp_path) not in found[0]


def test_the_code_is_that_of_the_class_and_of_what_it_imports_beside_it():
    code = json.loads(fingerprint("nit"))["code"]
    assert {"profile.py", "strengths.py", "amounts.py"} <= set(code)
    assert not {"protocol.py", "pot_odds.py", "maniac.py", "strength.py", "known_strategy.py"} & set(code)
    assert json.loads(fingerprint("nit"))["parameters"]["tightness"] == make_agent("nit").tightness
    assert sys.modules[profile.__name__].__file__.endswith("profile.py")


def test_agents_that_cannot_be_written_down_have_fingerprints_too():
    class Odd(Silent):
        name = "odd"

        def __init__(self, *, thing: object = None) -> None:
            self.thing = thing or object()

        def config(self):
            return {"agent": "odd", "thing": self.thing}

    one, two = (fingerprint_of(Odd(), '{"agent": "odd"}') for _ in range(2))
    assert one == two
    Odd.config = lambda self: 1 / 0
    assert difference(one, fingerprint_of(Odd(), '{"agent": "odd"}')) == "thing 'an object of object', here None"
