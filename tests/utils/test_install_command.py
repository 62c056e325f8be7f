"""How to install an extra, as messages say it: right for a clone, a package index and what lies between."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from holdem_env.utils import extras

REPOSITORY = Path(__file__).resolve().parents[2]
GIT = "https://example.org/holdem.git"
FROM_AN_INDEX = 'pip install "holdem_env[train]"'


class Installed:
    """A distribution of which pip noted this."""

    def __init__(self, note: dict[str, object] | None) -> None:
        self.note = note

    def read_text(self, name: str) -> str | None:
        assert name == "direct_url.json"
        return None if self.note is None else json.dumps(self.note)


def test_a_clone_is_installed_from_its_folder() -> None:
    assert extras.install_command("train") == f'pip install -e "{REPOSITORY}[train]"'


def test_the_folder_of_another_project_is_no_clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some packages leave their pyproject.toml among the installed ones."""
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "another"\n')
    monkeypatch.setattr(extras, "ABOVE_THE_PACKAGE", tmp_path)
    monkeypatch.setattr(extras, "distribution", lambda name: Installed(None))
    assert extras.install_command("train") == FROM_AN_INDEX


@pytest.mark.parametrize(
    ("note", "source"),
    [
        (None, ""),
        ({"url": "file:///home/me/holdem", "dir_info": {}}, " @ file:///home/me/holdem"),
        ({"url": "https://example.org/holdem_env.whl", "archive_info": {}}, " @ https://example.org/holdem_env.whl"),
        ({"url": GIT, "vcs_info": {"vcs": "git", "commit_id": "12ab"}}, f" @ git+{GIT}"),
        ({"url": GIT, "vcs_info": {"vcs": "git", "commit_id": "12ab", "requested_revision": "v1"}}, f" @ git+{GIT}@v1"),
    ],
)
def test_a_package_is_installed_from_where_it_came(
    note: dict[str, object] | None, source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extras, "ABOVE_THE_PACKAGE", tmp_path)
    monkeypatch.setattr(extras, "distribution", lambda name: Installed(note))
    assert extras.install_command("train") == f'pip install "holdem_env[train]{source}"'
