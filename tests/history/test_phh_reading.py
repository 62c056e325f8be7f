"""PHH as it is read: seats, forced bets, money, files, units and codes of games."""

from __future__ import annotations

import random
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errors import complaint, mentions
from examples import examples
from history.phh_text import FOLDED, HAND, HAND_PAYOFFS, TWO_PLAYERS, hand, replayed, several, text
from history.random_play import play_randomly
from history.test_phh_writing import check_same, pokerkit_payoffs
from holdem_env import Rake, Rules, Table
from holdem_env.history import HistoryError, phh
from properties.games import choices, games, play_out
from rules.playing import check_down


def test_a_hand_is_replayed_to_its_end() -> None:
    record = hand(finishing_stacks=[164, 198, 238])
    table = record.replay()
    assert table.is_over
    assert table.payoffs == HAND_PAYOFFS == record.payoffs
    assert [table.hole_cards(seat) for seat in range(3)] == ["AhQd", "2c7s", "KsKc"]
    assert table.board == "9c8d2h3s4c"
    assert table.button == 2


def test_a_record_that_stops_early_gives_an_unfinished_table() -> None:
    for length in range(4, len(HAND["actions"]) - 2):
        table = replayed(actions=HAND["actions"][:length])
        assert not table.is_over
    assert replayed(actions=[]).actor == 2
    assert hand().payoffs is None


def test_r07_heads_up_the_second_player_has_button_and_small_blind() -> None:
    table = replayed(TWO_PLAYERS)
    assert table.button == 1
    assert table.payoffs == [1, -1]
    assert table.hole_cards(0) == "AhQd"
    assert table.deck[:4] == "Ah2cQd7s"  # R4: the big blind is dealt first


def test_r08_heads_up_the_second_ante_is_the_big_blinds() -> None:
    table = replayed(TWO_PLAYERS, antes=[0, 2])
    posted = [(op.kind, op.seat) for op in table.log if op.kind.startswith("post")]
    assert posted == [("post_small_blind", 1), ("post_big_blind", 0), ("post_big_blind_ante", 0)]
    assert table.payoffs == [1, -1]


@pytest.mark.parametrize(
    ("antes", "blinds", "rules"),
    [
        ([1, 1, 1], [1, 2, 0], {"ante": 1}),
        ([0, 2, 0], [1, 2, 0], {"big_blind_ante": 2}),
        ([1, 3, 1], [1, 2, 0], {"ante": 1, "big_blind_ante": 2}),
        ([0, 0, 0], [1, 2, 4], {"straddle": 4}),
        ([0, 0, 0], [0, 2, 0], {"blinds": (0, 2)}),
    ],
)
def test_r08_forced_bets(antes: list[int], blinds: list[int], rules: dict[str, object]) -> None:
    record = hand(antes=antes, blinds_or_straddles=blinds, actions=[])
    for name, value in rules.items():
        assert getattr(record.rules, name) == value
    assert sum(record.replay().stacks) == 600 - sum(antes) - sum(blinds)


def test_r08_a_straddle_acts_last() -> None:
    actions = ["d dh p1 AhQd", "d dh p2 2c7s", "d dh p3 KsKc", "p1 cc", "p2 cc", "p3 cbr 8", "p1 f", "p2 f"]
    assert replayed(blinds_or_straddles=[1, 2, 4], actions=actions).payoffs == [-4, -4, 8]


def test_r08_a_short_ante_makes_a_side_pot() -> None:
    checks = ["p1 cc", "p2 cc"]
    actions = [*HAND["actions"][:3], *checks, "d db 9c8d2h", *checks, "d db 3s", *checks, "d db 4c", *checks]
    changes = {"antes": [5, 5, 5], "starting_stacks": [200, 200, 3], "actions": actions}
    assert replayed(ante_trimming_status=True, **changes).payoffs == [-7, 1, 6]
    mentions(complaint(hand, **changes, kind=HistoryError), 3, "ante_trimming_status")


def test_r18_fixed_limit() -> None:
    limit = {"variant": "FT", "min_bet": None, "small_bet": 2, "big_bet": 4}
    raises = ["d dh p1 AhQd", "d dh p2 2c7s", "d dh p3 KsKc", "p3 cbr 4", "p1 cbr 6", "p2 cbr 8", "p3 cc", "p1 cc"]
    table = replayed(**limit, actions=raises)
    assert table.rules.structure == "fixed_limit"
    assert table.rules.street_bets == (2, 2, 4, 4)
    assert table.legal.raise_min == 2
    capped = hand(**limit, actions=[*raises[:6], "p3 cbr 10"])
    mentions(complaint(capped.replay, kind=HistoryError), 6, 10)
    uncapped = phh.loads(text(**limit, actions=[*raises[:6], "p3 cbr 10"]), max_raises=None)
    assert uncapped.replay().bets == [6, 8, 10]


def test_a_minimum_bet_that_is_not_the_big_blind() -> None:
    assert (hand(min_bet=5).rules.min_bet, hand().rules.min_bet) == (5, None)


@pytest.mark.parametrize(
    ("factor", "unit"), [("0.01", Decimal("0.01")), ("0.05", Decimal("0.01")), ("0.5", Decimal("0.1")), ("1.00", 1)]
)
def test_money_with_decimals_is_scaled_exactly(factor: str, unit: Decimal) -> None:
    scale = Decimal(factor)

    def money(*amounts: int) -> str:
        return "[" + ", ".join(str(amount * scale) for amount in amounts) + "]"

    actions = [
        " ".join([*words[:-1], str(int(words[-1]) * scale)]) if "cbr" in words else action
        for action in HAND["actions"]
        for words in [action.split()]
    ]
    fields = text(antes=None, blinds_or_straddles=None, min_bet=None, starting_stacks=None, actions=actions)
    fields += f"antes = {money(0, 0, 0)}\nblinds_or_straddles = {money(1, 2, 0)}\nmin_bet = {2 * scale}\n"
    fields += f"starting_stacks = {money(200, 200, 200)}\nfinishing_stacks = {money(164, 198, 238)}\n"
    record = phh.loads(fields)
    assert record.unit == unit
    assert [payoff * record.unit for payoff in record.replay().payoffs] == [payoff * scale for payoff in HAND_PAYOFFS]
    assert record.payoffs == record.replay().payoffs
    assert all(isinstance(payoff, int) for payoff in record.payoffs)


def test_a_result_with_half_chips_does_not_change_the_unit() -> None:
    record = hand(finishing_stacks=[164.5, 198.0, 238])
    assert record.payoffs == [Fraction(-71, 2), -2, 38]
    assert record.unit == 1


def test_winnings_are_turned_into_payoffs() -> None:
    record = hand(winnings=[0, 0, 74])
    assert record.payoffs == HAND_PAYOFFS
    raked = hand(winnings=[0, 0, 70])
    assert raked.payoffs == [-36, -2, 34]
    uncalled = hand(actions=[*FOLDED[:3], "p3 cbr 100", "p1 f", "p2 f"], winnings=[0, 0, 5])
    assert uncalled.payoffs == [-1, -2, 3]


def test_everything_else_is_kept() -> None:
    record = hand(players=["Ann", "Ben", "Cleo"], seats=[4, 6, 1], seat_count=6, currency="EUR", _note="x", hand=7)
    assert record.players == ("Ann", "Ben", "Cleo")
    assert record.metadata["seats"] == [4, 6, 1]
    assert record.metadata["_note"] == "x"
    assert record.hand == 7
    assert "actions" not in record.metadata


def test_the_winner_of_an_uncontested_pot_may_show_or_muck() -> None:
    for end in ("p2 sm", "p2 sm 2c7s", "p2 sm -", "p2 sm ????"):
        assert replayed(actions=[*FOLDED, end]).payoffs == [-1, 1, 0]


def test_remarks_and_spaces_in_actions() -> None:
    actions = ["", "# a remark", "  d  dh p1 AhQd # she looks", *HAND["actions"][1:]]
    record = hand(actions=actions)
    assert record.replay().payoffs == HAND_PAYOFFS
    assert record.actions == tuple(actions)


def test_cards_dealt_one_at_a_time() -> None:
    one_by_one = [f"d dh {card}" for card in ("p1 Ah", "p2 2c", "p3 Ks", "p1 Qd", "p2 7s", "p3 Kc")]
    assert replayed(actions=[*one_by_one, *HAND["actions"][3:]]).payoffs == HAND_PAYOFFS


def test_one_hand_in_a_phh_file(tmp_path: Path) -> None:
    path = tmp_path / "one.phh"
    lines = ["\ufeff# with a byte order mark and a table", *text().splitlines(), "[_more]", "a = 1", ""]
    path.write_bytes("\r\n".join(lines).encode())
    [record] = phh.read(path, on_error="raise")
    assert record.replay().payoffs == HAND_PAYOFFS
    assert record.metadata == {"_more": {"a": 1}}
    assert record.hand == 1


def test_reading_is_lazy(tmp_path: Path) -> None:
    hands = phh.read(str(several(tmp_path / "hands.phhs", text(), text(TWO_PLAYERS), "no TOML")), on_error="raise")
    assert [(record.hand, record.line) for record in (next(hands), next(hands))] == [(1, 1), (2, 9)]
    complaint(next, hands, kind=HistoryError)


def test_record_keys_may_be_names_and_have_tables(tmp_path: Path) -> None:
    path = tmp_path / "hands.phhs"
    path.write_text(
        f'# two hands\n\n["final table"] # the first\n{text()}["final table"._extra]\nx = 1\n[b-2]\n{text()}'
    )
    hands = list(phh.read(path, on_error="raise"))
    assert [record.hand for record in hands] == ["final table", "b-2"]
    assert hands[0].metadata == {"_extra": {"x": 1}}


UNITS = [Decimal(unit) for unit in ("1", "0.01", "0.05", "0.1", "0.25", "0.5", "2", "5", "12.5", "25", "100", "0.001")]


def in_money(rules: Rules, unit: Decimal) -> dict[str, object]:
    """All amounts of a game in money; fields without amounts as they are."""
    rake = rules.rake
    return {
        "blinds": [blind * unit for blind in rules.blinds],
        "antes": [rules.ante * unit, rules.big_blind_ante * unit, rules.straddle * unit],
        "bets": [bet * unit for bet in rules.street_bets],
        "smallest chip": rules.smallest_chip * unit,
        "rake": None if rake is None else (rake.percent, None if rake.cap is None else rake.cap * unit),
        "others": (rules.structure, rules.muck, rules.reopen, rules.max_raises if rules.structure[0] == "f" else None),
    }


@examples(120, deadline=None, derandomize=True)
@given(games(holdem=True), choices, st.sampled_from(UNITS), st.booleans())
def test_a_hand_reads_back_in_the_same_money(game, moves, unit, has_least_bet):
    rules = game.rules
    if has_least_bet and rules.structure != "fixed_limit":
        least = rules.big_blind
        rules = rules.replace(min_bet=(least, least, 2 * least, 3 * least))
    if rules.big_blind_ante or rules.straddle:  # PHH has these for whole stacks alone
        rules = rules.replace(big_blind_ante=0, straddle=0)
    table = game._replace(rules=rules).deal()
    play_out(table, moves)
    hand = phh.loads(phh.dumps(table, unit=unit))
    seats = [(table.button + 1 + seat) % rules.seats for seat in range(rules.seats)]  # PHH begins left of the button
    expected = in_money(rules, unit)
    again = in_money(hand.rules, hand.unit)
    assert again == expected
    replayed = hand.replay()
    assert [chips * hand.unit for chips in replayed.payoffs] == [table.payoffs[seat] * unit for seat in seats]
    assert [chips * hand.unit for chips in replayed.payoffs] == [chips * hand.unit for chips in hand.payoffs or []]
    assert replayed.rake * hand.unit == table.rake * unit


@pytest.mark.parametrize("unit", UNITS)
def test_r31_the_cap_of_the_rake_is_money(unit):
    rules = Rules(seats=2, blinds=(5, 10), stacks=1000, rake=Rake(percent=50, cap=8))
    text = phh.dumps(check_down(Table(rules, seed=1)), unit=unit)
    assert phh.loads(text).replay().rake * phh.loads(text).unit == 8 * unit


def test_r13_odd_chips_of_a_large_chip_stay_large():
    """Three share a pot; a chip is worth 25, and is not broken."""
    rules = Rules(seats=3, blinds=(1, 2), stacks=100)
    table = check_down(Table(rules, button=2, deck="AsKsQsAdKdQd??2c7d8hJs??Tc??9c", seed=1))
    hand = phh.loads(phh.dumps(table, unit=25))
    assert hand.rules.smallest_chip == 25
    assert [chips * hand.unit for chips in hand.replay().payoffs] == [25 * chips for chips in table.payoffs]


def test_r13_whole_amounts_of_a_game_in_cents_stay_in_cents():
    rules = Rules(seats=2, blinds=(100, 200), stacks=20000)
    text = phh.dumps(Table(rules, seed=1), unit=Decimal("0.01"))
    assert phh.loads(text).unit == Decimal("0.01")


VARIANTS = {"NS": "short-deck", "PO": "omaha", "FO/8": "omaha-hi-lo"}


def finished(preset: str, seed: int, **changes: Any) -> Table:
    rng = random.Random(seed)
    fields = {"seats": rng.randint(2, 6), "blinds": (50, 100), "ante": 0, "stacks": 20_000, **changes}
    rules = Rules.preset(preset, **fields)
    return play_randomly(Table(rules, button=rng.randrange(rules.seats), seed=seed), rng)


@pytest.mark.parametrize("variant", VARIANTS)
def test_hands_read_back_the_same(variant: str) -> None:
    for seed in range(30):
        table = finished(VARIANTS[variant], seed)
        text = phh.dumps(table)
        assert f'variant = "{variant}"' in text
        assert "_holdem_env" not in text
        check_same(table, phh.loads(text))


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("variant", VARIANTS)
def test_pokerkit_pays_what_we_write(variant: str) -> None:
    pytest.importorskip("pokerkit")
    showdowns = 0
    for seed in range(30):
        table = finished(VARIANTS[variant], seed)
        # Even pots: where PokerKit puts odd chips is described in docs/rulings.md.
        if any(op.amount % 50 for op in table.log if op.kind == "push_pot"):
            continue
        order = [(table.button + 1 + i) % table.rules.seats for i in range(table.rules.seats)]
        assert pokerkit_payoffs(phh.dumps(table)) == [table.payoffs[seat] for seat in order]
        showdowns += any(op.kind == "show" for op in table.log)
    assert showdowns > 3


def test_what_phh_cannot_say_is_refused_or_carried() -> None:
    carried = finished("omaha", 1, structure="no_limit")
    assert phh.loads(phh.dumps(carried)).rules.structure == "no_limit"
    check_same(carried, phh.loads(phh.dumps(carried)))
    for preset, changes in (
        ("omaha", {"structure": "fixed_limit"}),
        ("omaha-hi-lo", {"structure": "pot_limit"}),
        ("holdem-hi-lo", {}),
        ("short-deck", {"structure": "fixed_limit"}),
    ):
        with pytest.raises(HistoryError, match="PHH has no code for hold'em with "):
            phh.dumps(finished(preset, 1, **changes))


OMAHA = """
variant = "PO"
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [200, 200, 200]
actions = ["d dh p1 ????????", "d dh p2 2c3c4d5d", "d dh p3 AsAdKsKd", "p3 cbr 7", "p1 f", "p2 cc",
  "d db AcKc2h", "p2 cc", "p3 cbr 15", "p2 cc", "d db 7h", "p2 cc", "p3 cc", "d db 8s", "p2 cc", "p3 cc"]
"""


def test_a_hand_of_omaha() -> None:
    record = phh.loads(OMAHA)
    assert record.holes[0] == "????????"
    table = record.replay()
    assert table.payoffs == [-1, -22, 23]
    assert table.hole_cards(2) == "AsAdKsKd"
    assert len(set(table.deck)) == 52
    unknown = phh.loads(OMAHA.replace("p2 2c3c4d5d", "p2 ????????"))
    assert unknown.replay().payoffs == [-1, -22, 23], "it loses to what was shown"


@pytest.mark.parametrize(
    ("hole", "flop", "reason"),
    [
        ("????", "AcKc9h", "a showdown with unknown cards can be replayed in hold'em and Omaha only"),
        ("2c3c", "AcKc2h", "is not in the deck of this game"),
    ],
)
def test_what_a_short_deck_cannot_be(hole: str, flop: str, reason: str) -> None:
    text = OMAHA.replace("PO", "NS").replace("AsAdKsKd", "AsAd").replace("????????", "????")
    with pytest.raises(HistoryError, match=reason):
        phh.loads(text.replace("2c3c4d5d", hole).replace("AcKc2h", flop)).replay()
