"""The ACPC's logs and game definitions."""

from __future__ import annotations

import gzip
import random
import re
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errors import complaint, mentions
from history.random_play import play_randomly
from holdem_env import Rules, Table
from holdem_env.history import HandCollection, HistoryError, HistoryWarning, acpc

EXCERPTS = Path(__file__).resolve().parent.parent / "data"
NO_LIMIT = EXCERPTS / "holdem.nolimit.2p.reverse_blinds.game"
LIMIT = EXCERPTS / "holdem.limit.2p.reverse_blinds.game"
NO_LIMIT_3P = EXCERPTS / "holdem.nolimit.3p.game"
CHECKED = "STATE:7:cc/cc/cc/cc:5d5c|9hQd/8dAs8s/4h/6d:100|-100:ann|ben"


def log(tmp_path: Path, *lines: str) -> Path:
    path = tmp_path / "a.log"
    path.write_text("# a log\n" + "\n".join(lines) + "\nSCORE:0|0:ann|ben\n", errors="surrogateescape")
    return path


def one(tmp_path: Path, line: str, game: Path = NO_LIMIT) -> Table:
    [hand] = acpc.read(log(tmp_path, line), game, on_error="raise")
    return hand.replay()


def test_r07_reverse_blinds(tmp_path: Path) -> None:
    [hand] = acpc.read(log(tmp_path, CHECKED), NO_LIMIT, on_error="raise")
    table = hand.replay()
    assert (hand.hand, hand.line, hand.players, hand.payoffs) == (7, 2, ("ann", "ben"), [100, -100])
    assert table.button == 1
    assert [operation.kind for operation in table.log[:2]] == ["post_small_blind", "post_big_blind"]
    assert [operation.seat for operation in table.log[:2]] == [1, 0]
    assert table.hole_cards(0) == "5d5c"
    assert table.board == "8dAs8s4h6d"
    assert table.payoffs == hand.payoffs
    assert len(hand.known_cards) == 9


def test_no_limit_raises_are_totals_of_the_hand(tmp_path: Path) -> None:
    table = one(tmp_path, "STATE:0:r300c/r600:5d5c|9hQd/8dAs8s")
    assert table.bets == [300, 0]
    assert table.stacks == [19400, 19700]
    assert not table.is_over


def test_limit_raises_have_no_amount(tmp_path: Path) -> None:
    table = one(tmp_path, "STATE:0:rrc/rr:5d5c|9hQd/8dAs8s", LIMIT)
    assert table.bets == [10, 20]
    assert table.stacks == [acpc.read_game(LIMIT).rules.starting_stacks[0] - 40, 2**31 - 1 - 50]


def test_empty_rounds_after_an_all_in(tmp_path: Path) -> None:
    table = one(tmp_path, "STATE:0:r20000c///:5d5c|9hQd/8dAs8s/4h/6d:20000|-20000:a|b")
    assert table.payoffs == [20000, -20000]


def test_what_one_player_saw(tmp_path: Path) -> None:
    lines = ["MATCHSTATE:0:7:r300:5d5c|", "MATCHSTATE:1:8:r300c/cc/cc/r900c:|9hQd/8dAs8s/4h/6d"]
    hands = list(acpc.read(log(tmp_path, *lines), NO_LIMIT, on_error="raise"))
    assert hands[0].replay().hole_cards(0) == "5d5c"
    assert hands[0].payoffs is None
    assert hands[0].metadata == {"viewer": "0"}
    assert hands[1].holes == ("????", "9hQd")
    assert hands[1].replay().payoffs == [-900, 900]


def test_half_chips(tmp_path: Path) -> None:
    [hand] = acpc.read(log(tmp_path, CHECKED.replace("100|-100", "0.5|-0.5")), NO_LIMIT)
    assert hand.payoffs == [Fraction(1, 2), Fraction(-1, 2)]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("HELLO", "'HELLO' begins neither with STATE nor with MATCHSTATE"),
        ("STATE:0:cc", "2 fields after STATE"),
        (CHECKED.replace(":7:", ":x:"), "the hand number 'x' is not a number"),
        (CHECKED.replace("5d5c|", ""), "1 hands for 2 players"),
        (CHECKED.replace("5d5c", "5d"), "'5d' is not a hand of two cards"),
        (CHECKED.replace("5d5c", "5d5x"), "'5x' is not a card"),
        (CHECKED.replace("9hQd", "9h5d"), "5d appears twice: in hand 1 and in hand 2"),
        (CHECKED.replace("/6d", "/8d"), "8d appears twice: on the board and on the board"),
        (CHECKED.replace("/8dAs8s", "/8dAs"), "is not a board: three cards, then one, then one"),
        (CHECKED.replace("cc/cc/cc/cc", "cc/cc/cc"), "3 rounds of betting, but 3 of board cards"),
        (CHECKED.replace("cc/cc/cc/cc", "cc/rc/cc/cc"), "'rc' is not a round of betting in this game: rN, c and f"),
        (CHECKED.replace("100|-100", "100|-1e2"), "the result '-1e2' is not a number"),
        (CHECKED.replace("100|-100", "100"), "1 results for 2 players"),
        (CHECKED.replace("ann|ben", "ann"), "1 names for 2 players"),
        (CHECKED.replace("ann|ben", "ann|b\udceden"), "surrogates not allowed"),
    ],
)
def test_a_malformed_line_does_not_stop_the_others(tmp_path: Path, line: str, reason: str) -> None:
    path = log(tmp_path, CHECKED, line, CHECKED.replace(":7:", ":8:"))
    with pytest.warns(HistoryWarning, match="line 3") as warned:
        hands = list(acpc.read(path, NO_LIMIT))
    assert [hand.hand for hand in hands] == [7, 8]
    assert reason in str(warned[0].message)
    assert warned[0].filename == __file__
    with pytest.raises(HistoryError) as caught:
        list(acpc.read(path, NO_LIMIT, on_error="raise"))
    assert reason in caught.value.reason
    assert caught.value.hand in (7, None)


@pytest.mark.parametrize(
    ("betting", "cards", "index", "reason"),
    [
        ("r150", "", 0, r"least it may raise to is 200"),
        ("r20001", "", 0, r"most it may raise to is 20000"),
        ("fc", "", 1, "nobody is to act any more"),
        ("c/c", "/8dAs8s", 1, "the betting is not over: player 1 is still to act"),
        ("ccc", "", 2, "the flop has not been dealt before it"),
        ("f/", "/8dAs8s", 1, "3 board cards, but the hand ended with 0"),
    ],
)
def test_an_illegal_line_is_named(tmp_path: Path, betting: str, cards: str, index: int, reason: str) -> None:
    [hand] = acpc.read(log(tmp_path, f"STATE:3:{betting}:5d5c|9hQd{cards}:0|0:a|b"), NO_LIMIT, on_error="raise")
    with pytest.raises(HistoryError, match=reason) as caught:
        hand.replay()
    assert (caught.value.hand, caught.value.line, caught.value.action_index) == (3, 2, index)


def test_limit_has_a_cap(tmp_path: Path) -> None:
    [hand] = acpc.read(log(tmp_path, "STATE:3:rrrr:5d5c|9hQd:0|0:a|b"), LIMIT, on_error="raise")
    mentions(complaint(hand.replay, kind=HistoryError), 3, "r")
    with pytest.raises(HistoryError, match="'r300' is not a round of betting in this game: r, c and f"):
        list(acpc.read(log(tmp_path, "STATE:3:r300:5d5c|9hQd:0|0:a|b"), LIMIT, on_error="raise"))


def test_logs_may_be_compressed_and_games_read_once(tmp_path: Path) -> None:
    path = tmp_path / "a.log.gz"
    path.write_bytes(gzip.compress(CHECKED.encode()))
    [hand] = acpc.read(path, acpc.read_game(NO_LIMIT), on_error="raise")
    assert hand.replay().payoffs == [100, -100]


def test_a_log_without_a_game(tmp_path: Path) -> None:
    with pytest.raises(HistoryError, match="no game definition: give its path as `game`"):
        acpc.read(log(tmp_path, CHECKED))
    path = tmp_path / "b.log"
    path.write_text(f"# name/game/hands/seed x mine.game 1 0\n{CHECKED}\n")
    assert re.search(r"mine\.game is not there", complaint(acpc.read, path, kind=HistoryError))
    (tmp_path / "mine.game").write_text(NO_LIMIT.read_text())
    assert len(list(acpc.read(path))) == 1


def test_game_definitions() -> None:
    limit = acpc.read_game(LIMIT)
    assert limit.button == 1
    assert limit.rules == Rules(
        structure="fixed_limit", seats=2, blinds=(5, 10), small_bet=10, big_bet=20, stacks=(2**31 - 1,) * 2
    )
    three = acpc.read_game(NO_LIMIT_3P)
    assert three == (Rules(structure="no_limit", seats=3, blinds=(50, 100), stacks=(20000,) * 3), 2)


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        ("limit\n", "", None, "neither `limit` nor `nolimit` is given"),
        ("numRounds = 4", "numRounds = 2", 4, "numRounds = 2: Texas hold'em has numRounds = 4"),
        ("numRounds = 4\n", "", None, "Texas hold'em has numRounds = 4"),
        ("numHoleCards = 2", "numHoleCards = 1", 11, "numHoleCards = 1"),
        ("numBoardCards = 0 3 1 1", "numBoardCards = 0 1", 12, "numBoardCards = 0 1"),
        ("numPlayers = 2", "numPlayers = 1", 3, "1 players; 2 to 10 can play"),
        ("numPlayers = 2", "numPlayers =", 3, "0 players"),
        ("numPlayers = 2", "numPlayers = two", 3, "the values are not whole numbers"),
        ("numPlayers = 2", "numPlayers = 3", 5, "blind = 10 5: 3 values are needed"),
        ("blind = 10 5", "blind = 5 10", 5, r"blind = 5 10: with firstPlayer = 2 1 1 1 this is not an order of play"),
        ("firstPlayer = 2 1 1 1", "firstPlayer = 1 2 2 2", 5, r"\(R6, R7, R15\)"),
        ("raiseSize = 10 10 20 20", "raiseSize = 10 15 20 20", 6, "one|a small bet on two rounds and a big bet"),
        ("raiseSize = 10 10 20 20\n", "", None, "a small bet on two rounds"),
        ("raiseSize = 10 10 20 20", "raiseSize = 20 20 10 10", None, "the bets fall from street to street"),
        ("maxRaises = 3 4 4 4", "maxRaises = 3 4", 8, "4 values are needed"),
        ("limit\n", "nolimit\n", 8, "no-limit has no cap on raises"),
        ("numSuits", "numJokers", 9, "'numJokers = 4' is not a line of a game definition"),
    ],
)
def test_a_game_that_cannot_be_played_names_the_line(
    tmp_path: Path, old: str, new: str, line: int | None, reason: str
) -> None:
    path = tmp_path / "odd.game"
    definition = LIMIT.read_text()
    assert old in definition
    path.write_text(definition.replace(old, new, 1))
    with pytest.raises(HistoryError, match=reason) as caught:
        acpc.read_game(path)
    assert (caught.value.file, caught.value.line) == (str(path), line)


def test_any_seat_may_have_the_button(tmp_path: Path) -> None:
    path = tmp_path / "turned.game"
    turned = NO_LIMIT_3P.read_text().replace("blind = 50 100 0", "blind = 0 50 100")
    turned = turned.replace("firstPlayer = 3 1 1 1", "firstPlayer = 1 2 2 2")
    path.write_text(turned.replace("GAMEDEF", "gamedef # turned"))
    game = acpc.read_game(path)
    assert game.button == 0
    assert game.rules.blinds == (50, 100)


def test_games_without_caps_and_with_stacks(tmp_path: Path) -> None:
    path = tmp_path / "free.game"
    text = LIMIT.read_text().replace("maxRaises = 3 4 4 4\n", "stack = 300 400\n")
    path.write_text(text)
    rules = acpc.read_game(path).rules
    assert rules.max_raises is None
    assert rules.starting_stacks == (300, 400)


def test_a_finished_table_as_a_line() -> None:
    table = Table(Rules.preset("acpc-nolimit-3p"), button=0, deck="As2c3dAd2h4s9c8c7h6d5sKsQdJhTc")
    table.raise_to(300)
    table.check_call()
    table.fold()
    table.check_call()
    table.raise_to(400)
    table.fold()
    line = acpc.dumps(table, 12, ["ann", "ben", "cleo"])
    assert line == "STATE:12:r300cf/cr700f:AsAd|2c2h|3d4s/8c7h6d:-300|-100|400:ben|cleo|ann"


def test_what_the_format_cannot_say() -> None:
    for changes, what in (
        ({"ante": 1}, "ante"),
        ({"big_blind_ante": 1}, "big_blind_ante"),
        ({"straddle": True}, "straddle"),
        ({"rake": 5}, "rake"),
        ({"structure": "pot_limit"}, "pot_limit"),
        ({"min_bet": 300}, "min_bet"),
    ):
        rules = Rules(**changes)  # type: ignore[arg-type]
        assert re.search(what, complaint(acpc.game_definition, rules, kind=HistoryError))
        with pytest.raises(HistoryError, match=what):
            acpc.dumps(play_randomly(Table(rules, seed=1), random.Random(1)))
    mentions(complaint(acpc.dumps, Table(Rules(), seed=1), kind=HistoryError), "the hand is not over")


def test_definitions_of_the_logs_are_written_as_they_were() -> None:
    for path in EXCERPTS.glob("*.game"):
        assert acpc.game_definition(acpc.read_game(path).rules) == path.read_text()


@given(st.data())
def test_random_hands_are_written_and_read_again(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    seats = data.draw(st.integers(2, 10))
    structure = data.draw(st.sampled_from(["no_limit", "fixed_limit"]))
    stacks = data.draw(st.lists(st.integers(1, 3000), min_size=seats, max_size=seats))
    seed = data.draw(st.integers(0, 2**32))
    rules = Rules(structure=structure, seats=seats, blinds=(5, 10))
    table = Table(rules, stacks=stacks, button=data.draw(st.integers(0, seats - 1)), seed=seed)
    play_randomly(table, random.Random(seed))
    folder = tmp_path_factory.mktemp("acpc")
    (folder / "a.game").write_text(acpc.game_definition(table))
    (folder / "a.log").write_text(acpc.dumps(table, 5))
    [hand] = acpc.read(folder / "a.log", folder / "a.game", on_error="raise")
    again = hand.replay()
    order = [(table.button + 1 + i) % seats for i in range(seats)]
    assert again.payoffs == hand.payoffs == [table.payoffs[seat] for seat in order]
    assert [again.hole_cards(i) for i in range(seats)] == [table.hole_cards(seat) for seat in order]
    assert again.board == table.board
    assert acpc.dumps(again, 5, hand.players) == acpc.dumps(table, 5)


@pytest.mark.parametrize("good", [0, 1])
def test_a_log_of_which_every_line_fails_is_one_sentence(tmp_path: Path, good: int) -> None:
    """The dealer's other log has an action and a time on each line."""
    path = log(tmp_path, *(f"MATCHSTATE:0:{hand}::5d5c|:c 1297{hand}.5" for hand in range(300)), *[CHECKED] * good)
    problems: list[HistoryError] = []
    assert len(list(acpc.read(path, NO_LIMIT.name, on_error=problems.append))) == good
    collected = HandCollection(path, NO_LIMIT.name)
    assert len(collected) == good
    assert len(problems) == collected.problem_count == (300 if good else 1)
    assert good or "none of its 300 hands can be read; of the first: 4 fields after MATCHSTATE" in str(problems[0])
    assert [str(error) for error in problems] == [str(error) for error in collected.problems]
