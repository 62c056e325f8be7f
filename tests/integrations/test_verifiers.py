"""integrations/verifiers: vf-eval plays tables against a server of OpenAI's protocol on this machine.

`make integrations` installs verifiers in an environment of its own; elsewhere these tests skip.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from holdem_env import Table
from holdem_env.text_env import TextTable

pytest.importorskip("verifiers.v1", reason="verifiers is not installed: make integrations")
pytestmark = [pytest.mark.slow, pytest.mark.stands_on("integrations/verifiers", "holdem_env/text_env")]
Model = Callable[[list[dict[str, str]]], str | None]
"""What a server answers to a conversation; None: it hangs up."""


@contextmanager
def serving(model: Model) -> Iterator[str]:
    """The address of a server that answers as a model."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            said = model(asked["messages"])
            if said is None:
                self.connection.close()
                return
            message = {"role": "assistant", "content": said}
            usage = {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12}
            choice = {"index": 0, "finish_reason": "stop", "message": message}
            answer = {"id": "1", "object": "chat.completion", "created": 1, "model": "m"}
            body = json.dumps({**answer, "choices": [choice], "usage": usage}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()


def passive(messages: list[dict[str, str]]) -> str:
    """Checks and calls."""
    return "Action: check" if "\n- check" in messages[-1]["content"] else "Action: call"


def played(tmp_path: Path, model: Model, *options: str) -> list[dict[str, Any]]:
    """The episodes of a run of vf-eval by README's command, with their seats' traces by name in "seats"."""
    page = (Path(__file__).parents[2] / "integrations" / "verifiers" / "README.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"^vf-eval (.+) -n 100 -r 8$", page, re.MULTILINE)
    with serving(model) as address:
        command = [Path(sys.executable).with_name("vf-eval")]
        command += line.replace("http://127.0.0.1:8000/v1", address).split()
        command += ["-o", tmp_path, "--client.api-key-var", "NONE", *options]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout[-2_000:] + done.stderr[-2_000:]
    (file,) = tmp_path.rglob("traces.jsonl")
    episodes = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    for episode in episodes:
        episode["seats"] = {trace["agent"]["name"]: trace for trace in episode["traces"]}
    return sorted(episodes, key=lambda episode: episode["task"]["data"]["hand"])


def chips(trace: dict[str, Any]) -> float:
    won: float = trace["rewards"]["chips"]["score"]
    return won


def first_text(trace: dict[str, Any]) -> str:
    return str(next(node["message"]["content"] for node in trace["nodes"] if node["message"]["role"] == "user"))


def test_three_seats_play_themselves_and_chips_stay(tmp_path: Path) -> None:
    rules = tmp_path / "three.yaml"
    rules.write_text("{seats: 3, blinds: [1, 2], stacks: 40}", encoding="utf-8")
    episodes = played(tmp_path, passive, "-n", "2", "-r", "2", "--env.taskset.rules", str(rules))
    assert [episode["task"]["data"]["hand"] for episode in episodes] == [0, 0, 1, 1]
    for episode in episodes:
        assert episode["ok"]
        assert sorted(episode["seats"]) == ["seat0", "seat1", "seat2"]
        assert sum(map(chips, episode["traces"])) == 0
        assert all(trace["agent"]["trainable"] for trace in episode["traces"])
    assert first_text(episodes[0]["seats"]["seat0"]) == TextTable(str(rules), seed=0).text
    alike, again, other, _ = (first_text(episode["seats"]["seat0"]) for episode in episodes)
    assert alike == again
    assert alike != other


def test_a_solved_opponent_costs_no_tokens_and_its_game_rewards_by_regret(tmp_path: Path) -> None:
    options = ["--env.taskset.rules", "kuhn", "--env.players", '["model", "solution"]']
    options += ["--env.weights", '{"chips": 0, "regret": 1, "solution": 0.1}']
    episodes = played(tmp_path, passive, "-n", "4", *options)
    for episode in episodes:
        assert list(episode["seats"]) == ["seat0"]
        rewards = episode["seats"]["seat0"]["rewards"]
        assert rewards["regret"]["score"] < 0.005  # but for the accuracy of the solution
        assert rewards["solution"]["score"] < 0
        assert rewards["regret"]["weight"] == 1


def test_a_frozen_seat_is_not_trained(tmp_path: Path) -> None:
    (episode,) = played(tmp_path, passive, "-n", "1", "--env.players", '["frozen", "model"]')
    trained = {name: trace["agent"]["trainable"] for name, trace in episode["seats"].items()}
    assert trained == {"seat0": False, "seat1": True}


def test_answers_of_a_megabyte_and_control_characters_are_refused(tmp_path: Path) -> None:
    wrong = ["x" * 2**20, "\x00\x1b[2J\x07", "Action: raise to 99999"]

    def rude(messages: list[dict[str, str]]) -> str:
        return wrong[sum(message["role"] == "assistant" for message in messages) % 3]

    (episode,) = played(tmp_path, rude, "-n", "1", "--env.players", '["model", "calling_station"]')
    assert episode["ok"]
    metrics = episode["seats"]["seat0"]["metrics"]
    assert metrics["faults"] >= 1
    assert metrics["rejected"] == 3 * metrics["faults"]


def test_a_server_that_dies_breaks_off_its_hand_and_no_other(tmp_path: Path) -> None:
    held = str(Table("heads-up-no-limit", button=1, seed=0, hand=1).hole_cards(1))
    dies = f"Your cards: {held[:2]} {held[2:]}"

    def dying(messages: list[dict[str, str]]) -> str | None:
        return None if dies in messages[-1]["content"] else passive(messages)

    first, broken, last = played(tmp_path, dying, "-n", "3")
    assert not broken["ok"]
    assert any("seat 1" in error["message"] and "broken off" in error["message"] for error in broken["errors"])
    assert not any(trace["rewards"] for trace in broken["traces"])
    for episode in (first, last):
        assert episode["ok"]
        assert sum(map(chips, episode["traces"])) == 0


@pytest.mark.parametrize(
    ("wrong", "noun"),
    [
        (["--env.players", '["random"]'], "players"),
        (["--env.players", '["model", "model", "model"]'], "players"),
        (["--env.weights", '{"luck": 1}'], "weights"),
    ],
    ids=["no model", "three of two", "weights"],
)
def test_what_cannot_be_is_refused(tmp_path: Path, wrong: list[str], noun: str) -> None:
    with pytest.raises(AssertionError, match=noun):
        played(tmp_path, passive, "-n", "1", *wrong)
