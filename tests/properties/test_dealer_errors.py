"""R33-R38 over random hands with random errors: an independent dealer deals the same, nothing is lost or leaks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from errors import complaint, mentions
from holdem_env import DealerErrors, Rules, Table, Tables, holdem_v0
from holdem_env.encoders import get_observation
from holdem_env.encoders.base import SEE_EXPOSED
from holdem_env.engine import batch, record
from holdem_env.testing import check_encoder
from oracle.dealing import Dealer
from properties.games import choices, everything, games, play_on, play_out
from rules.test_dealer_errors import CARD_KINDS, FACTORY

OFTEN = DealerErrors(**dict.fromkeys(DealerErrors.model_fields, 0.5))
SURE = DealerErrors(**dict.fromkeys(DealerErrors.model_fields, 1))
ONE_ROW = np.zeros(1, np.int64)
orders = st.lists(st.permutations(FACTORY), min_size=4, max_size=4)


@st.composite
def injected_errors(draw: st.DrawFn, seats: int) -> dict[str, object]:
    """Errors of one hand, one or several of them."""
    moments = st.one_of(st.booleans(), st.integers(0, 2 * seats))
    errors: dict[str, object] = {name: draw(moments) for name in record.DEALER_ERRORS[2:5]}
    errors["flop_too_many"] = draw(st.booleans())
    errors["extra_card"] = draw(st.sampled_from([0, 0, 0, 1, 2, 3]))
    places = st.integers(0, 2 * seats - 1)
    errors["exposed_hole_card"] = draw(st.one_of(st.just([]), places, st.lists(places, max_size=3)))
    return errors


def oracle_of(table: Table, deck: list[int], reshuffles: list[list[int]], errors: dict[str, object]) -> Dealer:
    """The independent dealer, led through the streets that this hand has seen."""
    seats = [(table.button + 1 + k) % table.rules.seats for k in range(table.rules.seats)]
    exposed = errors["exposed_hole_card"]
    streets = {name: street for street, name in enumerate(("premature_flop", "premature_turn", "premature_river"), 1)}
    dealer = Dealer(
        deck,
        seats,
        reshuffles,
        frozenset([exposed] if isinstance(exposed, int) else exposed),
        int(errors["extra_card"]),
        {street: int(errors[name]) for name, street in streets.items() if errors[name] is not False}
        | {street: 0 for name, street in streets.items() if errors[name] is True},
        bool(errors["flop_too_many"]),
    )
    dealer.deal_hands()
    decisions = decisions_of(table)
    for street in range(4):
        if street > 0 and len(table.board) >= street + 2:
            dealer.deal_street(street)
        dealer.betting(street, decisions[street])
    return dealer


def decisions_of(table: Table) -> list[int]:
    """How many decisions came up on each street: the moves made, and the one that somebody has now."""
    decisions, street = [0] * 4, 0
    for operation in table.log:
        street += operation.kind == "deal_board"
        decisions[street] += operation.kind in ("fold", "check", "call", "bet", "raise")
    if not table.is_over:
        decisions[street] += 1
    return decisions


@given(data=st.data(), game=games(holdem=True), moves=choices, reshuffles=orders, deck=st.permutations(FACTORY))
def test_an_independent_dealer_deals_the_same(data, game, moves, reshuffles, deck):
    errors = data.draw(injected_errors(game.rules.seats))
    table = game.deal(deck=deck, dealer_errors=errors, reshuffles=reshuffles)
    while True:
        dealer = oracle_of(table, deck, reshuffles, errors)
        done = [(o.kind, o.seat, tuple(o.cards)) for o in table.log if o.kind in CARD_KINDS]
        assert done == dealer.deeds
        assert {seat: list(table.hole_cards(seat)) for seat in dealer.hands} == dealer.hands
        assert list(table.board) == dealer.board
        assert set(table.exposed) == dealer.seen
        assert sorted(table.deck) == FACTORY
        cursor = table.records["cursor"][0]
        assert list(table.deck[cursor:]) == dealer.stub
        if table.is_over or not moves:
            break
        play_on(table, [moves.pop(0)])


@given(game=games(holdem=True, dealer_errors=OFTEN), moves=choices)
def test_cards_and_chips_are_neither_made_nor_lost(game, moves):
    table = game.deal()
    chips = sum(table.starting_stacks)
    while True:
        assert sorted(table.deck) == FACTORY
        assert sum(table.stacks) + sum(table.bets) + sum(pot.amount for pot in table.pots) + table.rake == chips
        hands = [card for seat in range(game.rules.seats) for card in table.hole_cards(seat)]
        burned = [card for o in table.log if o.kind == "burn" for card in o.cards]
        lying = [*hands, *burned, *table.board]
        assert len(set(lying)) == len(lying)
        assert set(lying) <= set(table.deck[: table.records["cursor"][0]])
        if table.is_over or not moves:
            break
        play_on(table, [moves.pop(0)])


@given(game=games(holdem=True, dealer_errors=OFTEN), first=choices, second=choices)
def test_the_same_seed_errs_the_same_way_whatever_the_players_do(game, first, second):
    one, other = game.deal(), game.deal()
    assert everything(one) == everything(other)
    played = play_out(one, first)
    play_out(other, second)
    orders = [table.records["reshuffle_order"][0] for table in (one, other)]
    both = min(int(table.records["reshuffles"][0]) for table in (one, other))
    assert (orders[0][:both] == orders[1][:both]).all()
    again = game.deal()
    for move in played:
        again.play(move)
    assert everything(again) == everything(one)


def changed(rules: Rules, errors: DealerErrors | None) -> Rules:
    """The same game with other dealer's errors."""
    return Rules(**{**{name: getattr(rules, name) for name in Rules.model_fields}, "dealer_errors": errors})


@given(game=games(holdem=True), moves=choices)
def test_with_chance_zero_everything_is_as_without(game, moves):
    plain = game.deal()
    played = play_out(plain, moves)
    table = game._replace(rules=changed(game.rules, DealerErrors())).deal()
    for move in played:
        table.play(move)
    assert table.log == plain.log
    assert table.deck == plain.deck
    assert table.payoffs == plain.payoffs
    assert table.exposed == ()


@given(game=games(holdem=True, dealer_errors=SURE))
def test_the_errors_leave_the_first_deck_as_it_was(game):
    plain = game._replace(rules=changed(game.rules, None)).deal()
    dealt = [o.cards[0] for o in game.deal().log if o.kind in ("deal_hole", "extra_card")]
    first = dealt[: [o.kind for o in game.deal().log if o.kind in ("deal_hole", "misdeal")].index("misdeal")]
    assert first
    assert list(plain.deck[: len(first)]) == first


def test_errors_come_as_often_as_they_should():
    probabilities = [0.5, 0.25, 0.1, 0.75, 0.0, 1.0]
    rules = Rules(seats=2, dealer_errors=dict(zip(record.DEALER_ERRORS, probabilities, strict=True)))
    records = record.new_records(record.TABLE, 1)
    bits = []
    for seed in range(4000):
        batch.number_tables(records, seed, 0, 0)
        bits.append(int(batch.errors_of(records, rules.record)))
    often = [np.mean([value >> k & 1 for value in bits]) for k in range(len(probabilities))]
    assert often == pytest.approx(probabilities, abs=0.03)
    assert (often[4], often[5]) == (0, 1)


def test_every_hole_card_is_exposed_equally_often():
    rules = Rules(seats=3, dealer_errors=DealerErrors(exposed_hole_card=1))
    places = [int(Table(rules, seed=seed).records["exposed_deal"][0]).bit_length() - 1 for seed in range(1200)]
    counts = np.bincount(places, minlength=6)
    assert len(counts) == 6
    assert counts.min() > 150


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("encoder", [*SEE_EXPOSED, "flat+equity", "pot_fractions"])
def test_encoders_keep_their_contract_and_leak_nothing(encoder):
    games = [
        Rules(seats=2, dealer_errors=OFTEN),
        Rules(seats=6, stacks=(300, 1_000, 150, 20_000, 700, 90), ante=10, dealer_errors=SURE),
        Rules(seats=3, structure="pot_limit", dealer_errors=OFTEN),
    ]
    check_encoder(encoder, games=games)


def seen(table: Table, name: str, seat: int) -> np.ndarray:
    encoder = get_observation(name)
    out = np.zeros((1, encoder.size(table.rules)), np.float32)
    encoder.observe(table.records, table.rules.record, ONE_ROW, np.array([seat]), out)
    return out[0].reshape(encoder.shape(table.rules))


@given(game=games(holdem=True, dealer_errors=OFTEN), moves=choices)
def test_every_seat_sees_what_was_exposed(game, moves):
    table = game.deal()
    play_on(table, moves)
    for seat in range(game.rules.seats):
        assert np.flatnonzero(seen(table, "flat", seat)[-52:]).tolist() == list(table.exposed)
        plane = seen(table, "planes", seat)[-1]
        assert sorted(4 * rank + suit for suit, rank in np.argwhere(plane)) == list(table.exposed)
        tokens = seen(table, "tokens", seat)
        assert (tokens[tokens[:, 0] == 9][:, 3] - 1).tolist() == list(table.exposed)
    for name in ("equity", "shown_cards"):
        assert np.flatnonzero(seen(table, name, 0)[-52:]).tolist() == list(table.exposed)


@pytest.mark.parametrize("name", ["classic", "flat+classic"])
def test_an_encoder_without_a_place_for_exposed_cards_refuses_the_game(name):
    message = complaint(Tables, Rules(seats=2, dealer_errors=OFTEN), 2, observation=name)
    mentions(message, "classic_no_limit", "flat", "planes", "shown_cards")


@pytest.mark.parametrize("name", SEE_EXPOSED)
def test_without_the_option_observations_have_their_old_size(name):
    plain, erring = Rules(seats=6), Rules(seats=6, dealer_errors=DealerErrors())
    more = {"flat": 52, "planes": 52, "tokens": 80, "equity": 52, "shown_cards": 52}
    encoder = get_observation(name)
    assert encoder.size(erring) - encoder.size(plain) == more[name]
    assert encoder.legend(plain) == get_observation(name).legend(Rules(seats=6))


@pytest.mark.parametrize("probabilities", [OFTEN, SURE])
def test_tables_deal_as_a_table_does(probabilities):
    rules = Rules(seats=3, stacks=800, dealer_errors=probabilities)
    tables = Tables(rules, num_tables=20, seed=4)
    for step in range(60):
        for index in range(0, 20, 3):
            t = tables.records[index]
            twin = Table(rules, button=int(t["button"]), seed=4, hand=int(t["hand"]), table_id=index)
            for move in t["made"]["move"][: t["moves"]].tolist():
                twin.play(move)
            own = twin.records[0]
            cursor = int(t["cursor"])
            fields = "hole exposed cursor errors reshuffles actor board_count premature_turn premature_cards"
            for name in fields.split():
                assert np.array_equal(t[name], own[name]), name
            for name, count in (("board", int(t["board_count"])), ("deck", cursor)):
                assert t[name][:count].tolist() == own[name][:count].tolist()
            if t["reshuffles"]:
                assert t["deck"].tolist() == own["deck"].tolist()
        tables.step(tables.random_actions(step))


def test_the_next_to_act_in_the_same_round_sees_the_cards():
    tables = Tables(Rules(seats=2, dealer_errors={"premature_flop": 1, "mid_round": 1}), num_tables=32, seed=3)
    assert not tables.observation[:, -52:].any()
    tables.step(np.ones(32, int))  # the small blind calls
    assert (tables.records["street"] == 0).all()
    assert (tables.observation[:, -52:].sum(axis=1) == 3).all()


def test_tables_with_chance_zero_are_as_without():
    plain = Tables(Rules(seats=3, stacks=900), num_tables=64, seed=6)
    erring = Tables(Rules(seats=3, stacks=900, dealer_errors=DealerErrors()), num_tables=64, seed=6)
    for step in range(80):
        np.testing.assert_array_equal(erring.observation[:, :-52], plain.observation)
        assert not erring.observation[:, -52:].any()
        actions = plain.random_actions(step)
        plain.step(actions)
        erring.step(actions)
        for name in ("reward", "done", "actor", "mask"):
            np.testing.assert_array_equal(getattr(erring, name), getattr(plain, name))


def test_gymnasium_and_stable_baselines_see_the_errors():
    import gymnasium

    fields = {"preset": "heads-up-no-limit", "dealer_errors": {"premature_flop": 1, "extra_card": 0.5}}
    env = gymnasium.make("holdem_env/HoldemSeat-v0", rules=fields)
    observation, _ = env.reset(seed=1)
    assert env.observation_space.contains(observation)
    assert observation[-52:].sum() == 3
    sb3 = pytest.importorskip("holdem_env.envs.sb3")
    vector = sb3.HoldemVecEnv(Rules.preset("heads-up-no-limit", dealer_errors={"premature_flop": 1}), 4)
    assert (vector.reset()[:, -52:].sum(axis=1) == 3).all()


def test_errors_that_the_aec_environment_refuses_change_nothing():
    env = holdem_v0.env(Rules(seats=3, dealer_errors=DealerErrors()))
    env.reset(seed=1)
    before = env.unwrapped.records.tobytes()
    for options, words in [
        ({"deck": FACTORY, "dealer_errors": {"premature_flop": 1}}, "reshuffles: "),
        ({"dealer_errors": {"premature_flop": -1}}, "premature_flop"),
        ({"dealer_errors": {"flop_too_many": 2}}, "flop_too_many"),
        ({"dealer_errors": {"flop": 1}}, "there is no error 'flop'"),
    ]:
        assert words in complaint(env.reset, seed=2, options=options)
        assert env.unwrapped.records.tobytes() == before
    with pytest.raises(ValueError, match="DealerErrors"):
        holdem_v0.env(Rules(seats=3)).reset(options={"reshuffles": [FACTORY]})


def test_a_drawn_error_with_decks_of_ones_own_is_told_at_the_reset():
    env = holdem_v0.env(Rules(seats=3, dealer_errors=DealerErrors(flop_too_many=1)), num_hands=2)
    with pytest.raises(ValueError, match="give 1 orders of the deck"):
        env.reset(seed=1, options={"deck": [FACTORY, FACTORY], "reshuffles": [FACTORY]})
    env.reset(seed=1, options={"deck": FACTORY, "reshuffles": [FACTORY]})


@pytest.mark.parametrize("seats", [2, 5])
def test_pettingzoo_is_content(seats):
    from pettingzoo.test import seed_test

    from envs.api import api_test

    rules = Rules(seats=seats, stacks=2000, dealer_errors=OFTEN)
    api_test(holdem_v0.env(rules, num_hands=3), num_cycles=60)
    seed_test(lambda: holdem_v0.env(rules, num_hands=3), num_cycles=20)
