"""Names as they may be shown: in terminals, pictures, Markdown and spreadsheets."""

from __future__ import annotations

import pytest

from holdem_env.utils.shown_names import LONGEST, in_cell, in_markdown, shown_name, shown_text, why_not_a_name

ESCAPED = [("tight_aggressive", "tight_aggressive"), ("Übermut 名前", "Übermut 名前")]
ESCAPED += [("\x1b[31mred\x1b[0m", r"\x1b[31mred\x1b[0m"), ("two\nlines\r", r"two\nlines\r")]
ESCAPED += [("\u202egnp.tob", r"\u202egnp.tob"), ("a\u200bb\ufeff", r"a\u200bb\ufeff"), ("a\u2028b", r"a\u2028b")]
ESCAPED += [("\ud800", r"\ud800"), ("\x9b2J", r"\x9b2J"), ("", "(no name)"), (" \t"[:1], "(no name)")]


@pytest.mark.parametrize(("name", "text"), ESCAPED)
def test_what_cannot_be_seen_is_escaped(name: str, text: str) -> None:
    assert shown_name(name) == text
    shown_name(name).encode()


def test_long_names_keep_their_ends() -> None:
    name = "a" * 500 + "z"
    assert len(shown_name(name)) == LONGEST
    assert shown_name(name).startswith("aaa")
    assert shown_name(name).endswith("aaz")
    assert "…" in shown_name(name)
    assert shown_name(name, None) == name
    assert len(shown_name("\x00" * 500)) == LONGEST


def test_a_text_keeps_its_lines() -> None:
    assert shown_text("one\n\x1b[2Jtwo") == "one\n\\x1b[2Jtwo"


REFUSED = [("mybot 2", None), ("$x_1$ [red] <b> =1+1", None), ("", "this one is empty"), ("   ", "this one is empty")]
REFUSED += [("a\x1b[2J", r"has the character \x1b, which cannot be seen"), ("a\nb", r"has the character \n")]
REFUSED += [("a\u202eb", r"has the character \u202e")]


@pytest.mark.parametrize(("name", "why"), REFUSED)
def test_names_that_nobody_may_give(name: str, why: str | None) -> None:
    said = why_not_a_name(name)
    assert said is None if why is None else why in (said or "")


def test_markdown_and_cells() -> None:
    assert in_markdown("tight_aggressive") == "tight_aggressive"
    assert in_markdown("<img src=x onerror=alert(1)>|`x`") == r"&lt;img src=x onerror=alert(1)&gt;\|\`x\`"
    assert in_markdown("a\nb") == r"a\\nb"
    for formula in ("=cmd|' /C calc'!A1", "+1", "-1", "@SUM(1)", "\tx"):
        assert in_cell(formula) == f"'{formula}"
    assert in_cell("nit") == "nit"
