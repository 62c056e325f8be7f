"""Checks the English of pages and docstrings: nothing that an editor strikes out, in pages no sentence above 25 words.

`.ci/prose.py FILE ...` reads some files, by default all pages and modules. Code, tables and the rulebook are left out.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

LONGEST = 25
READ = ("docs/*.md", "README.md", "CONTRIBUTING.md", "holdem_env/*.py", "agents/*.py")
UNREAD = ("docs/rules.md", "docs/rulings.md", "docs/references.md")
BANNED = r"besides|one's own|of theirs|so many|that there (?:is|are)|for who|own draws|reckon\w*|some\w+ (?:else's|own)"
IN_DOCSTRINGS = re.compile(rf"\b({BANNED}|who is none|strangers?(?:'s?)?)\b", re.IGNORECASE)
IN_PAGES = re.compile(rf"\b({BANNED}|of which|one (?:may|can|wants|trusts)|no longer|untried)\b", re.IGNORECASE)
NOT_PROSE = re.compile(r"^(`{3,}).*?^\1|<!--.*?-->|^(?:\||#|:|\$\$).*?$", re.DOTALL | re.MULTILINE)
LINK, CODE = re.compile(r"\]\([^)]*\)"), re.compile(r"`[^`]*`")
PARAGRAPH, SENTENCE = re.compile(r"\n\s*\n|\n(?=\s*[-*|] )"), re.compile(r"(?<=[.!?:;])\s+")


def faults_of(path: str) -> Iterator[str]:
    """Each fault of a page or a module, in a line."""
    text = Path(path).read_text(encoding="utf-8")
    if path.endswith(".py"):
        documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
        nodes = (node for node in ast.walk(ast.parse(text)) if isinstance(node, documented))
        yield from faults("\n\n".join(ast.get_docstring(node) or "" for node in nodes), IN_DOCSTRINGS, len(text))
    else:
        yield from faults(text, IN_PAGES, LONGEST)


def faults(text: str, banned: re.Pattern[str], longest: int) -> Iterator[str]:
    """Each fault of a text, in a line. longest: words of a sentence."""
    prose = CODE.sub("X", LINK.sub("]", NOT_PROSE.sub("\n\n", text)))
    for sentence in (" ".join(each.split()) for part in PARAGRAPH.split(prose) for each in SENTENCE.split(part)):
        words = len(re.findall(r"\S*\w\S*", sentence))
        if words > longest:
            yield f"{words} words: {sentence}"
        yield from (f"{found[0]!r}: {sentence}" for found in banned.finditer(sentence))


if __name__ == "__main__":
    tracked = subprocess.run(["git", "ls-files", *READ], check=True, capture_output=True, text=True).stdout.split()
    files = sys.argv[1:] or [path for path in tracked if path not in UNREAD]
    sys.exit("\n".join(f"{path}: {fault}" for path in files for fault in faults_of(path)) or None)
