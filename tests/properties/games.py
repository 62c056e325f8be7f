"""Random games for the property tests: rules, stacks, buttons, and moves that are always legal."""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import strategies as st

from holdem_env import Rake, Rules, Table
from holdem_env.engine.record import COLUMNS, column
from holdem_env.game.presets import PRESETS, VARIANTS
from holdem_env.game.rules import HAND_FIELDS

STRUCTURES = ("fixed_limit", "pot_limit", "no_limit")
Choice = tuple[int, int]
SHAPE = (*HAND_FIELDS, "burn_cards", "first_to_act")
# Of the hands half are hold'em.
SHAPES = ["six-max-no-limit"] * len(VARIANTS) + VARIANTS


@st.composite
def rules(draw: st.DrawFn, holdem: bool = False, **fixed: object) -> Rules:
    """Any game of hold'em that Rules can describe, or (not if `holdem`) its cards those of another game; stacks from a
    chip or two to deep. `fixed` fields are as given."""
    chip = draw(st.sampled_from([1, 1, 1, 5]))
    structure = fixed.pop("structure", None) or draw(st.sampled_from(STRUCTURES))
    big = draw(st.integers(1, 12))
    small = draw(st.integers(0, big))
    name = SHAPES[0] if holdem else draw(st.sampled_from(SHAPES))
    shape = {field: value for field, value in PRESETS[name].fields.items() if field in SHAPE}
    streets = len(shape.get("board_cards", (0, 3, 1, 1)))
    seats = min(draw(st.one_of(st.integers(2, 4), st.integers(2, 10))), Rules.preset(name).max_seats)
    game = {
        "structure": structure,
        "seats": seats,
        "blinds": (small * chip, big * chip),
        "ante": chip * draw(st.one_of(st.just(0), st.integers(0, big))),
        "big_blind_ante": chip * draw(st.one_of(st.just(0), st.integers(0, 2 * big))),
        "straddle": chip * draw(st.sampled_from([0, 0, 2 * big, 3 * big])) if seats > 2 else 0,
        "reopen": draw(st.sampled_from(["cumulative", "strict"])),
        "reopen_fraction": draw(st.sampled_from([None, None, 0.5, 1.0])),
        "smallest_chip": chip,
        "rake": draw(st.sampled_from([None, None, Rake(percent=5), Rake(percent=7.5, cap=4 * chip)])),
        "muck": draw(st.booleans()),
        "face_up_all_in": draw(st.booleans()),
    }
    if structure == "fixed_limit":
        caps = draw(st.sampled_from([(3, 4, 4, 4), None, (1, 2, 1, 0)]))
        game["max_raises"] = caps and caps[:streets]
        game["uncapped_heads_up"] = draw(st.sampled_from(["never", "at_start", "when_two_left"]))
    stack = st.one_of(st.integers(1, 3 * big), st.integers(1, 100 * big))
    game["stacks"] = tuple(chip * draw(stack) for _ in range(seats))
    return Rules(**{**game, **shape, **fixed})


class Game(NamedTuple):
    """A hand before the first move."""

    rules: Rules
    button: int
    seed: int

    def deal(self, **changes: object) -> Table:
        """The table, with changes if any."""
        return Table(self.rules, **{"button": self.button, "seed": self.seed, **changes})


@st.composite
def games(draw: st.DrawFn, **options: object) -> Game:
    """A hand of any game."""
    game = draw(rules(**options))
    return Game(game, draw(st.integers(0, game.seats - 1)), draw(st.integers(0, 2**32)))


# A move: which kind (fold, check or call, the least raise, the greatest, one between), and where between, per mille.
choices = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 1000)), max_size=40)


def move_for(table: Table, choice: Choice) -> int:
    """The legal move that a choice means at this table."""
    kind, where = choice
    least, most = table.legal.raise_min, table.legal.raise_max
    if kind == 0:
        return -1
    if kind <= 4 or least is None:
        return 0
    chip = table.rules.smallest_chip
    between = least + (most - least) // chip * where // 1000 * chip
    return {5: least, 6: least, 7: most}.get(kind, between)


def play_on(table: Table, moves: list[Choice]) -> list[int]:
    """Play the choices as far as there is somebody to act; returns the moves."""
    played = []
    for choice in moves:
        if table.is_over:
            break
        played.append(move_for(table, choice))
        table.play(played[-1])
    return played


def play_out(table: Table, moves: list[Choice]) -> list[int]:
    """Play the choices, then check and call to the end."""
    played = play_on(table, moves)
    while not table.is_over:
        played.append(0)
        table.play(0)
    return played


def everything(table: Table) -> tuple[dict[str, list], list]:
    """All that a table is, to compare before and after, field by field: what lies between the fields is anything."""
    names = {*table.records.dtype.names, *COLUMNS} - {"seats", "made"}
    return {name: column(table.records, name).tolist() for name in names}, list(table.log)
