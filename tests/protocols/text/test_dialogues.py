"""Whole dialogues of language models, saved call by call."""

from __future__ import annotations

import json
import os
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from command_line import good
from holdem_env import Table
from holdem_env.agents import DecisionError
from holdem_env.history import read_hands
from holdem_env.protocols.text.dialogues import saving_dialogues
from holdem_env.text_env import TextEnv
from protocols.loopback import Asked, serving
from protocols.text.test_openai_agent import KEY, Scripted, by_the_legal_moves, completion


@pytest.fixture(autouse=True)
def _there(monkeypatch, tmp_path):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("MY_API_KEY", KEY)
    monkeypatch.chdir(tmp_path)


def model(url: str) -> str:
    return f"{{agent: openai, model: tiny, base_url: '{url}', api_key_env: MY_API_KEY}}"


def saved(folder: str) -> list[dict[str, Any]]:
    text = "".join(file.read_text(encoding="utf-8") for file in Path(folder).iterdir())
    assert KEY not in text
    return [json.loads(line) for line in text.splitlines()]


def test_a_match_saves_each_call_by_the_names_of_its_saved_hands() -> None:
    number = count()

    def answer(asked: Asked) -> object:
        again = len(asked.body["messages"]) > 2 or next(number) % 3
        return by_the_legal_moves(asked) if again else completion(f"My key is {KEY}")

    with serving(answer) as server:
        Path("model.yaml").write_text(model(server.url))
        good("match", "model.yaml", "calling_station", "--hands", 8, "--save", "m.phhs", "--save-dialogues", "d/e")
        asked = [str(each.body["messages"]).replace(KEY, "(the key)") for each in server.asked]
    calls = saved("d/e")
    assert [file.name for file in Path("d/e").iterdir()] == [f"{os.getpid()}.jsonl"]
    assert sorted(asked) == sorted(str(call["messages"]) for call in calls)
    assert {call["refusal"] is None for call in calls} == {True, False}
    for call in calls:
        assert (call["agent"], call["model"], call["tokens"]) == ("openai", "tiny", {"in": 100, "out": 7})
        assert call["try"] == 2 - (len(call["messages"]) == 2)
        assert (call["refusal"] is not None) == (call["answer"] == "My key is (the key)")
        assert 0 <= call["seconds"] < 60
    known = {name for hand in read_hands("m.phhs") for name in hand.metadata["_hands"].values()}
    assert {call["hand"] for call in calls} <= known
    assert "HOLDEM_DIALOGUES" not in os.environ


@pytest.mark.slow
def test_in_tournaments_each_process_saves_its_own() -> None:
    with serving(by_the_legal_moves) as server:
        game = "{rules: heads-up-no-limit, hands: 8, shard: 2, nash: false, agents: [calling_station, nit, "
        Path("t.yaml").write_text(f"{game}{model(server.url)}]}}")
        good("tournament", "t.yaml", "--jobs", 2, "--store", "t.db", "--report", "r", "--save-dialogues", "d")
        asked = len(server.asked)
    assert len(saved("d")) == asked > 8
    assert f"{os.getpid()}.jsonl" not in {file.name for file in Path("d").iterdir()}


def test_errors_are_saved_and_a_file_that_cannot_be_written_costs_no_hand(tmp_path: Path) -> None:
    with saving_dialogues(tmp_path):
        with pytest.raises(DecisionError, match="complete must return text, not NoneType"):
            Scripted(None).move(Table("kuhn", seed=1))
        (call,) = saved(str(tmp_path))
        assert (call["answer"], call["error"]) == (None, "TypeError: complete must return text, not NoneType")
        for file in tmp_path.iterdir():
            file.unlink()
            file.mkdir()
        with pytest.warns(RuntimeWarning, match="dialogues are not saved"):
            assert Scripted("call").move(Table("heads-up-no-limit", seed=1)) == 0


def test_a_text_env_logs_prompts_answers_and_refusals() -> None:
    env = TextEnv("kuhn", opponents="calling_station", log="d.jsonl", tries=2)
    texts = [env.reset(seed=5, options={"hand": 3})[0]]
    texts.append(env.step("hm")[0])
    env.step("ähm")
    calls = [json.loads(line) for line in Path("d.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [call["prompt"] for call in calls] == texts
    assert [(call["seed"], call["hand"], call["try"], call["answer"]) for call in calls] == [
        (5, 3, 1, "hm"),
        (5, 3, 2, "ähm"),
    ]
    assert calls[0]["refusal"] == texts[1]
    assert "Legal" in calls[1]["refusal"]
    with pytest.raises(OSError, match="nowhere"):
        TextEnv("kuhn", log="nowhere/d.jsonl")
