"""axe-core's rules of WCAG 2.1 A and AA on every page, light and dark."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from web.watched import tiny_run, tiny_tournament

pytest.importorskip("starlette")
pytest.importorskip("playwright.sync_api")

pytestmark = pytest.mark.slow
DATA = Path(__file__).resolve().parent.parent / "data"
PLACES = [
    *([Path(os.environ["HOLDEM_AXE"])] if "HOLDEM_AXE" in os.environ else []),
    *(Path(parent, "axe-core/axe.min.js") for parent in ("/usr/local/lib/node_modules", "/usr/lib/node_modules")),
]
AXE = next((path for path in PLACES if path.is_file()), None)
RUN = """async () => (await axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]})).violations
  .flatMap((rule) => rule.nodes.map((node) => `${rule.id}: ${node.target.join(" ")}: ${node.failureSummary}`))"""
PAGES = {
    "/play": ".setup",
    "/replay": ".collections",
    "/replay/history-pluribus": "table.hands",
    "/replay/history-pluribus/2/3": ".replay .felt svg",
    "/watch": ".run",
    "/watch/runs/one": "figure svg",
    "/watch/runs/one/two": "svg.curves",
    "/watch/tournaments/cup": "table.cross",
    "/charts/maniac": "figure svg",
    "/charts/range": "figure svg",
    "/solve": "main form",
}
"""Each page, and what is there once it is drawn."""


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if AXE is None:
        pytest.skip("there is no axe-core: `npm install --global axe-core`, or name its axe.min.js with HOLDEM_AXE")
    folder = tmp_path_factory.mktemp("watched")
    for name in ("one", "two"):
        tiny_run(folder / "runs" / name)
    tiny_tournament(folder / "cup.db", hands=200)
    return folder


@pytest.fixture
def server(watched: Path, serve: Callable[..., Any]) -> Any:
    histories = {"pluribus": DATA / "pluribus.phhs"}
    return serve(runs=watched / "runs", tournaments={"cup": watched / "cup.db"}, histories=histories)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", PAGES)
def test_a_page_keeps_the_rules(open_page: Any, path: str, scheme: str) -> None:
    assert AXE is not None
    page = open_page(path, color_scheme=scheme)
    page.locator(PAGES[path]).first.wait_for(timeout=600_000)
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    page.wait_for_timeout(500)
    page.evaluate(AXE.read_text(encoding="utf-8"))
    assert page.evaluate(RUN) == []
