"""A small game on both sides, ours and OpenSpiel's, walked together decision by decision."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from holdem_env import Rules, Table
from holdem_env.encoders import get_actions

pyspiel = pytest.importorskip("pyspiel")

NO_MOVE = -2
ONE_ROW = np.zeros(1, np.int64)
THEIRS = {"kuhn": "kuhn_poker", "leduc": "leduc_poker"}
# OpenSpiel's names of moves -> places in the mask of `limit`. Kuhn's poker has two moves, whatever they are called.
LEDUC = {"Fold": 0, "Call": 1, "Raise": 2}


class Pair:
    """The same game on both sides. The button is at the last seat, so that seat 0 acts first, as their player 0."""

    def __init__(self, rules, theirs):
        self.rules = rules
        self.game = pyspiel.load_game(theirs)
        self.limit = get_actions("limit", self.rules)
        self.decisions = self.ends = 0

    def offered(self, table):
        """Our moves by their places in the mask of `limit`, which offers no fold where checking is free (R14)."""
        choices = np.full((1, 3), NO_MOVE, np.int64)
        self.limit.choose(table.records, self.rules.record, ONE_ROW, choices)
        return {place: move for place, move in enumerate(choices[0].tolist()) if move != NO_MOVE}

    def walk_all(self):
        """Every order in which the dealt cards can come. Returns how many decisions and ends there were."""
        count = self.rules.cards_needed
        for cards in permutations(range(len(self.rules.deck)), count):
            deck = [self.rules.deck[card] for card in cards]
            self.walk(
                Table(self.rules, button=self.rules.seats - 1, deck=deck), self.game.new_initial_state(), list(cards)
            )
        return self.decisions, self.ends

    def walk(self, table, state, cards):
        """Compare the two, and go on with every move. `cards` are still to be dealt there."""
        while state.is_chance_node():
            card, *cards = cards
            state.apply_action(card)
        assert table.is_over == state.is_terminal()
        if state.is_terminal():
            self.ends += 1
            assert table.payoffs == state.returns()
            return
        self.decisions += 1
        assert table.actor == state.current_player()
        ours = self.offered(table)
        theirs = self.legal(state, table)
        assert set(ours) == set(theirs), str(table)
        for place, move in ours.items():
            after, then = table.copy(), state.clone()
            after.play(move)
            then.apply_action(theirs[place])
            self.walk(after, then, cards)

    def legal(self, state, table):
        """Their legal actions by the places in our mask."""
        actions = state.legal_actions()
        if self.game.get_type().short_name == "kuhn_poker":
            passing, betting = actions
            return {0: passing, 1: betting} if table.legal.call else {1: passing, 2: betting}
        return {LEDUC[state.action_to_string(action)]: action for action in actions}


class Translated(Pair):
    """Walks a game on both sides, and writes our agent's strategy into a policy of OpenSpiel's."""

    def __init__(self, agent, preset):
        from open_spiel.python.policy import TabularPolicy

        super().__init__(Rules.preset(preset), THEIRS[preset])
        self.agent, self.policy = agent, TabularPolicy(self.game)
        self.walk_all()

    def legal(self, state, table):
        theirs = super().legal(state, table)
        moves, probabilities = self.agent.probabilities(table.records, self.rules, ONE_ROW)
        seen = dict(zip(moves[0].tolist(), probabilities[0].tolist(), strict=True))
        row = self.policy.policy_for_key(state.information_state_string())
        row[:] = 0
        for place, move in self.offered(table).items():
            row[theirs[place]] = seen.get(move, 0.0)
        return theirs


def exploitability_by_openspiel(agent, preset):
    """NashConv / 2 of an agent, as OpenSpiel computes it."""
    from open_spiel.python.algorithms.exploitability import exploitability

    theirs = Translated(agent, preset)
    return exploitability(theirs.game, theirs.policy)


def value_by_openspiel(rules, sizes, iterations):
    """What the player off the button wins by OpenSpiel's CFR+, and NashConv / 2 of its strategy. sizes: the bets and
    the deck in the terms of its universal_poker."""
    streets = {"numRounds": rules.streets, "numBoardCards": " ".join(map(str, rules.board_cards))}
    shape = {"numPlayers": 2, "numHoleCards": rules.hole_cards, "firstPlayer": " ".join("1" * rules.streets)}
    betting = {"betting": "limit", "blind": f"{rules.ante} {rules.ante}"}
    game = pyspiel.load_game("universal_poker", {**streets, **shape, **betting, **sizes})
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    found = solver.average_policy()
    return pyspiel.expected_returns(game.new_initial_state(), found, -1, True)[0], pyspiel.nash_conv(game, found) / 2
