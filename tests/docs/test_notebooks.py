"""The notebooks run from the first cell to the last."""

from __future__ import annotations

import pytest

from pages import REPOSITORY

pytestmark = pytest.mark.stands_on("docs", "README.md", "holdem_env", "agents")

STORE = "store its outputs with `make notebooks`"
NOTEBOOKS = sorted((REPOSITORY / "notebooks").glob("*.ipynb"))


@pytest.mark.slow
def test_notebooks_run() -> None:
    """One after the other in one kernel, which forgets the names of each."""
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    cells = []
    for path in NOTEBOOKS:
        notebook = nbformat.read(path, as_version=4)
        begin = f"%reset -f\nimport os\nos.chdir({str(path.parent)!r})"
        cells += [nbformat.v4.new_code_cell(begin), *notebook.cells]
    nbclient.NotebookClient(nbformat.v4.new_notebook(cells=cells, metadata=notebook.metadata), timeout=600).execute()


def test_there_are_notebooks_and_they_show_what_they_did() -> None:
    """Readers see the outputs of one run from the first cell to the last, none of them an error."""
    assert NOTEBOOKS
    for path in NOTEBOOKS:
        nbformat = pytest.importorskip("nbformat")
        code = [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
        assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1)), f"{path.name}: {STORE}"
        kinds = {output.output_type for cell in code for output in cell.outputs}
        assert kinds - {"error"} == kinds != set(), path.name
        assert not any(output.get("name") == "stderr" for cell in code for output in cell.outputs), path.name
        assert path.stat().st_size < 400_000, path.name
