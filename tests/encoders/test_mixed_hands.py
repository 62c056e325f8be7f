"""R19: encoders where the phases differ in the hands. Sizes are those of the largest phase, and nothing moves."""

from __future__ import annotations

import numpy as np
import pytest

from encoders.seeing import observe
from errors import complaint, mentions
from holdem_env import Rules, Session, Table, Tables
from holdem_env.encoders import action_encoder, get_actions, get_observation, observation_encoder
from holdem_env.encoders.tokens import OWN_CARD
from holdem_env.testing import check_encoder

PHASES = [{"hands": 1}, *({"game": game, "hands": 1} for game in ("omaha", "flop-holdem", "leduc"))]
RULES = Rules(seats=3, blinds=(5, 10), stacks=(300, 90, 1000), session={"phases": PHASES})
ERRING = Rules(
    seats=4,
    dealer_errors=dict.fromkeys(("exposed_hole_card", "premature_flop", "premature_turn"), 0.5),
    session={"phases": [{"game": "short-deck", "hands": 1}, {"game": "omaha-hi-lo", "hands": 1}]},
)
BETTING = Rules(seats=3, session={"phases": [{"structure": "fixed_limit", "hands": 1}, {"hands": 1}]})
OBSERVATIONS = ("flat", "planes", "tokens")


@pytest.mark.parametrize("rules", [RULES, ERRING])
@pytest.mark.parametrize("name", [*OBSERVATIONS, "planes+tokens", "limit", "pot_fractions", "all_sizes", "continuous"])
def test_encoders_keep_their_contract_in_every_phase(name, rules):
    """They fill their space, leak nothing, and do not depend on the seat's number."""
    check_encoder(name, [rules], positions=80)


@pytest.mark.parametrize("name", OBSERVATIONS)
def test_an_observation_is_as_large_as_the_largest_phase_needs(name):
    encoder = get_observation(name)
    each = np.array([encoder.shape(stage) for stage in RULES.stages]).max(axis=0)
    whole = np.array(encoder.shape(RULES))
    shown = {"flat": len(PHASES), "planes": len(PHASES), "tokens": 0}[name]  # which phase it is
    assert (whole - each).tolist() == [shown] + [0] * (len(whole) - 1)


@pytest.mark.parametrize("name", OBSERVATIONS)
def test_where_only_the_betting_changes_nothing_is_larger(name):
    encoder = get_observation(name)
    alone = encoder.shape(Rules(seats=3))
    assert encoder.shape(BETTING)[0] - alone[0] == {"flat": 2, "planes": 2, "tokens": 0}[name]


def dealt_hands() -> list[Table]:
    """A hand of each phase, a few moves on."""
    session, tables = Session(RULES, seed=4), []
    for _ in PHASES:
        table = session.deal()
        tables.append(table.copy())
        while not table.is_over:
            table.check_call()
            tables.append(table.copy())
    return tables


def test_flat_has_the_same_things_at_the_same_places_in_every_phase():
    layout = {meaning: (first, last) for meaning, first, last in get_observation("flat").layout(RULES)}
    for table in dealt_hands():
        seen = observe("flat", table, 1)
        first, last = layout["own card, by 4 * rank + suit"]
        assert np.flatnonzero(seen[first:last]).tolist() == sorted(table.hole_cards(1))
        first, last = layout["board card, by 4 * rank + suit"]
        assert np.flatnonzero(seen[first:last]).tolist() == sorted(table.board)
        phase = RULES.stages.index(table.game)
        shown = [seen[a] for meaning, (a, _) in layout.items() if meaning.startswith("phase ")]
        assert shown == [float(k == phase) for k in range(len(PHASES))]
    named = [meaning for meaning in layout if meaning.startswith("phase ")]
    assert named == ["phase 0 (no_limit)", "phase 1 (omaha)", "phase 2 (flop-holdem)", "phase 3 (leduc)"]


def test_planes_have_the_same_layers_in_every_phase():
    """Alone, the two streets of Leduc make fewer layers; among longer games each street keeps its own."""
    encoder = get_observation("planes")
    layout = {meaning: first for meaning, first, _ in encoder.layout(RULES)}
    for table in dealt_hands():
        seen, alone = observe(encoder, table, 1), encoder.layout(table.game)
        game = Table(table.game, stacks=table.starting_stacks, button=table.button, deck=table.deck)
        for _ in range(int(table.records["moves"][0])):
            game.check_call()
        single = observe(encoder, game, 1)
        for meaning, first, _ in alone:
            np.testing.assert_array_equal(seen[layout[meaning]], single[first], meaning)
        named = {meaning for meaning, _, _ in alone}
        rest = [first for meaning, first in layout.items() if meaning not in named and not meaning.startswith("phase ")]
        assert not seen[rest].any()


def test_tokens_list_as_many_own_cards_as_there_are():
    for table in dealt_hands():
        seen = observe("tokens", table, 1)
        assert (seen[:, 0] == OWN_CARD).sum() == table.game.hole_cards


def test_equity_and_classic_refuse_a_game_with_a_phase_that_they_do_not_know():
    mentions(complaint(get_observation("flat+equity").size, RULES), 1, 4)
    with pytest.raises(ValueError, match=r"is for Texas hold'em; this game has 6 cards in the deck|hole_cards=4"):
        get_observation("classic").size(RULES)


def test_classic_goes_by_the_first_phase_and_fits_all():
    """The first phase is fixed limit, the rules themselves are not; the second one's smaller blinds make more units."""
    phases = [{"structure": "fixed_limit", "hands": 1}, {"blinds": (5, 10), "hands": 1}]
    for turned, size in ((phases, 72), (phases[::-1], 54)):
        rules = Rules(seats=3, blinds=(50, 100), stacks=1000, session={"phases": turned})
        assert get_observation("classic").size(rules) == size
        check_encoder("classic_no_limit", [rules], positions=60)
        tables = Tables(rules, 8, observation="classic")
        space = tables.observation_encoder.space(rules)
        for _ in range(100):
            tables.step(tables.random_actions())
            assert all(space.contains(row) for row in tables.observation)


def test_the_usual_actions_fit_every_phase():
    fixed, free = {"structure": "fixed_limit", "hands": 1}, {"structure": "no_limit", "hands": 1}
    for phases, name in (([fixed, free], "pot_fractions"), ([free, fixed], "pot_fractions"), ([fixed], "limit")):
        assert get_actions(None, Rules(structure="fixed_limit", session={"phases": phases})).name == name


@observation_encoder(size=lambda rules: rules.hole_cards + 1)
def own_ranks(t, r, seat, out):
    for k in range(r.hole_cards):
        out[k] = (1 + t.hole[seat, k] // 4) / 13
    out[r.hole_cards] = 1.0


@observation_encoder(size=lambda rules: (rules.hole_cards, 13))
def by_card(t, r, seat, out):
    for k in range(r.hole_cards):
        out[13 * k + t.hole[seat, k] // 4] = 1.0


@observation_encoder(size=lambda rules: (2, rules.hole_cards))
def wide(t, r, seat, out):
    out[0] = 1.0


@action_encoder(lambda rules: ["fold", "call", *(f"look at card {k}" for k in range(rules.hole_cards))])
def looking(t, r, choices):
    choices[1] = 0


def test_a_size_that_depends_on_the_rules_is_that_of_the_largest_phase():
    assert own_ranks.shape(RULES) == (5,)
    assert by_card.shape(RULES) == (4, 13)
    assert [own_ranks.shape(stage) for stage in RULES.stages] == [(3,), (5,), (3,), (2,)]
    assert looking.meanings(RULES)[-1] == "look at card 3"
    tables = Tables(RULES, 16, observation=own_ranks, actions=looking)
    for _ in range(30):
        dealt = np.array([stage.hole_cards for stage in RULES.stages])[tables.records["stage"]]
        assert (tables.observation[np.arange(16), dealt] == 1.0).all()
        assert ((tables.observation > 0).sum(axis=1) == dealt + 1).all()
        tables.step(np.ones(16, np.int64))


def test_shapes_that_differ_in_more_than_their_rows_are_an_error():
    mentions(complaint(wide.shape, RULES), "differ in more than the first axis")
