"""The server as a process has it: streams of events, the command, its end, and what is installed."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

from command_line import refused
from holdem_agents.shipped import shipped_path
from holdem_agents.web.app import STATIC, TYPES
from holdem_agents.web.play.tables import PlayTable
from holdem_agents.web.site import ids_of, make_site
from web.clients import PATIENCE, client_of, sit, site_for_tests


def table_of(site: Any, tid: str) -> PlayTable:
    return site.tables[tid]


def test_a_stream_begins_with_the_whole_view_and_tells_what_is_new() -> None:
    site = site_for_tests()
    client = client_of(site)
    seat = sit(client, seed=1)
    view = seat.settled()
    table = table_of(site, seat.tid)

    async def watch() -> list[str]:
        stream = table.events(heartbeat=0.05)
        found = [await anext(stream), await anext(stream)]
        await asyncio.to_thread(seat.do, "move", move=0)
        while True:
            found.append(await anext(stream))
            if found[-1].startswith("data: ") and json.loads(found[-1][6:])["waiting"] != "agent":
                break
        table.close()
        found += [each async for each in stream]
        return found

    found = asyncio.run(asyncio.wait_for(watch(), PATIENCE))
    assert json.loads(found[0].removeprefix("data: ")) == view
    assert found[1] == ": still here\n\n"
    assert all(each.endswith("\n\n") and each.count("\n") == 2 for each in found)
    versions = [json.loads(each[6:])["version"] for each in found if each.startswith("data: ")]
    assert versions == sorted(set(versions))
    assert not table._watchers


HEAD = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n"
POST = b"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n"


@pytest.mark.parametrize("sent", [b"", b"G", HEAD, HEAD + b"\r\n" + HEAD, POST + b"{"])
def test_who_begins_a_request_and_does_not_end_it_is_let_go(sent: bytes, server: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr("holdem_agents.web.slow_requests.SECONDS", 0.3)
    with socket.create_connection(("127.0.0.1", server.site.port), timeout=PATIENCE) as client:
        client.sendall(sent)
        while client.recv(65_536):
            pass


def test_two_streams_see_the_same_and_one_that_went_away_disturbs_nobody() -> None:
    site = site_for_tests()
    seat = sit(client_of(site), seed=1)
    seat.settled()
    table = table_of(site, seat.tid)

    async def first() -> str:
        stream = table.events()
        try:
            return await anext(stream)
        finally:
            await stream.aclose()  # type: ignore[attr-defined]

    async def gone() -> None:
        await anext(table.events())  # its loop ends without a word

    asyncio.run(gone())
    assert asyncio.run(first()) == asyncio.run(first())
    seat.do("move", move=0)
    assert json.loads(asyncio.run(first())[6:]) == seat.get()


@pytest.fixture
def command(tmp_path: Path) -> Any:
    """Start `holdem web` with options; returns the process and the address that it printed."""
    started: list[subprocess.Popen[str]] = []

    def start(*options: str) -> tuple[subprocess.Popen[str], str]:
        words = [sys.executable, "-m", "holdem_agents.cli", "web", "--no-browser", "--port", "0", *options]
        process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path)
        started.append(process)
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("Open http://127.0.0.1:"), line
        return process, line.removeprefix("Open ").strip()

    yield start
    for process in started:
        process.kill()
        process.communicate()


@pytest.mark.slow
def test_the_command_serves_its_pages_and_ends_with_ctrl_c_while_somebody_watches(command: Any) -> None:
    process, address = command()
    base = address.partition("/?")[0]
    with httpx.Client(base_url=base, headers={"origin": base}, timeout=PATIENCE, follow_redirects=True) as browser:
        assert browser.get("/").status_code == 401
        assert "<script" in browser.get(address).text
        body = {"rules": "heads-up-no-limit", "opponents": ["calling_station"]}
        tid = browser.post("/api/play", json=body).json()["table"]
        with browser.stream("GET", f"/api/play/{tid}/events") as stream:
            lines = stream.iter_lines()
            assert stream.headers["content-type"].startswith("text/event-stream")
            assert json.loads(next(lines).removeprefix("data: "))["table"] == tid
            process.send_signal(signal.SIGINT)
            for _ in lines:  # until the server closes it
                pass
    output, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (0, "")
    assert "token" not in output  # but in the line that was read


COMPILING = """
import llvmlite.binding as llvm
from holdem_env.agents import TableAgent

CODE = "\\n".join(f"%x{k} = mul i64 %x{k - 1}, {k}" for k in range(1, 3000))
MODULE = "\\n".join(f"define i64 @f{n}(i64 %x0) {{\\n{CODE}\\nret i64 %x2999\\n}}" for n in range(400))

class Compiling(TableAgent):
    def decide(self, view):
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        machine = llvm.Target.from_default_triple().create_target_machine()
        print("compiling", flush=True)
        while True:
            llvm.create_mcjit_compiler(llvm.parse_assembly(MODULE), machine).finalize_object()
"""


@pytest.mark.slow
def test_ctrl_c_ends_the_command_while_an_agent_is_compiled(command: Any, tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(COMPILING)
    process, _ = command("--agent", "slow.py")
    assert "compiling\n" in iter(process.stdout.readline, "")  # the server plays a little with it in a daemon thread
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (0, "")


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (["--agent", "nix.py"], "nix.py"),
        (["--agent", "nobody"], "nobody"),
        (["--rules", "nix.yaml"], "nix.yaml"),
        (["--history", "nix.phhs"], "nix.phhs"),
        (["--tournament", "nix.db"], "nix.db"),
    ],
)
def test_files_that_are_not_there_are_said_before_anything_is_served(options: list[str], word: str) -> None:
    said = refused("web", "--no-browser", "--port", "0", *options)
    assert word in said
    assert "Open http" not in said


def test_files_of_the_command_line_have_ids_and_no_paths(tmp_path: Path) -> None:
    (tmp_path / "my bot.json").write_text('{"agent": "maniac", "aggression": 0.9}')
    (tmp_path / "my game.yaml").write_text("preset: heads-up-no-limit\nstacks: 40\n")
    site = make_site(agents=[str(tmp_path / "my bot.json"), "nit"], rules=[tmp_path / "my game.yaml"], runs=tmp_path)
    site.load_given()
    site.pace, site.patience = 0, PATIENCE
    assert set(site.agents_given) == {"my-bot"}
    client = client_of(site)
    found = client.get("/api/site").json()
    assert found["default"]["opponents"] == ["my-bot"]
    seat = sit(client, rules="my-game", opponents=["my-bot"])
    view = seat.settled()
    assert view["names"] == ["you", "maniac"]
    assert view["you"]["stack"] + view["you"]["bet"] + sum(s["bet"] + s["stack"] for s in view["seats"][1:]) == 80


def test_runs_are_not_offered_for_games_that_they_cannot_play(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    shutil.copy(shipped_path("ppo_limit"), tmp_path / "mine" / "final.safetensors")
    found = client_of(make_site(runs=tmp_path)).get("/api/site").json()
    (run,) = {agent["id"] for agent in found["agents"]} & {"run-mine", "run-mine-final"}
    assert next(agent for agent in found["agents"] if agent["id"] == run)["seats"] == 2
    cannot = {game["id"]: game["cannot"] for game in found["rules"]}
    assert run in cannot["leduc"]
    assert run in cannot["heads-up-no-limit"]
    assert run not in cannot["heads-up-limit"]
    shutil.copy(shipped_path("ppo_100bb"), tmp_path / "mine" / "final.safetensors")  # trained again, for another game
    found = client_of(make_site(runs=tmp_path)).get("/api/site").json()
    cannot = {game["id"]: game["cannot"] for game in found["rules"]}
    assert run in cannot["heads-up-limit"]
    assert run not in cannot["heads-up-no-limit"]


def test_of_many_runs_a_page_is_offered_and_others_are_found(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr("holdem_agents.web.site.OFFERED", 3)
    read: list[str] = []
    monkeypatch.setattr("holdem_agents.web.site.game_of", lambda path: read.append(Path(path).parent.name))
    for k in range(9):
        (tmp_path / f"try-{k}").mkdir()
        final = shutil.copy(shipped_path("ppo_limit"), tmp_path / f"try-{k}" / "final.safetensors")
        os.utime(final, (1e9 + k, 1e9 + k))
    client = client_of(make_site(runs=tmp_path))

    def offered(**asked: Any) -> list[str]:
        agents = [agent["id"] for agent in client.get("/api/site", params=asked).json()["agents"]]
        return [name for name in agents if name.startswith("run-")]

    assert offered() == ["run-try-6", "run-try-7", "run-try-8"]
    assert sorted(read) == ["try-6", "try-7", "try-8"]
    assert offered(agent=["run-try-0", "run-none"]) == ["run-try-0", "run-try-6", "run-try-7", "run-try-8"]
    assert offered(search="TRY 4") == ["run-try-4"]
    assert client.get("/api/site", params={"search": "try 4"}).json()["runs"] == {"count": 9, "found": 1}


def test_runs_with_code_of_ones_own_are_offered_to_who_trusts_them(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    file = shipped_path("ppo_limit").read_bytes()
    length = int.from_bytes(file[:8], "little")
    header = json.loads(file[8 : 8 + length])
    about = json.loads(header["__metadata__"]["holdem"])
    about["observation"]["name"] = "flat+mine-1.py:pot_odds"
    header["__metadata__"]["holdem"] = json.dumps(about)
    text = json.dumps(header).encode()
    (tmp_path / "mine" / "final.safetensors").write_bytes(len(text).to_bytes(8, "little") + text + file[8 + length :])
    for trust in (False, True):
        found = client_of(make_site(runs=tmp_path, trust=trust)).get("/api/site").json()
        (run,) = {"run-mine", "run-mine-final"} & {*found["untrusted"], *(agent["id"] for agent in found["agents"])}
        assert (run in found["untrusted"]) != trust
        assert (run in [agent["id"] for agent in found["agents"]]) == trust


def test_ids_are_different_and_can_stand_in_an_address() -> None:
    found = ids_of(["a/x.py", "b/x.py", "../../etc/passwd", "ä ö.json", "x"], taken=["a-x"])
    assert len(found) == 5
    assert all(name.isascii() and "/" not in name and not name.startswith((".", "-")) for name in found)
    assert "a-x" not in found


def test_every_file_of_the_pages_is_served(tmp_path: Path) -> None:
    client = client_of(site_for_tests())
    names = [path.name for path in STATIC.iterdir() if path.is_file() and path.suffix != ".py"]
    assert {"index.html", "app.js"} <= set(names)
    for name in names:
        assert Path(name).suffix in TYPES, f"{name}: give its type in app.TYPES"
        answer = client.get(f"/{name}")
        assert (answer.status_code, answer.headers["content-type"].split(";")[0]) == (200, TYPES[Path(name).suffix])


@pytest.mark.slow
def test_the_command_line_starts_without_the_web_library() -> None:
    code = "import sys, holdem_agents.cli.commands; assert not {'starlette', 'uvicorn', 'anyio'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ})
