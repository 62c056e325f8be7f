"""Names as they may be shown. The author of an agent chooses its name: it must not move the cursor of a terminal, run
in a spreadsheet, or look like other text."""

from __future__ import annotations

import re
import unicodedata

LONGEST, REASON = 60, 500
NAMELESS = "(no name)"
HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
"""Categories of characters that are not a letter or sign by themselves: of control, of direction, of lines."""
FORMULAS = ("=", "+", "-", "@", "\t", "\r")


def shown_name(name: object, longest: int | None = LONGEST) -> str:
    r"""A name on one line, with visible escapes in place of control characters and of marks that turn text around.

    longest: how many characters are left of a long one, with … in the middle; None for all.

    >>> shown_name("nit"), shown_name("\x1b[2Jnit\n"), shown_name("  ")
    ('nit', '\\x1b[2Jnit\\n', '(no name)')
    """
    text = "".join(map(_visible, str(name)))
    if longest is not None and len(text) > longest:
        half = (longest - 1) // 2
        text = f"{text[: longest - 1 - half]}…{text[-half:]}"
    return text if text.strip() else NAMELESS


def shown_reason(reason: object) -> str:
    r"""Why something failed, perhaps in untrusted words of many lines, on one short line.

    >>> shown_reason("it ended:\n    File bot.py\x1b[2J")
    'it ended: File bot.py\\x1b[2J'
    """
    return shown_name(" ".join(str(reason).split()), REASON)


def shown_text(text: object) -> str:
    """A text of several lines with visible escapes in place of control characters other than its line breaks."""
    return "\n".join("".join(map(_visible, line)) for line in str(text).split("\n"))


def why_not_a_name(name: str) -> str | None:
    """What is wrong with the name that somebody gives to an agent, as a sentence; None if it can be shown as it is."""
    if not name.strip():
        return "a name needs a letter or a digit; this one is empty"
    if wrong := next((sign for sign in name if _is_hidden(sign)), None):
        return f"the name {shown_name(name)!r} has the character {_visible(wrong)}, which cannot be seen; leave it out"
    return None


def in_markdown(name: object) -> str:
    r"""A name in Markdown, where it can neither end a table's cell nor be a link, an image or HTML.

    >>> in_markdown("a|b<c>[d](e)")
    'a\\|b&lt;c&gt;\\[d\\](e)'
    """
    text = re.sub(r"([\\`*|\[\]~])", r"\\\1", shown_name(name).replace("&", "&amp;"))
    return text.replace("<", "&lt;").replace(">", "&gt;")


def in_cell(text: str) -> str:
    """A text in a CSV file that no spreadsheet takes for a formula: an apostrophe stands before what would be one.

    >>> in_cell("=1+1"), in_cell("nit")
    ("'=1+1", 'nit')
    """
    return f"'{text}" if text.startswith(FORMULAS) else text


def _is_hidden(sign: str) -> bool:
    return unicodedata.category(sign) in HIDDEN


def _visible(sign: str) -> str:
    return sign.encode("unicode_escape").decode() if _is_hidden(sign) else sign
