"""The notebooks run from the first cell to the last."""

from __future__ import annotations

from pathlib import Path

import pytest

from pages import REPOSITORY

STORE = "store its outputs with `make notebooks`"
NOTEBOOKS = sorted((REPOSITORY / "notebooks").glob("*.ipynb"))


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs(path: Path) -> None:
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=600, resources={"metadata": {"path": path.parent}}).execute()


def test_there_are_notebooks_and_they_show_what_they_did() -> None:
    """Whoever reads them sees the outputs: those of one run from the first cell to the last, none of them an error."""
    assert NOTEBOOKS
    for path in NOTEBOOKS:
        nbformat = pytest.importorskip("nbformat")
        code = [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
        assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1)), f"{path.name}: {STORE}"
        kinds = {output.output_type for cell in code for output in cell.outputs}
        assert kinds - {"error"} == kinds != set(), path.name
        assert not any(output.get("name") == "stderr" for cell in code for output in cell.outputs), path.name
        assert path.stat().st_size < 400_000, path.name
