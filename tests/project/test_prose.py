"""`.ci/prose.py` refuses long sentences and what a native editor would strike out, and reads no code."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.stands_on(".ci")
SCRIPT = Path(__file__).resolve().parents[2] / ".ci" / "prose.py"
LONG = " ".join(["word"] * 26) + "."


@pytest.mark.parametrize(
    ("page", "fault"),
    [
        (f"# Page\n\nShort. {LONG}\n", "26 words"),
        ("It returns two values, of which the first counts.\n", "'of which'"),
        (f"```\n{LONG}\nof which\n```\n\n| {LONG} |\n|---|\n\nSee [one](of-which.md).\n", ""),
        (f"- {LONG[:60]}\n- {LONG[60:]}\n", ""),
    ],
)
def test_a_page_is_refused_for_its_english_alone(tmp_path: Path, page: str, fault: str) -> None:
    (tmp_path / "page.md").write_text(page, encoding="utf-8")
    done = subprocess.run([sys.executable, SCRIPT, tmp_path / "page.md"], capture_output=True, text=True, check=False)
    assert done.returncode == bool(fault)
    assert fault in done.stderr
