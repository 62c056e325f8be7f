"""Agents on the Hugging Face Hub: pushed, played, in isolation too, and refused by one sentence."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest

from agents.hub_server import TOKEN, Hub
from holdem_agents.cli.commands import app
from holdem_agents.shipped import shipped_path
from holdem_env import Rules
from holdem_env.agents import hub as hub_module
from holdem_env.agents import make_agent
from holdem_env.agents.hub import push
from holdem_env.agents.named_files import named_files
from holdem_env.arena import play_deals, play_match
from holdem_env.arena.isolation.agent_files import own_files
from holdem_env.arena.isolation.making import is_isolated, make_isolated

pytest.importorskip("huggingface_hub", reason="the extra `hub` is not installed")
runner = pytest.importorskip("typer.testing").CliRunner()

MODEL = shipped_path("ppo_limit")
LIMIT = Rules.preset("heads-up-limit")


@pytest.fixture(scope="module")
def served() -> Iterator[tuple[Hub, str]]:
    hub = Hub()
    server = hub.serve()
    Thread(target=server.serve_forever, daemon=True).start()
    yield hub, f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


@pytest.fixture
def hub(served: tuple[Hub, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """An empty Hub, for which there is a token, and nothing downloaded yet."""
    from huggingface_hub import constants

    hub, address = served
    hub.repositories, hub.protected, hub.downloads, hub.is_down = {}, set(), [], False
    # What HF_ENDPOINT and HF_HOME set when huggingface_hub is imported.
    monkeypatch.setattr(constants, "ENDPOINT", address)
    template = address + "/{repo_id}/resolve/{revision}/{filename}"
    monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr(constants, "HF_TOKEN_PATH", str(tmp_path / "token"))
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    hub_module.download.cache_clear()
    yield hub
    hub_module.download.cache_clear()


@pytest.mark.slow
def test_a_pushed_agent_plays_as_its_file_does(hub: Hub) -> None:
    done = runner.invoke(app, ["push", str(MODEL), "me/limit"])
    assert done.exit_code == 0, done.output
    assert "hf:me/limit" in done.output
    files = hub.repositories["me/limit"]
    assert {*files} == {"model.safetensors", "README.md"}
    assert files["model.safetensors"] == MODEL.read_bytes()
    assert files["README.md"].decode().endswith(MODEL.with_suffix(".md").read_text())

    agent = make_agent("hf:me/limit", deterministic=True)
    assert agent.name == "hf:me/limit"
    match = play_match(agent, make_agent(MODEL, deterministic=True), LIMIT, hands=100)
    assert match.mean == 0  # on mirrored deals, the same moves
    hub.repositories["me/limit"]["model.safetensors"] = b"another one, later"
    make_agent("hf:me/limit")
    assert hub.downloads == ["me/limit/model.safetensors"]  # once in a process


def test_what_was_downloaded_plays_without_the_hub(hub: Hub) -> None:
    push(MODEL, "me/limit")
    make_agent("hf:me/limit")
    hub_module.download.cache_clear()
    hub.is_down = True
    assert make_agent("hf:me/limit").name == "hf:me/limit"


def test_the_downloaded_file_is_among_its_own(hub: Hub) -> None:
    push(MODEL, "me/limit")
    made_of = {"agent": "hf:me/limit"}
    assert is_isolated(made_of)
    (model,) = (path for path in own_files(made_of) if path.suffix == ".safetensors")
    assert model.read_bytes() == MODEL.read_bytes()
    assert model in named_files(made_of)  # of which digests and fingerprints are made


@pytest.mark.slow
def test_a_jail_without_the_network_gets_it(hub: Hub) -> None:
    push(MODEL, "me/limit")
    agent = make_isolated({"agent": "hf:me/limit", "deterministic": True})
    try:
        assert agent.name == agent.clone().name == "hf:me/limit"
        twin = make_agent(MODEL, deterministic=True)
        played = play_deals(LIMIT, [agent, twin], [0, 1], range(50), duplicate=True)
        assert not played.per_deal().any()
    finally:
        agent.close()


PICKLE = b"\x80\x04cposix\nsystem\n"


@pytest.mark.parametrize(
    ("name", "files", "said"),
    [
        ("nobody/nothing", None, "the Hub has no such repository, or it is private; `hf auth login` stores a token"),
        ("me/pickle", {"model.zip": PICKLE}, "model.zip may hold pickles, which can run any code when they are loaded"),
        ("me/empty", {"README.md": b""}, "has no model.safetensors; `holdem push` writes one"),
        ("me/false", {"model.safetensors": PICKLE}, "me/false/model.safetensors: it is no safetensors file"),
        ("me", None, "give the owner and the name of a repository, as in hf:USER/NAME"),
    ],
)
def test_what_is_no_agent_is_refused(hub: Hub, name: str, files: dict[str, bytes] | None, said: str) -> None:
    if files is not None:
        hub.repositories[name] = files
    done = runner.invoke(app, ["match", f"hf:{name}", "random"])
    assert done.exit_code == 2
    assert done.stderr.startswith(f"holdem: hf:{name}")
    assert said in done.stderr
    assert "model.zip" not in "".join(hub.downloads)


@pytest.mark.parametrize(
    ("token", "repository", "model", "said"),
    [
        (None, "me/limit", MODEL, "push: there is no token of the Hub; `hf auth login` stores a token"),
        ("another", "me/limit", MODEL, "hf:me/limit: the Hub refuses your token for it (status 401)"),
        (TOKEN, "you/limit", MODEL, "hf:you/limit: the Hub refuses your token for it (status 403)"),
        (TOKEN, "limit", MODEL, "hf:limit: give the owner and the name of a repository"),
        (TOKEN, "me/limit", MODEL.with_suffix(".zip"), "only data is shared, a model file (.safetensors)"),
        (TOKEN, "me/limit", Path("none.safetensors"), "none.safetensors: there is no such file"),
    ],
)
def test_what_cannot_be_pushed_is_refused(
    hub: Hub, token: str | None, repository: str, model: Path, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub.protected = {"you/limit"}
    monkeypatch.delenv("HF_TOKEN")
    if token:
        monkeypatch.setenv("HF_TOKEN", token)
    done = runner.invoke(app, ["push", str(model), repository])
    assert done.exit_code == 2
    assert said in done.stderr
    assert hub.repositories == {}


def test_a_card_that_links_to_another_file_is_not_pushed(hub: Hub, tmp_path: Path) -> None:
    path, secret = tmp_path / "run" / "final.safetensors", tmp_path / "secret.txt"
    path.parent.mkdir()
    path.write_bytes(MODEL.read_bytes())
    secret.write_text("a secret")
    path.with_name("model_card.md").symlink_to(secret)
    with pytest.raises(ValueError, match=r"model_card\.md must be a file of its own, got a link"):
        push(path, "me/agent")
    assert not hub.repositories


def test_without_the_network_there_is_one_sentence(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "ENDPOINT", "http://127.0.0.1:9")  # where nobody listens
    for words in (["match", "hf:me/limit", "random"], ["push", str(MODEL), "me/limit"]):
        done = runner.invoke(app, words)
        assert done.exit_code == 2
        assert done.stderr.startswith("holdem: 'hf:me/limit': the Hub cannot be reached (")
