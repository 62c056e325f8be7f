"""Run the notebooks and store what they show: `make notebooks`, or `python docs/store_notebooks.py NAME ...` for some.

What differs from run to run is left out: times, warnings, the version of Python, names of temporary folders. So is the
long text behind a picture.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from tempfile import gettempdir
from typing import Any

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"
LONGEST = 1_000
"""Characters of plain text that stay beside a picture of the same thing."""

FOLDER_OF_A_RUN = re.compile(rf"{re.escape(gettempdir())}/tmp\w+/")
TIME_OF_A_DECISION = re.compile(r"\d+\.\d+(?= (processor|wall) time)")


def executed(path: Path) -> Any:
    """The notebook after a run from its first cell to its last."""
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=1200, resources={"metadata": {"path": path.parent}}).execute()
    return notebook


def tidied(notebook: Any) -> Any:
    """The same notebook with what stays the same in the next run."""
    notebook.metadata.pop("widgets", None)
    notebook.metadata.get("language_info", {}).pop("version", None)
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        if cell.cell_type == "code":
            cell.outputs = joined([output for output in cell.outputs if output.get("name") != "stderr"])
            for output in cell.outputs:
                shown = output.get("data", {})
                shorten(shown)
                if "text/html" in shown:
                    shown["text/html"] = TIME_OF_A_DECISION.sub("…", shown["text/html"])
                if "text" in output:
                    output.text = FOLDER_OF_A_RUN.sub("", output.text)
    return notebook


def joined(outputs: list[Any]) -> list[Any]:
    """Where a cell printed several times in a row is one output: the pieces depend on how fast it ran."""
    found: list[Any] = []
    for output in outputs:
        if found and output.output_type == found[-1].output_type == "stream":
            found[-1].text += output.text
        else:
            found.append(output)
    return found


def shorten(shown: dict[str, str]) -> None:
    """Leave out the plain text of what is shown as a picture or a page, where it is long."""
    if len(shown) > 1 and len(shown.get("text/plain", "")) > LONGEST:
        del shown["text/plain"]


def main(names: list[str]) -> None:
    """Run and store some notebooks, by default all."""
    for path in [FOLDER / f"{name}.ipynb" for name in names] or sorted(FOLDER.glob("*.ipynb")):
        nbformat.write(tidied(executed(path)), path)
        sys.stdout.write(f"{path.name}: {path.stat().st_size:,} bytes\n")


if __name__ == "__main__":
    main(sys.argv[1:])
