"""Results as the table of a paper, a pandas.DataFrame or LaTeX, and as pages of HTML."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

from ...game.units import UNITS
from ...utils.frames import to_frame

RATE, BESIDE = ("rate", "value", "mean"), ("half_width", "unit")
"""Columns that have an interval and a unit, and the two that say these."""
SPECIAL = {**{sign: rf"\{sign}" for sign in "&%$#_{}"}, "\\": r"\textbackslash{}", "~": r"\textasciitilde{}"} | {
    "^": r"\textasciicircum{}"
}


class Tabled:
    """Results that are rows: what was compared, a rate with half the width of its interval, its unit, hands."""

    def _table(self) -> list[dict[str, Any]]:
        raise NotImplementedError

    def to_frame(self) -> Any:
        """A pandas.DataFrame with a row for each comparison; rates are in `unit`, each with the half-width of its
        interval. Raises ModuleNotFoundError without pandas, which the extra `notebooks` brings."""
        rows = self._table()
        return to_frame({name: [row[name] for row in rows] for name in (rows[0] if rows else ())})

    def to_latex(self) -> str:
        """The same as a LaTeX table (package booktabs), each rate as "+12 ± 30" with its unit in the heading."""
        return latex_table(self._table())


def latex_table(rows: Sequence[Mapping[str, Any]]) -> str:
    """Rows as a `tabular` with booktabs' rules. Names are set as they are, whatever signs they have."""
    names = [name for name in (rows[0] if rows else ()) if name not in BESIDE]
    units = {row.get("unit") for row in rows}
    one = next(iter(units)) if len(units) == 1 else None
    heads = [str(one if name in RATE and one else name).replace("_", " ") for name in names]
    lines = [[_escaped(head) for head in heads], *([_cell(row, name, one is None) for name in names] for row in rows)]
    sides = "".join("l" if rows and isinstance(rows[0][name], str) else "r" for name in names)
    head, *body = [" & ".join(line) + r" \\" for line in lines]
    rule = [rf"\begin{{tabular}}{{{sides}}}", r"\toprule", head, r"\midrule", *body, r"\bottomrule", r"\end{tabular}"]
    return "\n".join(rule) + "\n"


def _cell(row: Mapping[str, Any], name: str, has_unit: bool) -> str:
    value = row[name]
    if name in RATE and "half_width" in row:
        text = _rate(float(value), row["half_width"] or None, row.get("unit"))  # 0: it is exact
        is_win = row.get("says", "win rate") == "win rate" and "exploitability" not in row.values()
        text = text if is_win else text.removeprefix("+")
        return f"${text}$" + (rf" {_escaped(str(row['unit']))}" if has_unit and row.get("unit") else "")
    if isinstance(value, float):
        return f"${value:.4g}$"
    return f"{value:,}" if isinstance(value, int) else _escaped(str(value))


def _rate(mean: float, half_width: float | None, unit: str | None) -> str:
    if unit in UNITS:
        text = UNITS[unit].text(mean, half_width)
    else:
        text = f"{mean:.4g}" + ("" if half_width is None else f" ± {half_width:.2g}")
    text = text.replace("inf", "∞")  # of numbers without one of our units
    return text.replace("±", r"\pm").replace("−", "-").replace("∞", r"\infty").replace(",", "{,}").replace("–", "-")


def _escaped(text: str) -> str:
    return "".join(SPECIAL.get(sign, sign) for sign in text)


def rendered(package: str, template: str, filters: Mapping[str, Any], **values: Any) -> str:
    """A package's Jinja2 template with values; all is escaped but what `inline` gives. Needs the package Jinja2."""
    from jinja2 import Environment, StrictUndefined

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters |= filters
    return environment.from_string((files(package) / template).read_text(encoding="utf-8")).render(values)


def inline(svg: str) -> Any:
    """A picture as part of a page, which needs no name space. The page does not escape it."""
    from markupsafe import Markup

    return Markup(re.sub(r' xmlns="[^"]*"', "", svg, count=1))
