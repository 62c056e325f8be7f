"""How long the pages take with many runs: `python -m benchmarks.pages [RUNS] [ROWS]`; by default 1,000 of 1,500 rows.

Wall time of the server's answers, without a network, of a server that has an empty cache and of the next one.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from shutil import copy
from time import perf_counter

PATHS = ("/api/watch/runs", "/api/watch/runs", "/api/watch/runs?sort=game", "/api/watch/runs?search=run-9", "/api/site")
HEAD = "time/total_timesteps,holdem/budget_spent,time/time_elapsed,holdem/entropy,train/value_loss"


def main(runs: int = 1000, rows: int = 1500) -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as folder:
        make_runs(Path(folder) / "runs", runs, rows)
        for server in ("empty cache", "next server"):
            for path, seconds, size in answers(Path(folder)):
                print(f"{server}  {path:32} {seconds:7.2f} s {size:9,} bytes", flush=True)


def make_runs(parent: Path, runs: int, rows: int) -> None:
    """Folders of unfinished runs, each with a configuration, a model and logs of 30 columns."""
    from holdem_agents.runs.config import shipped_configs
    from holdem_agents.shipped import shipped_path

    more = 25
    lines = [HEAD + "".join(f",more/{k}" for k in range(more))]
    lines += [f"{100 * k},{k / rows / 2},{k},0.5,0.25" + ",0.123456789" * more for k in range(rows)]
    for k in range(runs):
        (run := parent / f"run-{k:04}").mkdir(parents=True)
        copy(shipped_configs()["demo"], run / "config.yaml")
        copy(shipped_path("ppo_limit"), run / "final.safetensors")
        (run / "progress.csv").write_text("\n".join(lines) + "\n")


def answers(folder: Path) -> list[tuple[str, float, int]]:
    """Each path with the seconds that its answer takes, and its size."""
    from starlette.testclient import TestClient

    from holdem_agents.web.app import make_app
    from holdem_agents.web.site import Site

    site = Site(runs=folder / "runs", cache=folder / "cache")
    client = TestClient(make_app(site), base_url=f"http://127.0.0.1:{site.port}")
    client.get(f"/?token={site.token}").raise_for_status()
    found = []
    for path in PATHS:
        begun = perf_counter()
        answer = client.get(path).raise_for_status()
        found.append((path, perf_counter() - begun, len(answer.content)))
    return found


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
