"""The anchors of headings: GitHub's, and for the rules of the rulebook their numbers, `rules.md#r21`."""

from __future__ import annotations

import re

from mdit_py_plugins.anchors.index import slugify


def slug(title: str) -> str:
    """The anchor of a heading: "R21: The full-bet rule" has `r21`, others have what GitHub gives them."""
    rule = re.match(r"R(\d+): ", title)
    return f"r{rule[1]}" if rule else slugify(title)
