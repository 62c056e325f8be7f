"""A table in English."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from holdem_env import Rules, Table
from holdem_env.engine.seat_view import new_views, view_rows
from holdem_env.game.title import game_title
from holdem_env.history import phh, pokerstars
from holdem_env.protocols.text import TextAgent, describe_choices, describe_game, describe_table
from holdem_env.protocols.text.situation import Betting
from holdem_env.table import SeatView
from holdem_env.testing.sampled_tables import GAMES, random_positions
from holdem_env.text_env.prompts import PROMPTS, arena, short

DATA = Path(__file__).parents[2] / "data"


def test_a_hand_in_words():
    table = Table(Rules(seats=3, blinds=(50, 100), ante=10, stacks=5000), seed=7)
    table.raise_to(300)
    table.check_call()
    table.fold()
    table.check_call()
    table.raise_to(400)
    assert describe_table(table.view()).splitlines() == [
        "You are seat 1 (SB, the small blind). Your cards: 4c 5s.",
        "The players:",
        "- seat 1 (SB), you: 4690 chips (46.9 bb) left",
        "- seat 2 (BB): 4890 chips (48.9 bb) left, has folded",
        "- seat 0 (BTN): 4290 chips (42.9 bb) left, 400 bet in this round",
        "The hand so far:",
        "- seat 1 (SB) posted 60 (the ante and the small blind), seat 2 (BB) posted 110 (the ante and the big blind), "
        "seat 0 (BTN) posted 10 (the ante).",
        "- Before the flop: seat 0 (BTN) raises 200 to 300, seat 1 (SB) calls 250, seat 2 (BB) folds.",
        "- Flop (7c 6d Qd): seat 1 (SB) checks, seat 0 (BTN) bets 400.",
        "The board: 7c 6d Qd.",
        "The pot, with the bets of this betting round: 1130 chips (11.3 bb).",
        "It is your turn. You may:",
        "- fold",
        "- call 400",
        "- raise to any total from 800 to 4690 (all-in)",
    ]


@pytest.mark.parametrize("name", Rules.presets())
def test_every_game_has_words(name):
    rules = Rules.preset(name)
    text = describe_game(rules) + "\n" + describe_table(Table(rules, seed=1).view())
    assert f"with {rules.seats} players" in text
    assert "None" not in text
    assert "?" not in text


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("rules", [*GAMES, Rules.preset("leduc"), Rules.preset("omaha")], ids=game_title)
def test_the_words_follow_the_chips(rules):
    """Bets and stacks that the words use are those of the table, in any hand."""
    tables = random_positions(rules, 200, seed=3)
    rows = np.flatnonzero(tables["actor"] >= 0)
    views = new_views(len(rows))
    view_rows(tables, rules.record, rows, views)
    for k in range(len(rows)):
        view = SeatView(views[k : k + 1].copy(), rules, int(views["actor"][k]))
        betting = Betting(view)
        for move in view.moves:
            betting.describe(move)
        assert betting.stacks == view.stacks
        assert betting.street < view.street or betting.bets == view.bets
        assert "None" not in describe_table(view)


def test_cards_that_lie_face_up_are_told():
    table = Table(Rules(seats=3, blinds=(50, 100), stacks=5000), seed=3, dealer_errors={"exposed_hole_card": 3})
    assert "Cards that everybody has seen by mistake: " in describe_table(table.view())


def test_a_very_long_hand():
    """Only the last 64 moves are in the record: calls then have no amounts, and the rest is right."""
    table = Table(Rules(seats=2, blinds=(1, 2), stacks=2_000), seed=1)
    for total in range(4, 4 + 2 * 70, 2):
        table.raise_to(total)
    text = describe_table(table.view())
    assert "(The first moves are left out; these are the last 64.)" in text
    assert f"raises 2 to {4 + 2 * 69}." in text


def test_the_price_of_a_call_says_what_can_be_lost():
    """R9: the big blind is all-in with 360."""
    view = Table(Rules(seats=2, blinds=(300, 600), stacks=(5000, 360)), button=0, seed=1).view()
    assert view.legal.call == 300
    assert describe_choices(view)[1] == "call 300, of which 60 can be lost"
    assert "call 300, of which 60 can be lost" in short(view)
    assert "300 to call, of which 60 can be lost. Legal: fold, call 300" in arena(view)
    assert "lost" not in describe_table(Table("six-max-no-limit", seed=1).view())


@pytest.mark.parametrize("rules", ["kuhn", "leduc"])
@pytest.mark.parametrize("prompt", PROMPTS.values(), ids=PROMPTS)
def test_games_without_blinds_name_none(rules, prompt):
    for moves in range(2):
        table = Table(rules, seed=1)
        for _ in range(moves):
            table.check_call()
        text = prompt(table.view())
        assert "blind" not in text
        assert "BB" not in text
        assert "bet" in text.splitlines()[-1], "the first bet is a bet, in every prompt"


def test_short_says_the_blinds_and_leaves_no_empty_street():
    table = Table(Rules(seats=3, blinds=(50, 100), ante=10, stacks=5000), seed=7)
    assert short(table.view()).splitlines()[1] == "fold, call 100, raise to 200..4990"
    for _ in range(3):
        table.check_call()
    head, moves, legal = short(table.view()).splitlines()
    assert ", blinds 50/100, ante 10, pot 330," in head
    assert moves == "BTN calls 100, SB calls 50, BB checks"
    assert legal == "fold, check, bet 100..4890"


def test_moves_are_said_as_poker_sites_write_them():
    """The writer of hand histories is checked against real files; the prompt has the same sentences."""
    compared = 0
    for hand in phh.read(DATA / "pluribus.phhs"):
        table = hand.replay()
        written = pokerstars.dumps(table, players=[f"Player{seat}" for seat in range(table.rules.seats)]).splitlines()
        sites, ours = (
            [line for line in lines if re.match(r"Player\d: (posts|folds|checks|calls|bets|raises)", line)]
            for lines in (written, arena(table.view(0)).splitlines())
        )
        assert ours == sites
        compared += len(ours)
    assert compared > 500


class Quiet(TextAgent):
    name = "quiet"

    def complete(self, messages):
        return "call"


def test_the_conversation_names_no_agent():
    """Names are free text of strangers; a model that read them could be instructed by one."""
    view = Table("six-max-no-limit", seed=1).view()
    system, user = Quiet().messages(view)
    assert (system["role"], user["role"]) == ("system", "user")
    assert "quiet" not in (system["content"] + user["content"]).lower()
    assert "Play to win as many chips" in system["content"]
    assert "End with one line: Action:" in system["content"]
    assert user["content"] == describe_table(view)
