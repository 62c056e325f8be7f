"""Servers that send a byte now and then, or without end: who asks them waits no longer than it says."""

from __future__ import annotations

import asyncio
import gc
import threading
from itertools import count

import pytest

from holdem_env.protocols import http_json
from holdem_env.protocols.http_json import HttpError, JsonServer
from protocols.hostile_servers import endless_servers, slow_servers, whole
from protocols.loopback import Reply, serving


@pytest.fixture(autouse=True)
def _quickly(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(http_json, "SPARE", 0.0)
    monkeypatch.setattr(http_json, "LARGEST", 2**20)


def times_asked(answer: object, message: str, **parameters: object) -> int:
    """How often a server is asked by a client that gives up, and says why."""
    with serving(lambda asked: answer) as server:
        client = JsonServer(server.url, **{"timeout": 0.2, "retries": 3, "backoff": 0.0, **parameters})
        with pytest.raises(HttpError, match=message) as error:
            client.post("path", {})
        assert str(error.value).startswith(f"{server.url}/path: ")
        client.close()
        return len(server.asked)


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("kind", slow_servers())
def test_an_answer_has_a_total_time(kind):
    times = times_asked(slow_servers()[kind], r"no whole answer within 0\.2 s")
    assert times == (4 if kind == "error" else 1)


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("body", "an answer of more than 1,048,576 bytes"),
        ("body with a length", "an answer of more than 1,048,576 bytes"),
        ("busy", "an answer of more than 1,048,576 bytes"),
        ("header", r"no answer \(RemoteProtocolError: "),
        ("headers", r"no answer \(RemoteProtocolError: "),
    ],
)
def test_an_answer_has_a_largest_size(kind, message):
    times_asked(endless_servers()[kind], message, timeout=60.0)


def test_a_redirect_is_not_followed():
    assert times_asked(Reply(302, {}, {"Location": "/path"}), "HTTP 302", timeout=30.0) == 1


def test_a_busy_server_is_not_asked_for_ever(monkeypatch):
    clock = count()
    monkeypatch.setattr(http_json, "monotonic", lambda: 100.0 * next(clock))
    assert times_asked(Reply(503, {}), "HTTP 503", timeout=30.0, retries=1000) < 10


def test_a_whole_answer_in_parts():
    with serving(lambda asked: whole({"right": True})) as server:
        assert JsonServer(server.url, timeout=30.0).post("path", {}) == {"right": True}


def test_a_connection_is_kept_after_a_whole_answer():
    with serving(lambda asked: {"right": True}) as server:
        client = JsonServer(server.url, timeout=30.0)
        for _ in range(3):
            client.post("path", {})
        assert len({asked.port for asked in server.asked}) == 1


def test_json_that_is_nested_too_deeply():
    times_asked(Reply(raw=b"[" * 100_000), r"the answer is not a JSON object: '\[\[", timeout=30.0)


def test_a_notebook_whose_event_loop_runs():
    async def cell() -> dict[str, object]:
        return JsonServer(server.url, timeout=30.0).post("path", {})

    with serving(lambda asked: {"right": True}) as server:
        assert asyncio.run(cell()) == {"right": True}


@pytest.mark.parametrize("closes", [False, True])
def test_the_thread_of_a_client_ends_with_it(closes):
    before = set(threading.enumerate())
    with serving(lambda asked: {"right": True}) as server:
        client = JsonServer(server.url, timeout=30.0)
        client.post("path", {})
        [own] = [one for one in threading.enumerate() if one not in before and one._target is http_json._run]
        if closes:
            client.close()
            client.close()
        del client
        gc.collect()
        own.join(30.0)
        assert not own.is_alive()
