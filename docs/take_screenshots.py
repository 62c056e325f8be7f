"""Take the screenshots of `holdem web` for docs/web.md: `python docs/take_screenshots.py [NAME ...]`.

It makes two short training runs and a tournament in a folder of its own, starts a server, opens every page in Chromium
at 1,280 and at 390 px, in light and in dark, and writes docs/_static/web-PAGE-WIDTH-THEME.png. NAME: only the pages of
these names.
"""

from __future__ import annotations

import io
import socket
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import uvicorn
from PIL import Image
from PIL.PngImagePlugin import PngInfo
from playwright.sync_api import Browser, Page, sync_playwright

from holdem_agents.runs.run import train
from holdem_agents.training.config import Training
from holdem_agents.web.app import make_app
from holdem_agents.web.site import Site
from holdem_env import Rules
from holdem_env.arena.tournaments.store import Store
from holdem_env.arena.tournaments.tournament import Tournament, run

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "docs" / "_static"
CHROMIUM = "/usr/bin/chromium"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
SCREENS = {1280: 800, 390: 844}
THEMES = ("light", "dark")
AGENTS = ("tight_aggressive", "loose_aggressive", "nit", "maniac")
COLOURS = 128
"""Of a stored picture: flat colours need no more."""


def lobby(page: Page) -> None:
    """Where a table is chosen."""
    page.wait_for_selector(".big")


def sit(page: Page, seed: int) -> None:
    """Sit down with five agents; the same seed brings the same hand."""
    lobby(page)
    page.select_option("select[name=seats]", "6")
    page.select_option("select[name=opponent-0]", "tight_aggressive")
    page.click("details.stacks summary")
    page.fill("input[name=seed]", str(seed))
    page.click(".big")
    waits(page)


def on_a_phone(page: Page, tab: str) -> bool:
    """Open a tab of the table where there are tabs. Returns whether there are."""
    found = page.locator(".tabs label", has_text=tab)
    if found.is_visible():
        found.click()
    return found.is_visible()


def play(page: Page) -> None:
    """A flop with two opponents, with hints."""
    sit(page, seed=64)
    for _ in range(2):
        page.click(".call")
        waits(page)
    if not on_a_phone(page, "Hints"):
        page.keyboard.press("h")
    page.wait_for_selector(".odds")
    page.select_option(".hints select", "tight_aggressive")
    page.wait_for_selector(".hints .shares")


def review(page: Page) -> None:
    """The end of a hand, with its review."""
    sit(page, seed=38)
    while not page.locator(".next").count():
        page.click(".call")
        waits(page)
    on_a_phone(page, "Last hand")
    page.get_by_label("Show folded cards").check()
    page.wait_for_selector(".review :text('equity')")
    page.keyboard.press("v")


def replay(page: Page) -> None:
    """A hand of a history, on the flop."""
    page.wait_for_selector(".replay .felt svg")
    page.select_option("[aria-label='An agent for every seat']", "tight_aggressive")
    page.wait_for_selector("[aria-label='What agents would do'] .bar")


def hands(page: Page) -> None:
    """The hands that a search finds in a history."""
    page.wait_for_selector("table.hands")
    page.select_option("select[name=street]", "turn")
    page.wait_for_selector(".found :text(' of ')")


def solve(page: Page) -> None:
    """A river, solved, after a check and a bet."""
    page.wait_for_selector(".size b", state="attached")
    if not page.locator(".solve-chart").first.is_visible():
        page.get_by_role("button", name="Solve", exact=True).click()
    page.click("[data-move=check]")
    page.click("[data-move='bet 50']")
    page.wait_for_selector("[data-move=fold]")
    page.hover(".solve-chart [data-kind=A5s]")
    page.evaluate("scrollTo(0, 0)")


def waits(page: Page) -> None:
    """Until the page asks for something."""
    page.wait_for_timeout(300)
    page.wait_for_selector('.actions:not([aria-busy="true"]) :is(.call, .next)')


def drawn(page: Page) -> None:
    """A page of charts, once they are there."""
    page.wait_for_selector("main svg")
    page.wait_for_timeout(1_000)


PAGES: dict[str, tuple[str, Callable[[Page], Any]]] = {
    "lobby": ("/play", lobby),
    "play": ("/play", play),
    "review": ("/play", review),
    "replay": ("/replay/history-pluribus/15/11", replay),
    "hands": ("/replay/history-pluribus", hands),
    "watch": ("/watch/runs/first/second", drawn),
    "tournament": ("/watch/tournaments/cup", drawn),
    "solve": ("/solve", solve),
    "charts": ("/charts/tight_aggressive/six-max-no-limit", drawn),
}
"""Name of the picture: the page's address, and what is done there before the picture is taken."""


def make_tournament(path: Path) -> Path:
    """A tournament of four agents, played to its end."""
    settings = Tournament(
        rules=Rules.preset("heads-up-no-limit"), agents=AGENTS, hands=2_000, shard=250, isolation="none"
    )
    with Store(path, create=True) as store:
        run(settings, store)
    return path


def make_runs(folder: Path) -> Path:
    """Two short training runs."""
    for name, rate in (("first", 3e-4), ("second", 1e-3)):
        config = Training.model_validate(
            {
                "rules": {"preset": "heads-up-no-limit"},
                "budget": {"decisions": 20_000},
                "tables": 64,
                "learner": {
                    "n_steps": 32,
                    "batch_size": 512,
                    "hidden": [64],
                    "learning_rate": (rate, rate),
                    "threads": 1,
                },
                "evaluation": {"opponents": ["random", "maniac"], "hands": 400, "times": 8},
            }
        )
        train(config, folder / name, show=False)
    return folder


def serve(folder: Path) -> tuple[str, uvicorn.Server]:
    """A server of the pages, with what is in a folder. Returns the address to open first."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port = int(listening.getsockname()[1])
    site = Site(
        runs=folder / "runs", tournaments={"cup": folder / "cup.db"},
        histories={"pluribus": ROOT / "tests" / "data" / "pluribus.phhs"}, port=port, pace=0,
    )  # fmt: skip
    server = uvicorn.Server(uvicorn.Config(make_app(site), port=port, log_level="critical"))
    threading.Thread(target=server.run, daemon=True).start()
    while not server.started:
        time.sleep(0.05)
    return site.address, server


def take(browser: Browser, address: str, name: str, width: int, theme: str) -> Path:
    """One picture."""
    path, prepare = PAGES[name]
    context = browser.new_context(
        viewport={"width": width, "height": SCREENS[width]}, color_scheme=theme, has_touch=width < 500,
        reduced_motion="reduce",
    )  # fmt: skip
    context.set_default_timeout(300_000)  # the first time, code is compiled
    page = context.new_page()
    page.goto(f"{address}#{path}")
    prepare(page)
    page.wait_for_timeout(500)
    shot, about = page.screenshot(), PngInfo()
    about.add_text("tabs", ", ".join(page.locator("header nav a").all_inner_texts()))  # a test compares them
    context.close()
    out = OUT / f"web-{name}-{width}-{theme}.png"
    flat = Image.open(io.BytesIO(shot)).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    flat.save(out, optimize=True, pnginfo=about)
    return out


def main(names: list[str]) -> None:
    """Take the pictures of these pages, by default of all."""
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        if {*(names or PAGES)} & {"watch", "tournament"}:
            make_tournament(Path(folder, "cup.db"))
            make_runs(Path(folder, "runs"))
        address, server = serve(Path(folder))
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for name in names or PAGES:
            for width in SCREENS:
                for theme in THEMES:
                    out = take(browser, address, name, width, theme)
                    sys.stdout.write(f"{out.relative_to(OUT.parent.parent)}: {out.stat().st_size / 1000:.0f} kB\n")
        browser.close()
        server.should_exit = server.force_exit = True


if __name__ == "__main__":
    main(sys.argv[1:])
