"""Tournaments as their director sees them: interrupts, agents that are mended, forfeits, names that do not fit."""

from __future__ import annotations

import numpy as np
import pytest

from arena.test_tournament_errors import play, small
from command_line import good, holdem
from holdem_env import Rules
from holdem_env.arena.tournaments.standings import standings
from holdem_env.arena.tournaments.store import Store, StoreError
from holdem_env.arena.tournaments.tournament import Tournament, run

HEADS_UP = Rules.preset("heads-up-no-limit")


def freezeout(**changes) -> Tournament:
    rules = HEADS_UP.replace(stacks=20, session={"prizes": [1.0]})
    agents = ["calling_station", "maniac"]
    return Tournament(**{"rules": rules, "agents": agents, "format": "freezeout", "sessions": 30, "seed": 0, **changes})


def test_a_freezeout_is_stored_every_few_sessions_and_no_result_depends_on_it(tmp_path):
    counts, columns = [], []
    for shard in (None, 7):
        with play(
            freezeout(shard=shard), tmp_path / f"{shard}.db", lambda one, *_: counts.append(one.shard.count)
        ) as store:
            columns.append(store.deals(["calling_station", "maniac"]).columns)
    assert counts == [24, 6, 7, 7, 7, 7, 2]
    for name in ("chips", "prizes", "places", "hands"):
        assert np.array_equal(columns[0][name], columns[1][name])


@pytest.mark.parametrize("moment", ["Store.enter", "tournament._Pass._keep"])
def test_an_interrupt_before_anything_is_finished(tmp_path, monkeypatch, moment):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    module = "store" if moment == "Store.enter" else ""
    monkeypatch.setattr(".".join(filter(None, ["holdem_env.arena.tournaments", module, moment])), interrupt)
    path = tmp_path / "mine.yaml"
    path.write_text("rules: heads-up-no-limit\nagents: [maniac, random]\nhands: 20\n")
    result = holdem("tournament", path, "--store", tmp_path / "x.db")
    assert result.exit_code == 130
    assert result.output == "Interrupted; nothing is finished yet. The same command continues.\n"
    if not module:
        assert "nothing is finished yet" in good("standings", tmp_path / "x.db")
    assert not (tmp_path / "mine-report").exists()


BOT = """
from holdem_env.agents import TableAgent

class Mine(TableAgent):
    def decide(self, view):
        return "call" if len(view.moves) < LIMIT else 1 / 0
"""


def with_mine(bot) -> Tournament:
    agents = ["calling_station", "maniac", {"agent": str(bot), "name": "mine"}]
    return small(agents=agents, hands=40, shard=10, isolation="none")


def test_a_mended_agent_plays_again_by_retry_alone(tmp_path):
    bot = tmp_path / "mine.py"
    bot.write_text(BOT.replace("LIMIT", "0"))
    with play(with_mine(bot), tmp_path / "x.db") as store:
        assert list(store.forfeits()) == ["mine"]
        bot.write_text(BOT.replace("LIMIT", "100"))
        with pytest.raises(StoreError, match="'mine' forfeited, and --retry lets it play again"):
            run(with_mine(bot), store)
        assert list(store.forfeits()) == ["mine"]
        run(with_mine(bot), store, retry=True)
        assert store.forfeits() == {}
        assert {store.deals_played(names) for names in store.matches()} == {20}


def test_what_a_mended_agent_had_played_is_dropped(tmp_path):
    bot = tmp_path / "mine.py"
    bot.write_text(BOT.replace("LIMIT", "100"))
    with play(with_mine(bot), tmp_path / "x.db") as store:
        before = store.deals(["calling_station", "maniac"])
        store.forfeit("mine", "too slow")
        bot.write_text(BOT.replace("LIMIT", "99").replace('"call"', '"fold"'))
        counts = []
        run(with_mine(bot), store, lambda one, *_: counts.append(one.shard.names), retry=True)
        assert set(counts) == {("calling_station", "mine"), ("maniac", "mine")}
        assert np.array_equal(before.numbers, store.deals(["calling_station", "maniac"]).numbers)


@pytest.mark.slow
def test_a_file_is_the_same_agent_by_any_path_and_who_is_gone_is_marked(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(BOT.replace("LIMIT", "100"))
    config = tmp_path / "t.yaml"
    hands = []
    for agents in ("mine.py, maniac, random", f"{tmp_path}/mine.py, maniac"):
        config.write_text(f"rules: heads-up-no-limit\nagents: [{agents}]\nhands: 20\nisolation: none\n")
        said = good("tournament", "t.yaml")
        with Store("t.db") as store:
            hands.append(store.hands())
            assert sorted(store.agents) == ["maniac", "mine.py", "random"]
            counting = standings(store, leavers="count")
            assert [row.name for row in counting.rows if row.is_absent] == (["random"] if len(hands) == 2 else [])
            assert counting.hands == 60
    assert hands == [60, 60]
    assert "20 hands" in said
    assert "Left: random, " in said
    assert "big blinds in 40 hands, which do not count" in " ".join(said.split())
