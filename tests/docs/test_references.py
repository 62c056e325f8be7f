"""docs/references.md lists every paper that code and docs cite, and each is cited where it says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from pages import DOCS, REPOSITORY

pytestmark = pytest.mark.stands_on("docs", "README.md", "holdem_env", "agents")

NAME = r"[A-Z][\w'’-]+"
AUTHORS = rf"({NAME})(?: et al\.|(?:, {NAME})*,? and {NAME})?"
CITATION = re.compile(rf"{AUTHORS} \(?((?:19|20)\d\d(?:, (?:19|20)\d\d)*)\b")
ENTRY = re.compile(rf"^- {AUTHORS} \((\d{{4}})\)\. \*.+\*\. (.+)$", re.MULTILINE)
NOT_PAPERS = {"Act1", "Cepheus", "Hyperborean", "Slumbot", "Schema"}  # programs of a year, and a version

REFERENCES = DOCS / "references.md"
ENTRIES: dict[tuple[str, str], str] = {}  # an author's papers of a year together
for author, year, rest in ENTRY.findall(REFERENCES.read_text()):
    ENTRIES[author, year] = ENTRIES.get((author, year), "") + rest
Paper = tuple[str, str]


@cache
def cited_in(path: Path) -> frozenset[Paper]:
    """The first author and the year of each citation in a file, lines and comments run together."""
    text = re.sub(r"\s*\n\s*#?\s*", " ", path.read_text())
    found = ((author, year) for author, years in CITATION.findall(text) for year in years.split(", "))
    return frozenset(paper for paper in found if paper[0] not in NOT_PAPERS)


def files() -> Iterator[Path]:
    yield from (REPOSITORY / "holdem_env").rglob("*.py")
    yield from (REPOSITORY / "agents").rglob("*.py")
    yield from (path for path in DOCS.rglob("*") if path.suffix in (".md", ".py") and path != REFERENCES)


def test_every_cited_paper_is_listed() -> None:
    cited = {paper: path for path in files() for paper in cited_in(path)}
    assert len(cited) > 30
    assert {paper: str(path) for paper, path in cited.items() if paper not in ENTRIES} == {}


@pytest.mark.parametrize("paper", ENTRIES, ids=" ".join)
def test_a_paper_is_cited_where_the_list_says(paper: Paper) -> None:
    places = re.findall(r"\]\(([^)]+)\)", ENTRIES[paper])
    assert places
    for place in places:
        assert paper in cited_in((DOCS / place).resolve()), place
