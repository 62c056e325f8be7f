"""What a remote bot does costs that bot alone: floods, silence, absence, hostile answers, clients without a server."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
import time
from contextlib import ExitStack, closing, suppress
from typing import Any

import httpx
import pytest

from holdem_env.arena.tournaments.standings import standings
from holdem_env.arena.tournaments.store import Store
from holdem_env.arena.tournaments.tournament import run
from processes import wait_until
from protocols.test_border import DEEP, HOSTILE
from remote.test_remote_bots import (
    BOTS,
    CLIENTS,
    TOKENS,
    Playing,
    address_of,
    answers,
    digest_of,
    has_websockets,
    joined,
    listening,
    tournament,
)
from web.places import free_port

pytest.importorskip("websockets")
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.frames import Frame, Opcode

from holdem_agents.remote import matches, server
from holdem_agents.remote.board import Board


class Saying(Playing):
    """A bot that answers every decision with the same text."""

    def __init__(self, bots: server.RemoteBots, name: str, text: str) -> None:
        self.text = text
        super().__init__(bots, name)

    def play(self, connection: Any) -> None:
        for message in connection:
            number, _, lines = message.partition("\n")
            for each in map(json.loads, lines.splitlines()):
                if each["type"] == "hello":
                    connection.send(f"{number}\n{{}}")
                elif each["type"] == "decision":
                    connection.send(f"{number}\n{self.text.replace('ID', str(each['id']))}")


@pytest.mark.parametrize("text", [DEEP, *HOSTILE[5:12:2]], ids=lambda text: text[:30])
def test_a_hostile_answer_is_a_forfeit_and_the_others_play_on(tmp_path, text):
    of = tournament({"remote": "anna"}, {"remote": "ben"}, "calling_station", hands=20, seconds_per_call=5)
    with listening(of) as bots, Store(tmp_path / "t.db", create=True) as store:
        Saying(bots, "anna", text)
        Playing(bots, "ben")
        run(of, store, listening=bots)
        assert list(store.forfeits()) == ["anna"]
        assert store.forfeits()["anna"].isprintable()
        assert store.deals_played(("ben", "calling_station")) == 20


def test_silent_connections_take_no_file_from_the_store(tmp_path, monkeypatch):
    """The oldest of them are closed; nobody with a token is."""
    monkeypatch.setattr(server, "MAX_STRANGERS", 20)
    of = tournament()
    with listening(of) as bots, Store(tmp_path / "t.db", create=True) as store, ExitStack() as open_:
        Playing(bots, "anna"), Playing(bots, "ben")
        wait_until(lambda: len(bots.who_is_here()) == 2)
        silent = [open_.enter_context(closing(socket.create_connection(bots._at.getsockname()))) for _ in range(60)]
        run(of, store, listening=bots)
        assert not store.forfeits()
        silent[0].settimeout(10)
        assert silent[0].recv(1) == b"", "it was closed"
        assert sum(each.fileno() >= 0 for each in bots._at._strangers) <= 20


def test_a_server_that_is_kept_busy_makes_nobody_slow(tmp_path):
    """What strangers send may take its processor; that is no bot's thinking."""
    of = tournament({"remote": "anna"}, "calling_station", hands=20, max_ms_per_decision=20.0)

    def busy(loop: Any) -> None:
        time.sleep(0.3)
        loop.call_later(0.001, busy, loop)

    with listening(of) as bots, Store(tmp_path / "t.db", create=True) as store:
        Playing(bots, "anna")
        wait_until(lambda: "anna" in bots.who_is_here())
        bots._loop.call_soon_threadsafe(busy, bots._loop)
        run(of, store, listening=bots)
        assert not store.forfeits()
        assert store.thinking()["anna"][0] < 1.0


def test_a_head_without_end_is_refused(tmp_path):
    sent = 0
    with listening(tournament()) as bots, closing(socket.create_connection(bots._at.getsockname())) as stranger:
        stranger.sendall(b"GET / HTTP/1.1\r\n")
        with suppress(OSError):  # it is closed
            for sent in range(500):  # noqa: B007 - how far it comes
                stranger.sendall(100 * b"Xa: b\r\n")
                time.sleep(0.01)
    assert sent < 499


def flood(connection: Any, opcode: Opcode) -> None:
    """Frames that are no message, until the connection is closed."""
    with suppress(ConnectionClosed, OSError):
        if opcode is Opcode.CONT:
            connection.socket.sendall(Frame(Opcode.TEXT, b"1", fin=False).serialize(mask=True))
        for _ in range(200):
            connection.socket.sendall(100 * Frame(opcode, b"", fin=opcode is Opcode.PONG).serialize(mask=True))


@pytest.mark.parametrize("opcode", [Opcode.PONG, Opcode.CONT], ids=str)
def test_frames_without_messages_end_a_connection_and_bar_the_bot(tmp_path, opcode):
    of = tournament({"remote": "anna"}, "calling_station")
    with listening(of) as bots, Store(tmp_path / "t.db", create=True) as store:
        Playing(bots, "anna")
        wait_until(lambda: "anna" in bots.who_is_here())
        with joined(bots, "carl") as connection:
            thread = threading.Thread(target=flood, args=(connection, opcode))
            thread.start()
            run(of, store, listening=bots)
            wait_until(lambda: "carl" not in bots.who_is_here())
            thread.join()
        assert not store.forfeits()
        with pytest.raises(InvalidStatus) as refusal, joined(bots, "carl"):
            pass
        assert refusal.value.response.status_code == 503


class ThinksElsewhere(Playing):
    """A bot that hangs up when it is asked, thinks, comes back and answers."""

    def play(self, connection: Any) -> None:
        for message in connection:
            if '"decision"' in message and not getattr(self, "has_thought", False):
                self.has_thought = True
                connection.close()
                time.sleep(2.0)
                return
            if said := answers(message):
                connection.send(said)


@pytest.mark.parametrize(("free", "forfeits"), [(10.0, []), (0.2, ["anna"])])
def test_time_away_while_asked_counts_as_thinking(tmp_path, monkeypatch, free, forfeits):
    monkeypatch.setattr(matches, "FREE_AWAY", free)
    of = tournament({"remote": "anna"}, "calling_station", hands=20, seconds_per_call=1.0, reconnect=60)
    with listening(of) as bots, Store(tmp_path / "t.db", create=True) as store:
        ThinksElsewhere(bots, "anna", lost=1)
        run(of, store, listening=bots)
        assert list(store.forfeits()) == forfeits


@pytest.mark.parametrize("when", ["before", "while"])
def test_a_bot_that_leaves_in_its_shard_has_not_failed(tmp_path, when):
    """Its shard is dropped, the others go on, in however many processes they play."""
    of = tournament({"remote": "anna"}, {"remote": "ben"}, "calling_station", hands=20)
    with listening(of) as bots, Store(tmp_path / "t.db", create=True) as store:
        Playing(bots, "ben")
        with joined(bots, "anna") as connection:
            remaining = {name: digest for name, digest in bots._digests.items() if name != "anna"}
            here = bots.who_is_here
            bots.who_is_here = lambda: here() | {"anna"}  # type: ignore[method-assign] # as it was a moment ago
            if when == "before":
                bots.admit(remaining)
            else:
                threading.Thread(target=lambda: (connection.recv(60), bots.admit(remaining)), daemon=True).start()
            run(of, store, listening=bots)
        assert not store.forfeits()
        assert store.deals_played(("ben", "calling_station")) == 20


def test_a_bot_that_stays_away_loses_its_place(tmp_path):
    """The organiser is told who is waited for, and the tournament ends; what the bot played is shown apart."""
    said: list[str] = []
    of = tournament({"remote": "anna"}, {"remote": "ben"}, "calling_station", reconnect=0.2, absent_limit=1.0)
    with Store(tmp_path / "t.db", create=True) as store, listening(of, board=Board(of, tmp_path / "t.db")) as bots:
        url = address_of(bots).replace("ws", "http", 1).removesuffix("play")
        bots._say = lambda words: said.append(httpx.get(url).text if "Waiting" in words else words)
        Playing(bots, "ben")
        anna = Playing(bots, "anna", returns=False)

        def progress(played: Any, done: int, total: int) -> None:
            if "anna" in played.shard.names and (here := bots._bots["anna"].connection):
                bots._loop.call_soon_threadsafe(here.end, matches.Unwelcome("it goes", 1000))
                wait_until(lambda: "anna" not in bots.who_is_here())  # before its next shard begins

        run(of, store, progress, listening=bots)
        anna.join(10)
        assert not store.forfeits()
        found = standings(store)
        assert sorted(found.names) == ["ben", "calling_station"]
        assert list(found.left) == ["anna"]
        assert found.common == 40
    assert any("bots are connected: ben. Waiting for anna since " in each for each in said)


@pytest.mark.slow
@pytest.mark.parametrize("language", ["python", "javascript"])
def test_clients_begin_before_the_server_and_survive_it(tmp_path, language):
    if language == "javascript" and not has_websockets():
        pytest.skip("Node with WebSockets is not installed")
    port = free_port()
    words = [*CLIENTS[language], f"ws://127.0.0.1:{port}/play", sys.executable, str(BOTS / "bot.py")]
    of = tournament({"remote": "anna"}, "calling_station", hands=20)
    mute = socket.create_server(("127.0.0.1", port))
    with mute, subprocess.Popen(words, env=os.environ | {"HOLDEM_TOKEN": TOKENS["anna"]}) as client:
        try:
            accepted, _ = mute.accept()  # and never answered: the client gives it up, and tries again
            mute.close()
            for turn in range(2):
                time.sleep(2.0)
                assert client.poll() is None, "it has given up"
                at = socket.create_server(("127.0.0.1", port))
                digests = {"anna": digest_of("anna")}
                made = server.RemoteBots(digests, at, of.reconnect, of.stranger_limits, lambda _: None)
                with suppress(KeyboardInterrupt), made as bots:
                    wait_until(lambda bots=bots: "anna" in bots.who_is_here())
                    if turn == 0:
                        raise KeyboardInterrupt  # the server is interrupted, and comes back
                    with Store(tmp_path / "t.db", create=True) as store:
                        run(of, store, listening=bots)
                        assert not store.forfeits()
            assert client.wait(20) == 0
            accepted.close()
        finally:
            client.kill()


@pytest.mark.slow
@pytest.mark.parametrize("language", ["python", "javascript"])
def test_a_wrong_token_is_one_sentence(language):
    if language == "javascript" and not has_websockets():
        pytest.skip("Node with WebSockets is not installed")
    with listening(tournament()) as bots:
        words = [*CLIENTS[language], address_of(bots), sys.executable, str(BOTS / "bot.py")]
        done = subprocess.run(
            words, env=os.environ | {"HOLDEM_TOKEN": "wrong"}, capture_output=True, text=True, timeout=60
        )
    said = [line for line in done.stderr.splitlines() if "Warning" not in line and "(Use `node" not in line]
    assert done.returncode == 1
    assert len(said) == 1, said
    assert "no token" in said[0]
