"""The ACPC's protocol: what our dealer says, and what becomes of the answers."""

from __future__ import annotations

import io
import socket
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from holdem_env import Rules, Table
from holdem_env.agents import make_agent
from holdem_env.compiled.records import Records
from holdem_env.history import acpc
from holdem_env.history.acpc_game import shipped_games
from holdem_env.history.files import Piece
from holdem_env.protocols.acpc import AcpcAgent, Dealer, Limits, PlayerFailed, game_of, players
from holdem_env.protocols.acpc.answers import MAX_MOVES, ruling
from holdem_env.protocols.acpc.connection import nobody_watches
from holdem_env.protocols.acpc.dealer import position_of
from holdem_env.protocols.acpc.match_log import MatchLog
from holdem_env.protocols.acpc.players import OwnPlayer, RemotePlayer
from protocols.acpc_bots import Answer, Bot, Careful, call, compiled_bot, joined, leaving_in

__all__ = ["compiled_bot"]  # a fixture

EXCERPTS = Path(__file__).resolve().parent.parent / "data"
NO_LIMIT = "holdem.nolimit.2p.reverse_blinds.game"
LIMIT = "holdem.limit.2p.reverse_blinds.game"
LOGS = {
    "2p.limit": LIMIT,
    "3p.limit": "holdem.limit.3p.game",
    "2p.nolimit": NO_LIMIT,
    "3p.nolimit": "holdem.nolimit.3p.game",
}
HALVES = {"2p.limit": [], "3p.limit": [256, 964], "2p.nolimit": [], "3p.nolimit": [100, 459]}
SHORT = Limits(response=5, hand=30, start=5, invalid=3)


class Played:
    """A match by threads: what became of it, and what was said."""

    def __init__(
        self,
        game: str,
        answers: Sequence[Answer],
        hands: int,
        names: Sequence[str] = ("ann", "bob", "cleo"),
        limits: Limits = SHORT,
        version: str = "VERSION:2.0.0",
    ) -> None:
        self.warnings: list[str] = []
        self.file = io.StringIO()
        remote = [
            RemotePlayer(name, "127.0.0.1", 0, limits, self.warnings.append, nobody_watches)
            for name, _ in zip(names, answers, strict=False)
        ]
        dealer = Dealer(game_of(game).game, remote, hands, seed=0)
        self.bots = [Bot(player.port, answer, version) for player, answer in zip(remote, answers, strict=True)]
        try:
            dealer.open(limits.start)
            self.totals = dealer.play(MatchLog(self.file))
        finally:
            dealer.close()
            joined(self.bots)

    @property
    def log(self) -> list[str]:
        return self.file.getvalue().splitlines()


def by_the_log(betting: dict[int, str]) -> Answer:
    """A bot that plays what a log says, and calls in hands that are not in it. It answers every state."""

    def answer(state: str) -> str:
        _, _, hand, seen, _ = state.split(":")
        rest = betting.get(int(hand), "")[len(seen) :]
        letter = rest[:1] or "c"
        digits = rest[1 : len(rest) - len(rest[1:].lstrip("0123456789"))]
        return f"{state}:{letter}{digits if letter == 'r' else ''}"

    return answer


def replayed(log: Path, game: str, hands: int, halves: Sequence[int]) -> tuple[Played, int]:
    """Play what a published log says, and compare the lines. Returns the match, and how many lines were compared."""
    published = {int(line.split(":")[1]): line for line in log.read_text().splitlines() if line.startswith("STATE")}
    betting = {hand: line.split(":")[2] for hand, line in published.items()}
    seats = game_of(game).game.rules.seats
    played = Played(game, [by_the_log(betting)] * seats, hands, [f"p{k + 1}" for k in range(seats)])
    compared = [hand for hand in published if hand < hands and hand not in halves]
    for hand in compared:
        assert played.log[hand] == published[hand]
    return played, len(compared)


@pytest.mark.fast_cases("2p.limit")
@pytest.mark.parametrize("name", LOGS)
def test_published_matches_are_dealt_and_logged_as_they_were(name: str) -> None:
    """The same cards, the same betting by programs, the same line in the log, values and rotation included."""
    _, compared = replayed(EXCERPTS / f"{name}.log", LOGS[name], 120, HALVES[name])
    assert compared >= 3


@pytest.mark.slow
@pytest.mark.parametrize("name", LOGS)
def test_whole_published_matches(data_dir: Path, name: str) -> None:
    log = data_dir / "acpc" / f"{name}.h1000.log"
    played, compared = replayed(log, LOGS[name], 1000, HALVES[name])
    assert compared == 1000 - len(HALVES[name])
    if not HALVES[name]:
        assert played.log[-1] == log.read_text().splitlines()[-1]


def test_what_players_are_told() -> None:
    """Reversed blinds: position 0 is the big blind, position 1 has the button and begins before the flop."""
    played = Played(NO_LIMIT, [call, call], 2)
    ann, bob = (bot.lines for bot in played.bots)
    assert ann[:6] == [
        "MATCHSTATE:0:0::5d5c|",
        "MATCHSTATE:0:0:c:5d5c|",
        "MATCHSTATE:0:0:cc/:5d5c|/8dAs8s",
        "MATCHSTATE:0:0:cc/c:5d5c|/8dAs8s",
        "MATCHSTATE:0:0:cc/cc/:5d5c|/8dAs8s/4h",
        "MATCHSTATE:0:0:cc/cc/c:5d5c|/8dAs8s/4h",
    ]
    assert ann[8] == "MATCHSTATE:0:0:cc/cc/cc/cc:5d5c|9hQd/8dAs8s/4h/6d"
    assert bob[8] == "MATCHSTATE:1:0:cc/cc/cc/cc:5d5c|9hQd/8dAs8s/4h/6d"
    assert bob[0] == "MATCHSTATE:1:0::|9hQd"
    assert ann[9] == "MATCHSTATE:1:1::|5dJd"
    assert len(ann) == len(bob) == 18
    assert played.log == [
        "STATE:0:cc/cc/cc/cc:5d5c|9hQd/8dAs8s/4h/6d:100|-100:ann|bob",
        "STATE:1:cc/cc/cc/cc:6sKs|5dJd/2sTh2h/Qh/8h:100|-100:bob|ann",
        "SCORE:0|0:ann|bob",
    ]


def test_cards_stay_hidden_without_a_showdown_and_the_board_of_an_all_in_is_whole() -> None:
    def all_in(state: str) -> str:
        return f"{state}:{'f' if state.split(':')[2] == '0' else 'r20000'}"

    played = Played(NO_LIMIT, [all_in, all_in], 2)
    assert played.bots[0].lines[1] == "MATCHSTATE:0:0:f:5d5c|"
    assert played.bots[0].lines[-1] == "MATCHSTATE:1:1:r20000c///:6sKs|5dJd/2sTh2h/Qh/8h"
    assert "no raise is allowed here" in played.warnings[-1]  # the second all-in is a call


def test_folded_hands_stay_hidden_in_a_showdown() -> None:
    def answer(state: str) -> str:
        return f"{state}:{'f' if state.split(':')[3] == '' else 'c'}"

    played = Played("holdem.limit.3p.game", [answer] * 3, 1)
    assert played.bots[0].lines[-1] == "MATCHSTATE:0:0:fcc/cc/cc/cc:5d5c|9hQd|/8s4h6d/5s/Js"
    assert played.bots[2].lines[-1] == "MATCHSTATE:2:0:fcc/cc/cc/cc:5d5c|9hQd|8dAs/8s4h6d/5s/Js"


def test_players_rotate_unless_seats_are_fixed() -> None:
    assert [position_of(player, 1, 3) for player in range(3)] == [2, 0, 1]
    names = [line.split(":")[-1] for line in Played("holdem.limit.3p.game", [call] * 3, 3).log[:3]]
    assert names == ["ann|bob|cleo", "bob|cleo|ann", "cleo|ann|bob"]
    file = io.StringIO()
    players = [OwnPlayer(name, make_agent("calling_station")) for name in ("ann", "bob")]
    Dealer(game_of(NO_LIMIT).game, players, 3, 0, fixed_seats=True).play(MatchLog(file))
    assert {line.split(":")[-1] for line in file.getvalue().splitlines()} == {"ann|bob"}


def at(betting: str, game: str = NO_LIMIT) -> Table:
    """A table after some betting of a hand."""
    file = f"STATE:0:{betting}:5d5c|9hQd{'/8dAs8s' if '/' in betting else ''}"
    hand = acpc._parse(Piece(None, 1, file), "", game_of(game).game)
    assert hand is not None
    return hand.replay()


@pytest.mark.parametrize(
    ("betting", "action", "move", "problem"),
    [
        ("", "c", 0, ""),
        ("", "f", -1, ""),
        ("", "r300", 300, ""),
        ("r300c/", "r600", 300, ""),  # 300 of the flop, 600 of the hand
        ("r300c/", "r350", 100, "r350 is not legal; it was taken as r400"),
        ("", "r150", 200, "r150 is not legal; it was taken as r200"),
        ("", "r99999", 20000, "r99999 is not legal; it was taken as r20000"),
        ("", "r0", 200, "r0 is not legal"),
        ("", "r" + "9" * 4500, 20000, f"r{'9' * 39} is not legal; it was taken as r20000"),
        ("", "r" + "0" * 4500 + "300", 300, ""),
        ("r300c/", "r" + "9" * 4500, 19700, f"r{'9' * 39} is not legal; it was taken as r20000"),
        ("c", "f", 0, "a fold with nothing to call is a check"),
        ("r20000", "r20000", 0, "r20000: no raise is allowed here"),
        ("", "x", 0, "'x' is no action"),
        ("", "", 0, "'' is no action"),
        ("", "r", 0, "'r' is no action"),
        ("", "call", 0, ""),  # what follows an action is not read
    ],
)
def test_answers(betting: str, action: str, move: int, problem: str) -> None:
    table = at(betting)
    ruled = ruling(action, table, 0)
    assert ruled.move == move
    assert ruled.problem.startswith(problem) if problem else not ruled.problem
    table.play(ruled.move)


def test_answers_in_limit() -> None:
    assert ruling("r", at("", LIMIT), 0).move == 20
    assert ruling("r20", at("", LIMIT), 0).move == 20
    assert ruling("r", at("rrr", LIMIT), 0) == (0, "r: no raise is allowed here; it was taken as a call", True)


def test_no_raise_that_could_lead_to_more_moves_than_programs_have_room_for() -> None:
    """Two players who raise the least: the round ends with the 64th move."""

    def least(state: str) -> str:
        return f"{state}:r1"

    limits = Limits(response=5, start=5, invalid=10_000)
    played = Played(NO_LIMIT, [least, least], 1, limits=limits)
    rounds = played.log[0].split(":")[2].split("/")
    assert [text.count("r") + text.count("c") for text in rounds] == [MAX_MOVES, MAX_MOVES, MAX_MOVES, 11]


def failing(answer: Answer, limits: Limits = SHORT, version: str = "VERSION:2.0.0", hands: int = 50) -> str:
    with pytest.raises(PlayerFailed) as caught:
        Played(LIMIT, [answer, call], hands, limits=limits, version=version)
    assert caught.value.player == "ann"
    return str(caught.value)


def slow_in_hand_two(state: str) -> str:
    if state.startswith("MATCHSTATE:0:2:"):
        time.sleep(0.4)
    return call(state)


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(
    ("answer", "limits", "reason"),
    [
        (slow_in_hand_two, Limits(response=0.2, start=5), "ann was too slow: the limit is 0.2 s for an answer"),
        (slow_in_hand_two, Limits(hand=0.2, start=5), "ann was too slow: the limit is 0.2 s for a hand"),
        (slow_in_hand_two, Limits(match=0.2, start=5), "ann was too slow: the limit is 0.2 s for the match"),
        (leaving_in(2), SHORT, "ann has disconnected"),
        (lambda state: f"{state}:what?", SHORT, "ann was wrong more than 3 times; the last time: 'what?' is no action"),
        (lambda state: "hello\r\n" * 4, SHORT, "ann was wrong more than 3 times; the last time: a line that is not"),
        (lambda state: "x" * 10_000, SHORT, "ann sent a line of more than 8,192 bytes"),
        (lambda state: None, Limits(response=0.1, start=5), "ann was too slow"),
    ],
)
def test_a_player_that_cannot_go_on_is_named(answer: Answer, limits: Limits, reason: str) -> None:
    assert failing(answer, limits).startswith(reason)


@pytest.mark.parametrize(
    ("version", "reason"),
    [
        ("VERSION:1.0.0", "ann speaks version 1.0.0 of the protocol; this dealer speaks 2.0.0"),
        (f"VERSION:{'9' * 4500}.0.0", "ann began with 'VERSION:9"),
        ("HELLO", "ann began with 'HELLO'; the first line is VERSION:2.0.0"),
        ("# a comment\r\nVERSION:2.0.0", "ann began with '# a comment'"),
    ],
)
def test_versions(version: str, reason: str) -> None:
    assert failing(call, version=version).startswith(reason)


def test_who_sends_half_a_line_is_hung_up_on_and_the_port_waits_for_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(players, "SECONDS_TO_BEGIN", 0.1)
    said: list[str] = []
    player = RemotePlayer("ann", "127.0.0.1", 0, Limits(), said.append, nobody_watches)
    with socket.create_connection(("127.0.0.1", player.port)) as half, ThreadPoolExecutor(1) as pool:
        half.sendall(b"VERSION:2")
        opened = pool.submit(player.open, None)
        half.settimeout(20)
        assert half.recv(1) == b""
        with socket.create_connection(("127.0.0.1", player.port)) as late:
            late.sendall(b"VERSION:2.0.0\r\n")
            opened.result(20)
    player.close()
    assert said == [
        f"ann: a client that connected sent no version within 0.1 s of connecting; port {player.port} waits for another"
    ]


def test_a_player_that_does_not_come_is_named() -> None:
    player = RemotePlayer("ann", "127.0.0.1", 0, Limits(start=0.1), print, nobody_watches)
    with pytest.raises(PlayerFailed, match=rf"ann did not connect to port {player.port} within 0.1 s"):
        Dealer(game_of(NO_LIMIT).game, [player, OwnPlayer("b", Careful())], 1, 0).open(0.1)


def test_comments_and_answers_to_other_states_are_ignored() -> None:
    def chatty(state: str) -> str:
        return f"# thinking\r\n; still\r\nMATCHSTATE:0:99::AsAh|:f\r\n{state}:c"

    played = Played(LIMIT, [chatty, call], 20)
    assert len(played.log) == 21
    assert len(played.warnings) == 2  # one for each player, who answer states at which others act


def test_agents_of_ours_that_fail_are_named() -> None:
    class Wrong(Careful):
        def decide(self, view: object) -> str:
            raise RuntimeError("no idea\nat all")

    players = [OwnPlayer("ann", Wrong()), OwnPlayer("bob", Careful())]
    with pytest.raises(PlayerFailed, match=r"ann failed: .*no idea") as caught:
        Dealer(game_of(NO_LIMIT).game, players, 3, 0).play()
    file = io.StringIO()
    MatchLog(file).ended_early(str(caught.value))
    assert file.getvalue().count("\n") == 1  # one comment, whatever an agent says


def test_agents_of_ours_learn_how_hands_end_and_are_closed() -> None:
    seen: list[tuple[int, bool]] = []

    class Remembering(Careful):
        def hand_over(self, tables: Records, rules: Rules, rows: NDArray[np.int64]) -> None:
            seen.extend((int(tables["actor"][row]), bool(tables["over"][row])) for row in rows)

        def close(self) -> None:
            seen.append((-1, True))

    dealer = Dealer(game_of(NO_LIMIT).game, [OwnPlayer("ann", Careful()), OwnPlayer("bob", Remembering())], 3, 0)
    dealer.play()
    dealer.close()
    assert seen == [(1, True), (0, True), (1, True), (-1, True)]


def test_a_dealer_between_programs_by_both_of_its_sides(compiled_bot: Path) -> None:
    """A program sits at our dealer's table as an agent of ours: the chips are those of its twin in Python."""
    game = game_of("holdem.nolimit.3p.game").game
    totals = []
    for who in (AcpcAgent(command=f"{compiled_bot} {{game}} {{host}} {{port}}"), Careful()):
        others = [OwnPlayer(name, make_agent(name)) for name in ("maniac", "tight_aggressive")]
        dealer = Dealer(game, [OwnPlayer("ann", who), *others], 100, 0)
        totals.append(dealer.play())
        dealer.close()
    assert totals[0] == totals[1]


def test_a_fold_with_nothing_to_call_is_said_as_a_check() -> None:
    file = io.StringIO()
    players = [OwnPlayer("ann", make_agent("always_fold")), OwnPlayer("bob", make_agent("calling_station"))]
    Dealer(game_of(NO_LIMIT).game, players, 2, 0).play(MatchLog(file))
    assert file.getvalue().splitlines()[0].startswith("STATE:0:cc/cc/cc/cc:")
    assert file.getvalue().splitlines()[1].startswith("STATE:1:f:")


def test_games(tmp_path: Path) -> None:
    assert set(shipped_games()) == set(LOGS.values())
    for name, path in shipped_games().items():
        assert game_of(name) == game_of(name.removesuffix(".game")) == game_of(path)
        assert path.read_text() == (EXCERPTS / name).read_text()
    assert game_of("acpc-nolimit-2p").text == game_of(NO_LIMIT).text
    six = tmp_path / "six.yaml"
    six.write_text("structure: no_limit\nseats: 6\nblinds: [50, 100]\nstacks: 5000\n")
    assert (game_of(six).game.button, game_of(six).file) == (5, "six.game")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{preset: six-max-no-limit, ante: 1}", "no ante"),
        ("{preset: six-max-no-limit, straddle: true}", "no straddle"),
        ("{preset: heads-up-pot-limit}", "no pot_limit games"),
        ("{preset: six-max-no-limit, split: high_low}", "only Texas hold'em"),
        ("{preset: six-max-no-limit, session: {}}", "no sessions"),
        ("{preset: leaflet, session: null}", "chips of 1, not of 5"),
    ],
)
def test_games_that_the_protocol_cannot_say(tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "odd.yaml"
    path.write_text(text)
    with pytest.raises(ValueError, match=rf"{reason}.*JSON lines protocol \(docs/protocol.md\)"):
        game_of(path)


def test_positions_of_a_game_whose_button_is_elsewhere(tmp_path: Path) -> None:
    """Position 0 is the first of the file, not the seat left of the button."""
    path = tmp_path / "turned.game"
    turned = (EXCERPTS / "holdem.nolimit.3p.game").read_text().replace("blind = 50 100 0", "blind = 0 50 100")
    path.write_text(turned.replace("firstPlayer = 3 1 1 1", "firstPlayer = 1 2 2 2"))
    played = Played(str(path), [call] * 3, 1)
    assert played.bots[0].lines[0] == "MATCHSTATE:0:0::5d5c||"
    (tmp_path / "a.log").write_text(played.file.getvalue())
    [hand] = acpc.read(tmp_path / "a.log", path, on_error="raise")
    assert hand.replay().payoffs == hand.payoffs
