"""The notebooks run from the first cell to the last."""

from __future__ import annotations

from pathlib import Path

import pytest

from pages import REPOSITORY

NOTEBOOKS = sorted((REPOSITORY / "notebooks").glob("*.ipynb"))


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs(path: Path) -> None:
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=600, resources={"metadata": {"path": path.parent}}).execute()


def test_there_are_notebooks_and_they_carry_no_output() -> None:
    """Outputs would be stale figures, and noise in every diff."""
    assert NOTEBOOKS
    for path in NOTEBOOKS:
        nbformat = pytest.importorskip("nbformat")
        cells = nbformat.read(path, as_version=4).cells
        assert not any(cell.get("outputs") or cell.get("execution_count") for cell in cells), path.name
