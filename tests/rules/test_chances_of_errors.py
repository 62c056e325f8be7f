"""R33-R38: what the seed draws for the dealer's errors, and hand after hand with an error in each."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from holdem_env import Rules, Session, Table
from holdem_env.cards.text import parse_cards
from holdem_env.engine import batch, record
from holdem_env.engine.record import MAX_RESHUFFLES
from rules.playing import check_down

HALF = dict.fromkeys(record.DEALER_ERRORS, 0.5)


def test_r33_r38_each_error_happens_by_itself_whatever_the_others_do():
    """Of two errors with a chance of one half each, both happen in a quarter of the hands."""
    rules = Rules(seats=2, dealer_errors=HALF)
    records, hands = record.new_records(record.TABLE, 1), 600
    drawn = np.zeros((hands, len(record.DEALER_ERRORS)))
    for seed in range(hands):
        batch.number_tables(records, seed, 0, 0)
        bits = int(batch.errors_of(records, rules.record))
        drawn[seed] = [bits >> kind & 1 for kind in range(drawn.shape[1])]
    for one, other in itertools.combinations(range(drawn.shape[1]), 2):
        assert np.mean(drawn[:, one] * drawn[:, other]) == pytest.approx(0.25, abs=0.08)


def test_r33_r34_which_card_is_exposed_depends_on_no_error():
    """Each error happens in half of the hands in which a card of the first round is exposed, and of the second."""
    rules = Rules(seats=4, dealer_errors={**HALF, "exposed_hole_card": 1})
    found = {True: [], False: []}
    for seed in range(400):
        table = Table(rules, seed=seed)
        place = int(table.records["exposed_deal"][0]).bit_length() - 1
        found[place < 4].append(int(batch.errors_of(table.records.copy(), rules.record)))
    for kind in range(1, len(record.DEALER_ERRORS)):
        for bits in found.values():
            assert np.mean([value >> kind & 1 for value in bits]) == pytest.approx(0.5, abs=0.14), kind


@pytest.mark.parametrize("error", [*record.DEALER_ERRORS])
def test_r33_r38_hand_after_hand_goes_wrong_as_the_first_does(error):
    """Nothing of one hand's errors is left in the next."""
    rules = Rules(seats=3, stacks=2000, blinds=(5, 10), dealer_errors={error: 1}, session={"kind": "cash"})
    session, counts = Session(rules, seed=2), set()
    for _ in range(MAX_RESHUFFLES + 3):
        table = check_down(session.deal())
        kinds = [deed.kind for deed in table.log]
        assert int(table.records["reshuffles"][0]) == kinds.count("reshuffle") <= 1
        counts.add(kinds.count("deal_board"))
        assert len(set(table.board)) == 5
    assert counts == {3}


@pytest.mark.parametrize("street", [0, 1, 2])
def test_r36_r38_when_cards_come_too_early_depends_on_no_other_error(street):
    """Each other error happens in half of the hands in which the cards come in mid-round, and of those in which not."""
    sure = record.DEALER_ERRORS[2 + street]
    rules = Rules(seats=2, dealer_errors={**HALF, sure: 1, "mid_round": 0.5})
    found = {True: [], False: []}
    for seed in range(240):
        table = Table(rules, seed=seed)
        while table.street < street:
            table.check_call()
        comes_later = bool(table.records["premature_after"][0, street] > 0)
        found[comes_later].append(int(batch.errors_of(table.records.copy(), rules.record)))
    for kind in {*range(len(record.DEALER_ERRORS))} - {2 + street}:
        for bits in found.values():
            assert np.mean([value >> kind & 1 for value in bits]) == pytest.approx(0.5, abs=0.18), kind


def test_r34_r36_when_the_flop_comes_too_early_depends_on_no_exposed_card():
    """In half of the hands it comes when the round begins, in the others after one of its moves or two."""
    rules = Rules(seats=3, dealer_errors={"exposed_hole_card": 1, "premature_flop": 1, "mid_round": 0.5})
    found = {True: [], False: []}
    for seed in range(240):
        seen = Table(rules, seed=seed).records
        place = int(seen["exposed_deal"][0]).bit_length() - 1
        found[place < 3].append(int(seen["premature_after"][0, 0]))
    for moments in found.values():
        later = [moment for moment in moments if moment > 0]
        assert len(later) / len(moments) == pytest.approx(0.5, abs=0.15)
        assert np.mean(later) == pytest.approx(1.5, abs=0.2)


def test_r33_after_a_reshuffle_every_card_is_equally_likely_at_every_place():
    """A deck of fourteen cards: each stands at each place in one order of fourteen."""
    cards = parse_cards("JcJdQcQdQhQsKcKdKhKsAcAdAhAs")
    rules = Rules(seats=2, deck=tuple(cards))
    counts = np.zeros((14, 14), np.int64)
    for seed in range(420):
        table = Table(rules, seed=seed, dealer_errors={"exposed_hole_card": 0}, reshuffles=None)
        for place, card in enumerate(table.records["reshuffle_order"][0, 0, :14].tolist()):
            counts[cards.index(card), place] += 1
    assert counts.sum(axis=1).tolist() == [420] * 14
    assert counts.min() > 10
    assert counts.max() < 50


@pytest.mark.parametrize("error", ["premature_flop", "premature_turn", "premature_river"])
def test_r36_r38_cards_too_early_in_a_hand_that_ends_do_not_go_back_in_the_next(error):
    """Everybody folds when they come. In about half of the hands they do not."""
    rules = Rules(seats=3, blinds=(5, 10), stacks=2000, dealer_errors={error: 0.5}, session={"kind": "cash"})
    session, came = Session(rules, seed=4), []
    for _ in range(12):
        table = session.deal()
        while not table.is_over:
            if "deal_early" in [deed.kind for deed in table.log]:
                table.fold()
            else:
                table.check_call()
        kinds = {deed.kind for deed in table.log}
        came.append("deal_early" in kinds)
        assert not {"take_back", "reshuffle"} & kinds
    assert (True, False) in itertools.pairwise(came)


def test_the_record_has_the_errors_that_are_still_to_happen():
    seen = {"exposed_hole_card": 2, "extra_card": True, "premature_flop": True, "premature_river": True}
    table = Table(Rules(seats=3), seed=1, dealer_errors=seen)
    assert int(table.records["errors"][0]) == record.PREMATURE_FLOP << 2
    assert int(check_down(table).records["errors"][0]) == 0
