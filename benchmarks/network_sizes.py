"""Decisions a second of `holdem train`, wall time, by the size of the network: on each device of this machine, in two
ranks, in bfloat16, compiled, and SB3 beside them. On a quiet machine."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from .measure import Options, print_columns

CONFIG = "headsup_nolimit_100bb"
SIZES = {"0.1 M": (192, 192), "1 M": (768, 768), "20 M": (4096, 4096)}
"""Hidden layers, by about how many parameters the network has with them."""
SECONDS = 20
"""Of each training. Its first half, in which rollouts find their length and PyTorch compiles, does not count."""
MANY = "tables=8192", "learner.batch_size=16384"
"""What a GPU wants."""
ALONE = "tensorboard=false", "exploiters=null", "learner.threads=1", "opponents={latest_self: 1.0}"
NO_MATCHES = ("evaluation={times: 0, opponents: [random], hands: 2, past_selves: 0}",)


def contestants(devices: Sequence[str]) -> dict[str, tuple[int, tuple[str, ...]]]:
    """How many ranks train, and with which changes."""
    found: dict[str, tuple[int, tuple[str, ...]]] = {}
    for device in devices:
        on = (f"learner.device={device}",)
        found |= {
            f"{device}, ours": (1, on),
            f"{device}, ours, bfloat16": (1, (*on, "learner.autocast=bfloat16")),
            f"{device}, ours, compiled": (1, (*on, "learner.compile=true")),
            f"{device}, ours, two ranks": (2, on),
            f"{device}, ours, 8,192 tables": (1, (*on, *MANY)),
            f"{device}, ours, 8,192 tables, all cores, bfloat16": (
                1,
                (*on, *MANY, f"learner.threads={os.cpu_count() or 1}", "learner.autocast=bfloat16"),
            ),
            f"{device}, SB3": (1, (*on, "learner.kind=sb3", "learner.epochs=1")),
        }
    return found


def speed(ranks: int, changes: Sequence[str], seconds: int = SECONDS) -> float:
    """Decisions a second in the second half of a training in a process of its own, or in ranks."""
    from holdem_agents.runs.files import PROGRESS, rows_of

    launch = ["torch.distributed.run", "--standalone", "--nproc-per-node", str(ranks)] if ranks > 1 else []
    with TemporaryDirectory() as runs:
        command = [sys.executable, *(["-m", *launch] if launch else []), "-m", "holdem_agents.cli", "train", CONFIG]
        command += ["--seconds", str(seconds), "--runs", runs, "--name", "it"]
        command += [f"--set={change}" for change in (*ALONE, *NO_MATCHES, *changes)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(done.stderr.strip().splitlines()[-1])
        rows = rows_of(Path(runs) / "it" / PROGRESS)
    spent = [(float(row["time/time_elapsed"]), int(row["time/total_timesteps"])) for row in rows]
    middle = min(spent, key=lambda each: abs(each[0] - spent[-1][0] / 2))
    return (spent[-1][1] - middle[1]) / max(spent[-1][0] - middle[0], 1.0)


def main(options: Options) -> None:
    """Print the table."""
    title = "Network sizes"
    if not options.wants(title):
        return
    from holdem_agents.training.learners.devices import devices

    print(f"\n{title} ({CONFIG} against itself): decisions a second, one thread a process")
    rows = [("", *(f"{size}, {hidden[0]} wide" for size, hidden in SIZES.items()))]
    for name, (ranks, changes) in contestants(devices()).items():
        found = (speed(ranks, (*changes, f"learner.hidden={list(hidden)}")) for hidden in SIZES.values())
        rows.append((name, *(f"{each:,.0f}" for each in found)))
    print_columns(rows)
