"""Bots that join a tournament over the network: it is the tournament that they would play by pipes."""

from __future__ import annotations

import io
import json
import logging
import os
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import httpx
import pytest

from command_line import ended, good, refused
from errors import complaint, mentions
from holdem_agents.cli.exit_status import INTERRUPTED
from holdem_agents.remote.tokens import digests_of, new_tokens, tokens_file, whose
from holdem_env import Rules
from holdem_env.arena.tournaments.plan import Tournament
from holdem_env.arena.tournaments.store import Store
from holdem_env.arena.tournaments.tournament import run
from holdem_env.history import read_hands
from pages import REPOSITORY
from processes import wait_until
from web.places import free_port

pytest.importorskip("websockets", reason="not installed: the server's WebSockets")
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from holdem_agents.remote import changes, matches, server
from holdem_agents.remote.board import Board
from holdem_agents.web import slow_requests

BOTS = REPOSITORY / "examples" / "bots"
NAMES = ("anna", "ben", "carl")
TOKENS = {name: f"token of {name}" for name in NAMES}
PATIENCE = 60.0
Answer = Callable[[dict[str, Any]], dict[str, Any] | None]


def tournament(*agents: Any, **settings: Any) -> Tournament:
    """Of two remote bots unless others are given."""
    fixed = {"rules": Rules.preset("heads-up-no-limit"), "hands": 40, "shard": 20, "seed": 1, "isolation": "none"}
    return Tournament(agents=agents or ({"remote": "anna"}, {"remote": "ben"}), **{**fixed, **settings})


def digest_of(name: str) -> str:
    return sha256(TOKENS[name].encode()).hexdigest()


@contextmanager
def listening(of: Tournament, *certificate: Path, board: Board | None = None) -> Iterator[server.RemoteBots]:
    """The server at a free port."""
    at = socket.create_server(("127.0.0.1", 0))
    digests = {name: digest_of(name) for name in TOKENS}
    with server.RemoteBots(
        digests, at, of.reconnect, of.stranger_limits, lambda _: None, *certificate, board=board
    ) as made:
        yield made


def address_of(bots: server.RemoteBots) -> str:
    return f"ws://127.0.0.1:{bots._at.getsockname()[1]}/play"


def joined(bots: server.RemoteBots, name: str, token: str | None = None, **options: Any) -> Any:
    """A connection."""
    headers = {"Authorization": f"Bearer {token or TOKENS[name]}"}
    return connect(address_of(bots), additional_headers=headers, compression=None, **options)


def caller(message: dict[str, Any]) -> dict[str, Any] | None:
    """Calls, and raises now and then."""
    if message["type"] == "hello":
        return {"name": "caller"}
    if message["type"] != "decision":
        return None
    least = message["legal"]["raise_min"]
    if least is not None and message["random"] < 0.3:
        return {"id": message["id"], "move": "raise", "to": least}
    return {"id": message["id"], "move": "call"}


def answers(message: str, answer: Answer = caller) -> str | None:
    """What a bot sends for a message."""
    number, _, lines = message.partition("\n")
    found = [json.dumps(each) for line in lines.splitlines() if (each := answer(json.loads(line)))]
    return "\n".join([number, *found]) if found else None


class Playing(threading.Thread):
    """A bot, which leaves at each of its first `lost` messages with decisions. returns: and comes back."""

    def __init__(
        self, bots: server.RemoteBots, name: str, answer: Answer = caller, lost: int = 0, returns: bool = True
    ) -> None:
        super().__init__(daemon=True)
        self.bots, self.bot, self.answer, self.lost, self.returns = bots, name, answer, lost, returns
        self.messages: list[str] = []
        self.start()

    def run(self) -> None:
        for _ in range(self.lost + 1 if self.returns else 1):
            with suppress(ConnectionClosed, OSError), joined(self.bots, self.bot) as connection:
                self.play(connection)
            while self.bot in self.bots.who_is_here():
                time.sleep(0.01)

    def play(self, connection: Any) -> None:
        for message in connection:
            self.messages.append(message)
            if self.lost and '"decision"' in message:
                self.lost -= 1
                return
            if said := answers(message, self.answer):
                connection.send(said)


def chips(store: Path, *names: str) -> list[Any]:
    """All results of a match."""
    with Store(store) as results:
        deals = results.deals(names or NAMES[:2])
        return [deals.numbers.tolist(), deals.seating.tolist(), {k: v.tolist() for k, v in deals.columns.items()}]


def played(of: Tournament, path: Path, *, answer: Answer = caller, lost: int = 0, other: Any = None) -> dict[str, str]:
    """Play a tournament with remote bots. Returns who has forfeited. other: called while it is played."""
    with listening(of) as bots, Store(path, create=True) as store:
        Playing(bots, "anna", answer, lost)
        Playing(bots, "ben")
        if other:
            threading.Thread(target=other, args=(bots,), daemon=True).start()
        run(of, store, listening=bots)
        return store.forfeits()


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory) -> list[Any]:
    """The results of a tournament in which nothing happens."""
    path = tmp_path_factory.mktemp("undisturbed") / "t.db"
    assert not played(tournament(), path)
    return chips(path)


# The tournament is the tournament


CLIENTS = {
    "python": [sys.executable, str(BOTS / "remote.py")],
    "javascript": ["node", "--experimental-websocket", str(BOTS / "remote.js")],
}


@contextmanager
def client(bots_address: str, token: str, language: str = "python") -> Iterator[None]:
    """A client of examples/bots with the bot in Python."""
    words = [*CLIENTS[language], bots_address, sys.executable, str(BOTS / "bot.py")]
    process = subprocess.Popen(words, env=os.environ | {"HOLDEM_TOKEN": token})
    try:
        yield
    finally:
        process.kill()
        process.wait()


def has_websockets() -> bool:
    """Whether Node is here, with WebSockets."""
    said = subprocess.run(["node", "--version"], capture_output=True, text=True).stdout if shutil.which("node") else ""
    return tuple(map(int, said.strip().lstrip("v").split("."))) >= (20, 10) if said else False


@pytest.fixture(params=["python", *(pytest.param(each, marks=pytest.mark.slow) for each in ("javascript", "c"))])
def language(request, tmp_path) -> str:
    """A client, if it is here; that in C is compiled."""
    name = str(request.param)
    if name == "javascript" and not has_websockets():
        pytest.skip("Node with WebSockets is not installed")
    if name == "c":
        if not (compiler := shutil.which("cc")):
            pytest.skip("a C compiler is not installed")
        CLIENTS[name] = [str(tmp_path / "remote")]
        warnings = "-std=c11", "-Wall", "-Wextra", "-Werror"
        subprocess.run([compiler, *warnings, "-o", *CLIENTS[name], str(BOTS / "remote.c")], check=True)
    return name


def test_the_results_are_those_of_the_same_bots_by_pipes(tmp_path, language):
    bot = f"program:{sys.executable} {BOTS / 'bot.py'}"
    pipes = tournament(*({"agent": bot, "name": name} for name in NAMES[:2]), duplicate=False)
    with Store(tmp_path / "pipes.db", create=True) as store:
        run(pipes, store)
    of = tournament()
    with listening(of) as bots, Store(tmp_path / "net.db", create=True) as store:
        with client(address_of(bots), TOKENS["anna"], language), client(address_of(bots), TOKENS["ben"]):
            run(of, store, listening=bots)
        assert store.clocks() == {"anna": "wall", "ben": "wall"}
    assert chips(tmp_path / "net.db") == chips(tmp_path / "pipes.db")


@pytest.mark.slow
def test_a_program_that_never_ends_is_ended_with_its_match(tmp_path, language):
    endless = tmp_path / "endless.py"
    endless.write_text("import os, pathlib\npathlib.Path('pid').write_text(str(os.getpid()))\nwhile True: pass\n")
    of = tournament({"remote": "anna"}, "calling_station", seconds_per_call=1, seconds_to_start=1)
    with listening(of) as bots, Store(tmp_path / "net.db", create=True) as store:
        words = [*CLIENTS[language], address_of(bots), sys.executable, str(endless)]
        environment = os.environ | {"HOLDEM_TOKEN": TOKENS["anna"]}
        with subprocess.Popen(words, cwd=tmp_path, env=environment) as process:
            run(of, store, listening=bots)
            assert list(store.forfeits()) == ["anna"]
            pid = int((tmp_path / "pid").read_text())
            wait_until(lambda: not Path(f"/proc/{pid}").exists())
            process.kill()


@pytest.mark.parametrize(("lost", "jobs"), [(1, 1), (3, 1), pytest.param(0, 2, marks=pytest.mark.slow)])
def test_a_bot_that_comes_back_is_asked_again_and_processes_change_nothing(tmp_path, undisturbed, lost, jobs):
    assert not played(tournament(jobs=jobs), tmp_path / "t.db", lost=lost)
    assert chips(tmp_path / "t.db") == undisturbed


def test_matches_begin_when_their_bots_are_there(tmp_path):
    of = tournament({"remote": "anna"}, {"remote": "ben"}, "calling_station", hands=20)
    seen = []
    with listening(of) as bots, Store(tmp_path / "t.db", create=True) as store:
        Playing(bots, "ben")

        def progress(played: Any, done: int, total: int) -> None:
            seen.append(played.shard.names)
            if len(seen) == 1:
                Playing(bots, "anna")

        run(of, store, progress, listening=bots)
    assert seen[0] == ("ben", "calling_station")
    assert sorted(seen) == [("anna", "ben"), ("anna", "calling_station"), ("ben", "calling_station")]


def test_a_bot_gets_its_own_hands_alone(tmp_path):
    of = tournament()
    with listening(of) as bots, Store(tmp_path / "t.db", create=True) as store:
        two = Playing(bots, "anna"), Playing(bots, "ben")
        run(of, store, listening=bots)
    seen: list[dict[str, list[str]]] = []
    for each in two:
        lines = [json.loads(line) for message in each.messages for line in message.splitlines()[1:]]
        decisions = [line for line in lines if line["type"] == "decision"]
        assert all(shown is None for line in decisions for shown in line["shown"])
        seen.append({f"{line['hand']} {line['seat']}": line["hole_cards"] for line in decisions})
        assert lines[-1]["type"] == "bye"
        assert sum(line["type"] == "hello" for line in lines) == sum(line["type"] == "bye" for line in lines)
    assert set(map(tuple, seen[0].values())) != set(map(tuple, seen[1].values()))
    assert not set(seen[0]) & set(seen[1])


def test_a_bot_fetches_its_own_hands_as_it_saw_them(tmp_path):
    of, folder = tournament(), tmp_path / "hands"
    with Store(tmp_path / "t.db", create=True) as store:
        with listening(of, board=Board(of, tmp_path / "t.db", folder)) as bots:
            anna, _ = Playing(bots, "anna"), Playing(bots, "ben")
            run(of, store, listening=bots, hands=folder)
            found = {}
            for name in NAMES[:2]:
                url = f"{address_of(bots).replace('ws', 'http').removesuffix('/play')}/hands"
                answer = httpx.get(url, headers={"Authorization": f"Bearer {TOKENS[name]}"})
                with ZipFile(io.BytesIO(answer.content)) as archive:
                    paths = [archive.extract(each, tmp_path / name) for each in archive.namelist()]
                found[name] = [hand for path in paths for hand in read_hands(path)]
            assert httpx.get(url).status_code == 401
        deals = store.deals(("anna", "ben"))
    assert [len(hands) for hands in found.values()] == [40, 40]
    assert len(list(read_hands(min(folder.glob("*.phhs"))))) == of.shard
    for name, other in (("anna", "ben"), ("ben", "anna")):
        known = [
            {one for one, cards in zip(hand.players, hand.holes, strict=True) if min(cards) >= 0}
            for hand in found[name]
        ]
        assert all(name in seats for seats in known)
        assert 0 < sum(other in seats for seats in known) < 40  # where it has shown them
    won = [hand.replay().payoffs[hand.players.index("anna")] for hand in found["anna"]]
    assert sum(won) == deals.per_deal(0).sum() * deals.unit.chips
    # By whatever name it is known to a bot, a hand is found.
    asked = {
        json.loads(line)["hand"] for each in anna.messages for line in each.splitlines()[1:] if '"decision"' in line
    }
    assert asked <= {hand.metadata["_hands"]["anna"] for hand in found["anna"]}
    assert all(set(hand.metadata["_hands"]) == {"anna"} for hand in found["anna"])
    numbers = [int(str(hand.hand)) for path in sorted(folder.glob("anna-ben*")) for hand in read_hands(path)]
    assert sorted(set(numbers)) == numbers
    assert f"hand {numbers[0]} of" in good("replay", folder, "--hand", found["ben"][0].metadata["_hands"]["ben"])


# Faults of bots


def after_hello(answer: dict[str, Any] | None) -> Answer:
    return lambda message: caller(message) if message["type"] == "hello" else answer


FAULTS: dict[str, tuple[dict[str, Any], str]] = {
    "silent": ({"answer": after_hello(None)}, "the bot gave no answer within 0.5 s"),
    "gives up": ({"answer": after_hello({"error": "I only play limit"})}, "I only play limit"),
    "answers another": ({"answer": lambda message: (said := caller(message)) and {**said, "id": 10**6}}, "this id"),
    "leaves": ({"lost": 1, "returns": False}, "did not come back within 0.3 s (its connection was lost)"),
}


@pytest.mark.parametrize(("how", "reason"), FAULTS.values(), ids=list(FAULTS))
def test_a_bot_that_fails_forfeits_alone(tmp_path, how, reason):
    agents = [{"remote": "anna"}, {"remote": "ben"}, "calling_station"]
    of = tournament(*agents, seconds_per_call=0.5, reconnect=0.3, hands=20)
    with listening(of) as bots, Store(tmp_path / "t.db", create=True) as store:
        Playing(bots, "anna", **how)
        Playing(bots, "ben")
        run(of, store, listening=bots)
        forfeits = store.forfeits()
        assert list(forfeits) == ["anna"]
        assert reason in forfeits["anna"]
        assert store.deals_played(("ben", "calling_station")) == 20


# Faults of connections


def misbehaves(bots: server.RemoteBots, do: Callable[[Any], object]) -> ConnectionClosed:
    """How the connection of a bot that does this is closed."""
    with joined(bots, "carl", max_size=None) as connection:
        with suppress(ConnectionClosed):
            do(connection)
        with pytest.raises(ConnectionClosed) as closed:
            connection.recv(PATIENCE)
    wait_until(lambda: "carl" not in bots.who_is_here())
    assert bots._bots["carl"].barred_until > 0 or "pings" in str(closed.value), "it may come back at once"
    return closed.value


def floods(connection: Any) -> None:
    for _ in range(10 * matches.SPARE_MESSAGES):
        connection.send("1\n{}")


MISDEEDS: dict[str, tuple[Callable[[Any], object], int, str]] = {
    "a megabyte": (lambda connection: connection.send("x" * 2**20 + "x"), 1009, ""),
    "a flood": (floods, 1008, "more messages than"),
    "pings": (lambda connection: [connection.ping(str(k)) for k in range(5_000)], 1008, "pings"),
    "no text": (lambda connection: connection.send(b"1"), 1003, "must be text"),
}


@pytest.mark.parametrize(("do", "code", "reason"), MISDEEDS.values(), ids=list(MISDEEDS))
def test_a_misdeed_ends_its_own_connection(tmp_path, undisturbed, do, code, reason):
    closed: list[ConnectionClosed] = []

    def other(bots: server.RemoteBots) -> None:
        closed.append(misbehaves(bots, do))

    assert not played(tournament(), tmp_path / "t.db", other=other)
    assert chips(tmp_path / "t.db") == undisturbed
    [found] = closed
    assert found.rcvd is not None
    assert found.rcvd.code == code
    assert reason in found.rcvd.reason


def test_only_who_has_a_token_joins_and_once(caplog):
    with listening(tournament()) as bots:
        for token in ("", "wrong", "token of dora", "é"):
            with pytest.raises(InvalidStatus) as refusal:
                joined(bots, "anna", token or " ")
            assert refusal.value.response.status_code == 401
        with joined(bots, "anna"):
            with pytest.raises(InvalidStatus) as refusal:
                joined(bots, "anna")
            assert refusal.value.response.status_code == 503
            assert bots.who_is_here() == {"anna"}
        wait_until(lambda: not bots.who_is_here())
        with joined(bots, "anna"):
            assert bots.who_is_here() == {"anna"}
    assert not [each for each in caplog.records if each.name.startswith("uvicorn")]


@contextmanager
def half_open(bots: server.RemoteBots, name: str) -> Iterator[socket.socket]:
    """A connection whose other end does nothing."""
    with closing(socket.create_connection(bots._at.getsockname())) as made:
        head = f"GET /play HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {TOKENS[name]}\r\n"
        head += "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        made.sendall(f"{head}Sec-WebSocket-Key: {'A' * 22}==\r\n\r\n".encode())
        wait_until(lambda: name in bots.who_is_here())
        yield made


def test_a_bot_may_wait_for_longer_than_a_request(monkeypatch):
    monkeypatch.setattr(slow_requests, "SECONDS", 0.1)
    with listening(tournament()) as bots, joined(bots, "anna") as connection:
        with pytest.raises(TimeoutError):
            connection.recv(0.3)
        assert bots.who_is_here() == {"anna"}


def test_a_half_open_connection_ends(monkeypatch):
    monkeypatch.setattr(server, "PING", 0.1)
    monkeypatch.setattr(server, "PONG", 0.1)
    with listening(tournament()) as bots, half_open(bots, "anna"):
        wait_until(lambda: not bots.who_is_here())


def test_a_slow_reader_ends(monkeypatch):
    monkeypatch.setattr(matches, "SLOW", 0.2)
    with listening(tournament()) as bots, half_open(bots, "anna"):
        connection = bots._bots["anna"].connection
        assert connection is not None
        bots._loop.call_soon_threadsafe(connection.send, 1, b"{}\n" * 2**23)
        wait_until(lambda: not bots.who_is_here())
        assert "did not read" in bots._bots["anna"].last_closed


def test_long_lines_come_in_messages_that_libraries_take():
    lines = b"".join(b'{"id": %d}\n' % k for k in range(100_000))
    pieces = list(matches._pieces(lines))
    assert b"".join(pieces) == lines
    assert len(pieces) > 2
    assert all(len(piece) <= matches.MAX_MESSAGE and piece.endswith(b"\n") for piece in pieces)
    long = b"x" * matches.MAX_MESSAGE * 2 + b"\n"
    assert list(matches._pieces(long + b"y\n")) == [long, b"y\n"]


# The command


FILE = """
rules: heads-up-no-limit
agents: [remote: anna, {remote: ben, name: Ben}, calling_station]
hands: 200
shard: 50
seed: 1
"""


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("t.yaml").write_text(FILE)
    return tmp_path


def test_tokens_are_made_once_and_kept_as_digests(folder):
    lines = good("tournament", "tokens", "t.yaml").splitlines()
    tokens = dict(line.split() for line in lines[:2])
    assert list(tokens) == ["anna", "ben"]
    path = Path("t.db.tokens")
    assert not [token for token in tokens.values() if token in path.read_text()]
    of, store = tournament({"remote": "anna"}, {"remote": "ben"}), Path("t.db")
    assert tokens_file(store) == path
    assert [whose(token, digests_of(of, store)) for token in (*tokens.values(), "")] == ["anna", "ben", None]
    assert not new_tokens(of, store)
    assert list(new_tokens(tournament({"remote": "anna"}, {"remote": "carl"}), store)) == ["carl"]
    assert "anna " not in good("tournament", "tokens", "t.yaml")
    lines = path.read_text().splitlines()
    path.write_text("anna: é\n")
    mentions(complaint(digests_of, of, store), "digests")
    path.write_text("\n".join(lines[:-1]))  # as the command says, to make one again
    assert list(new_tokens(tournament({"remote": "anna"}, {"remote": "carl"}), store)) == ["carl"]


REFUSED = {
    "no address": ((), "--listen"),
    "no tokens": (("--listen", "127.0.0.1:0"), "token"),
    "no port": (("--listen", "127.0.0.1"), "HOST:PORT"),
    "no key": (("--listen", "127.0.0.1:0", "--certificate", "t.yaml"), "--key"),
    "scrimmages": (("--scrimmages", 100), "--listen"),
    "ray": (("--listen", "127.0.0.1:0", "--ray", "auto"), "ray"),
    "open scrimmages": (("--listen", "127.0.0.1:0", "--scrimmage", "anna", "Ben", "--keep-open"), "--keep-open"),
}


@pytest.mark.parametrize(("words", "noun"), REFUSED.values(), ids=list(REFUSED))
def test_refusals(folder, words, noun):
    assert noun in refused("tournament", "t.yaml", *words)


def test_a_certificate_that_is_none_is_refused(folder):
    good("tournament", "tokens", "t.yaml")
    ended(2, "tournament", "t.yaml", "--listen", "127.0.0.1:0", "--certificate", "t.yaml", "--key", "t.yaml")


@pytest.mark.skipif(not shutil.which("openssl"), reason="no openssl")
def test_with_a_certificate_it_is_wss(folder):
    words = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=localhost"]
    subprocess.run(["openssl", *words, "-keyout", "key.pem", "-out", "cert.pem"], check=True, capture_output=True)
    with listening(tournament(), Path("cert.pem"), Path("key.pem")) as bots:
        trusting = ssl.create_default_context(cafile="cert.pem")
        address = address_of(bots).replace("ws://127.0.0.1", "wss://localhost")
        with connect(address, additional_headers={"Authorization": f"Bearer {TOKENS['anna']}"}, ssl=trusting):
            assert bots.who_is_here() == {"anna"}


def test_a_tournament_without_remote_bots_does_not_listen(folder):
    Path("t.yaml").write_text(FILE.replace("remote: anna", "maniac").replace("{remote: ben, name: Ben}", "nit"))
    assert "remote" in refused("tournament", "t.yaml", "--listen", "127.0.0.1:0")
    assert "remote" in refused("tournament", "tokens", "t.yaml")


def test_remote_bots_are_strangers():
    of = tournament(isolation="none", seed="random")
    given = {"rules": Rules.preset("heads-up-no-limit"), "agents": [{"remote": "anna"}, "nit"], "isolation": "none"}
    assert Tournament(**given).seed == "random"
    assert not of.is_duplicate
    assert of.time_limit(True).ms_per_decision is not None
    assert all(entrant.is_stranger for entrant in of.entrants().values())
    with pytest.raises(ValueError, match="ray"):
        Tournament(**given, backend="ray")


def hands_in(store: str | Path) -> int:
    """How many hands a store has; none while it is made."""
    with suppress(ValueError, OSError), Store(store) as results:
        return results.hands()
    return 0


class Files:
    """A tournament's files, as `Changes` reads them. agents: what is read next; an exception is raised."""

    def __init__(self, of: Tournament, bots: server.RemoteBots, file: Path, store: Path) -> None:
        self.of, self.agents, self.file = of, of.agents, file
        self.said: list[str] = []
        file.touch()
        tokens_file(store).write_text(json.dumps({name: digest_of(name) for name in ("anna", "ben")}))
        how = file, self.load, store, lambda _, digests: bots.admit(digests), self.said.append
        bots.changes = self.changes = changes.Changes(of, *how)

    def load(self) -> Tournament:
        if isinstance(self.agents, Exception):
            raise self.agents
        return self.of.model_copy(update={"agents": self.agents})

    def write(self, agents: Any) -> None:
        self.agents = tournament(*agents).agents if isinstance(agents, list) else agents
        self.file.write_text(f"{self.file.read_text()}.")


def test_agents_join_and_leave_while_it_is_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changes, "POLL_SECONDS", 0.0)
    of, seen = tournament({"remote": "anna"}, "calling_station", hands=100), []
    with listening(of) as bots, Store(tmp_path / "t.db", create=True) as store:
        files = Files(of, bots, tmp_path / "t.yaml", tmp_path / "t.db")
        anna, _ = Playing(bots, "anna"), Playing(bots, "ben")

        def progress(played: Any, done: int, total: int) -> None:
            seen.append(played.shard.names)
            if len(seen) == 1:
                files.write(ValueError("half a file"))
            if len(seen) == 2:
                files.write([{"remote": "ben"}, "calling_station"])

        run(of, store, progress, listening=bots)
        assert files.changes.take() is None
        assert seen[:2] == [("anna", "calling_station")] * 2
        assert set(seen[2:]) == {("ben", "calling_station")}
        assert store.deals_played(("ben", "calling_station")) == 100
        assert store.deals_played(("anna", "calling_station")) == 40
        wait_until(lambda: bots.who_is_here() == {"ben"})
        with pytest.raises(InvalidStatus), joined(bots, "anna"):
            pass
    assert anna.messages[-1].endswith('{"type":"bye"}\n')
    assert files.said == [
        "The agents stay as they are: half a file",
        "ben enters the tournament.",
        "anna leaves the tournament.",
    ]


@pytest.mark.slow
def test_a_tournament_stays_open(folder):
    agents = "[{remote: anna}, calling_station%s]"
    fixed = "rules: heads-up-no-limit\nhands: 40\nisolation: none\nagents: "
    Path("o.yaml").write_text(fixed + agents % "")
    token = good("tournament", "tokens", "o.yaml").split()[1]
    address = f"127.0.0.1:{free_port()}"
    command = [sys.executable, "-m", "holdem_agents.cli", "tournament", "o.yaml", "--listen", address, "--keep-open"]

    def says(words: str) -> None:
        wait_until(lambda: words in Path("said.txt").read_text())

    with Path("said.txt").open("w") as said, client(f"ws://{address}/play", token):
        process = subprocess.Popen(command, stdout=said)
        try:
            says("All is played. Waiting for other agents")
            Path("o.yaml").write_text(fixed + agents % ", {remote: dora}")
            says("must have the token of 'dora'")
            other = good("tournament", "tokens", "o.yaml").split()[1]
            says("dora enters the tournament.")
            with client(f"ws://{address}/play", other):
                wait_until(lambda: hands_in("o.db") == 120)
            Path("o.yaml").write_text(fixed + agents % ", {agent: maniac, name: anna}")
            wait_until(lambda: Path("said.txt").read_text().count("The agents stay as they are:") == 2)
            process.send_signal(signal.SIGINT)
            assert process.wait(PATIENCE) == INTERRUPTED
        finally:
            process.kill()
            process.wait()
    assert "o-report" in Path("said.txt").read_text()


def test_the_board_shows_standings_and_who_is_connected_to_anybody(tmp_path: Path) -> None:
    of, path = tournament(), tmp_path / "course <1>.db"
    with Store(path, create=True) as store, listening(of, board=Board(of, path)) as bots:
        page = address_of(bots).replace("ws:", "http:").removesuffix("play")
        assert "No match is finished yet" in httpx.get(page).text
        Playing(bots, "anna", returns=False)
        Playing(bots, "ben", returns=False)
        run(of, store, listening=bots)
        bots._board._until = 0.0
        found = httpx.get(page)
        assert "course &lt;1&gt;" in found.text
        assert "of 3 remote bots" in found.text
        assert "40 hands" in found.text or "<td" in found.text
        assert "default-src 'none'" in found.headers["content-security-policy"]
        assert httpx.post(page).status_code == 405
        assert httpx.get(f"{page}play").status_code in (404, 426)


def test_a_scrimmage_does_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.yaml").write_text(
        "rules: heads-up-no-limit\nisolation: none\nhands: 100\nagents: [random, calling_station, always_fold]\n"
    )
    for hands in (40, 20):
        good("tournament", "t.yaml", "--scrimmage", "random", "always_fold", "--hands", hands)
    with Store(Path("t-scrimmages.db")) as results:
        assert (results.hands(), results.matches()) == (60, [("always_fold", "random")])
    assert not Path("t.db").exists()
    words = refused("tournament", "t.yaml", "--scrimmage", "random", "always_fol")
    assert "did you mean 'always_fold'" in words
    assert "twice" in refused("tournament", "t.yaml", "--scrimmage", "random", "random")


@pytest.mark.slow  # its process starts
def test_a_bot_asks_for_a_scrimmage(tmp_path):
    of = tournament({"remote": "anna", "name": "Anna's"}, {"remote": "ben"}, {"remote": "carl"}, "calling_station")
    board = Board(of, tmp_path / "t.db", scrimmages=40)
    with listening(of, board=board) as bots:
        _ = Playing(bots, "anna"), Playing(bots, "ben")
        wait_until(lambda: len(bots.who_is_here()) == 2)
        url = f"{address_of(bots).replace('ws', 'http').removesuffix('/play')}/scrimmages"

        def asked(against: Any, hands: Any = 40, bot: str = "anna") -> httpx.Response:
            headers = {"Authorization": f"Bearer {TOKENS.get(bot, bot)}"}
            return httpx.post(url, json={"against": against, "hands": hands}, headers=headers, timeout=60)

        found = asked("ben").json()
        assert (found["against"], found["hands"]) == ("ben", 40)
        assert asked("Anna's", bot="ben").json()["hands"] == 80  # all scrimmages of the two
        assert asked("calling_station").json()["hands"] == 40
        wrong = {"carl": 40, "nobody": 40, "Anna's": 40, "ben": 41, "calling_station": True}
        assert {asked(against, hands).status_code for against, hands in wrong.items()} == {400}
        assert "connected" in asked("carl").text
        assert "1 to 40" in asked("ben", 41).text
        assert asked("ben", bot="nobody's token").status_code == 401
        assert (
            httpx.post(url, content=b" " * 2000, headers={"Authorization": f"Bearer {TOKENS['ben']}"}).status_code
            == 400
        )
    with Store(tmp_path / "t-scrimmages.db") as store:
        assert store.hands() == 120
    assert not (tmp_path / "t.db").exists()


def test_the_server_leaves_the_logging_of_the_program_alone() -> None:
    class Watched(logging.StreamHandler[io.StringIO]):
        is_closed = False

        def close(self) -> None:
            self.is_closed = True
            super().close()

    handler = Watched(io.StringIO())
    with listening(tournament()):
        assert not handler.is_closed


BOTS_PROGRAM = """
import asyncio, json, sys
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

def answer(line):
    message = json.loads(line)
    if message["type"] == "hello":
        return "{}"
    if message["type"] == "decision":
        least = message["legal"]["raise_min"]
        raises = least is not None and message["random"] < 0.3
        return json.dumps({"id": message["id"], **({"move": "raise", "to": least} if raises else {"move": "call"})})

async def play(address, token):
    async for socket in connect(address, additional_headers={"Authorization": f"Bearer {token}"}):
        try:
            async for message in socket:
                number, *lines = message.splitlines()
                if said := [said for line in lines if (said := answer(line))]:
                    await socket.send("\\n".join([number, *said]))
            return
        except ConnectionClosed:
            pass

async def main(address, *tokens):
    await asyncio.gather(*(play(address, token) for token in tokens))

asyncio.run(main(*sys.argv[1:]))
"""
"""Bots that come back whenever their connection is lost."""


def results_of_many(name: str, bots: int, hands: int, is_killed: bool) -> dict[tuple[str, ...], list[Any]]:
    """What these bots, in three processes, win in a tournament of a process. is_killed: after some shards the server
    and a third of the bots get kill -9, and begin again."""
    agents = ", ".join(f"{{remote: bot {k}}}" for k in range(bots))
    fixed = "rules: heads-up-no-limit, seed: 1, isolation: none, duplicate: false, jobs: 2, shard: 20, reconnect: 30"
    file, results = Path(f"{name}.yaml"), Path(f"{name}.db")
    file.write_text(f"{{{fixed}, hands: {hands}, agents: [{agents}]}}")
    tokens = [line.split()[-1] for line in good("tournament", "tokens", file).splitlines() if line.startswith("bot ")]
    address = f"127.0.0.1:{free_port()}"
    commands = [[sys.executable, "-m", "holdem_agents.cli", "tournament", str(file), "--listen", address]]
    commands += [[sys.executable, "-c", BOTS_PROGRAM, f"ws://{address}/play", *tokens[k::3]] for k in range(3)]
    running = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for command in commands]
    try:
        if is_killed:
            wait_until(lambda: hands_in(results) > 100)
            for each in running[:2]:
                each.kill()
                each.wait()
            assert hands_in(results) < bots * (bots - 1) // 2 * hands
            running[:2] = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for command in commands[:2]]
        assert running[0].wait(PATIENCE * 5) == 0
    finally:
        for each in running:
            each.kill()
            each.wait()
    with Store(results) as store:
        return {pair: store.deals(pair).columns["chips"].tolist() for pair in store.matches()}


@pytest.mark.slow
def test_server_and_bots_are_killed_and_go_on(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    calm = results_of_many("calm", 6, 60, is_killed=False)
    assert len(calm) == 15
    assert results_of_many("killed", 6, 60, is_killed=True) == calm
