"""Checks the pages' English: no sentence above 25 words, no construction that a native editor would strike out.

.ci/prose.py PAGE ...    by default all pages; code, tables and the rulebook are left out
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

LONGEST = 25
UNREAD = ("docs/rules.md", "docs/rulings.md", "docs/references.md")
BANNED = re.compile(
    r"\b(besides|one's|of theirs|so many|of which|that there (?:is|are)|for who|what one (?:may|can|wants)"
    r"|one (?:may|can|wants|trusts)|no longer|untried|reckon\w*|own draws|somebody else's|a stranger'?s?)\b",
    re.IGNORECASE,
)
NOT_PROSE = re.compile(r"^(`{3,}).*?^\1|<!--.*?-->|^(?:\||#|:|\$\$).*?$", re.DOTALL | re.MULTILINE)
LINK, CODE = re.compile(r"\]\([^)]*\)"), re.compile(r"`[^`]*`")
PARAGRAPH, SENTENCE = re.compile(r"\n\s*\n|\n(?=\s*[-*|] )"), re.compile(r"(?<=[.!?:;])\s+")


def faults(text: str) -> Iterator[str]:
    """Each fault of a page, in a line."""
    prose = CODE.sub("X", LINK.sub("]", NOT_PROSE.sub("\n\n", text)))
    for sentence in (each for part in PARAGRAPH.split(prose) for each in SENTENCE.split(part)):
        words = len(re.findall(r"\S*\w\S*", sentence))
        if words > LONGEST:
            yield f"{words} words: {' '.join(sentence.split())}"
        yield from (f"{found[0]!r}: {' '.join(sentence.split())}" for found in BANNED.finditer(sentence))


if __name__ == "__main__":
    tracked = subprocess.run(["git", "ls-files", "*.md"], check=True, capture_output=True, text=True).stdout.split()
    pages = sys.argv[1:] or [
        p for p in tracked if p.startswith(("docs/", "README", "CONTRIBUTING")) and p not in UNREAD
    ]
    found = [f"{page}: {fault}" for page in pages for fault in faults(Path(page).read_text(encoding="utf-8"))]
    sys.exit("\n".join(found) or None)
