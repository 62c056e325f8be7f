"""Language models in tournaments: who gets a key."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.isolation.bots import needs_jail
from command_line import holdem
from holdem_env.arena.isolation.making import is_isolated
from holdem_env.arena.tournaments.store import Store
from pages import DOCS, blocks
from protocols.hostile_servers import slow_servers
from protocols.loopback import Asked, serving
from protocols.text.test_openai_agent import KEY, by_the_legal_moves, completion

GAME = """
rules: heads-up-no-limit
hands: 8
shard: 2
nash: false
"""


def answer(asked: Asked) -> object:
    return completion("banana") if asked.body["model"] == "rude" else by_the_legal_moves(asked)


@pytest.fixture(autouse=True)
def _there(monkeypatch, tmp_path):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("MY_API_KEY", KEY)
    monkeypatch.chdir(tmp_path)


def test_who_plays_where():
    assert not is_isolated({"agent": "openai", "model": "tiny"})
    Path("model.yaml").write_text("{agent: openai, model: tiny, base_url: 'http://127.0.0.1:1'}")
    assert is_isolated({"agent": "model.yaml"})


def tournament(url: str) -> str:
    """What the command says of the documented agents, with a key for the first model and this server."""
    _, agents = blocks(DOCS / "language_models.md", "yaml")
    here = agents.replace("http://127.0.0.1:8000/v1", url).replace(
        "name: small", "name: small, api_key_env: MY_API_KEY"
    )
    Path("t.yaml").write_text(GAME + here)
    return holdem("tournament", "t.yaml", "--store", "t.db", "--report", "r").output


@pytest.mark.slow
@needs_jail
def test_a_tournament():
    """Who talks nonsense forfeits, if its file says so."""
    with serving(answer) as server:
        rude = f"{{agent: openai, model: rude, base_url: '{server.url}', without_answer: stop}}"
        Path("theirs.yaml").write_text(rude)
        text = tournament(server.url)
        sent = {asked.body["model"]: asked.headers.get("Authorization") for asked in server.asked}
    assert sent == {"llama-3.1-8b-instruct": f"Bearer {KEY}", "rude": None}, text
    assert "small" in text
    assert "no legal move in 3 answers" in " ".join(text.split())
    assert KEY.encode() not in Path("t.db").read_bytes() + Path("r/report.html").read_bytes()
    assert KEY not in text


@needs_jail
def test_a_config_of_a_stranger_reaches_no_key():
    with serving(answer) as server:
        greedy = f"{{agent: openai, model: greedy, base_url: '{server.url}', api_key_env: MY_API_KEY}}"
        Path("theirs.yaml").write_text(greedy)
        text = tournament(server.url)
        assert "greedy" not in {asked.body["model"] for asked in server.asked}
    assert "theirs forfeited: ValueError: set the environment variable MY_API_KEY" in text, text
    assert KEY not in text


@pytest.mark.slow
@needs_jail
@pytest.mark.parametrize("kind", ["body with a length", "status"])
def test_a_slow_server_forfeits_and_the_others_play_on(kind):
    slow = slow_servers()[kind]
    with serving(lambda asked: slow if asked.body["model"] == "rude" else answer(asked)) as server:
        Path("theirs.yaml").write_text(f"{{agent: openai, model: rude, base_url: '{server.url}', timeout: 0.3}}")
        Path("t.yaml").write_text(f"{GAME}agents: [{{agent: theirs.yaml, network: true}}, calling_station, maniac]\n")
        text = holdem("tournament", "t.yaml", "--store", "t.db", "--report", "r").output
        times = len(server.asked)
    with Store("t.db") as store:
        assert list(store.forfeits()) == ["theirs.yaml"], text
        assert "no whole answer within 0.3 s" in store.forfeits()["theirs.yaml"]
        assert store.deals_played(("calling_station", "maniac")) > 0
    assert times == 1
