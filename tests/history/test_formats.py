"""The registry of formats: everything that reads or writes hands knows a new one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from errors import complaint, mentions
from holdem_agents.cli.convert import convert_hands
from holdem_env import Rules
from holdem_env.arena import SavedHands, play_match
from holdem_env.history import (
    HandCollection,
    HandRecord,
    HandWriter,
    HistoryError,
    HistoryWarning,
    phh,
    read_hands,
    register_format,
)
from holdem_env.history.format import Format
from holdem_env.history.formats import FORMATS, PHHS, histories_in, in_words, written_formats
from holdem_env.history.parts import HandOptions, Parse, Piece, kind_of
from holdem_env.table.table import Table

PLURIBUS = Path("tests/data/pluribus.phhs")


def check_toy_game(rules: Rules) -> None:
    if rules.structure != "no_limit":
        raise HistoryError(None, None, "a toy cannot express limits")


def toy_text(table: Table, options: HandOptions) -> str:
    check_toy_game(table.game)
    return f"# toy\n{phh.dumps(table, hand=options.hand, players=options.players)}"


TOY = Format(
    name="toy",
    title="Toy",
    suffixes=(".toy",),
    signature="a toy ends in .toy",
    matches=lambda path: kind_of(path) == ".toy",
    unsupported="limits",
    split=PHHS.split,
    parser=PHHS.parser,
    text=toy_text,
    check_game=check_toy_game,
    framed=PHHS.framed,
    key_of=PHHS.key_of,
)


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> Format:
    monkeypatch.setattr(FORMATS, "registered", dict(FORMATS.registered))
    register_format(TOY)
    return TOY


@pytest.mark.usefixtures("toy")
def test_a_registered_format_is_converted_to_and_from(tmp_path: Path) -> None:
    assert convert_hands(PLURIBUS, tmp_path / "mine.toy.gz").written == 60
    assert convert_hands(tmp_path / "mine.toy.gz", tmp_path / "mine.txt").written == 60
    first, again = next(phh.read(PLURIBUS)), next(read_hands(tmp_path / "mine.toy.gz"))
    assert (again.moves, again.players, again.hand) == (first.moves, first.players, first.hand)
    assert histories_in(tmp_path) == [tmp_path / "mine.toy.gz", tmp_path / "mine.txt"]
    assert len(HandCollection(tmp_path / "mine.toy.gz")) == 60


@pytest.mark.usefixtures("toy")
def test_hands_of_a_match_are_saved_in_a_registered_format(tmp_path: Path) -> None:
    for preset in ("heads-up-no-limit", "heads-up-limit"):
        rules = Rules.preset(preset)
        with HandWriter(tmp_path / f"{preset}.toy") as writer:
            assert writer.format is TOY
            if rules.structure == "fixed_limit":
                mentions(complaint(SavedHands, writer, ["maniac", "nit"], rules, kind=HistoryError), "limits")
            else:
                saved = SavedHands(writer, ["maniac", "nit"], rules)
                play_match("maniac", "nit", rules, 10, num_tables=5, finished=saved)
    assert len(list(read_hands(tmp_path / "heads-up-no-limit.toy"))) == 10


@pytest.mark.parametrize("error", [ValueError("no"), KeyError("no"), IndexError("no"), TypeError("no")])
def test_a_hand_that_cannot_be_read_does_not_stop_others(toy: Format, error: Exception, tmp_path: Path) -> None:
    def parser(path: Path, game: Path | None) -> Parse:
        parse = toy.parser(path, game)

        def read(piece: Piece) -> HandRecord | None:
            if piece.key == "177":
                raise error
            return parse(piece)

        return read

    register_format(replace(toy, parser=parser))
    convert_hands(PLURIBUS, tmp_path / "mine.toy")
    with pytest.warns(HistoryWarning, match=rf"mine\.toy, line \d+.*{type(error).__name__}"):
        assert len(list(read_hands(tmp_path / "mine.toy"))) == 59


@pytest.mark.parametrize("suffixes", [(), ("toy",), (".toy", "toy")])
def test_suffixes_have_dots(suffixes: tuple[str, ...]) -> None:
    mentions(complaint(replace, TOY, suffixes=suffixes), "suffixes")


def test_a_format_that_is_only_read_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FORMATS, "registered", dict(FORMATS.registered))
    register_format(replace(TOY, text=None))
    mentions(complaint(HandWriter, tmp_path / "mine.toy"), "does not say the format")


def test_the_documentation_lists_the_formats() -> None:
    page = Path("docs/histories.md").read_text()
    rows = [
        f"| {form.title} | {', '.join(f'`{suffix}`' for suffix in form.suffixes)} "
        f"| {'yes' if form in written_formats() else 'no'} | {form.unsupported} |\n"
        for form in FORMATS.all()
    ]
    assert "".join(rows) in page
    assert in_words(FORMATS.all()).startswith(".phhs (PHH), .phh (PHH of one hand), .txt (PokerStars)")
