"""`holdem convert` with hand histories, and `holdem match --save`."""

from __future__ import annotations

import lzma
import re
from pathlib import Path

import pytest

from command_line import good, holdem, refused
from history.pokerstars_text import ALL, LIMIT, MUCKED, RETURNING
from holdem_env.history import acpc, phh, pokerstars, read_hands

DATA = Path(__file__).parents[1] / "data"


def payoffs(file: Path) -> list[list[int]]:
    return [hand.replay().payoffs for hand in read_hands(file, on_error="raise")]


@pytest.mark.slow
@pytest.mark.parametrize("way", [["txt", "phhs"], ["txt.xz", "phhs.gz", "txt"], ["phhs.xz", "txt.gz", "phhs"]])
def test_pluribus_there_and_back(tmp_path: Path, way: list[str]) -> None:
    source = DATA / "pluribus.phhs"
    for step, suffix in enumerate(way):
        target = tmp_path / f"{step}.{suffix}"
        assert "60 hands written" in good("convert", source, target)
        source = target
    assert payoffs(source) == payoffs(DATA / "pluribus.phhs")
    assert holdem("replay", source).exit_code == 0


def test_acpc_logs_are_read(tmp_path: Path) -> None:
    log = DATA / "2p.nolimit.log"
    game = DATA / "holdem.nolimit.2p.reverse_blinds.game"
    assert holdem("convert", log, tmp_path / "a.txt", "--game", game).exit_code == 0
    theirs = [hand.replay().payoffs for hand in acpc.read(log, game)]
    assert [sorted(each) for each in payoffs(tmp_path / "a.txt")] == [sorted(each) for each in theirs]


SPLIT = MUCKED.replace("Ann: mucks hand\nBob collected $4 from pot", "Ann: shows [Kh 8c] (three of a kind, Kings)\n{}")
SPLIT = SPLIT.replace("mucked [7c 7d]", "showed [Kh 8c]").replace("Ks 9c", "Ks 8d").replace(" and won ($4)", "")
UNEVEN = SPLIT.format("Bob collected $1.95 from pot\nAnn collected $2.05 from pot")


def test_a_pot_that_a_site_split_unevenly_is_named_and_no_problem(tmp_path: Path) -> None:
    source = tmp_path / "mine.txt"
    source.write_text(f"{UNEVEN}\n\n\n{LIMIT}")
    text = good("replay", source)
    assert "odd chips of the site: hand 11;" in text
    assert "no problems" in text
    text = good("convert", source, tmp_path / "a.phhs")
    assert "odd chips of the site: hand 11;" in text
    assert "2 hands written" in text
    assert payoffs(tmp_path / "a.phhs")[0] == [0, 0]


@pytest.mark.parametrize("parts", [("4.00", "0.00"), ("3.50", "0.50")])
def test_who_loses_a_part_worth_a_bet_has_no_odd_chips(tmp_path: Path, parts: tuple[str, str]) -> None:
    """Half a pot of four big blinds is two: a whole one that is missing is no odd chip."""
    source = tmp_path / "mine.txt"
    twice = SPLIT.replace("Bob: checks\nAnn: checks\n*** TURN", "Bob: bets $2\nAnn: calls $2\n*** TURN")
    twice = twice.replace("Total pot $4", "Total pot $8")
    bob, ann = (f"{2 * float(part):.2f}" for part in parts)
    source.write_text(twice.format(f"Bob collected ${bob} from pot\nAnn collected ${ann} from pot"))
    result = holdem("replay", source)
    assert (result.exit_code, "the file states" in result.output) == (1, True)


@pytest.mark.parametrize("suffix", ["phhs", "phh"])
def test_hands_keep_their_numbers(tmp_path: Path, suffix: str) -> None:
    """Where two hands have one number, the second gets another; its field `hand` keeps it."""
    source, target = tmp_path / "mine.txt", tmp_path / f"a.{suffix}"
    texts = [LIMIT, MUCKED, LIMIT] if suffix == "phhs" else [MUCKED]
    source.write_text("\n\n\n".join(texts))
    good("convert", source, target)
    found = [hand.hand for hand in read_hands(target, on_error="raise")]
    assert found == ([7, 11, 3] if suffix == "phhs" else [11])
    back = tmp_path / "b.txt"
    good("convert", target, back)
    assert [hand.hand for hand in read_hands(back)] == found


def test_the_view_of_one_player(tmp_path: Path) -> None:
    assert holdem("convert", DATA / "pluribus.phhs", tmp_path / "a.txt", "--hero", "Bill").exit_code == 0
    text = (tmp_path / "a.txt").read_text()
    assert "Dealt to Bill [" in text
    assert "Dealt to Pluribus" not in text
    assert holdem("replay", tmp_path / "a.txt").exit_code == 0
    assert "nobody of the name 'Nobody'" in refused(
        "convert", DATA / "pluribus.phhs", tmp_path / "b.txt", "--hero", "Nobody"
    )
    assert not (tmp_path / "b.txt").exists()


def test_damaged_hands_are_left_out_and_counted(tmp_path: Path) -> None:
    source = tmp_path / "mine.txt"
    source.write_text("\n\n\n".join([LIMIT, MUCKED.replace("Ann: calls $1\n", ""), MUCKED, RETURNING]))
    result = holdem("convert", source, tmp_path / "a.phhs")
    assert result.exit_code == 1
    assert "2 hands written" in result.output
    assert "2 were left out" in result.output
    assert "the players put in 300" in result.output
    assert "hand 8: PHH cannot express missed blinds" in result.output
    assert len(list(phh.read(tmp_path / "a.phhs"))) == 2


def test_all_kinds_of_hands_from_pokerstars_to_pokerstars(tmp_path: Path) -> None:
    source = tmp_path / "mine.txt"
    source.write_text("\n\n\n".join(ALL), encoding="utf-8")
    good("convert", source, tmp_path / "again.txt")
    again = list(pokerstars.read(tmp_path / "again.txt", on_error="raise"))
    assert [hand.players for hand in again] == [hand.players for hand in pokerstars.read(source)]
    assert [hand.payoffs for hand in again] == [hand.payoffs for hand in pokerstars.read(source)]


BAD = [("gone.txt", "a.phhs", [], "there is no such file"), ("pluribus", "a.pdf", [], "does not say the format")]
BAD += [("pluribus", "a", ["--to", "pdf"], "is no format that can be written")]
BAD += [("pluribus", "there.txt", [], "exists already"), ("binary", "a.txt", [], "this is no hand history")]
BAD += [("cut", "a.txt", [], "the archive is damaged or cut short"), ("pluribus", "a.phh", [], "holds one hand")]


@pytest.mark.parametrize(("source", "target", "options", "why"), BAD)
def test_bad_input(tmp_path: Path, source: str, target: str, options: list[str], why: str) -> None:
    (tmp_path / "there.txt").write_text("mine")
    (tmp_path / "binary.txt").write_bytes(bytes(range(256)) * 100)
    (tmp_path / "cut.txt.xz").write_bytes(lzma.compress(b"PokerStars Hand #1: Hold'em No Limit\n" * 9_999)[:40])
    files = {"pluribus": DATA / "pluribus.phhs", "binary": tmp_path / "binary.txt", "cut": tmp_path / "cut.txt.xz"}
    result = holdem("convert", files.get(source, tmp_path / source), tmp_path / target, *options)
    assert result.exit_code in (1, 2)
    assert why in result.output.replace("\n", " ")
    assert (tmp_path / "there.txt").read_text() == "mine"


TIRES = """
import numpy as np
from holdem_env.agents import Agent, AgentFacts

class Bot(Agent):
    decisions, facts = 0, AgentFacts(tables_at_once=64)

    def act(self, tables, rules, rows):
        Bot.decisions += len(rows)
        if Bot.decisions > 1_700: {}
        return np.zeros(len(rows), np.int64)
"""


@pytest.mark.parametrize("suffix", ["phhs", "txt.xz"])
def test_a_match_saves_all_its_hands(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"match.{suffix}"
    good("match", "maniac", "nit", "--hands", 20, "--save", path)
    hands = list(read_hands(path, on_error="raise"))
    assert len(hands) == 20
    assert set(hands[0].players or ()) == {"maniac", "nit"}
    assert all("time" in hand.metadata for hand in hands)
    assert all(hand.payoffs == hand.replay().payoffs for hand in hands[:50])


HANDS = 1_100  # more than are played at once


@pytest.mark.slow
@pytest.mark.parametrize("ends", ["raise ValueError('no more')", "raise KeyboardInterrupt"])
def test_a_match_that_is_cut_short_keeps_what_was_played(tmp_path: Path, ends: str) -> None:
    (tmp_path / "bot.py").write_text(TIRES.format(ends))
    path = tmp_path / "match.phhs"
    result = holdem("match", tmp_path / "bot.py", "nit", "--hands", HANDS, "--save", path)
    assert result.exit_code == (130 if "Keyboard" in ends else 2)
    assert ("no more" in result.output) == ("no more" in ends)
    hands = list(read_hands(path, on_error="raise"))
    assert 64 <= len(hands) < HANDS
    counted = re.search(r"cut short: bot against nit: .* bb/100 \(([\d,]+) hands\)", result.output)
    assert counted
    (tmp_path / "bot.py").write_text(TIRES.format("pass"))
    again = holdem("match", tmp_path / "bot.py", "nit", "--hands", HANDS, "--save", path)
    assert f"{len(hands):,} hands of" in again.output
    whole = holdem("match", tmp_path / "bot.py", "nit", "--hands", HANDS, "--save", tmp_path / "whole.phhs")
    assert again.output.splitlines()[1:-1] == whole.output.splitlines()[:-1]
    played = [
        sorted((hand.metadata["_deal"], hand.players, hand.actions) for hand in read_hands(each, on_error="raise"))
        for each in (path, tmp_path / "whole.phhs")
    ]
    assert played[0] == played[1]
    assert len(played[0]) == HANDS
    assert "exists already" in refused("match", tmp_path / "bot.py", "nit", "--hands", HANDS, "--save", path)
    assert 0 < int(counted[1].replace(",", "")) <= len(hands)  # deals that lack a rotation do not count


def test_a_match_that_cannot_be_saved_is_not_played(tmp_path: Path) -> None:
    for name, rules, why in (
        ("match.txt", "leduc", "cannot express this game"),
        ("match.phh", "heads-up-no-limit", "a .phh holds one hand"),
        ("match.parquet", "heads-up-no-limit", "`holdem convert "),
        ("match.pdf", "heads-up-no-limit", "does not say the format"),
    ):
        assert why in refused("match", "random", "random", "--rules", rules, "--save", tmp_path / name)
        assert list(tmp_path.iterdir()) == []


def test_moves_without_the_stated_results(tmp_path: Path) -> None:
    """Public data state winnings of 0 for hands without a showdown, or more or less than the pot."""
    hand = 'variant = "NT"\nantes = [0, 0]\nblinds_or_straddles = [1, 2]\nmin_bet = 2\nstarting_stacks = [200, 200]\n'
    hand += 'actions = ["d dh p1 KsKd", "d dh p2 QsQd", "p2 cbr 6", "p1 f"{}]\nplayers = ["Ann", "Bob"]\n'
    folds, short = hand.format(""), hand.format("").replace(', "p1 f"', "")
    stated = [folds + f"winnings = {each}\n" for each in ([0, 0], [0, 4], [0, 3], [0, 6], [4, 0])]
    source, target = tmp_path / "a.phhs", tmp_path / "b.phhs"
    source.write_text("".join(f"[{k}]\n{text}" for k, text in enumerate([*stated, short + "winnings = [0, 4]\n"], 1)))
    kinds = ["nobody wins", "less than the pot is won", "more than the pot is won"]
    kinds += ["others win the pot", "the hand is cut"]
    result = holdem("convert", source, target)
    assert (result.exit_code, "1 hand written" in result.output) == (1, True)
    lines = holdem("replay", source).output.splitlines()
    assert [sum(line.startswith(f"  {kind}") for line in lines) for kind in kinds] == [1] * 5
    assert lines.index("  nobody wins: 1 problem") < next(k for k, line in enumerate(lines) if "hand 1: " in line)
    target.unlink()
    text = good("convert", source, target, "--ignore-results")
    assert "stated results ignored: 5 differ from the moves" in text
    assert "6 hands written" in text
    for kind in kinds:
        assert f"  {kind}" in text
        assert f"  {kind}" in good("replay", source, "--ignore-results")
    assert "no problems" in good("replay", target)


def test_problems_are_counted_by_kind_before_ten_examples(tmp_path: Path) -> None:
    source = tmp_path / "mine.txt"
    bad = MUCKED.replace("Ann: checks\n*** TURN", "*** TURN")
    source.write_text("\n\n\n".join([LIMIT, *[bad.replace("#11", f"#{k}") for k in range(100, 130)], RETURNING]))
    lines = holdem("replay", source).output.splitlines()
    assert sum(f", hand {k}: " in line for k in range(100, 130) for line in lines) == 10
    first = next(k for k, line in enumerate(lines) if ", hand 100: " in line)
    assert lines[first - 1] == "  the betting is not over: 30 problems"
    assert "... and 20 more problems" in lines
