"""Hands in PokerStars' text become records that replay to what players collected; damaged ones are errors that say
why."""

from __future__ import annotations

import gzip
import lzma
import re
import tracemalloc
from collections.abc import Callable
from datetime import UTC, datetime, time
from decimal import Decimal
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from errors import complaint
from history.pokerstars_text import (
    ALL,
    BIG_BLIND_ON_THE_BUTTON,
    CASH,
    LIMIT,
    MUCKED,
    OMAHA,
    PLAY_MONEY,
    RETURNING,
    STRADDLE,
    TOURNAMENT,
    replayed,
)
from holdem_env.cards import parse_cards
from holdem_env.cards.text import card_name
from holdem_env.history import HandRecord, HistoryError, phh, pokerstars, read_hands
from holdem_env.history.times import time_of


def changed(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new)


DATA = Path(__file__).parent.parent / "data"


def test_a_cash_game_with_side_pot_rake_and_noise() -> None:
    hand = pokerstars.loads(CASH)
    assert hand.players == ("Ann: the 1st", "bob (x)", "Chloé", "eve collected")
    assert hand.starting_stacks == (420, 100, 1255, 300)
    assert (hand.hand, hand.unit, hand.button) == (2201, Decimal("0.01"), 1)
    assert (hand.rules.structure, hand.rules.blinds) == ("no_limit", (5, 10))
    assert hand.holes[:3] == tuple(map(parse_cards, ("AhAd", "KsKc", "QcQd")))
    assert hand.payoffs == [194, 186, -420, -10]
    assert hand.metadata["seats"] == [1, 2, 3, 6]
    assert (hand.metadata["currency"], hand.metadata["currency_symbol"]) == ("EUR", "€")
    assert (hand.metadata["time"], hand.metadata["time_zone_abbreviation"]) == (time(3, 5, 7), "ET")
    assert hand.metadata["_hero"] == "Ann: the 1st"
    table = hand.replay()
    assert table.rake == 50
    assert table.payoffs == hand.payoffs


WALK = (DATA / "local_time.txt").read_text()
IN_BRACKETS = "2025/04/14 1:52:42 MSK [2025/04/13 18:52:42 ET]"
TIMES = {
    IN_BRACKETS: datetime(2025, 4, 13, 22, 52, 42, tzinfo=UTC),
    "2025/04/13 22:52:42 UTC [2025/04/13 18:52:42 ET]": datetime(2025, 4, 13, 22, 52, 42, tzinfo=UTC),
    "2025/04/13 18:52:42 ET": datetime(2025, 4, 13, 22, 52, 42, tzinfo=UTC),
    "2025/04/13 18:52:42 (ET)": datetime(2025, 4, 13, 22, 52, 42, tzinfo=UTC),
    "2005/07/27 - 18:54:16 (ET)": datetime(2005, 7, 27, 22, 54, 16, tzinfo=UTC),
    "2025/04/14 1:52:42 MSK": datetime(2025, 4, 14, 1, 52, 42),
    "2025/04/14 1:52:42 BRT": datetime(2025, 4, 14, 1, 52, 42),
    "2025/04/14 1:52:42": datetime(2025, 4, 14, 1, 52, 42),
    "2008/04/14 - 1:52:42 (CET)": datetime(2008, 4, 14, 1, 52, 42),
}


@pytest.mark.parametrize("written", TIMES)
def test_times_are_those_of_the_brackets_and_unknown_zones_stay_unknown(written: str) -> None:
    hand = pokerstars.loads(changed(WALK, IN_BRACKETS, written))
    assert time_of(hand.metadata) == TIMES[written]
    options = {"players": hand.players, "unit": hand.unit, "metadata": hand.metadata}
    texts = pokerstars.dumps(hand.replay(), **options), phh.dumps(hand.replay(), **options)
    again = pokerstars.loads(texts[0]), phh.loads(texts[1])
    assert [time_of(each.metadata) for each in again] == [TIMES[written]] * 2
    if TIMES[written].tzinfo is None:
        assert not any("UTC" in text for text in texts)


def test_files_of_2005_have_their_date() -> None:
    hand = replayed((DATA / "old_date.txt").read_text())
    assert time_of(hand.metadata) == datetime(2005, 7, 27, 18, 54, 16, tzinfo=ZoneInfo("America/New_York"))


@pytest.mark.parametrize("club", ["Staples (5/10) Club", "Omaha Pot Limit Friends", "a} {b", "2001/01/01 1:00:00 ET"])
def test_what_stands_in_braces_is_the_clubs_name(club: str) -> None:
    text = (DATA / "home_game.txt").read_text()
    hand = replayed(changed(text, "Staples (5/10) Club", club))
    assert hand.metadata["_club"] == club
    assert (hand.rules.structure, hand.rules.blinds, hand.rules.hole_cards) == ("no_limit", (100, 200), 2)
    assert hand.metadata["year"] == 2025


FACTS = [
    # an ante, an absent player and one who waits
    (TOURNAMENT, lambda hand: (hand.players, hand.rules.ante, hand.unit), (("Ann", "Bob", "Cy"), 10, 1)),
    (TOURNAMENT, lambda hand: hand.payoffs, [-90, 150, -60]),
    (TOURNAMENT, lambda hand: (hand.metadata["event"], hand.metadata["level"]), ("Tournament #900", "IV")),
    (TOURNAMENT, lambda hand: hand.metadata["time_zone"], "America/New_York"),
    # fixed limit names bets, and one card is shown
    (LIMIT, lambda hand: (hand.rules.blinds, hand.rules.small_bet, hand.rules.big_bet), ((100, 300), 300, 600)),
    (LIMIT, lambda hand: (hand.rules.rake.cap, "As" in map(card_name, hand.known_cards)), (125, True)),
    # an old file leaves out that the rest of the big blind went back; a table may be called play money
    (PLAY_MONEY, lambda hand: (hand.payoffs, "currency" in hand.metadata), ([5, -5], False)),
    (MUCKED.replace("'Io'", "'Play Money'"), lambda hand: hand.sign, "$"),
    # cards that a player folds face up, and mucked ones that stand in the summary
    (STRADDLE, lambda hand: (hand.rules.straddle, hand.holes[2]), (400, parse_cards("9c9d"))),
    (MUCKED, lambda hand: hand.holes[0], parse_cards("7c7d")),
    (OMAHA, lambda hand: (hand.rules.hole_cards, hand.rules.split, hand.rules.structure), (4, "high_low", "pot_limit")),
    (OMAHA, lambda hand: hand.payoffs, [0, 0]),
]


@pytest.mark.parametrize(("text", "of", "expected"), FACTS)
def test_what_stands_in_a_text(text: str, of: Callable[[HandRecord], object], expected: object) -> None:
    assert of(replayed(text)) == expected


def test_returning_players_post_and_the_button_lies_at_an_empty_seat() -> None:
    """R10: the small blind is dead, Bob posts both blinds, Dee the small one."""
    hand = replayed(RETURNING)
    assert hand.blinds is not None
    assert hand.blinds.small_blind is None
    posted = {(step.kind, step.seat, step.amount) for step in hand.replay().log if step.kind.startswith("post")}
    assert posted == {("post_big_blind", 0, 100), ("post_live", 1, 100), ("post_dead", 1, 50), ("post_dead", 3, 50)}
    assert re.search("R10", complaint(phh.dumps, hand.replay(), kind=HistoryError))
    again = pokerstars.dumps(hand.replay(), players=hand.players, unit=hand.unit, metadata=hand.metadata)
    assert pokerstars.loads(again).payoffs == hand.payoffs
    assert "Seat #5 is the button" in again
    assert "Bob: posts small & big blinds $1.50" in again


def test_heads_up_the_big_blind_may_have_the_button() -> None:
    hand = replayed(BIG_BLIND_ON_THE_BUTTON)
    assert hand.payoffs == [-100, 100]
    assert re.search("blinds elsewhere", complaint(phh.dumps, hand.replay(), kind=HistoryError))


@pytest.mark.parametrize("suffix", [".txt", ".txt.xz", ".txt.gz"])
def test_files_with_bom_crlf_old_code_page_and_compression(tmp_path: Path, suffix: str) -> None:
    text = "\n\n\n".join(ALL).replace("\n", "\r\n")
    path = tmp_path / f"hands{suffix}"
    content = b"\xef\xbb\xbf" + text.encode()
    path.write_bytes({".xz": lzma.compress, ".gz": gzip.compress}.get(path.suffix, bytes)(content))
    assert len(list(pokerstars.read(path, on_error="raise"))) == len(ALL)
    assert [hand.hand for hand in read_hands(path)] == [hand.hand for hand in pokerstars.read(path)]
    path = tmp_path / "old.txt"
    path.write_bytes(CASH.encode("cp1252"))
    (hand,) = pokerstars.read(path, on_error="raise")
    assert hand.players is not None
    assert "Chloé" in hand.players


REFUSED = [
    (CASH, "*** RIVER *** [", "*** FIRST RIVER *** [", "run it twice"),
    (MUCKED, "Bob collected $4 from pot", "Bob cashed out the hand for $3.90 | Cash Out Fee $0.04", "cashed the"),
    (MUCKED, "*** SUMMARY ***", "Hand cancelled\n*** SUMMARY ***", "cancelled"),
    (MUCKED, "Hold'em No Limit ($1/$2 USD)", "Hold'em No Limit ($1/$2 - CAP $60 USD)", "cap"),
    (MUCKED, "($1/$2 USD)", "($1/$2 - $20 Cap -  USD)", "a cap on what a player may bet"),
    (MUCKED, "Hold'em", "6+ Hold'em", r"6\+ Hold'em cannot be played"),
    (MUCKED, "Hold'em", "5 Card Omaha", "5 Card Omaha cannot be played"),
    (MUCKED, "Hold'em No Limit", "7 Card Stud Limit", "neither hold'em nor Omaha"),
    (MUCKED, "No Limit", "Pot Limit Pre-Flop, No Limit Post-Flop", "pot-limit before the flop"),
    (MUCKED, " ($1/$2 USD)", "", "does not name the blinds"),
    (MUCKED, "Seat #1 is the button", "", "table and button"),
    (MUCKED, "2026/02/03", "2026/13/03", "not a day"),
    (MUCKED, "20:00:00", "29:00:00", "not a day"),
    (MUCKED, "Seat 2: Bob ($100 in chips)\n", "", "nobody of that name"),
    (MUCKED, "Seat 2: Bob ($100", "Seat 2: Ann ($100", "two players have the name"),
    (MUCKED, "Seat 2: Bob ($100", "Seat 1: Bob ($100", "same seat"),
    (MUCKED, "posts big blind $2", "posts big blind $3", "says that this blind is 200"),
    (MUCKED, "Ann: calls $1\n", "Ann: calls $1.50\n", "the players put in 450"),
    (MUCKED, "Ann: calls $1\n", "Ann: calls\n", "have one amount"),
    (MUCKED, "Ann: calls $1\n", "Ann: raises $2\n", "raises have two"),
    (MUCKED, "Ann: calls $1\n", "Ann: calls $1x\n", "cannot be read"),
    (MUCKED, "Ann: calls $1\n", "Anne: calls $1\n", "nobody of that name"),
    (MUCKED, "Ann: calls $1\n", "Ann: calls $1 and is all-in\n", "not all-in: 9800 are left"),
    (MUCKED, "Ann: calls $1\n", "Ann: raises $298 to $300\n", "20000 more than the player has"),
    (MUCKED, "Ann: calls $1\n", f"Ann: calls ${'9' * 40}\n", "more than 18 digits"),
    (MUCKED, "Ann: calls $1\n", "", "total pot is 400, but the players put in 300"),
    (MUCKED, "Total pot $4", "Total pot $5", "total pot is 500"),
    (MUCKED, "Rake $0", "Rake $1", "collected, and the rake is 100"),
    (MUCKED, "Bob collected $4", "Bob collected $3", "300 were collected"),
    (MUCKED, "won ($4)", "won ($3)", "other winnings"),
    (MUCKED, "[2h 3h 4h] [Kc]", "[2h 3h 5h] [Kc]", "not those of the streets before"),
    (MUCKED, "[Ks 9c]", "[Ks Kc]", "Kc appears twice"),
    (MUCKED, "[Ks 9c]", "[Ks 1c]", "'1c' is not a card"),
    (MUCKED, "Board [2h 3h 4h Kc Kd]", "Board [2h 3h 4h Kc Ks]", "another board"),
    (MUCKED, "*** FLOP *** [2h 3h 4h]", "*** FLOP *** [2h 3h]", "flop has 2 cards"),
    (MUCKED, "*** FLOP *** [2h 3h 4h]", "*** FLOP ***", "does not name the cards"),
    (MUCKED[: MUCKED.index("*** SUMMARY")], "", "", "cut short: it has no summary"),
    (MUCKED.splitlines()[0], "", "", "cut short after its first line"),
    (STRADDLE, "Dee: posts straddle", "Ann: posts straddle", "one straddle can be played"),
    (TOURNAMENT, "Cy: posts the ante 10", "Cy: posts the ante 5", "an ante of 5, others of 10"),
    (RETURNING, "Ann: posts big blind $1\n", "", "nobody posts the big blind"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "old", "new", "why"), REFUSED, ids=[each[3] for each in REFUSED])
def test_hands_that_cannot_be_read_say_why(text: str, old: str, new: str, why: str) -> None:
    with pytest.raises(HistoryError, match=why) as error:
        pokerstars.loads(changed(text, old, new))
    assert "\n" not in str(error.value)
    assert error.value.line == 1
    assert error.value.hand == int(re.findall(r"#(\d+):", text)[0])


MOVES = [
    ("Bob: checks\nAnn: checks\n*** TURN", "Ann: checks\nBob: checks\n*** TURN", "out of turn"),
    ("Ann: calls $1\nBob: checks\n*** FLOP", "Ann: calls $1\n*** FLOP", "player 2 is still to act"),
    ("Ann: calls $1\nBob: checks\n*** FLOP", "Ann: checks\nBob: calls $1\n*** FLOP", "cannot check: 100 is to call"),
]


@pytest.mark.parametrize(("old", "new", "why"), MOVES)
def test_moves_that_the_rules_forbid(old: str, new: str, why: str) -> None:
    text = changed(MUCKED, old, new)
    with pytest.raises(HistoryError, match=why) as error:
        pokerstars.loads(text).replay()
    assert error.value.action is not None


def test_a_damaged_hand_does_not_stop_the_others(tmp_path: Path) -> None:
    path = tmp_path / "hands.txt"
    path.write_text("\n\n\n".join([LIMIT, MUCKED.replace("Ann: calls $1\n", ""), PLAY_MONEY]))
    problems: list[HistoryError] = []
    assert [hand.hand for hand in pokerstars.read(path, on_error=problems.append)] == [7, 9]
    assert [(problem.hand, problem.line) for problem in problems] == [
        (11, 1 + path.read_text().split("\n").index(MUCKED.splitlines()[0]))
    ]


@pytest.mark.parametrize(
    "content", [bytes(range(256)) * 50, b"\x00" * 10_000, b"", b"PokerStars Hand #", b"\xff\xfe\n" * 99]
)
def test_files_without_hands(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "hands.txt"
    path.write_bytes(content)
    assert not pokerstars.is_history(path)
    assert list(pokerstars.read(path, on_error="raise")) == []


@pytest.mark.slow
def test_hands_without_end_and_lines_without_end_do_not_fill_the_memory(tmp_path: Path) -> None:
    path = tmp_path / "hands.txt"
    with path.open("w") as file:
        file.write(MUCKED.split("*** SUMMARY")[0])
        for _ in range(40):
            file.write("Ann said, x\n" * 20_000)
        file.write("x" * 10_000_000 + "\n" + MUCKED)
    problems: list[HistoryError] = []
    tracemalloc.start()
    assert [hand.hand for hand in pokerstars.read(path, on_error=problems.append)] == [11]
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 5_000_000
    assert [problem.reason for problem in problems] == ["the hand has more than 2,000 lines"]


def test_an_archive_that_is_cut_short(tmp_path: Path) -> None:
    path = tmp_path / "hands.txt.gz"
    path.write_bytes(gzip.compress((LIMIT + "\n\n\n" + MUCKED).encode())[:-40])
    problems: list[HistoryError] = []
    list(pokerstars.read(path, on_error=problems.append))
    assert "the archive is damaged" in problems[-1].reason
