"""R29 and R30 with showing="manual": each player after the first, and who wins alone, chooses to show or to muck."""

from __future__ import annotations

import pickle
from functools import partial
from typing import Any

import pytest

from errors import complaint, mentions
from holdem_env import IllegalMove, Rules, Session, Table
from rules.playing import (
    BEST,
    BEST_TOO,
    GOOD,
    NAMES,
    POOR,
    RIVER,
    WORST,
    A,
    B,
    C,
    D,
    case,
    deal,
    deeds,
    flop,
    play,
    play_to,
    played,
    river,
    showing,
)

MANUAL: dict[str, Any] = {"showing": "manual"}
manual_river, manual_flop = partial(river, **MANUAL), partial(flop, **MANUAL)


def bet_to_the_end(table: Table) -> Table:
    """Everybody checks and calls until the betting is over."""
    while not table.is_over and not table.is_showing:
        table.check_call()
    return table


def nothing_is_legal(table: Table) -> bool:
    return table.legal == (False, None, None, None)


TIED = {A: GOOD, B: POOR, C: BEST, D: BEST_TOO}
HI_LO: dict[str, Any] = {"split": "high_low", "board": "8h7c3dKsKc"}
CHOICES = [  # who is asked, and whether it shows (+), mucks (-) or does not choose (.)
    # A shows first, B is beaten, C beats all who have shown, and D ties with C: everybody but the first is asked
    (case(manual_river, [500] * 4, "", "A+ B+ C+ D+ | -20 -20 20 20", holes=TIED), "B+ C+ D+"),
    # who folds face down gives up the pots it would win
    (case(manual_river, [500] * 4, "", "A+ B+ C- D+ | -20 -20 -20 60", holes=TIED), "B+ C- D+"),
    (case(manual_river, [500] * 4, "", "A+ B+ C- D- | 60 -20 -20 -20", holes=TIED), "B+ C- D-"),
    # A is all-in for the main pot of 210; B and C play a side pot of 200. B bet last and shows first; C is the best.
    (
        case(
            manual_flop,
            [50, 500, 500],
            "A:b50 B:r150 C:c B:k C:k B:k C:k",
            "B+ C- A+ | 140 30 -170",
            holes=[GOOD, POOR, BEST],
        ),
        "C-",
    ),
    (case(manual_river, [500] * 3, "", "A+ B- C+ | -20 -20 40", holes=["QhQd", "Ah2d", "KhJh"], **HI_LO), "B- C+"),
    # what is shown by choice beats later hands too: C, who beats neither, has the choice whatever B does
    (case(manual_river, [500] * 3, "", "A+ B+ C- | 40 -20 -20", holes=[BEST, GOOD, POOR]), "B+ C-"),
    (case(manual_river, [500] * 3, "", "A+ B- C- | 40 -20 -20", holes=[BEST, GOOD, POOR]), "B- C-"),
    # the order is kept across choices
    (
        case(
            manual_river,
            [500] * 4,
            "A:k B:k C:b20 D:c A:c B:c",
            "C+ D+ A+ B+ | -40 -40 120 -40",
            holes=[POOR, GOOD, BEST, WORST],
        ),
        "D+ A+ B+",
    ),
    # who is all-in shows without a choice, hands that are face up leave none, nor does a game in which all must show
    (case(manual_flop, [50, 500, 500], "A:b50 B:r150 C:c", "B+ C- A+ | -70 240 -170", holes=[WORST, BEST, POOR]), "C-"),
    (case(manual_flop, [50, 50], "A:b50 B:c", "A+ B+ | -70 70", holes=[WORST, BEST]), ""),
    (case(manual_river, [500] * 3, "", "A+ B+ C+ | 40 -20 -20", muck=False, holes=[BEST, POOR, GOOD]), ""),
    # who does not choose mucks a beaten hand, in hi-lo what is beaten both ways, and shows another: B has a low
    (case(manual_river, [500] * 2, "", "A+ B- | 20 -20", holes=[BEST, POOR]), "B."),
    (case(manual_river, [500] * 2, "", "A+ B+ | 0 0", holes=[BEST, BEST_TOO]), "B."),
    (case(manual_river, [500] * 3, "", "A+ B+ C- | 10 10 -20", holes=["KhQd", "Ah2d", "QsJh"], **HI_LO), "B. C."),
]


@pytest.mark.parametrize(("hand", "choices"), CHOICES)
def test_r29_r25_r32_who_chooses_and_what_follows(hand, choices):
    *given, expected = hand
    table = bet_to_the_end(played(*given))
    for seat, choice in choices.split():
        assert table.actor == NAMES.index(seat)
        {"+": table.show, "-": table.muck, ".": lambda _: table.no_action()}[choice](table.actor)
    assert table.is_over
    done = " ".join(showing(table)).replace(" show", "+").replace(" muck", "-")
    assert f"{done} | {' '.join(map(str, table.payoffs))}" == expected


def test_r29_a_beaten_player_chooses():
    table = bet_to_the_end(manual_river([500] * 3, holes=[BEST, POOR, GOOD]))
    assert (table.actor, table.is_showing, table.is_over) == (B, True, False)
    assert showing(table) == ["A show"]
    table.show(B)
    assert (table.actor, table.is_over) == (C, False)
    table.muck(C)
    assert showing(table) == ["A show", "B show", "C muck"]
    assert [table.is_shown(seat) for seat in range(3)] == [True, True, False]
    assert (table.actor, table.is_showing, table.is_over) == (None, False, True)
    assert table.payoffs == [40, -20, -20]


def test_r29_the_pots_are_paid_after_the_last_choice():
    table = bet_to_the_end(manual_river([500] * 2, rake=10, holes=[BEST, POOR]))
    assert (table.stacks, table.pot, [pot.amount for pot in table.pots]) == ([500, 500], 40, [40])
    assert table.rake == 0
    table.muck(B)
    assert (table.stacks, table.pot, table.pots, table.rake) == ([536, 500], 0, [], 4)


@pytest.mark.parametrize(("choose", "deed"), [(Table.show, "A show"), (Table.muck, "A muck")])
def test_r30_who_wins_alone_chooses(choose, deed):
    table = play(manual_flop([500] * 3, holes=[WORST]), "A:b100 B:f C:f")
    assert (table.actor, table.is_showing, table.is_over, table.stacks) == (A, True, False, [500] * 3)
    choose(table, A)
    assert table.is_over
    done = deeds(table, "show", "muck", "push_pot", "return_uncalled")
    assert done == ["A return_uncalled 100", deed, "A push_pot 60 of 0"]
    assert table.is_shown(A) == (deed == "A show")
    assert table.payoffs == [40, -20, -20]
    cards = [1 + card for card in table.hole_cards(A)] if table.is_shown(A) else [0, 0]
    assert table.records["last_shown"][0, :3, :2].tolist() == [cards, [0, 0], [0, 0]]
    assert int(table.records["shown_age"][0]) == 0


def test_r30_the_option_changes_no_payoff():
    for script in ("C:f A:f", "C:r60 A:f B:f", "C:c A:r60 B:f C:f"):
        table, usual = play(deal([500] * 3, **MANUAL), script), play(deal([500] * 3), script)
        table.no_action()
        assert table.payoffs == usual.payoffs


def test_r10_r30_an_absent_winner_is_not_asked():
    session = Session(Rules(seats=2, blinds=(10, 20), stacks=500, session={}, **MANUAL), seed=1)
    session.deal().fold()
    assert session.table is not None
    session.table.no_action()
    button = session.button
    session.sit_out(button)  # it will have the big blind in the next hand
    table = session.deal()
    assert table.actor == 1 - button
    table.fold()
    assert table.is_over
    assert showing(table) == []


def test_r29_moves_are_refused_while_somebody_chooses():
    table = bet_to_the_end(manual_river([500] * 3, holes=[BEST, POOR, GOOD]))
    assert nothing_is_legal(table)
    before = table.records.tobytes(), list(table.log)
    for move in (table.fold, table.check_call, partial(table.raise_to, 20), partial(table.play, -1)):
        mentions(complaint(move, kind=IllegalMove), 1)
    for choose in (table.show, table.muck):
        mentions(complaint(choose, C, kind=IllegalMove), 2, 1)
        mentions(complaint(choose, 3), 3)
    assert (table.records.tobytes(), list(table.log)) == before


def test_r29_nobody_chooses_before_the_end_and_after_it():
    table = manual_river([500] * 2, holes=[BEST, POOR])
    mentions(complaint(table.show, B, kind=IllegalMove), 1, 0)
    bet_to_the_end(table).muck(B)
    by_default = bet_to_the_end(river([500] * 3, holes=[BEST, POOR, GOOD]))
    for over in (table, by_default):
        assert over.is_over
        mentions(complaint(over.muck, B, kind=IllegalMove), 1)


def test_r29_a_choice_can_be_undone():
    table = bet_to_the_end(manual_river([500] * 3, holes=[BEST, POOR, GOOD]))
    before = table.records.tobytes(), list(table.log)
    table.show(B)
    table.muck(C)
    table.undo()
    assert (table.actor, table.is_over, showing(table)) == (C, False, ["A show", "B show"])
    table.undo()
    assert (table.records.tobytes(), list(table.log)) == before
    table.undo()  # the last check: nobody has shown
    assert (table.is_showing, table.street, showing(table)) == (False, RIVER, [])


def test_r29_copies_choose_for_themselves():
    table = bet_to_the_end(manual_river([500] * 2, holes=[BEST, POOR]))
    for twin in (table.copy(), pickle.loads(pickle.dumps(table))):
        twin.show(B)
        assert twin.is_over
        assert twin.is_shown(B)
    assert (table.actor, table.is_shown(B)) == (B, False)


def test_r29_the_text_says_who_chooses():
    table = bet_to_the_end(manual_river([500] * 3, holes=[BEST, POOR, GOOD]))
    lines = str(table).splitlines()
    assert (" showing " in lines[0], lines[1].endswith("shows"), lines[2][:10]) == (True, True, "  > seat 1")
    assert lines[-1] == "Seat 1 chooses to show or to muck: show(1) or muck(1)."


def test_r29_a_session_waits_for_the_last_choice():
    session = Session(Rules(seats=2, blinds=(10, 20), stacks=500, **MANUAL), seed=3)
    table = session.deal()
    table.fold()
    mentions(complaint(session.deal), "deal")
    table.show(table.actor)
    assert session.hands_played == 1
    play_to(session.deal(), RIVER)
