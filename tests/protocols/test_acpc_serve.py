"""`holdem serve --acpc`, as a user types it and as docs/acpc.md says."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from command_line import good, holdem, refused
from holdem_env.agents import make_agent
from holdem_env.history import acpc
from holdem_env.protocols.acpc import Dealer, game_of
from holdem_env.protocols.acpc.players import OwnPlayer
from pages import DOCS, REPOSITORY, blocks
from protocols.acpc_bots import Answer, Bot, Careful, call, compiled_bot, joined, leaving_in

__all__ = ["compiled_bot"]  # a fixture
NO_LIMIT = "holdem.nolimit.2p.reverse_blinds.game"
THREE = "holdem.limit.3p.game"
SECONDS = 60


class Served:
    """A dealer in a process of its own. words: its arguments after --acpc."""

    def __init__(self, folder: Path, *words: object) -> None:
        self.folder = folder
        command = [sys.executable, "-m", "holdem_agents.cli", "serve", "--acpc", *map(str, words)]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            command,
            cwd=folder,
            stdout=pipe,
            stderr=pipe,
            text=True,
            # Programs that a shell starts in the background ignore SIGINT, and so do those that they start.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        assert self.process.stdout is not None
        self.ports = [int(word) for word in self.process.stdout.readline().split()]

    def ended(self) -> tuple[int, str, str]:
        """Exit status, the rest of stdout, and stderr."""
        out, errors = self.process.communicate(timeout=SECONDS)
        return self.process.returncode, out, errors


def checked(log: Path, hands: int) -> list[str]:
    """The lines of a log, whose hands all replay to the values that they state."""
    read = list(acpc.read(log, on_error="raise"))
    assert len(read) == hands
    for hand in read:
        assert hand.replay().payoffs == hand.payoffs
    good("replay", log)
    return log.read_text().splitlines()


@pytest.mark.slow
def test_a_whole_match_with_a_program_in_c(tmp_path: Path, compiled_bot: Path) -> None:
    served = Served(tmp_path, "match1", NO_LIMIT, 300, 0, "alice", "agent:tight_aggressive")
    port, none = served.ports
    assert none == 0
    subprocess.run([compiled_bot, tmp_path / NO_LIMIT, "127.0.0.1", str(port)], check=True, timeout=SECONDS)
    status, out, errors = served.ended()
    lines = checked(tmp_path / "match1.log", 300)
    assert (status, out) == (0, f"{lines[-1]}\n")
    assert errors.endswith(f"alice: connect to 127.0.0.1 port {port}\n")  # the first start compiles, and says so
    assert lines[:4] == [
        f"# name/game/hands/seed match1 {NO_LIMIT} 300 0",
        "#--t_response 600000",
        "#--t_hand 600000",
        "#--t_per_hand 7000",
    ]
    players = [OwnPlayer("alice", Careful()), OwnPlayer("tight_aggressive", make_agent("tight_aggressive"))]
    one, two = Dealer(game_of(NO_LIMIT).game, players, 300, 0).play()
    assert lines[-1] == f"SCORE:{one}|{two}:alice|tight_aggressive"
    assert one + two == 0


@pytest.mark.slow
def test_a_ring_of_three_programs(tmp_path: Path) -> None:
    served = Served(tmp_path, "ring", THREE, 40, 7, "ann", "bob", "cleo", "--t_response", 5000, "--log", "r.log")
    bots = [Bot(port) for port in served.ports]
    status, out, _ = served.ended()
    joined(bots)
    lines = checked(tmp_path / "r.log", 40)
    assert (status, out) == (0, f"{lines[-1]}\n")
    score, names = lines[-1].split(":")[1:]
    assert sum(map(int, score.split("|"))) == 0
    assert names == "ann|bob|cleo"


def run(folder: Path, answer: Answer, *words: object) -> tuple[int, str, str]:
    served = Served(folder, "m", NO_LIMIT, 50, 0, "ann", "agent:calling_station", *words)
    bot = Bot(served.ports[0], answer)
    try:
        return served.ended()
    finally:
        joined([bot])


wrong = "{}:all of it".format


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(
    ("answer", "words", "reason", "hands"),
    [
        (leaving_in(3), [], "ann has disconnected", 3),
        (lambda state: None, ["--t-response", 200], "ann was too slow: the limit is 0.2 s for an answer", 0),
        (wrong, ["--max-invalid", 8], "ann was wrong more than 8 times; the last time: 'all of it' is no action", 2),
    ],
)
def test_a_match_that_ends_early(tmp_path: Path, answer: Answer, words: list[object], reason: str, hands: int) -> None:
    status, out, errors = run(tmp_path, answer, *words)
    assert (status, out) == (1, "")
    assert errors.splitlines()[-1].startswith(f"holdem: {reason}")
    assert errors.endswith("The match ended early; the finished hands are in m.log.\n")
    assert checked(tmp_path / "m.log", hands)[-1].startswith(f"# ended early: {reason}")


@pytest.mark.slow
def test_messages_are_shown(tmp_path: Path) -> None:
    _, _, errors = run(tmp_path, lambda state: f"# \x1b[2J\r\n{call(state)}", "--messages")
    assert "\nFROM ann # \\x1b[2J\n" in errors  # nothing that a terminal would obey
    assert "\nFROM ann VERSION:2.0.0\nTO ann MATCHSTATE:0:0::5d5c|\n" in errors


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals are those of POSIX")
def test_ctrl_c(tmp_path: Path) -> None:
    served = Served(tmp_path, "m", NO_LIMIT, 50, 0, "ann", "agent:calling_station")
    served.process.send_signal(signal.SIGINT)
    status, _, errors = served.ended()
    assert status == 130
    assert "holdem: interrupted; the finished hands are in m.log." in errors
    assert checked(tmp_path / "m.log", 0)[-1] == "# ended early: interrupted"


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["m", NO_LIMIT, 1, 0, "ann", "bob"], "serve: name the protocol that the programs speak: --acpc"),
        (["--acpc", "m", "kuhn.2p.game", 1, 0, "ann", "bob"], "kuhn.2p.game: there is no such game file; known are"),
        (["--acpc", "m", NO_LIMIT, 1, 0, "ann"], f"serve: the game {NO_LIMIT} has 2 players, not 1"),
        (["--acpc", "m", NO_LIMIT, 1, 0, "ann", "b|b"], "the player's name 'b|b': a log separates names"),
        (["--acpc", "a b", NO_LIMIT, 1, 0, "ann", "bob"], "serve: 'a b' is no name of a match"),
        (["--acpc", "no/m", NO_LIMIT, 1, 0, "ann", "bob"], "no/m.log: there is no folder no"),
        (["--acpc", "m", NO_LIMIT, 1, 0, "ann", "agent:manic"], "there is no agent 'manic': did you mean 'maniac'?"),
        (["--acpc", "m", NO_LIMIT, 1, 0, "ann", "agent:maniac", "-p", "1,2"], "--ports: give 1 numbers"),
        (["--acpc", "m", "heads-up-pot-limit", 1, 0, "ann", "bob"], "the ACPC's formats have no pot_limit games; the"),
        (["--acpc", "m", "odd.game", 1, 0, "ann", "bob"], "odd.game, line 4: numRounds = 2: Texas hold'em has"),
        (["--acpc", "m", NO_LIMIT, 1, 0, "ann", "bob", "--ports", "{port},0"], "127.0.0.1:{port}, the port for ann: "),
    ],
)
def test_errors_are_one_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, words: list[object], reason: str
) -> None:
    (tmp_path / "odd.game").write_text("GAMEDEF\nlimit\nnumPlayers = 2\nnumRounds = 2\nEND GAMEDEF\n")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        monkeypatch.chdir(tmp_path)
        output = refused("serve", *(str(word).replace("{port}", port) for word in words))
    assert not list(tmp_path.glob("*.log"))
    assert output.startswith(f"holdem: {reason.replace('{port}', port)}")
    assert output.count("\n") == 1


def test_old_logs_and_other_games_beside_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A log is replaced only if that is asked for, and so is no other file."""
    monkeypatch.chdir(tmp_path)
    other = game_of("holdem.nolimit.3p.game").text
    (tmp_path / NO_LIMIT).write_text(other)
    words = ["serve", "--acpc", "m", NO_LIMIT.removesuffix(".game"), "3", "0", "agent:maniac", "agent:random"]
    first = good(*words)
    assert first.splitlines()[0] == "0 0"
    assert checked(tmp_path / "m.log", 3)[0] == "# name/game/hands/seed m m.game 3 0"
    assert (tmp_path / NO_LIMIT).read_text() == other
    assert "m.log exists already" in refused(*words)
    replaced = holdem(*words, "--overwrite")
    assert replaced.output == first


PAGE = DOCS / "acpc.md"
SECONDS_OF_COMMANDS = 120
TOGETHER = ("./bot", "for")
"""Lines that are typed while the command before them runs."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    if shutil.which("cc") is None or os.name != "posix":
        pytest.skip("there is no C compiler, or no shell")
    (tmp_path / "examples").symlink_to(REPOSITORY / "examples")
    config, _ = blocks(PAGE, "yaml")
    (tmp_path / "mybot.yaml").write_text(config)
    return tmp_path


@contextmanager
def started(command: str, folder: Path) -> Iterator[subprocess.Popen[str]]:
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, shell=True, cwd=folder, stdout=pipe, stderr=pipe, text=True, start_new_session=True
    ) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


def typed(command: str, port: int) -> str:
    """A command with the interpreter of the tests, and a port that is free."""
    first, rest = command.replace("9001", str(port)).split(" ", 1)
    return f"{f'{shlex.quote(sys.executable)} -m holdem_agents.cli' if first == 'holdem' else first} {rest}"


@pytest.mark.slow
def test_what_the_page_shows_works(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    lines = [line for block in blocks(PAGE, "") for line in block.splitlines()]
    outputs: dict[str, str] = {}
    for first, second in zip(lines, [*lines[1:], ""], strict=True):
        if first.startswith(TOGETHER):
            continue
        with started(typed(first, port), folder) as process:
            if second.startswith("./bot"):
                assert process.stdout is not None
                outputs[first] = process.stdout.readline()  # the ports: now it listens
            if second.startswith(TOGETHER):
                with started(typed(second, port), folder) as other:
                    out, errors = process.communicate(timeout=SECONDS_OF_COMMANDS)
                    if second.startswith("./bot"):
                        assert other.wait(SECONDS_OF_COMMANDS) == 0
            else:
                out, errors = process.communicate(timeout=SECONDS_OF_COMMANDS)
            assert process.returncode == 0, f"{first}: {out}{errors}"
            outputs[first] = outputs.get(first, "") + out
    compiling, serving, replaying, *matches = outputs.values()
    assert compiling == ""
    assert serving.startswith(f"{port} 0\nSCORE:")
    assert "200 hands replayed" in replaying
    assert "no problems" in replaying
    assert len(matches) == 2
    assert matches[0].splitlines()[0] == matches[1].splitlines()[0].replace("mybot", "acpc")
    assert "bb/100" in matches[0]
