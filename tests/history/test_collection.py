"""Many hands as one list: the index without replaying, the search, damaged hands and files, memory."""

from __future__ import annotations

import gzip
import lzma
import random
import re
import shutil
import time
import tracemalloc
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errors import complaint, mentions
from examples import examples
from history.phh_text import HAND, HAND_PAYOFFS, TWO_PLAYERS, several, text
from history.random_play import play_randomly, random_tables
from holdem_env import Rules, Table
from holdem_env.history import (
    HandCollection,
    HandSummary,
    HandWriter,
    HistoryError,
    PlayedHands,
    acpc,
    phh,
    pokerstars,
    read_hands,
)
from holdem_env.history.files import Piece
from holdem_env.history.phh_quick_summary import quick_summary
from holdem_env.history.reading import placed_pieces
from holdem_env.history.summary import summary_of

DATA = Path(__file__).resolve().parent.parent / "data"
PLURIBUS = DATA / "pluribus.phhs"


@pytest.fixture(scope="module")
def pluribus() -> HandCollection:
    return HandCollection(PLURIBUS)


def test_the_quick_look_says_what_the_replay_says(pluribus: HandCollection) -> None:
    for number, hand in enumerate(phh.read(PLURIBUS)):
        assert pluribus.summary(number) == summary_of(hand)
    for placed in placed_pieces(PLURIBUS, phh.splitter(PLURIBUS)):
        assert quick_summary(placed.piece) is not None, "these records need no replay"


@examples(60)
@given(random_tables(least=30), st.sampled_from([1, "0.01", "2.5"]), st.booleans())
def test_the_quick_look_at_random_hands(table: Table, unit: object, stated: bool) -> None:
    from decimal import Decimal

    written = phh.dumps(table, hand=7, unit=Decimal(str(unit)))
    if not stated:
        written = "".join(line + "\n" for line in written.splitlines() if not line.startswith("finishing_stacks"))
    quick = quick_summary(Piece(None, 1, written))
    if quick is None:  # a short blind or ante: the rules say how it is posted
        big_blind = table.game.big_blind + table.game.ante + table.game.big_blind_ante + table.game.straddle
        assert min(table.starting_stacks) < big_blind
        return
    exact = summary_of(phh.loads(written))
    assert quick[:2] == exact[:2]
    assert (quick.street, quick.showdown) == (exact.street, exact.showdown)
    assert (quick.pot, quick.big_blind) == pytest.approx((exact.pot, exact.big_blind))
    if quick.payoffs is not None:
        assert quick.payoffs == pytest.approx(exact.payoffs)
    else:
        assert not stated


@pytest.mark.parametrize(
    "written",
    [
        text(actions='["d dh p1 AhQd"]').replace("'", ""),  # another type than a list
        text() + 'note = """\nactions = []\n"""\n',
        text(starting_stacks=[200, 1, 200]),
        text(actions=["p1 xx"]),
        text(actions=["p9 cbr 7"]),
        text(actions=["p1 cbr 1e9"]),
        text(players=["a", "b"]),
        text(players=["a", "b", 3]),
        text(variant="FR"),
        text(variant=None),
        text(actions=None),
        text(actions=["d db 2c"]),
        text(actions=["d db 2"]),
        text(actions=[1]),
        text(antes=[-1, -1, -1]),
        text(blinds_or_straddles=[-1, -2, 0]),
        text(winnings=[-5, 9, 0]),
        text().replace("200", "Infinity"),
        text() + "finishing_stacks = [NaN, NaN, NaN]\n",
        text(players=None) + "players = " + 1000 * "[",
        text(blinds_or_straddles=None) + "blinds_or_straddles = [0, 1e-400, 0]\n",
        text() + "hand = 1\nhand = 2\n",
        "",
    ],
)
def test_no_quick_look_at_unusual_records(written: str) -> None:
    assert quick_summary(Piece(None, 1, written)) is None


def test_records_written_over_several_lines_are_replayed(tmp_path: Path) -> None:
    spread = text().replace("[", "[\n  ").replace(", '", ",\n  '")
    hands = HandCollection(several(tmp_path / "a.phhs", spread, text()))
    assert len(hands) == 2
    assert hands.summary(0)[1:] == hands.summary(1)[1:]
    assert hands.summary(1).payoffs == tuple(HAND_PAYOFFS), "a showdown without a stated result is replayed"
    assert hands.replay(1).table.payoffs == HAND_PAYOFFS


def test_each_hand_is_read_from_its_place(pluribus: HandCollection) -> None:
    expected = list(phh.read(PLURIBUS))
    for number in (59, 0, 17):
        assert pluribus[number] == expected[number]
    assert list(pluribus) == expected
    assert pluribus.file_of(3) == PLURIBUS


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("ending", ["", ".xz", ".gz"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_compressed_files_and_other_line_ends(tmp_path: Path, ending: str, newline: str) -> None:
    raw = b"\xef\xbb\xbf" + newline.join(PLURIBUS.read_text().splitlines()).encode() + b"\n"
    file = tmp_path / f"hands.phhs{ending}"
    file.write_bytes({"": bytes, ".xz": lzma.compress, ".gz": gzip.compress}[ending](raw))
    hands = HandCollection(file)
    assert len(hands) == 60
    assert not hands.problems
    assert [hands[number].actions for number in (0, 59)] == [
        hand.actions for hand in phh.read(PLURIBUS) if hand.hand in (hands[0].hand, hands[59].hand)
    ]


def test_search(pluribus: HandCollection) -> None:
    summaries = [pluribus.summary(number) for number in range(len(pluribus))]

    def expected(condition: object) -> list[int]:
        return [number for number, hand in enumerate(summaries) if condition(hand)]  # type: ignore[operator]

    assert pluribus.search() == list(range(60))
    assert pluribus.search(street="turn") == pluribus.search(street=2) == expected(lambda hand: hand.street >= 2)
    assert pluribus.search(min_pot=5_000) == expected(lambda hand: hand.pot >= 5_000)
    assert pluribus.search(min_pot="50bb") == pluribus.search(min_pot="5000") == pluribus.search(min_pot=5_000)
    assert pluribus.search(showdown=True) == expected(lambda hand: hand.showdown)
    assert pluribus.search(showdown=False) == expected(lambda hand: not hand.showdown)
    assert pluribus.search(agent="PLURIBUS") == expected(lambda hand: "Pluribus" in hand.players)
    assert pluribus.search(agent="luri") == pluribus.search(agent="Pluribus")
    assert pluribus.search(agent="nobody") == []
    both = pluribus.search(street="river", showdown=True)
    assert both == expected(lambda hand: hand.street == 3 and hand.showdown)
    assert "Pluribus" in pluribus.players


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"street": "fourth"}, "'fourth' is no street; give one of preflop, flop, turn, river"),
        ({"street": 4}, "4 is no street"),
        ({"min_pot": "much"}, "'much' is no amount"),
        ({"min_pot": float("nan")}, "nan is no amount"),
    ],
)
def test_searches_that_mean_nothing(pluribus: HandCollection, arguments: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        pluribus.search(**arguments)  # type: ignore[arg-type]


def test_hands_that_there_are_not(pluribus: HandCollection) -> None:
    for number in (-1, 60):
        mentions(complaint(pluribus.summary, number, kind=IndexError), 60)
        with pytest.raises(IndexError, match="the list has 60 hands"):
            pluribus[number]


def test_the_last_suffix_says_what_a_file_is_whatever_its_case(tmp_path: Path) -> None:
    shutil.copy(PLURIBUS, tmp_path / "LOUD.PHHS")
    with HandWriter(tmp_path / "hands.phh.txt") as writer:  # PokerStars' text
        writer.write(next(iter(phh.read(PLURIBUS))).replay())
    hands = HandCollection(tmp_path)
    assert [file.name for file in hands.files] == ["LOUD.PHHS", "hands.phh.txt"]
    assert len(hands) == 61
    assert not hands.problems


def test_folders_and_several_formats(tmp_path: Path) -> None:
    folder = tmp_path / "mine" / "deep"
    folder.mkdir(parents=True)
    shutil.copy(PLURIBUS, folder)
    shutil.copy(DATA / "3p.nolimit.log", tmp_path)
    shutil.copy(DATA / "holdem.nolimit.3p.game", tmp_path)
    (tmp_path / "other.log").write_text("a log of something else\n")
    (tmp_path / "README.md").write_text("hands\n")
    hands = HandCollection(tmp_path)
    assert [file.name for file in hands.files] == ["3p.nolimit.log", "pluribus.phhs"]
    assert len(hands) == 120
    assert not hands.problems
    exact = list(acpc.read(DATA / "3p.nolimit.log"))
    assert hands[59] == list(acpc.read(tmp_path / "3p.nolimit.log"))[59]
    assert hands.summary(59) == summary_of(exact[59])
    assert len(HandCollection([tmp_path / "3p.nolimit.log", PLURIBUS])) == 120


def test_damaged_hands_are_listed_and_the_others_are_there(tmp_path: Path) -> None:
    illegal = text(actions=["d dh p1 AhQd", "d dh p2 2c7s", "d dh p3 KsKc", "p3 cbr 3", "p1 f", "p2 f"])
    file = several(tmp_path / "some.phhs", text(), text(variant=None), "actions = [[\n", illegal, text())
    hands = HandCollection(file)
    assert [hands.summary(number).hand for number in range(len(hands))] == [1, 4, 5]
    assert hands.problem_count == 2
    assert [problem.hand for problem in hands.problems] == [2, 3]
    assert "variant is missing" in str(hands.problems[0])
    with pytest.raises(HistoryError, match=r"hand 4: actions\[3\] 'p3 cbr 3'"):
        hands.replay(1)  # the quick look does not know the rules; the replay does
    assert hands.replay(2).table.is_over


def test_damaged_archives(tmp_path: Path) -> None:
    whole = lzma.compress(PLURIBUS.read_bytes())
    (tmp_path / "cut.phhs.xz").write_bytes(whole[: len(whole) // 2])
    shutil.copy(PLURIBUS, tmp_path / "good.phhs")
    hands = HandCollection(tmp_path)
    assert len(hands) >= 60
    assert ["damaged or cut short" in str(problem) for problem in hands.problems] == [True]


def test_a_log_without_its_game_is_a_problem(tmp_path: Path) -> None:
    text = (DATA / "3p.nolimit.log").read_text()
    (tmp_path / "3p.nolimit.log").write_text(text.replace("holdem.nolimit.3p.game", "mine.game"))
    hands = HandCollection(tmp_path / "3p.nolimit.log")
    assert len(hands) == 0
    assert "no game definition" in str(hands.problems[0])
    (tmp_path / "shipped.log").write_text(text)
    assert len(HandCollection(tmp_path / "shipped.log")) == 60, "the log names a game that comes with the library"
    assert len(HandCollection(tmp_path / "3p.nolimit.log", game="holdem.nolimit.3p.game")) == 60
    assert len(HandCollection(tmp_path / "3p.nolimit.log", game=DATA / "holdem.nolimit.3p.game")) == 60


def test_files_that_are_no_histories(tmp_path: Path) -> None:
    mentions(complaint(HandCollection, tmp_path / "gone.phhs", kind=FileNotFoundError), "there is no such file")
    assert re.search(r"this is no hand history\. A PHH file ends in", complaint(HandCollection, Path(__file__)))
    mentions(complaint(read_hands, tmp_path, kind=IsADirectoryError), "this is a folder")
    assert len(HandCollection(tmp_path)) == 0


def test_a_file_that_changes(tmp_path: Path) -> None:
    file = several(tmp_path / "a.phhs", text(), text())
    hands = HandCollection(file)
    file.write_text(text())
    with pytest.raises(HistoryError, match="has changed"):
        hands[1]
    file.unlink()
    with pytest.raises(HistoryError, match="No such file"):
        hands[0]


def test_names_of_hands_and_seats_without_names(tmp_path: Path) -> None:
    file = tmp_path / "a.phhs"
    file.write_text(f'["a name"]\n{text(TWO_PLAYERS)}\n[12]\n{text(HAND)}')
    hands = HandCollection(file)
    assert [hands.summary(number).hand for number in (0, 1)] == ["a name", 12]
    assert hands.summary(0).players == ("Seat 0", "Seat 1")
    assert hands.summary(0).payoffs == (1.0, -1.0), "who is left alone wins what the others have put in"
    assert hands.summary(0).pot == 2.0
    assert hands.search(agent="Seat 2") == [1]


def test_played_hands() -> None:
    rules = Rules.preset("heads-up-no-limit")
    tables = [play_randomly(Table(rules, seed=seed), random.Random(seed)) for seed in range(5)]
    hands = PlayedHands(tables, players=[("Ann", "Bob")] * 5)
    assert [hands.summary(number).payoffs for number in range(5)] == [tuple(table.payoffs) for table in tables]
    assert hands.search(agent="bob") == list(range(5))
    found = hands.replay(4)
    assert found.hand == 5
    assert found.table.log == tables[4].log
    assert found.known is None
    assert hands.tables == tuple(tables)


def test_memory_does_not_grow_with_the_text(tmp_path: Path) -> None:
    file = tmp_path / "many.phhs"
    record = text(players=["a", "b", "c"]) + f"note = '{'x' * 20_000}'\n"
    with file.open("w") as opened:
        for key in range(500):
            opened.write(f"[{key}]\n{record}\n")
    tracemalloc.start()
    try:
        assert len(HandCollection(file)) == 500
        assert tracemalloc.get_traced_memory()[1] < 2_000_000 < file.stat().st_size
    finally:
        tracemalloc.stop()


@pytest.mark.slow
def test_ten_thousand_hands_open_in_two_seconds(data_dir: Path) -> None:
    file = data_dir / "pluribus.phhs.xz"
    began = time.process_time()
    hands = HandCollection(file)
    assert time.process_time() - began < 2
    assert len(hands) == 10_000
    assert not hands.problems
    for number, hand in enumerate(phh.read(file)):
        assert hands.summary(number) == summary_of(hand)


STARS = """PokerStars Hand #{0}: Hold'em No Limit ($0.50/$1 USD) - 2026/01/31 20:15:00 ET
Table 'Ada' 2-max Seat #1 is the button
Seat 1: Ann ($100 in chips)
Seat 2: Bob ($80 in chips)
Ann: posts small blind $0.50
Bob: posts big blind $1
*** HOLE CARDS ***
Dealt to Bob [As Kd]
Ann: raises $1.50 to $2.50
Bob: folds
Uncalled bet ($1.50) returned to Ann
Ann collected $2 from pot
*** SUMMARY ***
Total pot $2 | Rake $0
"""


def test_the_quick_look_at_pokerstars_text(tmp_path: Path, pluribus: HandCollection) -> None:
    file = tmp_path / "pluribus.txt"
    with HandWriter(file) as writer:
        for number in range(60):
            found = pluribus.replay(number)
            writer.write(found.table, players=found.players)
    hands = HandCollection(file)
    exact = [summary_of(hand) for hand in pokerstars.read(file)]
    assert [hands.summary(number) for number in range(60)] == exact
    assert [hand[2:6] for hand in exact] == [pluribus.summary(number)[2:6] for number in range(60)]


def test_pokerstars_text(tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    damaged = STARS.format(8).replace("raises $1.50 to", "raises ten to")
    file.write_text("\n\n".join([STARS.format(7), damaged, STARS.format(9)]))
    hands = HandCollection(tmp_path)
    assert [hands.summary(number).hand for number in range(len(hands))] == [7, 9]
    assert hands.problems[0].hand == 8
    assert hands[1] == list(pokerstars.read(file, on_error="skip"))[1]
    assert hands.summary(0) == HandSummary(7, ("Ann", "Bob"), 2.0, 1.0, 0, False, (1.0, -1.0))
    assert [hand.hand for hand in read_hands(file, on_error="skip")] == [7, 9]


@examples(25)
@given(random_tables(least=30), st.sampled_from(["phhs", "txt"]))
def test_a_stated_result_that_contradicts_the_moves_is_not_shown(table: Table, suffix: str) -> None:
    """In PHH somebody has a chip more than the moves give, in PokerStars' text a loser collects the pot."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / f"a.{suffix}"
        with HandWriter(file) as writer:
            writer.write(table)
        right = HandCollection(file).summary(0)
        text, _, seats = file.read_text().partition("*** SUMMARY ***")
        text = re.sub(r"(?<=finishing_stacks = \[)\d+", lambda found: str(int(found[0]) + 1), text)
        loser = min(range(table.rules.seats), key=table.payoffs.__getitem__) + 1
        text = re.sub(r"player \d+ (?=collected)", f"player {loser} ", text)
        total = seats.partition("\nSeat")[0]
        file.write_text(f"{text}*** SUMMARY ***{total}\n" if seats else text)
        assert HandCollection(file).summary(0) == right
        assert sorted(right.payoffs or ()) == sorted(table.payoffs)
