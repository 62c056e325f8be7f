"""A program of the ACPC as an agent: it receives what the ACPC's dealer would send it."""

from __future__ import annotations

import copy
import gc
import json
import pickle
import re
import shutil
import socket
import stat
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from arena.isolation.bots import needs_jail
from command_line import good
from errors import complaint, mentions
from holdem_env import Rules, Table
from holdem_env.agents import Agent, asked_moves, make_agent
from holdem_env.agents.config_files import config_of, save_agent
from holdem_env.arena import one_against_all, play_deals
from holdem_env.arena.tournaments.store import Store
from holdem_env.engine.seat_view import new_views, view_rows
from holdem_env.protocols.acpc import AcpcAgent, Dealer, Limits, PlayerFailed, game_of
from holdem_env.protocols.acpc.connection import nobody_watches
from holdem_env.protocols.acpc.dealer import deals, position_of, table_of
from holdem_env.protocols.acpc.players import OwnPlayer, RemotePlayer
from holdem_env.protocols.acpc.programs import Listener
from protocols.acpc_bots import Bot, Careful, compiled_bot, joined, leaving_in

__all__ = ["compiled_bot"]  # a fixture
GAMES = ["holdem.nolimit.2p.reverse_blinds.game", "holdem.limit.2p.reverse_blinds.game", "holdem.nolimit.3p.game"]
ROWS = np.zeros(1, np.int64)
LOCAL = "127.0.0.1:0"


@pytest.fixture
def listening() -> Iterator[AcpcAgent]:
    agent = AcpcAgent(LOCAL, ms_per_decision=5000, ms_to_connect=5000)
    yield agent
    agent.close()


def asked(agent: Agent, table: Table) -> int:
    """An agent's move, as a match asks for it: the program's agent sees what its seat may see."""
    if not isinstance(agent, AcpcAgent):
        return int(asked_moves(agent, table.records, table.rules, ROWS)[0])
    views = new_views(1)
    view_rows(table.records, table.rules.record, ROWS, views)
    return int(agent.act(views, table.rules, ROWS)[0])


def end_of_hand(agent: AcpcAgent, table: Table, seat: int) -> None:
    """Tell an agent that a hand is over, as a match does."""
    views = new_views(1)
    view_rows(table.records, table.rules.record, ROWS, views, np.array([seat]))
    views["actor"] = seat
    agent.hand_over(views, table.rules, ROWS)


def played(agents: list[Agent], table: Table, seats: list[int]) -> list[int]:
    """Play a hand. seats: of each agent. Returns the payoffs of the agents."""
    while table.actor is not None:
        table.play(asked(agents[seats.index(table.actor)], table))
    for agent, seat in zip(agents, seats, strict=True):
        if isinstance(agent, AcpcAgent):
            end_of_hand(agent, table, seat)
    return [table.payoffs[seat] for seat in seats]


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("game", GAMES)
def test_a_program_is_told_what_the_dealer_would_tell_it(game: str, listening: AcpcAgent) -> None:
    """The same lines in the same order from both dealers: our dealer, or our table with the program as an agent."""
    definition = game_of(game).game
    others = ["maniac", "tight_aggressive"][: definition.rules.seats - 1]
    hands = 30
    remote = RemotePlayer("bot", "127.0.0.1", 0, Limits(response=5, start=5), print, nobody_watches)
    dealer = Dealer(definition, [remote, *(OwnPlayer(name, make_agent(name)) for name in others)], hands, seed=3)
    first = Bot(remote.port)
    dealer.open(5)
    totals = dealer.play()
    dealer.close()

    second = Bot(listening.address[1])
    agents = [listening, *map(make_agent, others)]
    won = np.zeros(len(agents), int)
    for hand, deal in zip(range(hands), deals(3, len(agents)), strict=False):
        seats = [position_of(player, hand, len(agents)) for player in range(len(agents))]
        won += played(agents, table_of(definition, deal, 3, hand), seats)
    listening.close()
    joined([first, second])
    assert won.tolist() == totals
    assert list(map(without_mucked(second.lines), first.lines)) == second.lines


def without_mucked(others: list[str]):
    """What remains of a final state if hands that were mucked are not shown: a match shows what lies open (R29), the
    ACPC's dealer shows every hand of a showdown."""
    remaining = iter(others)

    def same(line: str) -> str:
        ours = next(remaining)
        fields, own = line.split(":"), ours.split(":")
        holes, seen = fields[4].split("/")[0].split("|"), own[4].split("/")[0].split("|")
        if len(fields[4].split("/")) == 4:
            holes = [hole if shown else "" for hole, shown in zip(holes, seen, strict=True)]
        return ":".join([*fields[:4], "/".join(["|".join(holes), *fields[4].split("/")[1:]])])

    return same


def test_names_and_configs(tmp_path: Path) -> None:
    agent = make_agent("acpc:127.0.0.1:9001")
    assert isinstance(agent, AcpcAgent)
    assert (agent.listen, agent.facts.clock, agent.facts.tables_at_once) == ("127.0.0.1:9001", "wall", 1)
    save_agent(agent, tmp_path / "bot.json")
    again = make_agent(tmp_path / "bot.json")
    assert isinstance(again, AcpcAgent)
    limits = {"ms_per_decision": 60_000, "ms_to_connect": 60_000, "invalid_answers": 1000, "new_at_reset": False}
    assert config_of(again) == config_of(agent)
    assert config_of(again) == {"agent": "acpc", "listen": "127.0.0.1:9001", "command": None, **limits}
    started = make_agent({"agent": "acpc", "command": "./bot {game} {host} {port}"})
    assert isinstance(started, AcpcAgent)
    assert started.listen is None


@pytest.mark.parametrize(
    ("parameters", "reason"),
    [
        ({}, "give listen='HOST:PORT', or a command"),
        ({"listen": "9001"}, "'9001' is no address; give HOST:PORT"),
        ({"listen": "localhost:70000"}, "is no address"),
        ({"command": "./bot {port} {hsot}"}, r"'hsot'; its fields are \{host\}, \{port\} and \{game\}"),
        ({"command": "./bot 'x"}, "No closing quotation"),
        ({"command": " "}, "give a program and its arguments"),
    ],
)
def test_wrong_parameters(parameters: dict[str, str], reason: str) -> None:
    assert re.search(reason, complaint(make_agent, "acpc", **parameters))


def test_copies_have_connections_of_their_own(listening: AcpcAgent) -> None:
    bot = Bot(listening.address[1])
    table = Table("acpc-nolimit-2p", seed=1)
    listening.move(table)
    for twin in (copy.deepcopy(listening), pickle.loads(pickle.dumps(listening))):
        assert config_of(twin) == config_of(listening)
        assert twin._remote is None
    listening.close()
    joined([bot])


def test_a_connection_lasts_unless_reset_is_to_start_over(listening: AcpcAgent) -> None:
    bots = [Bot(listening.address[1]), Bot(listening.address[1])]
    for hand in range(2):
        listening.move(Table("acpc-nolimit-2p", seed=1, hand=hand))
        listening.reset()
    listening.new_at_reset = True
    listening.reset()
    listening.move(Table("acpc-nolimit-2p", seed=1, hand=2))
    listening.close()
    joined(bots)
    assert [[line.split(":")[2] for line in bot.lines] for bot in bots] == [["0", "1"], ["0"]]


def test_a_match_is_that_of_the_twin_in_python(compiled_bot: Path) -> None:
    """By the arena: one process for each rotation, which plays all its hands."""
    for rules in ("acpc-nolimit-2p", "acpc-limit-3p"):
        agent = AcpcAgent(command=f"{compiled_bot} {{game}} {{host}} {{port}}", ms_per_decision=5000)
        deals, lineup = range(40), one_against_all(Rules.preset(rules).seats)
        one, two = (
            play_deals(rules, [each, make_agent("tight_aggressive")], lineup, deals) for each in (agent, Careful())
        )
        assert np.array_equal(one.per_deal(0), two.per_deal(0))
        agent.close()


def test_a_program_ends_with_its_agent(compiled_bot: Path) -> None:
    agent = AcpcAgent(command=f"{compiled_bot} {{game}} {{host}} {{port}}", ms_per_decision=5000)
    agent.move(Table("acpc-nolimit-2p", seed=1))
    process = agent._program._process  # type: ignore[union-attr]
    del agent
    gc.collect()
    assert process.returncode == 0  # it was hung up on, and ended by itself


def test_clones_share_a_port_and_a_program_that_connects_again(listening: AcpcAgent) -> None:
    """One program in a loop serves both: when the second is asked, the first hangs up if its hand is over."""
    twin = AcpcAgent(f"127.0.0.1:{listening.address[1]}", ms_to_connect=5000)
    bots: list[Bot] = []

    def looped() -> None:
        for _ in range(2):
            bots.append(Bot(listening.address[1]))
            bots[-1].join(20)

    program = threading.Thread(target=looped, daemon=True)
    program.start()
    others = make_agent("calling_station")
    played([listening, others], Table("acpc-nolimit-2p", seed=1), [0, 1])
    played([twin, others], Table("acpc-nolimit-2p", seed=1), [1, 0])
    twin.close()
    program.join(20)
    assert len(bots) == 2


@pytest.mark.slow
def test_a_program_that_does_not_come(caplog: pytest.LogCaptureFixture) -> None:
    agent = AcpcAgent(LOCAL, ms_to_connect=1300)
    with pytest.raises(PlayerFailed, match=r"agent 'acpc' did not connect to 127.0.0.1:\d+ within 1.3 s"):
        agent.move(Table("acpc-nolimit-2p", seed=1))
    assert "waiting for a program to connect" in caplog.text
    agent.close()


def test_a_program_that_is_too_slow(listening: AcpcAgent) -> None:
    listening.ms_per_decision = 100
    bot = Bot(listening.address[1], lambda state: time.sleep(0.3))  # type: ignore[func-returns-value]
    mentions(complaint(listening.move, Table("acpc-nolimit-2p", seed=1), kind=PlayerFailed), "0.1")
    listening.close()
    joined([bot])


def test_a_program_that_leaves(listening: AcpcAgent) -> None:
    bot = Bot(listening.address[1], leaving_in(1))
    other = make_agent("calling_station")
    played([listening, other], Table("acpc-nolimit-2p", seed=1, hand=0), [0, 1])
    with pytest.raises(PlayerFailed, match="has disconnected"):
        played([listening, other], Table("acpc-nolimit-2p", seed=1, hand=1), [0, 1])
    joined([bot])


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("import sys; sys.exit('no strategy file')", "ended with status 1; its last words: 'no strategy file'"),
        ("import sys; print('x', file=sys.stderr)", "ended with status 0; its last words: 'x'"),
    ],
)
def test_a_program_that_ends_at_once(code: str, reason: str, tmp_path: Path) -> None:
    script = tmp_path / "bot.py"
    script.write_text(code)
    agent = AcpcAgent(command=f"{sys.executable} {script}")
    assert re.search(reason, complaint(agent.move, Table("acpc-nolimit-2p", seed=1), kind=PlayerFailed))
    agent.close()


def test_a_program_that_cannot_run(tmp_path: Path) -> None:
    with pytest.raises(PlayerFailed, match=r"cannot run '/no/bot': No such file"):
        AcpcAgent(command="/no/bot").move(Table("acpc-nolimit-2p", seed=1))
    plain = tmp_path / "bot"
    plain.write_text("no program")
    plain.chmod(stat.S_IRUSR)
    with pytest.raises(PlayerFailed, match="cannot run"):
        AcpcAgent(command=str(plain)).move(Table("acpc-nolimit-2p", seed=1))


def test_a_port_that_is_not_free() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(OSError, match=rf"127.0.0.1:{port}, the port for agent 'acpc': Address already in use"):
            AcpcAgent(f"127.0.0.1:{port}").move(Table("acpc-nolimit-2p", seed=1))


def test_games_and_tables_that_the_protocol_cannot_say(listening: AcpcAgent) -> None:
    for rules, reason in (
        ({"preset": "six-max-no-limit", "ante": 1}, "no ante"),
        ({"preset": "heads-up-no-limit", "session": {}}, "no sessions"),
        ({"preset": "heads-up-no-limit", "stacks": [100, 200]}, "the same stacks in every hand"),
    ):
        assert re.search(rf"{reason}.*docs/protocol.md", complaint(listening.move, Table(rules, seed=1)))
    mentions(complaint(listening.move, Table("heads-up-no-limit", stacks=[100, 200], seed=1)), 100, 200)
    mentions(complaint(listening.act, new_views(2), Rules.preset("heads-up-no-limit"), np.arange(2)), 2)


def test_long_hands_are_told_whole(listening: AcpcAgent) -> None:
    """A view remembers 64 moves; the agent remembers those before."""
    bot = Bot(listening.address[1], lambda state: f"{state}:r1")
    table = Table("acpc-nolimit-2p", seed=1)
    while table.actor is not None:
        raises = table.legal.raise_min
        table.play(asked(listening, table) if table.actor == 0 else (raises or 0) if len(table.log) < 100 else 0)
    end_of_hand(listening, table, 0)
    listening.close()
    joined([bot])
    assert len(bot.lines[-1].split(":")[3]) > 300
    assert bot.lines[-1].split(":")[3].count("r") + bot.lines[-1].split(":")[3].count("c") > 64


def test_nothing_is_left_when_nobody_needs_it() -> None:
    agent = AcpcAgent(LOCAL)
    address = agent.address
    assert address in Listener.shared
    agent.close()
    assert address not in Listener.shared
    socket.create_server(address).close()


@needs_jail
@pytest.mark.slow
def test_a_tournament_with_programs(compiled_bot: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In processes of their own, from the folder that the command was written for, with or without the network."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(compiled_bot, tmp_path / "bot")
    program = {"agent": "acpc", "command": "./bot {game} {host} {port}"}
    agents = [{**program, "name": "mine", "network": True}, {**program, "name": "shut in"}, "tight_aggressive"]
    (tmp_path / "t.yaml").write_text(
        json.dumps({"rules": "acpc-nolimit-2p", "agents": agents, "hands": 40, "isolation": "process"})
    )
    good("tournament", "t.yaml")
    with Store("t.db") as store:
        assert len(store.matches()) == 3
        assert store.forfeits() == {}
