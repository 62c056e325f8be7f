"""The colours of every picture, on light and on dark pages.

A picture says which colours it uses by class; its own style sheet says what they are. Colours never say anything alone:
suits have shapes, results have signs, and the seat to act has a thicker frame.
"""

from __future__ import annotations

from ..cards.text import SUITS

THEMES = ("auto", "light", "dark")
FONT = "'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"

# What is painted: the property, its colour on a light page, and on a dark one.
COLOURS = {
    "page": ("fill", "#eef0f3", "#14171b"),
    "felt": ("fill", "#2a6b50", "#1a4232"),
    "rail": ("stroke", "#5c4330", "#3b2d22"),
    "panel": ("fill", "#ffffff", "#262b31"),
    "edge": ("stroke", "#bcc3cc", "#4a535d"),
    "turn": ("stroke", "#d97f00", "#ffb52e"),
    "ink": ("fill", "#1b1f24", "#eef1f4"),
    "dim": ("fill", "#565f69", "#a9b3bd"),
    "on-felt": ("fill", "#ffffff", "#eef4f0"),
    "card": ("fill", "#ffffff", "#eceef0"),
    "card-edge": ("stroke", "#7d858e", "#0d0f11"),
    "back": ("fill", "#46619b", "#3d5688"),
    "back-line": ("stroke", "#c9d4ec", "#a9b8d8"),
    "back-mark": ("fill", "#c9d4ec", "#a9b8d8"),
    "slot": ("stroke", "#6d9a86", "#4d7363"),
    "chip": ("fill", "#f0b429", "#e0a526"),
    "chip-edge": ("stroke", "#7a5200", "#3b2800"),
    "plus": ("fill", "#0b6b38", "#6fdc9b"),
    "minus": ("fill", "#ab2019", "#ff9f96"),
    "cell": ("fill", "#ffffff", "#262b31"),
    "part-1": ("fill", "#8fbce8", "#2c659f"),
    "part-2": ("fill", "#f2c078", "#8a5a12"),
    "part-3": ("fill", "#9ed8c0", "#1f6b57"),
    "part-4": ("fill", "#dcb3d4", "#7b4472"),
    "fold": ("fill", "#9db4cf", "#3d5a80"),
    "passive": ("fill", "#9ed8c0", "#1f6b57"),
    "bet-1": ("fill", "#f7d7a8", "#7a5a1e"),
    "bet-2": ("fill", "#f2b27a", "#8f4d1c"),
    "bet-3": ("fill", "#ec8f6a", "#9c3a22"),
    "bet-4": ("fill", "#dd6b66", "#8f2430"),
    "bet-5": ("fill", "#c2507c", "#6f1d4c"),
    "whisker": ("fill", "#2c6fb3", "#6aaae8"),
    "tick": ("fill", "#d3d8de", "#30363d"),
    "faint": ("color", "#c9cfd6", "#4a525b"),
    "curve-1": ("color", "#0050b7", "#4a90f0"),
    "curve-2": ("color", "#a7760f", "#e07a3f"),
    "curve-3": ("color", "#1a9362", "#20e0a0"),
    "curve-4": ("color", "#cc3695", "#b28cc4"),
    "curve-5": ("color", "#70250e", "#eec929"),
    "curve-6": ("color", "#312e37", "#d2f2ff"),
}
CURVES = sum(name.startswith("curve-") for name in COLOURS)
"""Colours for curves; what comes after them has the same ones again, with other dashes and marks."""
SUIT_COLOURS = {"c": "#00745f", "d": "#0a58b8", "h": "#d0152c", "s": "#15171a"}
"""Four colours that also differ for people who cannot tell red from green; cards are light on every page."""

assert set(SUIT_COLOURS) == set(SUITS)


def prefix_of(theme: str) -> str:
    """What the names of a theme's classes begin with: pictures of several themes may stand on one page.

    Raises ValueError for an unknown theme.
    """
    if theme not in THEMES:
        raise ValueError(f"theme: {theme!r} is not one of {', '.join(map(repr, THEMES))}")
    return {"auto": "holdem", "light": "holdem-light", "dark": "holdem-dark"}[theme]


def style_sheet(theme: str) -> str:
    """The CSS of a theme. "auto" follows the reader's prefers-color-scheme."""
    prefix = prefix_of(theme)
    light, dark = (
        "".join(f".{prefix}-{name}{{{each[0]}:{each[column]}}}" for name, each in COLOURS.items()) for column in (1, 2)
    )
    suits = "".join(f".{prefix}-suit-{suit}{{fill:{colour}}}" for suit, colour in SUIT_COLOURS.items())
    if theme == "auto":
        return f"{light}{suits}@media (prefers-color-scheme:dark){{{dark}}}"
    return (light if theme == "light" else dark) + suits
