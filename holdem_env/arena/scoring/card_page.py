"""The card as one HTML page that needs nothing else."""

from __future__ import annotations

import re
from importlib.resources import files
from typing import Any

from ...render.charts import Line, around, curve_svg, intervals_svg
from ...utils.shown_names import shown_name
from .card import Card
from .card_text import facts, headlines, reason_of, spent_text
from .findings import COMPARED, by_unit, lower_bounds

TEMPLATE = "card.html.j2"
LEVEL = "95 % intervals"


def page(card: Card) -> str:
    """The page. Needs Jinja2, which the extra `train` brings."""
    from ...utils.extras import explain_missing_extra

    with explain_missing_extra("the page of a card"):
        from jinja2 import Environment, StrictUndefined

    source = (files(__package__) / TEMPLATE).read_text(encoding="utf-8")
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters |= {"shown": shown_name, "spent": spent_text, "reason": reason_of}
    return environment.from_string(source).render(
        card=card,
        agent=shown_name(card.agent, None),
        headlines=headlines(card),
        pictures=[_inline(svg) for svg in _pictures(card)],
        facts=[line.replace("`", "") for line in facts(card)],
    )


def _pictures(card: Card) -> list[str]:
    """Win rates, lower bounds, learning curves."""
    found = []
    for rates in by_unit(card.strength):
        lines = [Line(figure.name.removeprefix("against "), figure.value, figure.half_width) for figure in rates]
        found.append(intervals_svg(lines, "Against anchors", rates[0].unit, LEVEL))
    if bounds := lower_bounds(card.found):
        unit = COMPARED[bounds[0].unit][0]
        lines = [Line(f.name, *(COMPARED[f.unit][1] * each for each in (f.value, f.half_width))) for f in bounds]
        found.append(intervals_svg(lines, "What can be won from it, at least", unit.name, LEVEL))
    curves = [
        around(one.part, *zip(*((p.decisions, p.value, p.half_width) for p in one.curve), strict=True))
        for one in card.found
        if one.curve
    ]
    if curves:
        unit = next(one.curve_unit for one in card.found if one.curve)
        found.append(curve_svg(curves, "Exploiters as they learn", "decisions", unit.name, has_zero=True))
    return found


def _inline(svg: str) -> Any:
    """A picture as part of the page, which needs no name space and does not escape it."""
    from markupsafe import Markup

    return Markup(re.sub(r' xmlns="[^"]*"', "", svg, count=1))
