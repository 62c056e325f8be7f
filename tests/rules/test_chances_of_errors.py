"""R33-R38: what the seed draws for the dealer's errors, and hand after hand with an error in each."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from holdem_env import Rules, Session, Table
from holdem_env.engine import batch, record
from holdem_env.engine.record import MAX_RESHUFFLES

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
    records = record.new_records(record.TABLE, 1)
    found = {True: [], False: []}
    for seed in range(400):
        table = Table(rules, seed=seed)
        place = int(table.records["exposed_deal"][0]).bit_length() - 1
        batch.number_tables(records, seed, 0, 0)
        found[place < 4].append(int(batch.errors_of(records, rules.record)))
    for kind in range(1, len(record.DEALER_ERRORS)):
        for bits in found.values():
            assert np.mean([value >> kind & 1 for value in bits]) == pytest.approx(0.5, abs=0.14), kind


@pytest.mark.parametrize("error", [*record.DEALER_ERRORS])
def test_r33_r38_hand_after_hand_goes_wrong_as_the_first_does(error):
    """Nothing of one hand's errors is left in the next."""
    rules = Rules(seats=3, stacks=2000, blinds=(5, 10), dealer_errors={error: 1}, session={"kind": "cash"})
    session, counts = Session(rules, seed=2), set()
    for _ in range(MAX_RESHUFFLES + 3):
        table = session.deal()
        while not table.is_over:
            table.check_call()
        kinds = [deed.kind for deed in table.log]
        assert int(table.records["reshuffles"][0]) == kinds.count("reshuffle") <= 1
        counts.add(kinds.count("deal_board"))
        assert len(set(table.board)) == 5
    assert counts == {3}
