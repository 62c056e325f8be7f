"""integrations/openenv: a server on this machine, its client, and OpenEnv's own validator.

`make integrations` installs OpenEnv in an environment of its own; elsewhere these tests skip.
"""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import pytest

from holdem_env.text_env import TextEnv
from pages import blocks

pytest.importorskip("openenv.core", reason="OpenEnv is not installed: make integrations")
from holdem_openenv import HoldemAction, HoldemEnv

pytestmark = [pytest.mark.slow, pytest.mark.stands_on("integrations/openenv", "holdem_env/text_env")]
FOLDER = Path(__file__).parents[2] / "integrations" / "openenv"
BIN = Path(sys.executable).parent


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = tmp_path_factory.mktemp("server") / "log"
    with log.open("w", encoding="utf-8") as out:
        server = subprocess.Popen([BIN / "server", "--port", str(port)], stdout=out, stderr=out)
        try:
            for _ in range(600):
                assert server.poll() is None, log.read_text(encoding="utf-8")
                try:
                    urlopen(f"http://127.0.0.1:{port}/health").read()
                    break
                except URLError:
                    time.sleep(0.1)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.kill()
            server.wait()


def passive(text: str) -> HoldemAction:
    return HoldemAction(text="Action: check" if ", check" in text or "- check" in text else "Action: call")


def played(env: Any, **given: Any) -> tuple[str, float, dict[str, Any]]:
    """A hand of checks and calls: its first text, its rewards, its last observation."""
    result = env.reset(**given)
    first, rewards = result.observation.text, 0.0
    while not result.done:
        result = env.step(passive(result.observation.text))
        rewards += result.reward
    return first, rewards, result.observation.model_dump()


def test_the_validator_finds_no_failure() -> None:
    done = subprocess.run([BIN / "openenv", "validate", FOLDER], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout
    assert "PASS  static.manifest" in done.stdout
    assert "FAIL" not in done.stdout


def test_the_validator_finds_no_failure_in_the_server(address: str) -> None:
    done = subprocess.run([BIN / "openenv", "validate", "--url", address], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout
    assert '"passed": false' not in done.stdout


def test_a_client_plays_hands_and_a_seed_deals_again(address: str) -> None:
    with HoldemEnv(base_url=address).sync() as env:
        first = played(env, seed=3)
        assert first[0] == TextEnv(opponents="tight_aggressive").reset(seed=3)[0]
        assert first[1] == first[2]["chips"] / 2
        assert played(env, seed=3) == first
        text, _, _ = played(env, seed=3, rules="leduc", opponents=["calling_station"], prompt="short")
        assert len(text) < 100
        assert env.state().step_count > 0


def test_the_page_plays(address: str, capsys: pytest.CaptureFixture[str]) -> None:
    (block,) = blocks(FOLDER / "README.md", "python")
    exec(block.replace("http://127.0.0.1:8000", address), {})
    assert "The hand is over." in capsys.readouterr().out


def test_sessions_do_not_meet_and_a_client_that_leaves_takes_no_table_with_it(address: str) -> None:
    with HoldemEnv(base_url=address).sync() as one:
        seen = one.reset(seed=1).observation.text
        with HoldemEnv(base_url=address).sync() as other:
            assert other.reset(seed=2).observation.text != seen
            other.step(HoldemAction(text="Action: fold"))
        assert one.step(HoldemAction(text="?")).observation.rejected == 1
        assert one.step(HoldemAction(text="Action: fold")).done


@pytest.mark.parametrize("wrong", ["", "x" * 2**20, "\x00\x1b[2J\x07", "Action: raise to 99999", "😀"], ids=range(5))
def test_wrong_answers_are_refused_and_then_a_fault(address: str, wrong: str) -> None:
    with HoldemEnv(base_url=address).sync() as env:
        env.reset(seed=1, opponents="calling_station", tries=2)
        refused = env.step(HoldemAction(text=wrong)).observation
        assert "Legal" in refused.text
        assert len(refused.text) < 1000
        assert env.step(HoldemAction(text=wrong)).observation.faults == 1


WRONG = [{"opponents": "program:touch stolen"}, {"opponents": "mine.py"}, {"opponents": ["random", "openai"]}]
WRONG += [{"rules": "secret.yaml"}, {"rules": {"preset": "secret.yaml"}}, {"spots": "mine.yaml", "episode": "spot"}]
WRONG += [{"deals": 10**9}, {"reward": "chips"}]


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: next(iter(wrong)))
def test_a_client_names_no_files_programs_or_servers(address: str, wrong: dict[str, Any]) -> None:
    with HoldemEnv(base_url=address).sync() as env:
        with pytest.raises(RuntimeError, match=next(iter(wrong))):
            env.reset(seed=1, **wrong)
        played(env, seed=1)  # the session goes on
    request = Request(f"{address}/reset", json.dumps(wrong).encode(), {"Content-Type": "application/json"})
    with pytest.raises(HTTPError) as refused:
        urlopen(request)
    assert refused.value.code == 400
    assert next(iter(wrong)) in json.load(refused.value)["detail"]


def test_a_step_before_reset_is_a_sentence(address: str) -> None:
    body = json.dumps({"action": {"text": "Action: call"}}).encode()
    with pytest.raises(HTTPError) as refused:
        urlopen(Request(f"{address}/step", body, {"Content-Type": "application/json"}))
    assert (refused.value.code, json.load(refused.value)["detail"]) == (400, "step: no hand is dealt; reset first")
