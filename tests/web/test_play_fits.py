"""Every game at every size of a table fits on phones and screens: measured, not looked at."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from holdem_env.render.places import layout_for, places
from holdem_env.render.table_svg import PANEL_DROP, PANEL_HEIGHT

pytest.importorskip("starlette")
SCREENS = [(360, 780), (390, 844), (1280, 800), (1920, 1080)]
GAMES = {"six-max-no-limit": 10, "omaha": 10, "short-deck": 10, "leduc": 2}
"""A game of each family, and the most seats it has."""
FAST = [("omaha", 2, (390, 844)), ("six-max-no-limit", 10, (390, 844)), ("six-max-no-limit", 6, (1280, 800))]
CASES = [
    (game, seats, size) for game, most in GAMES.items() for seats in (2, 6, 9, 10) if seats <= most for size in SCREENS
]

SIT = """async (body) => {
  const answer = await fetch("/api/play", {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  });
  location.hash = `#/play/${(await answer.json()).table}`;
}"""

COVERED = """([x, cards, edge, bottom, half]) => {
  const svg = document.querySelector(".felt svg");
  const onScreen = (x, y) => new DOMPoint(x, y).matrixTransform(svg.getScreenCTM());
  const [from, to] = [onScreen(x - half, edge), onScreen(x + half, bottom)];
  const isInside = (one, other) => one.left >= other.left - 2 && one.top >= other.top - 2
    && one.right <= other.right + 2 && one.bottom <= other.bottom + 2;
  const { bottom: header } = document.querySelector("header").getBoundingClientRect();
  const screen = { left: 0, top: header, right: innerWidth, bottom: innerHeight };
  const wrong = [];
  const check = (name, box, isCovering) => {
    if (!isInside(box, screen)) return wrong.push(`${name} is cut: ${JSON.stringify(box)}`);
    for (let k = 1; k < 20; k++) for (let j = 1; j < 8; j++) {
      const at = [box.left + k / 20 * (box.right - box.left), box.top + j / 8 * (box.bottom - box.top)];
      const top = document.elementFromPoint(...at);
      if (isCovering(top)) return wrong.push(
        `${name} is covered at ${at.map(Math.round)} by ${top.outerHTML}`,
      );
    }
  };
  const checkDrawn = (name, box) => check(name, box, (top) => !svg.contains(top)
    || (top.matches("rect:is(.holdem-panel, .holdem-back)") && !isInside(top.getBoundingClientRect(), box)));
  checkDrawn("the panel", { left: from.x, top: from.y, right: to.x, bottom: to.y });
  const own = [...svg.querySelectorAll("rect.holdem-card")].filter((each) => each.getBBox().y >= cards - 2);
  if (!own.length) wrong.push("no card is drawn");
  for (const each of own) {
    const box = each.getBoundingClientRect();
    checkDrawn("a card", { left: box.left, right: box.right, top: box.top, bottom: Math.min(box.bottom, from.y) });
  }
  const pot = [...svg.querySelectorAll("text")].find((each) => /^Pot [0-9]/.test(each.textContent)
    && each.getBoundingClientRect().width);
  checkDrawn("the pot", pot.getBoundingClientRect());
  for (const each of document.querySelectorAll(".act .status, .act button, .act input")) {
    const isCovering = (top) => !each.contains(top) && !top.contains(each);
    check(each.className || each.type, each.getBoundingClientRect(), isCovering);
  }
  return wrong;
}"""


@pytest.mark.parametrize(
    ("game", "seats", "size"),
    [
        pytest.param(
            *case, id="-".join(map(str, (*case[:2], *case[2]))), marks=() if case in FAST else pytest.mark.slow
        )
        for case in CASES
    ],
)
def test_nothing_of_the_own_seat_is_covered_or_cut(
    open_page: Callable[..., Any], game: str, seats: int, size: tuple[int, int]
):
    width, height = size
    page = open_page("/play", viewport={"width": width, "height": height}, has_touch=width < 720)
    page.wait_for_selector(".big")
    page.evaluate(SIT, {"rules": game, "seats": seats, "opponents": ["calling_station"], "seed": 1})
    page.wait_for_selector(".act .call")
    layout = "narrow" if width < 720 else "wide"
    place, drawn = places(seats, 0, layout)[0], layout_for(seats, layout)
    edge = place.y + PANEL_DROP * place.cards
    half, bottom = drawn.panel * drawn.scale / 2, edge + PANEL_HEIGHT * drawn.scale
    wrong = page.evaluate(COVERED, [place.x, place.y, edge, bottom, half])
    assert not wrong
