"""How tests ask for an error: `complaint` gives its message, `mentions` checks what it says."""

from __future__ import annotations

import re

import pytest


def complaint(function, *args, kind=ValueError, **options) -> str:
    """The message of the error that a call must raise."""
    with pytest.raises(kind) as caught:
        function(*args, **options)
    return str(caught.value)


def mentions(text: str, *words: object) -> bool:
    """Whether all of these stand in the text, as whole words."""
    missing = [word for word in words if not re.search(rf"(?<!\w){re.escape(str(word))}(?!\w)", text)]
    assert not missing, f"{missing} not in: {text}"
    return True
