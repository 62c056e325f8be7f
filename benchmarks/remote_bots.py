"""Bots over the network against the same bots by pipes: hands a second, memory, and how long a call takes.

As a program it is the bots: `python -m benchmarks.remote_bots ws://HOST:PORT/play TOKEN...` joins with each token.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import os
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from holdem_env import Rules
from holdem_env.arena.tournaments.store import Store
from holdem_env.arena.tournaments.tournament import Tournament, run

from .measure import Options, print_columns

CONNECTED, PLAYING, JOBS = 400, 30, 15
"""Bots that are connected, those of them that play, and how many matches are on at once."""
HANDS, PAIRS = 1_000, 60
"""Of each pair, and how many of the pairs are played before it is enough."""
LOOP = """
for line in sys.stdin:
    if said := answer(line):
        print(said, flush='"more":0,' in line or "id" not in said)
"""
"""The program of a bot by pipes, below `answer`."""
REPOSITORY = Path(__file__).resolve().parent.parent


def main(options: Options) -> None:
    """Print the table."""
    title = f"{PLAYING} bots, {JOBS} matches at once, {HANDS:,} hands of each pair"
    if not options.wants(title):
        return
    rows = [("", "hands/s", "MiB, server", "MiB, a process", "ms a call (99 %)", "ms a decision")]
    with TemporaryDirectory() as folder:
        rows.append(("by pipes", *_by_pipes(Path(folder, "pipes.db"))))
        rows.append((f"over loopback, {CONNECTED} connected", *_over_loopback(Path(folder, "remote.db"))))
    print(f"\n{title}")
    print_columns(rows)


def _tournament(agents: list[dict[str, Any]]) -> Tournament:
    fixed = {"seed": 1, "isolation": "none", "duplicate": False, "max_ms_per_decision": None}
    return Tournament(rules=Rules.preset("heads-up-no-limit"), agents=agents, hands=HANDS, jobs=JOBS, **fixed)


def _by_pipes(path: Path) -> tuple[str, ...]:
    bot = path.with_name("bot.py")
    bot.write_text(f"import json, sys\n\n{inspect.getsource(answer)}\n{LOOP}", encoding="utf-8")
    program = [sys.executable, str(bot)]
    agents = [{"agent": "program", "command": program, "name": f"bot {k:03}"} for k in range(PLAYING)]
    with Store(path, create=True) as store:
        return *_played(_tournament(agents), store), "", ""


def _over_loopback(path: Path) -> tuple[str, ...]:
    from holdem_agents.remote import matches, server

    calls: list[float] = []
    ask = matches.BotMatch.ask

    async def timed(self: Any, lines: bytes, answers: int) -> Any:
        began = time.perf_counter()
        found = await ask(self, lines, answers)
        calls.append(time.perf_counter() - began)
        return found

    names = [f"bot {k:03}" for k in range(CONNECTED)]
    digests = {name: sha256(name.encode()).hexdigest() for name in names}
    tournament = _tournament([{"remote": name} for name in names[:PLAYING]])
    at = socket.create_server(("127.0.0.1", 0))
    address = f"ws://127.0.0.1:{at.getsockname()[1]}{server.PATH}"
    matches.BotMatch.ask = timed  # type: ignore[method-assign]
    try:
        with (
            server.RemoteBots(digests, at, 60, tournament.stranger_limits, lambda _: None) as bots,
            _connected(address, names),
            Store(path, create=True) as store,
        ):
            while len(bots.who_is_here()) < CONNECTED:
                time.sleep(0.1)
            found = _played(tournament, store, bots)
            seconds, _, decisions = (sum(each) for each in zip(*store.thinking().values(), strict=True))
    finally:
        matches.BotMatch.ask = ask  # type: ignore[method-assign]
    latest = statistics.quantiles(calls, n=100)[-1] if len(calls) > 1 else 0.0
    call = f"{1000 * statistics.median(calls):.1f} ({1000 * latest:.1f})"
    return *found, call, f"{1000 * seconds / decisions:.2f}"


def _played(tournament: Tournament, store: Store, bots: Any = None) -> tuple[str, ...]:
    """Hands a second from the first shard on, and memory."""
    began: list[tuple[float, int]] = []
    largest: list[float] = []

    def progress(*_: object) -> None:
        began.append((time.perf_counter(), store.hands()))
        largest.append(max((_resident(pid) for pid in _children()), default=0.0))
        if len(began) == PAIRS:
            raise KeyboardInterrupt

    with suppress(KeyboardInterrupt):
        run(tournament, store, progress, listening=bots)
    if store.forfeits():
        raise RuntimeError(f"bots must not forfeit: {store.forfeits()}")
    (start, before), (end, hands) = began[0], began[-1]
    rate = (hands - before) / max(end - start, 1e-9)
    return f"{rate:,.0f}", f"{_resident(os.getpid()):,.0f}", f"{max(largest):,.0f}"


def _children() -> list[int]:
    """The processes that play."""
    found = Path(f"/proc/{os.getpid()}/task").glob("*/children")
    return [int(pid) for path in found for pid in path.read_text(encoding="utf-8").split()]


def _resident(pid: int) -> float:
    """MiB in memory; 0 of a process that has ended."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="utf-8").split()[1])
    except OSError:
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


@contextmanager
def _connected(address: str, tokens: list[str]) -> Iterator[None]:
    words = [sys.executable, "-m", __name__, address, *tokens]
    process = subprocess.Popen(words, cwd=REPOSITORY)
    try:
        yield
    finally:
        process.kill()
        process.wait()


# The bots


def answer(line):  # type: ignore[no-untyped-def] # it is also the program's
    """Calls, and raises now and then."""
    message = json.loads(line)
    if message["type"] == "hello":
        return "{}"
    if message["type"] != "decision":
        return None
    least = message["legal"]["raise_min"]
    if least is not None and message["random"] < 0.2:
        return json.dumps({"id": message["id"], "move": "raise", "to": least})
    return json.dumps({"id": message["id"], "move": "call"})


async def _bot(address: str, token: str) -> None:
    from websockets.asyncio.client import connect

    async with connect(address, additional_headers={"Authorization": f"Bearer {token}"}) as connection:
        async for message in connection:
            number, *lines = message.splitlines()
            if said := [said for line in lines if (said := answer(line))]:
                await connection.send("\n".join([number, *said]))


async def _bots(address: str, *tokens: str) -> None:
    await asyncio.gather(*(_bot(address, token) for token in tokens))


if __name__ == "__main__":
    asyncio.run(_bots(*sys.argv[1:]))
