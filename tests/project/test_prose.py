"""`.ci/prose.py` refuses long sentences and what an editor strikes out, and reads no code."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.stands_on(".ci")
SCRIPT = Path(__file__).resolve().parents[2] / ".ci" / "prose.py"
LONG = " ".join(["word"] * 26) + "."


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        ("page.md", f"# Page\n\nShort. {LONG}\n", "26 words"),
        ("page.md", "It returns two values, of which the first counts.\n", "'of which'"),
        ("page.md", f"```\n{LONG}\nof which\n```\n\n| {LONG} |\n|---|\n\nSee [one](of-which.md).\n", ""),
        ("page.md", f"- {LONG[:60]}\n- {LONG[60:]}\n", ""),
        ("module.py", f'def f():\n    """{LONG} What it needs besides."""\n', "'besides'"),
        ("module.py", f'"""{LONG}"""\n\nx = "besides"  # besides\n', ""),
    ],
)
def test_it_is_refused_for_its_english_alone(tmp_path: Path, name: str, text: str, fault: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    done = subprocess.run([sys.executable, SCRIPT, tmp_path / name], capture_output=True, text=True, check=False)
    assert done.returncode == bool(fault)
    assert fault in done.stderr
