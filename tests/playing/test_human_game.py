"""HumanGame: one person and agents at a table, hand after hand."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from errors import complaint, mentions
from holdem_agents.playing import HumanGame
from holdem_agents.playing.results import all_in_chips
from holdem_agents.scripted import AlwaysFold, CallingStation, Maniac, Random
from holdem_env import Rules, Table
from holdem_env.agents.protocol import Agent
from holdem_env.arena.estimators.all_in import AllInValue
from holdem_env.history import phh
from holdem_env.table.session import Session
from holdem_env.table.table import IllegalMove

HEADS_UP = Rules.preset("heads-up-no-limit")
MANUAL = Rules.preset("heads-up-no-limit", showing="manual")


class Breaks(CallingStation):
    """Plays as a calling station, but raises an error whenever it is asked to."""

    name = "breaks"
    broken = False

    def act(self, tables: Any, rules: Rules, rows: Any) -> Any:
        if self.broken:
            raise KeyError("missing")
        return super().act(tables, rules, rows)


class Remembers(CallingStation):
    """Keeps what it hears of hands that are over."""

    name = "remembers"

    def __init__(self) -> None:
        self.seen: list[tuple[int, bool]] = []
        self.broken = False

    def hand_over(self, tables: Any, rules: Rules, rows: Any) -> None:
        if self.broken:
            raise RuntimeError("no memory left")
        self.seen.extend((int(tables["actor"][row]), bool(tables["over"][row])) for row in rows)


def played_out(game: HumanGame, move: int = 0, most: int = 500) -> HumanGame:
    """The game with the running hand over, the person calling, or making another move while it may."""
    for _ in range(most):
        game.advance()
        match game.waiting:
            case "move":
                try:
                    game.play(move)
                except IllegalMove:
                    game.play(0)
            case "show":
                game.muck()
            case _:
                return game
    raise AssertionError("the hand does not end")


def finish(game: HumanGame, hands: int, move: int = 0) -> HumanGame:
    """The game after at most this many more hands."""
    for _ in range(hands):
        if played_out(game, move).waiting != "hand_over":
            return game
        game.next_hand()
    return game


@pytest.mark.parametrize("seats", range(2, 11))
def test_any_number_of_seats_and_any_seat(seats: int) -> None:
    game = finish(HumanGame(Rules(seats=seats), [Random()], seat=seats - 1, seed=1), 3)
    assert (game.hand, len(game.finished)) == (4, 3)
    assert game.names[seats - 1] == "you"
    for hand in game.finished:
        assert hand.chips == hand.table.payoffs[seats - 1]
        assert sum(hand.table.payoffs) == 0


def test_the_hands_are_those_of_the_seed_and_the_button_moves() -> None:
    game = finish(HumanGame("six-max-no-limit", [AlwaysFold()], seed=9), 7)
    for number, hand in enumerate(game.finished):
        alone = Table("six-max-no-limit", button=number % 6, seed=9, hand=number)
        assert (hand.table.deck, hand.table.button) == (alone.deck, alone.button)
        assert hand.number == number + 1


def test_it_waits_for_one_thing_at_a_time_and_illegal_moves_change_nothing() -> None:
    game = HumanGame(HEADS_UP, [CallingStation()], seed=4)
    before = game.table.records.copy()
    mentions(complaint(game.play, 3, kind=IllegalMove), 4)
    assert (game.table.records == before).all()
    assert game.waiting == "move"
    assert game.step() is False
    mentions(complaint(game.next_hand), "next_hand", "move")
    mentions(complaint(game.show, kind=IllegalMove), "move")
    game.play(6)
    assert game.waiting == "agent"
    mentions(complaint(game.play, 0, kind=IllegalMove), "it is not your turn")
    assert game.step() is True
    assert game.step() is True  # the big blind checks the flop
    assert game.waiting == "move"
    game.play(-1)
    assert game.waiting == "hand_over"
    assert (game.hand, game.finished[0].chips) == (1, -6)
    game.next_hand()
    assert game.hand == 2
    game.leave()
    assert game.waiting == "over"
    assert len(game.finished) == 1


def test_different_opponents_in_their_seats() -> None:
    opponents = [AlwaysFold(), Maniac(), CallingStation()]
    game = HumanGame(Rules(seats=4), opponents, seat=1)
    assert [game.agents.get(seat) for seat in range(4)] == [opponents[0], None, opponents[1], opponents[2]]
    assert game.names == ["always_fold", "you", "maniac", "calling_station"]
    mentions(complaint(HumanGame, Rules(seats=4), opponents[:2]), 2, 3)


def test_who_remembers_has_a_clone_in_each_further_seat_and_learns_how_hands_end() -> None:
    agent = Remembers()
    game = finish(HumanGame(Rules(seats=3), [agent], seed=1), 2)
    one, two = game.agents.get(1), game.agents.get(2)
    assert one is agent
    assert isinstance(two, Remembers)
    assert two is not agent
    assert agent.seen == [(1, True)] * 2
    assert two.seen == [(2, True)] * 2
    game = HumanGame(Rules(seats=4), [agent, Random(), agent])
    assert game.agents.get(1) is agent
    assert game.agents.get(3) is not agent


def test_leaving_closes_the_agents_whatever_they_do() -> None:
    closed = []

    class Closes(CallingStation):
        def close(self) -> None:
            closed.append(self)
            raise OSError("gone already")

    agents = [Closes(), Closes()]
    game = HumanGame(Rules(seats=3), agents)
    game.leave()
    game.leave()
    assert closed == agents


def test_the_person_who_wins_alone_chooses_to_show() -> None:
    game = HumanGame(MANUAL, [AlwaysFold()], seed=4)
    game.play(6)
    game.advance()
    assert game.waiting == "show"
    mentions(complaint(game.play, 0, kind=IllegalMove), "it is not your turn")
    game.show()
    assert game.waiting == "hand_over"
    assert game.table.is_shown(0)
    game.next_hand()
    played_out(game, 6)
    assert not game.finished[1].table.is_shown(0)


def test_an_agent_that_may_choose_shows_nothing() -> None:
    game = HumanGame(MANUAL, [CallingStation()], seed=4)
    game.play(-1)
    assert game.waiting == "agent"
    game.advance()
    assert game.waiting == "hand_over"
    assert not game.table.is_shown(1)


def test_dealers_who_err() -> None:
    rules = Rules(seats=3, dealer_errors={"exposed_hole_card": 0.5, "flop_too_many": 0.5, "premature_turn": 0.5})
    game = finish(HumanGame(rules, [CallingStation()], seed=2), 12)
    assert len(game.finished) == 12
    assert all(hand.all_in_chips is None for hand in game.finished)
    assert game.results.all_in_rate is None
    assert "by all-in value" not in str(game.results)


def test_a_freezeout_ends_with_a_place_and_a_prize() -> None:
    levels = ({"hands": 3}, {"times": 2})
    rules = Rules(seats=3, stacks=(1000, 3000, 3000), session={"prizes": (0.7, 0.3), "levels": levels})
    seen = set()
    for seed in range(12):
        game = HumanGame(rules, [Maniac()], seed=seed)
        assert (game.place, game.prize) == (None, None)
        for _ in range(60):
            played_out(game, game.table.starting_stacks[0])
            if game.waiting == "over":
                break
            assert game.place is None
            game.next_hand()
        assert game.waiting == "over"
        assert game.place is not None
        assert game.prize == pytest.approx({1: 0.7, 2: 0.3, 3: 0.0}[game.place])
        mentions(complaint(game.next_hand), "only between hands")
        seen.add(game.place)
    assert seen == {1, 2, 3}


def test_stacks_carry_over_and_blinds_rise() -> None:
    rules = Rules(seats=2, stacks=20_000, session={"levels": ({"hands": 2}, {"times": 2})})
    game = HumanGame(rules, [CallingStation()], seed=1)
    for _ in range(4):
        played_out(game, -1)
        game.next_hand()
    bigs = [hand.table.game.big_blind for hand in game.finished]
    assert bigs == [100, 100, 200, 200]
    assert game.table.starting_stacks[0] == 20_000 + sum(hand.chips for hand in game.finished)


def test_a_session_of_so_many_hands_places_by_chips() -> None:
    rules = Rules(seats=2, session={"num_hands": 2})
    game = HumanGame(rules, [AlwaysFold()], seed=1)
    played_out(game, 300)
    game.next_hand()
    played_out(game, 300)
    assert game.waiting == "over"
    assert (game.place, game.prize) == (1, None)


def test_a_cash_session_with_rebuys_goes_on() -> None:
    rules = Rules(seats=2, stacks=500, session={"kind": "cash", "rebuy": 500})
    game = finish(HumanGame(rules, [Maniac()], seed=1), 20, 500)
    assert len(game.finished) == 20
    assert any(hand.chips == -500 for hand in game.finished)
    assert game.place is None


def test_who_is_broke_in_a_cash_session_may_top_up() -> None:
    rules = Rules(seats=2, stacks=500, session={"kind": "cash"})
    for seed in range(20):
        game = HumanGame(rules, [Maniac()], seed=seed)
        mentions(complaint(game.top_up), "only between hands")
        played_out(game, 500)
        if game.waiting == "over" and game.finished[-1].chips == -500:
            break
    game.top_up()
    assert game.waiting == "hand_over"
    mentions(complaint(game.top_up), "the stack is not below the starting stack")
    game.next_hand()
    assert game.table.starting_stacks[0] == 500
    mentions(complaint(HumanGame(HEADS_UP, [Maniac()]).top_up), "only in a cash session")


def failing(rules: Rules = HEADS_UP, **fields: Any) -> tuple[HumanGame, Breaks]:
    """A game whose opponent has failed in the first hand, after the person's raise to 6."""
    agent = Breaks()
    game = HumanGame(rules, [agent], seed=4, **fields)
    game.play(6)
    agent.broken = True
    game.advance()
    assert game.waiting == "failed"
    return game, agent


def test_an_agent_that_fails_leaves_the_table_as_it_was() -> None:
    game, agent = failing()
    assert game.failure is not None
    assert (game.failure.agent, game.failure.seat) == (agent, 1)
    assert re.fullmatch(r"agent 'breaks': KeyError: 'missing' \(test_human_game.py:\d+\)", game.failure.text)
    assert game.table.actor == 1
    assert game.step() is False
    mentions(complaint(game.play, 0, kind=IllegalMove), "failed")
    agent.broken = False
    game.retry()
    assert (game.waiting, game.failure) == ("agent", None)
    assert game.step()


def test_it_checks_or_folds_for_the_rest_of_the_hand_alone() -> None:
    game, agent = failing()
    game.let_check_or_fold()
    game.advance()
    assert game.waiting == "hand_over"
    assert game.finished[0].chips == 2
    game.next_hand()
    agent.broken = False
    game.advance()
    assert game.waiting == "move"


@pytest.mark.parametrize("session", [None, {"levels": ({"hands": 1}, {"times": 2})}])
def test_a_void_hand_does_not_count(session: Any) -> None:
    game, agent = failing(HEADS_UP.replace(session=session))
    cards, button = game.table.hole_cards(0), game.table.button
    agent.broken = False
    game.void_hand()
    assert (game.hand, game.finished, game.failure) == (1, [], None)
    assert game.table.starting_stacks == [200, 200]
    assert game.table.button == button
    assert game.table.hole_cards(0) != cards
    assert game.table.game.big_blind == 2
    game.play(-1)
    game.next_hand()
    assert game.table.button == 1 - button
    assert game.hand == 2
    for choice in (game.void_hand, game.retry, game.let_check_or_fold):
        mentions(complaint(choice), "no agent has failed")


def test_an_illegal_move_of_an_agent_is_a_failure() -> None:
    class RaisesByOne(CallingStation):
        def act(self, tables: Any, rules: Rules, rows: Any) -> Any:
            return np.full(len(rows), 7)

    game = HumanGame(HEADS_UP, [RaisesByOne()], seed=4)
    game.play(6)
    game.advance()
    assert game.failure is not None
    assert "IllegalMove: seat 1 may not raise to 7: the least it may raise to is 10" in game.failure.text


@pytest.mark.parametrize("choice", ["retry", "let_check_or_fold", "void_hand"])
def test_an_agent_may_fail_when_it_is_told_how_the_hand_ended(choice: str) -> None:
    agent = Remembers()
    rules = HEADS_UP.replace(session={"kind": "cash"})
    game = HumanGame(rules, [agent], seed=4)
    agent.broken = True
    game.play(-1)
    assert game.waiting == "failed"
    assert game.failure is not None
    assert "no memory left" in game.failure.text
    agent.broken = False
    getattr(game, choice)()
    assert agent.seen == ([(1, True)] if choice == "retry" else [])
    assert len(game.finished) == (choice != "void_hand")
    assert game.waiting == ("move" if choice == "void_hand" else "hand_over")
    stacks = [200, 200] if choice == "void_hand" else [199, 201]
    assert game.session is not None
    assert [chips + bet for chips, bet in zip(game.session.stacks, game.table.bets, strict=True)] == stacks


def test_a_session_calls_off_its_latest_hand() -> None:
    session = Session(Rules(seats=3, stacks=1000), seed=1)
    mentions(complaint(session.void), "there is no hand to call off")
    first = session.deal()
    session.void()
    table = session.deal()
    assert (table.button, session.stacks[0] + table.bets[0]) == (first.button, 1000)
    assert table.deck != first.deck
    while not table.is_over:
        table.no_action()
    assert session.hands_played == 1
    session.void()
    assert (session.hands_played, session.stacks, session.chips_brought_in) == (0, [1000] * 3, 3000)
    session.deal()
    session.void()
    session.sit_out(1)
    mentions(complaint(session.void), "there is no hand to call off")


def all_in_hands(rules: Rules, hands: int = 25) -> HumanGame:
    return finish(HumanGame(rules, [Maniac()], seed=1), hands, max(rules.starting_stacks))


def test_results_have_intervals() -> None:
    game = HumanGame(HEADS_UP, [CallingStation()], seed=4)
    assert str(game.results) == "no hand was played to its end"
    game.play(-1)
    one = game.results
    assert (one.hands, one.chips, one.rate, one.half_width_95) == (1, -1, -50.0, None)
    assert str(one) == "-1 chips in 1 hand: -50 bb/100, by all-in value -50 bb/100"
    game.next_hand()
    finish(game, 40)
    many = game.results
    chips = np.array([hand.chips for hand in game.finished]) * 50
    assert many.rate == pytest.approx(chips.mean())
    assert many.half_width_95 == pytest.approx(2.0211 * chips.std(ddof=1) / np.sqrt(len(chips)), rel=2e-3)
    assert "±" in str(many)


def test_the_all_in_value_has_less_luck() -> None:
    game = all_in_hands(HEADS_UP)
    tables = np.concatenate([hand.table.records for hand in game.finished])
    values = AllInValue().values(tables, HEADS_UP, None, [])[:, 0]  # type: ignore[arg-type]
    assert [hand.all_in_chips for hand in game.finished] == pytest.approx(values)
    results = game.results
    assert results.all_in_half_width_95 is not None
    assert results.half_width_95 is not None
    assert results.all_in_half_width_95 < results.half_width_95


def test_the_all_in_value_tells_nothing_about_folded_cards() -> None:
    """Whatever those who folded had, the value is the same."""
    values = []
    for folded in ("KhKd", "7h2d"):
        cards = {0: "AcAd", 1: folded, 2: "KsQs"}
        table = Table.from_position(Rules(seats=3, stacks=1000), 1000, hole_cards=cards, seed=1)
        table.raise_to(1000)
        table.fold()
        table.check_call()
        values.append(all_in_chips(table, 0))
    assert values[0] == values[1]


def test_hands_that_may_stay_hidden_have_no_all_in_value() -> None:
    game = all_in_hands(HEADS_UP.replace(face_up_all_in=False), 3)
    assert all(hand.all_in_chips is None for hand in game.finished)


def test_finished_hands_are_saved(tmp_path: Path) -> None:
    game = finish(HumanGame(HEADS_UP, [CallingStation()], seed=4), 3)
    game.save(tmp_path / "mine.phhs")
    hands = list(phh.read(tmp_path / "mine.phhs", on_error="raise"))
    assert [hand.replay().payoffs[hand.players.index("you")] for hand in hands] == [  # type: ignore[union-attr]
        hand.chips for hand in game.finished
    ]


def test_an_agent_is_asked_by_what_its_seat_sees() -> None:
    seen = []

    class Looks(Agent):
        name = "looks"

        def act(self, tables: Any, rules: Rules, rows: Any) -> Any:
            seen.extend((tables["hole"][rows, 0, 0].tolist(), tables["deck"][rows, 0].tolist()))
            return np.zeros(len(rows), np.int64)

    played_out(HumanGame(HEADS_UP, [Looks()], seed=4))
    assert {value for (value,) in seen} == {-1}
