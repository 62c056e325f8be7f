"""The commands on the pages about language models and Slumbot, run as they stand against servers on loopback."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from command_line import good
from pages import DOCS, blocks
from protocols.loopback import serving
from protocols.slumbot.fake_slumbot import fake_slumbot
from protocols.text.test_openai_agent import by_the_legal_moves


def commands(page: str) -> list[str]:
    """The commands of `holdem` on a page that need a server."""
    lines = [line for block in blocks(DOCS / page, "") for line in block.splitlines()]
    return [line for line in lines if line.startswith(("holdem slumbot", "holdem match model", "holdem play model"))]


@pytest.fixture(autouse=True)
def _there(monkeypatch, tmp_path):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.chdir(tmp_path)


def run(command: str, typed: str | None = None) -> str:
    said = good(*shlex.split(command)[1:], typed=typed)
    return said


def test_slumbot():
    """With fewer hands, and an agent that needs no training."""
    for command in (each for each in commands("arena.md") if each.startswith("holdem slumbot")):
        quick = re.sub(r"--hands \d+", "--hands 3", command).replace("runs/demo/final.safetensors", "random")
        with fake_slumbot() as (_, loopback):
            assert " against Slumbot: " in run(f"{quick} --url {loopback.url}/api")
    assert Path("slumbot.phhs").read_text().startswith("[1]\n")


def test_language_models():
    config, *_ = blocks(DOCS / "language_models.md", "yaml")
    match, play, until = commands("language_models.md")
    with serving(by_the_legal_moves) as server:
        ours = re.sub(r"base_url: \S+", f"base_url: {server.url}/v1", config)
        Path("model.yaml").write_text(ours + "\nprices: {in: 0.15, out: 0.6}\n")
        text = run(re.sub(r"--hands \d+", "--hands 8", match))
        asked = len(server.asked)
        assert re.search(r"openai against calling_station: \S+ ± \S+ bb/100 \(8 hands\)\n", text), text
        assert (
            f"openai: {asked:,} calls, 0 answers rejected, {100 * asked:,} tokens in, {7 * asked:,} out, 107 tokens"
            in text
        )
        assert "All hands are played." in run(re.sub(r"--hands \d+", "--hands 8", until))
        assert "You play openai." in run(play, typed="q\n")
        assert server.asked[0].body["max_tokens"] == 500
