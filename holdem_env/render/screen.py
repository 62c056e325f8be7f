"""Screen: what `render_mode="human"` shows people: pictures in a notebook or a window, text where there is neither."""

from __future__ import annotations

import sys
from base64 import b64encode
from collections.abc import Callable
from importlib import import_module
from typing import Any

Show = Callable[[str], None]
"""Shows one picture, given as SVG."""


class Screen:
    """Shows one table again and again: in a notebook in the output of the cell that runs, otherwise in a window.

    Windows need the extra `pictures`, tkinter and a display; without them, and after the window has been closed, the
    text is printed. Copies start over.
    """

    def __init__(self, title: str) -> None:
        self.title = title
        self._show: Show | None = None
        self._cell: object = None

    def show(self, svg: Callable[[], str], text: Callable[[], str]) -> None:
        """Show a picture. svg, text: make it in one form or the other; only one of them is called."""
        shell = notebook_shell()
        if shell is not None:
            self._show_in_cell(shell, svg())
            return
        if self._show is None:
            self._show = open_window(self.title) or _nowhere
        if self._show is not _nowhere:
            try:
                self._show(svg())
                return
            except WindowClosed:
                self._show = _nowhere
        print(text())  # noqa: T201 - this is what the mode is for

    def _show_in_cell(self, shell: Any, svg: str) -> None:
        """Update the picture that the running cell shows already, or show one."""
        output: Any = import_module("IPython.display")
        cell = shell.execution_count
        if self._show is None or self._cell != cell:
            handle = output.display(output.HTML(svg), display_id=True)
            self._cell, self._show = cell, lambda picture: handle.update(output.HTML(picture))
        else:
            self._show(svg)

    def __getstate__(self) -> dict[str, Any]:
        return {"title": self.title, "_show": None, "_cell": None}


class WindowClosed(Exception):
    """The user has closed the window."""


def _nowhere(svg: str) -> None:
    """There is no window."""


def notebook_shell() -> Any:
    """The shell of the notebook that this runs in; None elsewhere. IPython is not imported for it."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell if shell is not None and hasattr(shell, "kernel") else None


def open_window(title: str) -> Show | None:
    """A window, as the function that shows a picture in it; None where none can be had."""
    try:
        import tkinter

        from .pictures import check_pictures, png

        check_pictures("a window")
    except ImportError:
        return None
    try:
        root = tkinter.Tk()
    except tkinter.TclError:  # no display
        return None
    root.title(title)
    label = tkinter.Label(root)
    label.pack()

    def show(svg: str) -> None:
        try:
            picture = tkinter.PhotoImage(master=root, data=b64encode(png(svg)))
            label.configure(image=picture)
            label.image = picture  # type: ignore[attr-defined] # Tk keeps no reference
            root.update()
        except tkinter.TclError:
            raise WindowClosed from None

    return show
