"""Tournaments when something goes wrong: changed files, agents that fail, options that do not fit, broken stores."""

from __future__ import annotations

import json

import numpy as np
import pytest

from holdem_env import Rules
from holdem_env.arena.tournaments.store import Store
from holdem_env.arena.tournaments.tournament import Contender, Tournament, run

HEADS_UP = Rules.preset("heads-up-no-limit")


def small(**changes) -> Tournament:
    agents = ["calling_station", "maniac"]
    return Tournament(**{"rules": HEADS_UP, "agents": agents, "hands": 200, "shard": 50, "seed": 3, **changes})


def play(tournament: Tournament, path, told=None) -> Store:
    store = Store(path, create=True)
    run(tournament, store, told)
    return store


# Files that change


def test_a_file_that_has_changed_is_played_as_it_is_now(tmp_path):
    mine, results = tmp_path / "mine.json", []
    for name in ("always_fold", "calling_station", "always_fold"):
        mine.write_text(json.dumps({"agent": name}))
        with play(small(agents=["random", {"agent": str(mine), "name": "mine"}]), tmp_path / f"{len(results)}.db") as s:
            results.append(s.deals(["mine", "random"]).per_deal("mine"))
    assert np.array_equal(results[0], results[2])
    assert not np.array_equal(results[0], results[1])


def test_a_file_that_changes_while_it_plays_forfeits(tmp_path):
    mine = tmp_path / "mine.json"
    mine.write_text('{"agent": "always_fold"}')
    [entrant] = [Contender.model_validate(str(mine)).entrant()]
    mine.write_text('{"agent": "maniac"}')
    with pytest.raises(ValueError, match="its file has changed since the tournament began"):
        entrant.agent()


def test_the_digest_is_also_of_the_files_that_a_config_names(tmp_path):
    net, mine = tmp_path / "net.zip", tmp_path / "mine.json"
    mine.write_text(json.dumps({"agent": str(net), "beside": [str(mine)]}))
    digests = set()
    for content in (b"one", b"two"):
        net.write_bytes(content)
        digests.add(Contender.model_validate(str(mine)).entrant().digest)
        digests.add(Contender.model_validate({"agent": "maniac", "prior": str(net), "name": "x"}).entrant().digest)
    assert len(digests) == 4
