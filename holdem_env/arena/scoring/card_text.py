"""Cards as text: Markdown and a page for one, a table for several side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...render.charts import Line, around, curve_svg, intervals_svg
from ...utils.counting import counted
from ...utils.extras import explain_missing_extra
from ...utils.hooks import register_hook
from ...utils.shown_names import in_markdown, shown_name
from ..statistics.tables import inline, rendered
from .card import Card, check_comparable
from .findings import COMPARED, Figure, Found, Spent, by_unit, lower_bounds

NONE = "–"
TEMPLATE = "card.html.j2"
LEVEL = "95 % intervals"

register_hook("markdown of a card", f"{__name__}:markdown")


def headlines(card: Card) -> list[str]:
    """What the card says first, a sentence each."""
    found = [f"Exploitability: {figure}, exact." for figure in card.exploitability]
    found += [f"In {counted(gain.samples, 'spot')} a best response gains {gain}." for gain in card.gains]
    if (best := card.best_bound) is not None:
        figure, low = best
        unit = COMPARED[figure.unit][0]
        if low > 0:
            least = f"{unit.text(low).lstrip('+')} {unit.name}"
            found.append(f"At least {least} can be won from it ({figure.name}: {figure}).")
        else:
            found.append(f"Nothing measured here surely wins from it (the best, {figure.name}: {figure}).")
    found += [_rate(rates) for rates in by_unit(card.strength)]
    found += [_sentence(figure) for figure in card.others]
    if missing := card.missing:
        found.append(f"Not measured: {len(missing)} of {len(card.found)} parts.")
    return found or ["Nothing was measured."]


def _rate(rates: Sequence[Figure]) -> str:
    if len(rates) == 1:
        return _sentence(rates[0])
    mean = sum(figure.value for figure in rates) / len(rates)
    half = sum(figure.half_width for figure in rates) / len(rates)
    return f"Against {len(rates)} anchors: {rates[0].shown_in.with_name(mean, half)} on average."


def _sentence(figure: Figure) -> str:
    return f"{figure.name[:1].upper()}{figure.name[1:]}: {figure}."


def markdown(card: Card) -> str:
    """The card as Markdown."""
    lines = [f"# {in_markdown(card.agent)}: {card.task}, {card.budget} budget", "", card.about, ""]
    lines += [f"- {line}" for line in headlines(card)]
    lines += ["", "| measure | figure, 95 % interval | spent |", "|---|---:|---|"]
    lines += [f"| {in_markdown(one.part)} | {_figures(one)} | {spent_text(one.spent)} |" for one in card.found]
    if missing := card.missing:
        lines += ["", "Not measured:", ""]
        lines += [f"- {in_markdown(one.part)}: {in_markdown(reason_of(one))}" for one in missing]
    for one in card.found:
        lines += [f"\n{in_markdown(one.part)}: {note}." for note in one.notes]
        if one.curve:
            unit = one.curve_unit
            points = [f"{point.decisions:,}: {unit.text(point.value, point.half_width)}" for point in one.curve]
            lines += [f"\n{in_markdown(one.part)}, {unit.name} by decisions: {', '.join(points)}."]
    lines += ["", *(f"- {line}" for line in facts(card)), ""]
    return "\n".join(lines)


def facts(card: Card) -> list[str]:
    """What it took and what it was measured with."""
    code = card.agent_fingerprint.get("code", {})
    files = code.values() if isinstance(code, dict) else [code]
    agent = " ".join([str(card.agent_fingerprint.get("class", "")), *map(str, files)])
    versions = ", ".join(f"{name} {number}" for name, number in card.versions.items())
    return [
        f"Spent: {spent_text(card.spent)}",
        f"Versions: {versions}",
        f"Fingerprints: task {card.task_fingerprint}, agent {agent}",
        f"Seed {card.seed}; isolation: {card.isolation}",
        f"Repeat: `{card.command}`",
    ]


def spent_text(spent: Spent) -> str:
    """What something took, in words."""
    if spent == Spent():
        return NONE
    words = [f"{spent.seconds:,.0f} s, {spent.processor_seconds:,.0f} s of the processor"]
    words += [counted(spent.hands, "hand")] if spent.hands else []
    words += [counted(spent.decisions, "decision")] if spent.decisions else []
    return ", ".join(words)


def reason_of(found: Found) -> str:
    """Why a part measured nothing, on one line."""
    return shown_name(" ".join((found.why_not or "").split()), None)


def _figures(found: Found) -> str:
    return "not measured" if found.why_not is not None else "; ".join(map(str, found.figures))


def compared(cards: Sequence[Card]) -> list[list[str]]:
    """Cards side by side, as rows of a table: a heading, a row for each figure, and what they took.

    Raises ValueError for cards of different tasks or versions.
    """
    check_comparable(cards)
    rows = [["", *(f"{shown_name(card.agent, None)}, {card.budget}" for card in cards)]]
    rows += [[name, *cells] for name, cells in _rows(cards)]
    rows.append(["spent", *(spent_text(card.spent) for card in cards)])
    return rows


def _rows(cards: Sequence[Card]) -> Iterator[tuple[str, list[str]]]:
    parts = list(dict.fromkeys(one.part for card in cards for one in card.found))
    for part in parts:
        each = [next((one for one in card.found if one.part == part), None) for card in cards]
        columns = [one.figures if one else () for one in each]
        names = list(dict.fromkeys((f.name, f.unit) for column in columns for f in column))
        if not names:
            yield part, ["not measured"] * len(cards)
        for name, unit in names:
            figures = [next((f for f in column if (f.name, f.unit) == (name, unit)), None) for column in columns]
            yield name, [NONE if figure is None else str(figure) for figure in figures]


def page(card: Card) -> str:
    """The card as one HTML page that needs nothing else. Needs Jinja2, which the extra `train` brings."""
    filters = {"shown": shown_name, "spent": spent_text, "reason": reason_of}
    with explain_missing_extra("the page of a card"):
        return rendered(
            __package__,
            TEMPLATE,
            filters,
            card=card,
            agent=shown_name(card.agent, None),
            headlines=headlines(card),
            pictures=[inline(svg) for svg in _pictures(card)],
            facts=[line.replace("`", "") for line in facts(card)],
        )


def _pictures(card: Card) -> list[str]:
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
