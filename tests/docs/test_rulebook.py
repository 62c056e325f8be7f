"""The rulebook (docs/rules.md) and what cites it: rules exist, stand where it says, are cited and played."""

from __future__ import annotations

import ast
import json
import os
import re
from functools import cache
from pathlib import Path

import pytest

from holdem_env import Rules

pytestmark = pytest.mark.stands_on("docs", "README.md", "holdem_env", "agents", "tests")

REPOSITORY = Path(__file__).resolve().parent.parent.parent
RULEBOOK = REPOSITORY / "docs" / "rules.md"
TEXT = RULEBOOK.read_text()
FOLDERS = ("holdem_env", "agents", "tests", "docs", "benchmarks", "notebooks", "configs")
SUFFIXES = {".py", ".md", ".txt", ".yaml", ".toml", ".ipynb", ".j2"}
OTHERS_WORDS = REPOSITORY / "tests" / "data"  # hand histories, in which an R may be anything

# A citation is R21, R36-R38 or, in the name of a test, test_r21_r22_...; not a part of another word or number.
CITED = re.compile(r"(?<![\w.])R(\d{1,2})(?:-R(\d{1,2}))?(?![\w]|\.\d)")
IN_TEST_NAME = re.compile(r"\btest((?:_r\d+)+)_")
LINK = re.compile(r"\[(?P<words>R\d+(?:-R\d+)?)\]\((?P<page>[\w/.]*rules\.md)?#r(?P<to>\d+)\)")
CODE_FILE = r"`[\w/]+\.py`: `[\w.]+`(?:, `[\w.]+`)*"
CODE = re.compile(rf"{CODE_FILE}(?:; {CODE_FILE})*")


def rules_by_number() -> dict[int, str]:
    """The text of each rule, from below its heading to the next heading or anchor."""
    parts = re.split(r"^### R(\d+): .*$", TEXT, flags=re.MULTILINE)
    return {
        int(number): re.split(r"^(?:##|<a id)", text, flags=re.M)[0]
        for number, text in zip(parts[1::2], parts[2::2], strict=True)
    }


RULES = rules_by_number()


@cache
def words_of(path: Path) -> str:
    """What people wrote in a file; of a notebook its cells, not their outputs."""
    if path.suffix != ".ipynb":
        return path.read_text()
    return "\n".join("".join(cell["source"]) for cell in json.loads(path.read_text())["cells"])


def cited(text: str) -> set[int]:
    """The numbers of all rules that a text cites."""
    numbers: set[int] = set()
    for match in CITED.finditer(text):
        first, last = int(match[1]), int(match[2] or match[1])
        numbers.update(range(first, last + 1))
    for names in IN_TEST_NAME.findall(text):
        numbers.update(int(number) for number in re.findall(r"\d+", names))
    return numbers


def files_in(*folders: str) -> list[Path]:
    """The files of these folders that can cite rules."""
    found = [path for folder in folders for path in (REPOSITORY / folder).rglob("*") if path.suffix in SUFFIXES]
    return [path for path in sorted(found) if not {OTHERS_WORDS, REPOSITORY / "tests" / "docs"} & set(path.parents)]


def code_paragraphs(text: str) -> list[str]:
    """The lines that say where something stands, each as one line."""
    return [" ".join(lines.split()) for lines in re.findall(r"^Code: (.*?)(?=\n\n|\Z)", text, re.M | re.S)]


def named_code() -> dict[str, set[str]]:
    """By file: the functions, classes and methods that the rulebook names."""
    named: dict[str, set[str]] = {}
    for line in code_paragraphs(TEXT):
        for part in line.split("; "):
            path, *names = re.findall(r"`([^`]+)`", part)
            named.setdefault(path, set()).update(names)
    return named


def defined_in(path: Path) -> set[str]:
    """The functions, classes and methods of a module: name, Class, Class.method."""
    found: set[str] = set()
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        if isinstance(node, ast.ClassDef):
            found.update(f"{node.name}.{inner.name}" for inner in node.body if isinstance(inner, ast.FunctionDef))
    return found


def test_rules_stand_in_order_and_none_is_missing() -> None:
    assert list(RULES) == sorted(RULES)
    assert len(re.findall(r"^### R", TEXT, re.MULTILINE)) == len(RULES)
    assert set(range(1, 41)) <= set(RULES), "a number is never used again, and its rule never left out"


@pytest.mark.parametrize("number", RULES)
def test_a_rule_has_anchor_sources_example_and_code(number: int) -> None:
    assert TEXT.count(f'<a id="r{number}"></a>\n### R{number}: ') == 1
    assert TEXT.count(f'<a id="r{number}"></a>') == 1
    text = RULES[number]
    assert len(re.findall(r"^Sources: ", text, re.MULTILINE)) == 1
    assert re.search(r"^Examples?\b", text, re.MULTILINE)
    assert len(code_paragraphs(text)) == 1


def test_the_contents_name_every_rule() -> None:
    contents = TEXT.partition("## Contents")[2].partition("\n## ")[0]
    assert [int(number) for number in re.findall(r"\[R(\d+)\]\(#r\d+\)", contents)] == list(RULES)


def test_what_is_not_yet_played_is_marked_alike() -> None:
    body = TEXT.partition("## Contents")[2]
    marked = re.findall(r"^> \*\*Not yet played:\*\* [A-Z]", body, re.MULTILINE)
    assert len(marked) == len(re.findall("not yet played", body, re.IGNORECASE))


def test_code_lines_can_be_read() -> None:
    for line in code_paragraphs(TEXT):
        assert CODE.fullmatch(line), line


@pytest.mark.parametrize("path", sorted(named_code()))
def test_code_stands_where_the_book_says(path: str) -> None:
    assert (REPOSITORY / path).exists(), path
    assert named_code()[path] <= defined_in(REPOSITORY / path)


def test_presets_that_the_book_names_exist() -> None:
    last = TEXT.partition("## Named but not described")[2]
    assert set(re.findall(r"`([a-z]+(?:-[a-z0-9]+)*)`", last)) <= set(Rules.presets())


def test_every_rule_has_its_examples_played() -> None:
    played = "".join(path.read_text() for path in (REPOSITORY / "tests" / "rules").glob("test_*.py"))
    assert {int(number) for names in IN_TEST_NAME.findall(played) for number in re.findall(r"\d+", names)} == set(RULES)


@pytest.mark.parametrize("folder", [*FOLDERS, "."])
def test_every_cited_rule_exists(folder: str) -> None:
    files = sorted(REPOSITORY.glob("*.md")) if folder == "." else files_in(folder)
    assert files
    unknown = {str(path.relative_to(REPOSITORY)): cited(words_of(path)) - set(RULES) for path in files}
    assert {path: numbers for path, numbers in unknown.items() if numbers} == {}


@pytest.mark.parametrize("folder", ["holdem_env", "tests"])
def test_every_rule_is_cited(folder: str) -> None:
    everywhere: set[int] = set().union(*(cited(words_of(path)) for path in files_in(folder)))
    assert set(RULES) - everywhere == set()


def test_names_of_tests_have_two_digits() -> None:
    names = [names for path in files_in("tests") for names in IN_TEST_NAME.findall(words_of(path))]
    assert [name for name in names if re.search(r"_r\d(?!\d)", name)] == []


def test_links_to_rules_lead_to_them() -> None:
    anchors = set(re.findall(r'<a id="(\w+)"></a>', TEXT))
    for page in [*REPOSITORY.glob("*.md"), *REPOSITORY.glob("docs/**/*.md")]:
        text = page.read_text()
        where = [re.escape(os.path.relpath(RULEBOOK, page.parent))]
        where += [""] if page == RULEBOOK else []
        linked = {anchor for target in where for anchor in re.findall(rf"\]\({target}#(\w+)\)", text)}
        assert linked <= anchors, page.name
        for link in LINK.finditer(text):
            assert int(link["to"]) == int(re.findall(r"\d+", link["words"])[0]), link[0]


def prose_sections(text: str) -> list[str]:
    """The sections of a page without their headings and without code."""
    without_code = re.sub(r"^```.*?^```$|`[^`\n]*`", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.split(r"^#+ .*$", without_code, flags=re.MULTILINE)


@pytest.mark.parametrize(
    "page",
    [REPOSITORY / "README.md", *sorted(path for path in (REPOSITORY / "docs").rglob("*.md") if path != RULEBOOK)],
    ids=lambda page: page.name,
)
def test_the_first_citation_in_a_section_is_a_link(page: Path) -> None:
    """`[R21](rules.md#r21)`, or `[R36-R38](rules.md#r36)` for several."""
    for section in prose_sections(page.read_text()):
        linked: set[int] = set()
        places = {match.start("words"): match for match in LINK.finditer(section)}
        for mention in CITED.finditer(section):
            if mention.start() in places:
                linked |= cited(mention[0])
            assert cited(mention[0]) <= linked, f"{mention[0]} in: {section.strip()[:200]}"
