"""Pictures as pixels: arrays, PNG, films, windows, notebooks, and the render modes of the environments."""

from __future__ import annotations

import copy
import io
import pickle
import sys
import types
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

from errors import complaint, mentions
from holdem_env import Rules, Table, holdem_v0
from holdem_env.envs.single_seat import HoldemSeatEnv
from holdem_env.render import pictures, screen
from holdem_env.render.pictures import gif, hand_svgs, png, rgb_array
from holdem_env.render.screen import Screen

pytest.importorskip("resvg_py")
Image = pytest.importorskip("PIL.Image")

HEADS_UP = Rules.preset("heads-up-no-limit")


def a_hand() -> Table:
    table = Table(HEADS_UP, deck="AsKdAhKc")
    table.raise_to(6)
    table.check_call()
    return table


def test_pixels_are_those_of_the_picture():
    table = a_hand()
    pixels = rgb_array(table.svg(theme="light"))
    assert pixels.shape == (792, 720, 3)
    assert pixels.dtype == np.uint8
    assert pixels[400, 100].tolist() == [0x2A, 0x6B, 0x50]  # the felt
    assert pixels[0, 0].tolist() == pixels[20, 360].tolist() == [0xEE, 0xF0, 0xF3]  # the page, round corners too
    red = (pixels == [0xD0, 0x15, 0x2C]).all(axis=2)
    assert red[54:130].any()  # the ace of hearts, at the top
    assert not red[560:].any()  # black, blue and green at the bottom
    assert rgb_array(table.svg(theme="dark"), 360, "dark").shape == (396, 360, 3)
    assert rgb_array(table.svg(theme="dark"), 360, "dark")[0, 0].max() < 40


def test_a_film_of_a_hand(tmp_path: Path):
    table = a_hand()
    before = table.records.copy()
    pieces = hand_svgs(table, seat=1, theme="light")
    assert len(pieces) == 3
    assert pieces[-1] == table.svg(1, theme="light")
    assert (table.records == before).all()
    film = Image.open(io.BytesIO(gif(pieces, 0.5, width=240)))
    assert (film.n_frames, film.size, film.info["loop"]) == (3, (240, 264), 0)
    assert film.info["duration"] == 500
    film.seek(2)
    assert film.info["duration"] == 1000
    mentions(complaint(gif, []), "this list is empty")
    mentions(complaint(gif, pieces, 0), "seconds", 0, "0.02")


def test_without_a_font_the_error_says_so(monkeypatch: pytest.MonkeyPatch):
    pictures._fonts.cache_clear()
    monkeypatch.setattr(pictures, "_can_write", lambda fonts: False)
    mentions(complaint(png, a_hand().svg(), kind=RuntimeError), "needs a font")
    pictures._fonts.cache_clear()


def test_the_aec_environment_gives_pixels():
    env = holdem_v0.env(HEADS_UP, render_mode="rgb_array")
    env.reset(seed=1)
    seen = [env.render(), env.render(seat=1)]
    env.step(1)
    seen.append(env.render())
    assert {frame.shape for frame in seen} == {(792, 720, 3)}
    assert len({frame.tobytes() for frame in seen}) == 3
    mentions(complaint(env.render, seat=2), "seat")


def test_the_gymnasium_environment_gives_pixels():
    env = gymnasium.make("holdem_env/HoldemSeat-v0", rules=HEADS_UP, opponents="maniac", render_mode="rgb_array")
    env.reset(seed=3)
    first: Any = env.render()
    env.step(1)
    assert first.shape == (792, 720, 3)
    assert (first != env.render()).any()
    frames = gymnasium.make("holdem_env/HoldemSeat-v0", rules=HEADS_UP, render_mode="rgb_array_list")
    frames.reset(seed=3)
    frames.step(1)
    assert len(frames.render()) == 2  # type: ignore[arg-type]


class FakeTk:
    """A window that remembers what it shows."""

    def __init__(self) -> None:
        self.shown: list[Any] = []
        self.closed = False

    def module(self, has_display: bool = True) -> types.ModuleType:
        error = type("TclError", (Exception,), {})

        def tk() -> Any:
            if not has_display:
                raise error("no display name and no $DISPLAY environment variable")
            return self

        def photo(master: Any, data: bytes) -> bytes:
            if self.closed:
                raise error("application has been destroyed")
            return data

        label = types.SimpleNamespace(pack=lambda: None, configure=lambda image: self.shown.append(image))
        module = types.ModuleType("tkinter")
        module.__dict__.update(Tk=tk, TclError=error, PhotoImage=photo, Label=lambda root: label)
        return module

    def title(self, words: str) -> None:
        self.words = words

    def update(self) -> None:
        """Nothing to do."""


def test_people_see_a_window_and_text_once_it_is_closed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    fake = FakeTk()
    monkeypatch.setitem(sys.modules, "tkinter", fake.module())
    env = holdem_v0.env(HEADS_UP, render_mode="human")
    env.reset(seed=1)
    env.render()
    env.step(1)
    assert len(fake.shown) == 2
    assert capsys.readouterr().out == ""
    fake.closed = True
    env.render()
    assert "board" in capsys.readouterr().out


def test_people_without_a_display_or_the_extra_read_text(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    for missing in ("tkinter", "resvg_py"):
        fake = FakeTk()
        monkeypatch.setitem(sys.modules, "tkinter", fake.module(has_display=missing != "tkinter"))
        if missing == "resvg_py":
            monkeypatch.setitem(sys.modules, "resvg_py", None)
        env = HoldemSeatEnv(HEADS_UP, "calling_station", render_mode="human")
        env.reset(seed=1)
        assert "to act" in capsys.readouterr().out
        assert not fake.shown


def test_people_in_a_notebook_see_one_picture_a_cell(monkeypatch: pytest.MonkeyPatch):
    shown: list[str] = []
    handle = types.SimpleNamespace(update=lambda page: shown.append(f"update {page[:4]}"))

    def display(page: str, display_id: bool) -> Any:
        shown.append(f"new {page[:4]}")
        return handle

    shell = types.SimpleNamespace(kernel=object(), execution_count=1)
    ipython = types.ModuleType("IPython")
    ipython.__dict__.update(get_ipython=lambda: shell)
    output = types.ModuleType("IPython.display")
    output.__dict__.update(HTML=str, display=display)
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", output)
    there = Screen("here")
    there.show(lambda: "<svg>", lambda: "text")
    there.show(lambda: "<svg>", lambda: "text")
    shell.execution_count = 2
    there.show(lambda: "<svg>", lambda: "text")
    assert shown == ["new <svg", "update <svg", "new <svg"]


def test_screens_and_environments_are_copied_without_their_windows(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(screen, "open_window", lambda title: lambda svg: None)
    env = holdem_v0.env(HEADS_UP, render_mode="human")
    env.reset(seed=1)
    env.render()
    assert copy.deepcopy(env).render_mode == pickle.loads(pickle.dumps(env)).render_mode == "human"
