"""The compiled engine against the oracle: random games, random moves, and both must agree after every move.

The oracle (tests/oracle) was written from the rulebook alone, by somebody who had not seen the engine. A failure
prints a game that `replay` below plays again.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter

import numpy as np
import pytest

from differential.hand_notes import Game, Style
from errors import complaint, mentions
from examples import seeds
from holdem_env import IllegalMove, Rake, Rules, Session, Table, evaluate
from oracle.ranking import best_hand
from oracle.reference import CHECK_CALL, FOLD, ReferenceHand

STRUCTURES = ("no_limit", "pot_limit", "fixed_limit")


def random_game(rng: random.Random) -> Game:
    """Rules, stacks, button and deck; many stacks are so short that blinds, antes and raises are."""
    chip = rng.choice([1, 1, 1, 5, 25])
    blinds = rng.choice([(1, 2), (2, 4), (5, 10), (10, 15), (3, 10), (4, 4), (0, 6), (50, 100)])
    small, big = chip * blinds[0], chip * blinds[1]
    seats = rng.choice([2, 2, 3, 3, 3, 4, 4, 5, 6, 6, 7, 8, 9, 10])
    kind = rng.choice(["ladder", "ladder", "ladder", "mixed", "mixed", "mixed", "mixed", "steps"])
    structure = "no_limit" if kind == "steps" else rng.choice(STRUCTURES)
    units = big // chip

    def ante(probability: float) -> int:
        return chip * rng.randint(1, 2 * units) if rng.random() < probability else 0

    rules = {
        "structure": structure,
        "blinds": (small, big),
        "ante": ante(0.3),
        "big_blind_ante": ante(0.2),
        "straddle": rng.choice([2 * big, 2 * big, 3 * big, 2 * big + chip]) if seats > 2 and rng.random() < 0.3 else 0,
        "reopen": rng.choice(["cumulative", "cumulative", "strict"]),
        "reopen_fraction": rng.choice([None, None, None, 0.5, 1.0, 0.25, 0.75]),
        "smallest_chip": chip,
        "muck": rng.random() < 0.8,
        "face_up_all_in": rng.random() < 0.5,
    }
    if structure == "fixed_limit":
        rules["max_raises"] = rng.choice([(3, 4, 4, 4), (3, 4, 4, 4), (1, 2, 2, 3), (2, 1, 3, 1), (0, 1, 2, 0), None])
        rules["uncapped_heads_up"] = rng.choice(["never", "at_start", "when_two_left"])
        if rng.random() < 0.3:
            rules["small_bet"] = chip * rng.randint(units, 3 * units)
            rules["big_bet"] = chip * rng.randint(rules["small_bet"] // chip, 9 * units)
    rules["rake"] = None
    if rng.random() < 0.4:
        cap = rng.choice([None, chip, chip * rng.randint(1, 5 * units)])
        rules["rake"] = (rng.choice([1, 2.5, 5, 5, 10, 33]), cap, rng.random() < 0.7)
    if kind == "mixed":
        # Depths in big blinds: a hand has one or two kinds of stack.
        depths = rng.choices([1, 4, 20, 100], k=rng.randint(1, 2))
        stacks = [chip * rng.randint(1, rng.choice(depths) * units) for _ in range(seats)]
    else:
        if kind == "steps":
            # All-ins for less than a full raise above the big blind, among deep callers: R23.
            seats = max(5, seats)
            rules |= {"ante": 0, "big_blind_ante": 0, "straddle": 0, "reopen_fraction": None}
        # Like a ladder: many can go all-in for less than a full raise above one another, a few are deep.
        base = rules["ante"] // chip + units * (1 if kind == "steps" else rng.choice([1, 1, 2, 4]))
        stacks = [chip * (base + rng.randint(1, 2 * units)) for _ in range(seats)]
        for seat in rng.sample(range(seats), seats // 2 if kind == "steps" else rng.randint(0, 2)):
            stacks[seat] = chip * 100 * units
    if rng.random() < 0.2:
        stacks[rng.randrange(seats)] = stacks[0]
    button, deck = rng.randrange(seats), random_deck(rng)
    rules["showing"] = rng.choice(["automatic", "automatic", "manual"])
    return Game(rules, stacks, button, deck)


def random_deck(rng: random.Random) -> list[int]:
    """Often only a few ranks or suits come, so that high hands meet and tie."""
    deck = rng.sample(range(52), 52)
    kind = rng.choice(["any", "any", "ranks", "suits"])
    if kind == "ranks":
        ranks = rng.sample(range(13), 7)
        deck.sort(key=lambda card: card // 4 not in ranks)
    elif kind == "suits":
        suits = rng.sample(range(4), 2)
        deck.sort(key=lambda card: card % 4 not in suits)
    return deck


def reference_hand(game: Game) -> ReferenceHand:
    return ReferenceHand(**game.rules, stacks=game.stacks, button=game.button, deck=game.deck)


def engine_table(game: Game) -> Table:
    rules = dict(game.rules)
    if rules["rake"] is not None:
        percent, cap, no_flop_no_drop = rules["rake"]
        rules["rake"] = Rake(percent=percent, cap=cap, no_flop_no_drop=no_flop_no_drop)
    seats = len(game.stacks)
    return Table(
        Rules(seats=seats, stacks=game.stacks, **rules), stacks=game.stacks, button=game.button, deck=game.deck
    )


def random_style(rng: random.Random) -> Style:
    return Style(
        fold=rng.choice([0.0, 0.02, 0.1, 0.3, 0.5]),
        raise_=rng.choice([0.1, 0.3, 0.5, 0.8]),
        smallest=rng.random() < 0.3,
    )


def random_move(hand: ReferenceHand, style: Style, rng: random.Random) -> int:
    """A legal move: smallest, largest and odd raises are more frequent than the ones between."""
    _, _, low, high = hand.legal()
    draw = rng.random()
    if draw < style.fold:
        return FOLD
    # Short stacks like to go all-in for a little more: on that turn R21 to R24.
    appetite = max(0.5, style.raise_) if low is not None and low == high and not hand.fixed else style.raise_
    if low is None or draw > style.fold + appetite:
        return CHECK_CALL
    if low == high or style.smallest:
        return low
    chip = hand.smallest_chip
    # A bet that another stack can raise by less than a full raise, when one is in reach.
    others = [hand.bets[seat] + hand.stacks[seat] for seat in range(hand.n) if seat != hand.actor]
    tempting = [total - chip * rng.randint(1, 4 + hand.big_blind // chip) for total in others]
    tempting = [total for total in tempting if low <= total <= high]
    kind = rng.choice(["low", "low", "high", "small", "any", "tempting", "tempting"])
    if kind == "tempting" and tempting:
        return rng.choice(tempting)
    top = {"low": low, "small": min(high, low + 5 * hand.big_blind)}.get(kind, high)
    if kind == "high":
        return high
    # An all-in need not be a multiple of anything but the chip, and stacks are: so the whole range is chips.
    return low + chip * rng.randint(0, (top - low) // chip)


def apply(table: Table, move: int) -> None:
    if move == FOLD:
        table.fold()
    elif move == CHECK_CALL:
        table.check_call()
    else:
        table.raise_to(move)


def oracle_view(hand: ReferenceHand) -> dict:
    """What both must agree on while the hand lasts."""
    return {
        "actor": hand.chooser if hand.actor is None else hand.actor,
        "choosing": hand.chooser is not None,
        "shown": sorted(hand.shown),
        "legal": None if hand.actor is None else hand.legal(),
        "stacks": hand.stacks,
        "bets": hand.bets,
        "middle": hand.pot_total,
        "pots": [(pot.amount, tuple(pot.contestants)) for pot in hand.pots()],
        "board": hand.board,
        "over": hand.over,
    }


def engine_view(table: Table) -> dict:
    legal = table.legal
    return {
        "actor": table.actor,
        "choosing": table.is_showing,
        "shown": [seat for seat in range(table.rules.seats) if table.is_shown(seat)],
        "legal": (legal.fold, legal.call, legal.raise_min, legal.raise_max) if legal.fold else None,
        "stacks": list(table.stacks),
        "bets": list(table.bets),
        "middle": 0 if table.is_over else sum(pot.amount for pot in table.pots) + sum(table.bets),
        "pots": [(pot.amount, tuple(pot.seats)) for pot in table.pots],
        "board": list(table.board),
        "over": table.is_over,
    }


def oracle_end(hand: ReferenceHand, actions: list[tuple[str, int, int]]) -> dict:
    """What both must agree on when the hand is over (R26-R31), and what the log must hold."""
    order = [(seat, "muck" if seat in hand.mucked else "show") for seat in hand.show_order]
    dealt = {0: [], 3: [0, 1], 4: [0, 1, 4, 5], 5: [0, 1, 4, 5, 6, 7]}[len(hand.board)]  # R4: a burn, then a street
    streets = [hand.deck[2 * hand.n + at :][: 3 if at == 1 else 1] for at in dealt]
    return {
        "payoffs": hand.payoffs,
        "rake": hand.rake_taken,
        "returned": hand.returned,
        "shown": order,
        "board when shown": hand.board_when_shown,
        # Side pots first. A pot that the rake has emptied is pushed too: it has its winners, who get nothing.
        "pots": [shares for _, _, shares in hand.pots_awarded],
        "posted": by_seat(hand.posted),
        "actions": actions,
        "streets": streets,
    }


def engine_end(table: Table) -> dict:
    log = list(table.log)
    returned = [(op.seat, op.amount) for op in log if op.kind == "return_uncalled"]
    assert len(returned) <= 1
    pots: dict[int, dict[int, int]] = {}
    for op in log:
        if op.kind == "push_pot":
            share = pots.setdefault(op.pot, {})
            assert op.seat not in share, "one pot, one push to each winner"
            share[op.seat] = op.amount
    assert list(pots) == sorted(pots, reverse=True), "R27: side pots are decided before the main pot"
    shown = [at for at, op in enumerate(log) if op.kind in ("show", "muck")]
    before = log[: shown[0]] if shown else []
    return {
        "payoffs": list(table.payoffs),
        "rake": table.rake,
        "returned": returned[0] if returned else None,
        "shown": [(log[at].seat, log[at].kind) for at in shown],
        "board when shown": sum(len(op.cards) for op in before if op.kind == "deal_board"),
        "pots": list(pots.values()),
        "posted": by_seat(
            [(op.kind[5:], op.seat, op.amount) for op in log if op.kind.startswith("post_") and op.amount]
        ),
        "actions": [
            (op.kind, op.seat, op.amount) for op in log if op.kind in ("fold", "check", "call", "bet", "raise")
        ],
        "streets": [list(op.cards) for op in log if op.kind in ("burn", "deal_board")],
    }


def by_seat(posted: list[tuple[str, int, int]]) -> list[tuple[str, int, int]]:
    """Among seats the order does not matter; R8 orders what one seat posts."""
    return sorted(posted, key=lambda post: post[1])


def action(hand: ReferenceHand, move: int) -> tuple[str, int, int]:
    """The log's entry for a move: kind, seat, and the chips added, or the total raised to."""
    _, call, _, _ = hand.legal()
    if move == FOLD:
        return "fold", hand.actor, 0
    if move == CHECK_CALL:
        return ("call" if call else "check"), hand.actor, call
    return ("raise" if hand.to_match else "bet"), hand.actor, move


def differences(one: dict, other: dict) -> str:
    return "; ".join(f"{key}: oracle {one[key]}, engine {other[key]}" for key in one if one[key] != other[key])


def replay(game: Game, moves: list[int], choices: list[bool] | None = None) -> tuple[ReferenceHand, Table]:
    """Play a game that a failure has printed: Game(...), its moves, and whether those who chose showed."""
    hand, table = reference_hand(game), engine_table(game)
    for move in moves:
        hand.act(move)
        apply(table, move)
    for shows in choices or []:
        choose(hand, table, shows)
    return hand, table


def compare(game: Game, rng: random.Random, table: Table | None = None) -> ReferenceHand:
    """One hand with random moves on both. table: the engine's, if it is not one that stands alone."""
    hand, table = reference_hand(game), table or engine_table(game)
    style = random_style(rng)
    moves: list[int] = []
    choices: list[bool] = []
    actions: list[tuple[str, int, int]] = []

    def agree(one: dict, other: dict) -> None:
        if one != other:
            pytest.fail(f"{differences(one, other)}\n{game!r}\nmoves = {moves!r}\nchoices = {choices!r}", pytrace=False)

    agree({"hole": hand.hole}, {"hole": [tuple(table.hole_cards(seat)) for seat in range(hand.n)]})
    agree(oracle_view(hand), engine_view(table))
    while hand.actor is not None:
        if rng.random() < 0.1:
            try_illegal(hand, table, rng)
        move = random_move(hand, style, rng)
        moves.append(move)
        actions.append(action(hand, move))
        hand.act(move)
        apply(table, move)
        agree(oracle_view(hand), engine_view(table))
    while hand.chooser is not None:
        choices.append(rng.random() < 0.5)
        choose(hand, table, choices[-1])
        agree(oracle_view(hand), engine_view(table))
    agree(oracle_end(hand, actions), engine_end(table))
    return hand


def returning_hand(rng: random.Random) -> tuple[Game, Table]:
    """The hand of a cash session in which a player comes back on the button, with a dead small blind and often with
    hardly more chips than that."""
    seats = rng.randint(4, 6)
    chip = rng.choice([1, 5])
    small, big = rng.choice([(5, 10), (10, 15), (10, 20)])
    small, big = chip * small, chip * big
    rake = rng.choice([None, None, (10, None, True), (33, 4 * chip, False)])
    rules: dict = {
        "blinds": (small, big),
        "ante": rng.choice([0, 0, chip]),
        "big_blind_ante": rng.choice([0, 0, big]),
        "smallest_chip": chip,
        "structure": rng.choice(STRUCTURES),
        "face_up_all_in": rng.random() < 0.5,
        "showing": rng.choice(["automatic", "manual"]),
        "rake": None if rake is None else Rake(percent=rake[0], cap=rake[1], no_flop_no_drop=rake[2]),
    }
    back = 2  # it has the first big blind, is away for the small blind, and returns on the button
    stacks = [chip * rng.choice([rng.randint(200, 300), 500, 2000]) for _ in range(seats)]
    stacks[back] = 4 * rules["ante"] + 2 * big + chip * rng.choice([rng.randint(1, small // chip), rng.randint(1, 60)])
    session = Session(Rules(seats=seats, session={"kind": "cash"}, **rules), stacks=stacks, button=0, seed=1)
    first = session.deal()
    first.check_call()
    while not first.is_over:
        first.no_action() if first.is_showing else first.fold()
    session.sit_out(back)
    second = session.deal()
    while not second.is_over:
        second.no_action() if second.is_showing else second.fold()
    session.sit_in(back)
    deck, stacks = random_deck(rng), session.stacks
    table = session.deal(deck=deck)
    game = {**rules, "rake": rake, "returning": {back: {"small"}}}
    assert session.button == back
    return Game(game, stacks, back, deck), table


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("seed", range(5))
def test_r10_r20_r27_the_oracle_agrees_on_players_who_return_with_a_dead_blind(seed):
    rng = random.Random(seed)
    alone = 0
    for _ in range(40):
        game, table = returning_hand(rng)
        hand = compare(game, rng, table)
        back = hand.button
        alone += not hand.folded[back] and hand.contributed[back] == 0
    assert alone > 3


def choose(hand: ReferenceHand, table: Table, shows: bool) -> None:
    """The player whose turn it is shows or mucks on both."""
    seat = hand.chooser
    hand.choose(shows)
    (table.show if shows else table.muck)(seat)


def try_illegal(hand: ReferenceHand, table: Table, rng: random.Random) -> None:
    """Both refuse the same totals; that nothing has changed shows in the next comparison."""
    _, _, low, high = hand.legal()
    chip = hand.smallest_chip
    if low is None:
        totals = [hand.to_match + chip * rng.randint(1, 100)]
    else:
        totals = [rng.choice([low - chip, high + chip, low - 1, high + 1, hand.to_match]), low + 1]
    for total in totals:
        if total <= 0 or (low is not None and low <= total <= high and total % chip == 0):
            continue
        mentions(complaint(hand.act, total), "cannot raise")
        complaint(table.raise_to, total, kind=IllegalMove)


def play_many(seed: int, hands: int) -> None:
    rng = random.Random(seed)
    for _ in range(hands):
        compare(random_game(rng), rng)


@pytest.mark.fast_cases(8)
@pytest.mark.parametrize("seed", range(20))
def test_engine_agrees_with_the_oracle(seed):
    play_many(seed, 30)


@pytest.mark.slow
@pytest.mark.parametrize("seed", seeds(1000, 50))
def test_engine_agrees_with_the_oracle_over_many_hands(seed):
    play_many(seed, 1000)


@pytest.mark.parametrize("count", [2_000, pytest.param(10_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("size", [5, 6, 7])
def test_r02_r03_evaluate_orders_hands_as_the_oracle_does(size, count):
    rng = random.Random(size)
    hands = [random_deck(rng)[:size] for _ in range(count)]
    # Short decks of three ranks and of one suit: quads, full houses and straight flushes of every kind.
    for _ in range(count // 2):
        ranks, suit = rng.sample(range(13), 3), rng.randrange(4)
        hands.append(rng.sample([card for card in range(52) if card // 4 in ranks], size))
        hands.append(rng.sample([card for card in range(52) if card % 4 == suit], size))
    values = [int(value) for value in evaluate(np.array(hands))]
    by_oracle = sorted(set(zip(map(best_hand, hands), values, strict=True)))
    for (worse, low), (better, high) in itertools.pairwise(by_oracle):
        assert worse < better, f"evaluate gives {low} and {high} for hands that tie: {worse}"
        assert low < high, f"evaluate gives {low} for {worse} and {high} for {better}"


def test_the_random_hands_reach_the_rare_rules():
    """Otherwise the agreement would say little. Counted on the oracle."""
    rare = {
        "R21 may only call", "R23 reopened by several short all-ins", "R24 counts", "R24 does not count",
        "R26 uncalled", "R27 three pots", "R27 pot of one after a fold", "R28 odd chip", "R29 muck", "R29 tie",
        "R29 beaten chooses", "R30 no showdown", "R30 winner chooses", "R31 rake",
    }  # fmt: skip
    seen: Counter[str] = Counter()
    rng = random.Random(0)
    for _ in range(600):  # as many as the comparisons play
        hand = reference_hand(random_game(rng))
        style = random_style(rng)
        while hand.actor is not None:
            seat = hand.actor
            _, call, low, _ = hand.legal()
            acted = hand.acted_at[seat] is not None
            if acted and low is None and hand.stacks[seat] > call and not hand.fixed:
                seen["R21 may only call"] += 1
            if acted and low is not None and not hand.reopened[seat]:
                seen["R23 reopened by several short all-ins"] += 1
            move = random_move(hand, style, rng)
            if move > 0 and hand.fixed and move < hand.last_full_level + hand.largest_full:
                measured = move - hand.last_full_level >= hand.reopen_fraction * hand.largest_full
                seen["R24 counts" if measured else "R24 does not count"] += 1
            hand.act(move)
        while hand.chooser is not None:
            seen["R30 winner chooses" if hand.folded.count(False) == 1 else "R29 beaten chooses"] += 1
            hand.choose(rng.random() < 0.5)
        seen["R26 uncalled"] += hand.returned is not None
        seen["R27 three pots"] += len(hand.pots_awarded) >= 3
        seen["R27 pot of one after a fold"] += any(len(who) == 1 for _, who, _ in hand.pots_awarded[:-1])
        seen["R28 odd chip"] += any(len(set(shares.values())) > 1 for _, _, shares in hand.pots_awarded)
        seen["R29 muck"] += bool(hand.mucked)
        seen["R29 tie"] += any(len(shares) > 1 for _, _, shares in hand.pots_awarded)
        seen["R30 no showdown"] += not hand.show_order
        seen["R31 rake"] += hand.rake_taken > 0
        if all(seen[event] for event in rare):
            break
    missing = {event for event in rare if seen[event] == 0}
    assert not missing, dict(seen)
