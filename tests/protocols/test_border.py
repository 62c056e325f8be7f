"""The border: whatever bytes a bot sends become a legal move or the bot's forfeit, by pipe and by WebSocket alike."""

from __future__ import annotations

import asyncio
import json
import random

import numpy as np
import pytest

from holdem_agents.remote.matches import Bot, Lateness
from holdem_env import Rules, Tables
from holdem_env.agents.facts import AgentFacts
from holdem_env.arena.isolation.limits import Limits
from holdem_env.arena.matches.match import play_deals
from holdem_env.arena.matches.players import AgentFailed
from holdem_env.protocols.json_lines import answers, program_agent
from holdem_env.protocols.json_lines.answers import WrongAnswer
from holdem_env.protocols.json_lines.program_agent import LineAgent
from holdem_env.protocols.json_lines.programs import Program, ProgramError
from holdem_env.protocols.wire import HEADER, Inbox, WireError
from holdem_env.utils.plain_data import json_of

RULES = Rules.preset("heads-up-no-limit")
DEEP = '{"id": ID, "move": ' + 957 * "[" + 957 * "]" + "}"
HOSTILE = (
    *(102 * "[" + 400_000 * '\\"', DEEP, 90_000 * "[", '{"id": ID, "move": "call"', "null"),
    *("[]", "7", "nan", "ÿ", '"call"'),
    *('{"id": ID, "move": "raise", "to": 1' + 10_000 * "0" + "}", '{"id": 1e999, "move": "call"}'),
    *('{"id": ID, "move": "raise", "to": 1e999}', '{"id": ID, "move": "raise", "to": -Infinity}'),
    *('{"id": ID, "move": "\\ud800"}', '{"id": ID, "move": "call\\u0000"}', '{"\\ud800": 1, "id": ID, "move": "call"}'),
    *('{"id": ID, "id": 0, "move": "call"}', '{"id": [ID], "move": "call"}', '{"id": true, "move": "call"}'),
    *('{"error": "\\ud800"}', '{"error": [[[]]]}', '{"error": null}', '{"move": {"move": "call"}, "id": ID}'),
    *('{"id": ID, "move": "raise", "to": 1}', '{"id": ID, "move": "raise"}', '{"id": ID, "move": "\x1b[2J"}'),
)
HARMLESS = '{"id": ID, "move": "call", "note": "an \\"error\\" of mine", "more": [[["{"]]]}'


class Said:
    """A bot behind lines that answers hello, and every decision with the same bytes."""

    is_here = True

    def __init__(self, line: str) -> None:
        self.line = line

    def exchange(self, data, seconds):
        for each in data.splitlines():
            message = json.loads(each)
            yield b"{}" if message["type"] == "hello" else self.line.replace("ID", str(message["id"])).encode()

    def send(self, data): ...
    def close(self): ...
    def kill(self): ...
    def processor_time(self): ...

    def wrong(self, what):
        return ProgramError(f"the bot {what}.")


class Stranger(LineAgent):
    """An agent of that bot, which nobody trusts."""

    facts = AgentFacts(is_trusted=False)

    def __init__(self, line: str) -> None:
        super().__init__("stranger")
        self.line = line

    def _begun(self):
        return Said(self.line)


def outcome(line: str):
    """The move of an answer to a first decision, or why it is none."""
    tables = Tables(RULES, 1, seed=3)
    try:
        return int(Stranger(line).act(tables.records, RULES, np.arange(1))[0])
    except ProgramError as error:
        return str(error)


@pytest.mark.parametrize("line", HOSTILE, ids=lambda line: line[:40])
def test_hostile_answers_are_forfeits(line: str) -> None:
    said = outcome(line)
    assert isinstance(said, str)
    assert said.isprintable()
    assert len(said) < 800


def test_other_fields_are_ignored() -> None:
    assert outcome(HARMLESS) == 0


@pytest.mark.parametrize("error", [RecursionError, MemoryError, UnicodeError, KeyError, ValueError, OverflowError])
@pytest.mark.parametrize("call", ["json_of", "shown", "move_of", "id_of", "_check_legal"])
def test_what_breaks_inside_the_border_is_the_bots_fault(
    call: str, error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A match names the bot, and the organiser's stack sees nothing."""

    def breaks(*_: object) -> None:
        raise error("deep inside")

    where = answers if hasattr(answers, call) else program_agent
    monkeypatch.setattr(where, call, breaks)
    if call in vars(program_agent):
        monkeypatch.setattr(program_agent, call, breaks)
    line = '{"id": ID, "move": "no"}' if call == "shown" else '{"id": ID, "move": "call"}'
    with pytest.raises(AgentFailed) as caught:
        play_deals(RULES, [Stranger(line), Stranger(line)], [0, 1], range(1), 1)
    assert (caught.value.name, caught.value.reason.isprintable()) == ("stranger", True)


def mutated(generator: random.Random) -> bytes:
    """An answer with some of its bytes changed, doubled or left out, or something else altogether."""
    line = bytearray(
        generator.choice((*HOSTILE[2:], HARMLESS, '{"id": ID, "move": "call"}')).replace("ID", "0").encode()
    )
    for _ in range(generator.randrange(6)):
        at = generator.randrange(len(line) + 1)
        line[at : at + generator.randrange(3)] = bytes(
            generator.choices(b'"\\{}[],:019eE.-\n\r \x00\xff\xc3u', k=generator.randrange(4))
        )
    return bytes(line)


async def fuzz(count: int, seed: int) -> None:
    """Each of the three channels cuts the same bytes into the same lines; each line is an answer or a WrongAnswer."""
    generator = random.Random(seed)
    program, inbox = Program.__new__(Program), Inbox.__new__(Inbox)
    match = Bot("bot", 1.0, Limits(), Lateness()).begin()
    good, wrong = 0, []
    for _ in range(count):
        data = mutated(generator)
        program._unread, lines = bytearray(data + b"\n"), []
        while line := program._complete_line():
            lines.append(line)
        match._heard, match.size = [], 0
        match.heard(data)
        assert match._heard == lines
        for line in lines:
            try:
                with answers.border():
                    answers.move_of(
                        answers.answer_of(line), {"fold": True, "call": 1, "raise_min": 4, "raise_max": 400}
                    )
                good += 1
            except WrongAnswer as error:
                wrong.append(str(error))
            inbox._data = HEADER.pack(len(line)) + line
            try:
                said = inbox.message()
            except WireError:
                said = None
            assert said is None or said == json_of(line)
    assert good > count / 100
    assert all(map(str.isprintable, wrong))


@pytest.mark.parametrize(("count", "seed"), [(2_000, 1), pytest.param(100_000, 2, marks=pytest.mark.slow)])
def test_mutated_answers_mean_the_same_by_all_channels(count: int, seed: int) -> None:
    asyncio.run(fuzz(count, seed))
