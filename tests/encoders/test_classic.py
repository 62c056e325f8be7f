"""The `classic` observations are those of PettingZoo's hold'em environments, number for number."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from encoders.seeing import observe
from holdem_env import Rules, Table
from holdem_env.encoders import ActionEncoder, get_actions, get_observation
from holdem_env.encoders.classic import ClassicLeduc
from holdem_env.engine.batch import NO_MOVE
from holdem_env.testing import check_encoder

# What PettingZoo and Gymnasium say of their own environments.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")

LIMIT = Rules(structure="fixed_limit", seats=2, blinds=(1, 2), stacks=1000, max_raises=(4, 4, 4, 4))
NO_LIMIT = Rules(seats=2, blinds=(1, 2), stacks=100)
SUITS = {"C": 0, "D": 1, "H": 2, "S": 3}


def card_of(card: Any) -> int:
    """RLCard's card as ours."""
    return 4 * "23456789TJQKA".index(card.rank) + SUITS[card.suit]


def twin_of(theirs: Any, rules: Rules) -> tuple[Table, int]:
    """Our table with their cards, and the seat of ours that is their player 0. Who posted the small blind has our
    button; the flop is what their dealer will deal."""
    game = theirs.env.game
    small = min(range(2), key=lambda player: game.players[player].in_chips)
    hands = [[card_of(card) for card in player.hand] for player in game.players]
    board = [card_of(card) for card in game.dealer.deck[::-1][:5]]
    others = [card for card in range(52) if card not in [*hands[0], *hands[1], *board]]
    # Dealing begins left of the button: the seat with the big blind gets the first card.
    deal = [hands[1 - small][0], hands[small][0], hands[1 - small][1], hands[small][1]]
    deck = [*deal, others[0], *board[:3], others[1], board[3], others[2], board[4]]
    return Table(rules, button=0, deck=deck), 0 if small == 0 else 1


def compare(theirs: Any, table: Table, seat_of_first: int) -> None:
    """Both players see the same here and there."""
    for player in range(2):
        seat = seat_of_first if player == 0 else 1 - seat_of_first
        expected = theirs.observe(f"player_{player}")["observation"]
        seen = observe("classic", table, seat)
        assert seen.dtype == expected.dtype
        np.testing.assert_array_equal(seen, expected)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("raises", [(0, 0, 0, 0), (1, 2, 0, 3), (4, 1, 4, 4), (2, 4, 3, 0)])
def test_classic_is_pettingzoos_texas_holdem(seed: int, raises: tuple[int, ...]) -> None:
    pytest.importorskip("rlcard")
    pytest.importorskip("pygame")
    from pettingzoo.classic import texas_holdem_v4

    theirs = texas_holdem_v4.raw_env()
    theirs.reset(seed=seed)
    table, first = twin_of(theirs, LIMIT)
    assert observe("classic", table, 0).shape == (72,)
    call, bet, check = 0, 1, 3
    for street, count in enumerate(raises):
        for _ in range(count):
            compare(theirs, table, first)
            theirs.step(bet)
            table.raise_to(table.legal.raise_min)
        compare(theirs, table, first)
        # Who acts first on later streets is not the same there, but what they see does not tell who is to act.
        while not theirs.terminations["player_0"] and theirs.env.game.round_counter == street:
            theirs.step(call if call in theirs.next_legal_moves else check)
        while not table.is_over and table.street == street:
            table.check_call()
        compare(theirs, table, first)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("moves", ["", "p", "h", "hp", "pp", "a"])
def test_classic_is_pettingzoos_texas_holdem_no_limit(seed: int, moves: str) -> None:
    """Pots, half pots and all-ins before the flop, then one bet a street."""
    pytest.importorskip("rlcard")
    pytest.importorskip("pygame")
    from pettingzoo.classic import texas_holdem_no_limit_v6

    theirs = texas_holdem_no_limit_v6.raw_env()
    theirs.reset(seed=seed)
    table, first = twin_of(theirs, NO_LIMIT)
    game = theirs.env.game
    assert observe("classic", table, 0).shape == (54,)
    box = theirs.observation_space("player_0")["observation"]
    assert get_observation("classic").space(NO_LIMIT).shape == box.shape

    def both(action: int) -> None:
        compare(theirs, table, first)
        player = game.game_pointer
        theirs.step(action)
        total = game.round.raised[player]
        table.check_call() if action == 1 else table.raise_to(int(total))

    theirs.step(1)
    table.check_call()  # the small blind; what it may raise to is not the same there
    for move in moves:
        both({"h": 2, "p": 3, "a": 4}[move])
    compare(theirs, table, first)
    for _ in range(2):
        if not theirs.terminations["player_0"] and game.round_counter == 0:
            both(1)
    compare(theirs, table, first)
    for street in range(1, 4):
        if theirs.terminations["player_0"]:
            break
        theirs.step(1), theirs.step(1)
        table.check_call(), table.check_call()
        compare(theirs, table, first)
        assert table.is_over or table.street == street + 1


def test_names() -> None:
    for rules, size, name in ((LIMIT, 72, "classic_limit"), (NO_LIMIT, 54, "classic_no_limit")):
        table = Table(rules, seed=1)
        np.testing.assert_array_equal(observe("classic", table, 0), observe(name, table, 0))
        assert get_observation("classic").layout(rules)[-1][2] == size


def test_units_are_half_big_blinds() -> None:
    """As there, where the blinds are 1 and 2: the same situation is the same for any blinds."""
    small, large = Table(NO_LIMIT, seed=1), Table(Rules(seats=2, blinds=(50, 100), stacks=5000), seed=1)
    small.raise_to(7), large.raise_to(350)
    for seat in range(2):
        np.testing.assert_array_equal(observe("classic", small, seat), observe("classic", large, seat))
    assert observe("classic", small, 0)[52:].tolist() == [7, 7]
    assert observe("classic", small, 1)[52:].tolist() == [2, 7]


def test_more_than_four_raises_count_as_four() -> None:
    rules = Rules(structure="fixed_limit", seats=2, blinds=(1, 2), stacks=1000, max_raises=None)
    table = Table(rules, seed=0)
    for _ in range(6):
        table.raise_to(table.legal.raise_min)
    assert np.flatnonzero(observe("classic", table, 0)[52:]).tolist() == [4, 5, 10, 15]


LEDUC = Rules.preset("leduc")


@pytest.mark.parametrize("rules", [LEDUC, Rules.preset("leduc", blinds=(5, 10), ante=0, small_bet=10, big_bet=20)])
def test_leduc_shows_ranks_and_chips(rules: Rules) -> None:
    """Own card, board card, own chips and the opponent's, in half big blinds: an ante is one, too."""
    table = Table(rules, button=0, deck="Ks Jh Qh")
    paid = [1, 2] if rules.big_blind else [1, 1]
    jack, king = 0, 2
    for seat, card in ((0, jack), (1, king)):
        assert np.flatnonzero(observe("classic", table, seat)).tolist() == [card, 6 + paid[seat], 21 + paid[1 - seat]]
    table.raise_to(table.legal.raise_min), table.check_call()
    level = 4 if rules.big_blind else 3
    for seat, card in ((0, jack), (1, king)):
        assert np.flatnonzero(observe("classic", table, seat)).tolist() == [card, 3 + 1, 6 + level, 21 + level]


def test_leduc_keeps_its_contract() -> None:
    games = [LEDUC, LEDUC.replace(blinds=(1, 2), ante=0), LEDUC.replace(max_raises=None)]
    check_encoder(ClassicLeduc(), games)
    assert ClassicLeduc().size(LEDUC) == 36


@pytest.mark.parametrize(
    ("rules", "message"),
    [(NO_LIMIT, "52 cards"), (Rules.preset("leduc-nolimit"), "Leduc"), (LEDUC.replace(seats=3), "3 seats")],
)
def test_leduc_alone(rules: Rules, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ClassicLeduc().layout(rules)


@pytest.mark.parametrize(
    ("session", "most"), [(None, 80), ({"num_hands": 1}, 80), ({"num_hands": 2}, 160), ({"num_hands": None}, 160)]
)
def test_chips_are_bounded_by_what_a_hand_can_take(session: dict[str, int] | None, most: int) -> None:
    rules = Rules(seats=3, blinds=(1, 2), stacks=(80, 20, 60), session=session)
    assert get_observation("classic").space(rules).high[52:].tolist() == [most, most]
    table = Table(rules.replace(session=None), stacks=(500, 500, 500), seed=1)
    table.raise_to(500)
    check_encoder("classic_no_limit", [rules], positions=60)
    assert observe("classic", table, 0)[53] == 80


def test_actions_are_pettingzoos() -> None:
    actions = get_actions("classic_actions", LIMIT)
    check_encoder(actions)
    check_encoder(actions, [LIMIT, NO_LIMIT, LEDUC, Rules.preset("leaflet")])
    assert actions.meanings(LIMIT) == ["call", "raise", "fold", "check"]
    assert len(actions.meanings(NO_LIMIT)) == 5
    for sizes, expected in ((LIMIT, [0, 4, -1, NO_MOVE]), (NO_LIMIT, [-1, 0, 4, 6, 100])):
        table = Table(sizes, seed=1)
        assert moves_of(actions, table) == expected
    table = Table(LIMIT, seed=1)
    table.check_call()
    assert moves_of(actions, table) == [NO_MOVE, 4, -1, 0]


def moves_of(actions: ActionEncoder, table: Table) -> list[int]:
    choices = np.zeros((1, actions.size(table.rules)), np.int64)
    actions.choose(table.records, table.rules.record, np.zeros(1, np.int64), choices)
    return choices[0].tolist()


def test_actions_refuse_phases_with_and_without_fixed_limit() -> None:
    rules = Rules(session={"phases": [{"structure": "fixed_limit", "hands": 1}, {"hands": 1}]})
    with pytest.raises(ValueError, match="'classic_actions' are others in fixed limit"):
        get_actions("classic_actions", rules).meanings(rules)
