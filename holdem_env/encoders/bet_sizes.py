"""Bet sizes: least raise, parts of the pot, multiples of the bet, all-in, and which of them a player is offered.

They are worked out eight at a time, as a processor with wide registers does. Written in the compiler's own terms, for
any processor, and as plain Python, which says what it does.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import config, errors
from numba.core.cgutils import get_or_insert_function
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

from ..compiled.compiler import inline, kernel
from ..engine.batch import NO_MOVE
from ..engine.betting import call_price
from ..engine.record import FIXED_LIMIT, NOBODY
from .base import offer_passive
from .vectors import spread

MILLION = 1_000_000
LEAST, OF_POT, TIMES_BET, ALL_IN = 0, 1, 2, 3  # in the order in which sizes ascend; a multiple may be any
LANES = 8
FLAG, INT32, INT64, DOUBLE = ir.IntType(1), ir.IntType(32), ir.IntType(64), ir.DoubleType()
WHOLES, FRACTIONS, FLAGS = (ir.VectorType(kind, LANES) for kind in (INT64, DOUBLE, FLAG))


def _all(builder: Any, value: Any) -> Any:
    """The same number in each lane."""
    return spread(builder, value, LANES)


def _lanes(value: int) -> ir.Constant:
    return ir.Constant(WHOLES, [value] * LANES)


def _quotients(builder: Any, wholes: Any, fractions: Any, divisor: Any) -> Any:
    """Whole quotients, rounded down, of numbers that are not negative and are given in both forms: guessed as
    fractions, which are off by one at most below 2**51, and mended. Numbers may be beyond 64 bits, quotients not."""
    part = builder.fdiv(DOUBLE(1.0), builder.sitofp(divisor, DOUBLE))
    guess = builder.fptosi(builder.fmul(fractions, _all(builder, part)), WHOLES)
    divisors = _all(builder, divisor)
    rest = builder.sub(wholes, builder.mul(guess, divisors))
    guess = builder.add(guess, builder.zext(builder.icmp_signed(">=", rest, divisors), WHOLES))
    return builder.sub(guess, builder.zext(builder.icmp_signed("<", rest, _lanes(0)), WHOLES))


def _in_chips(builder: Any, targets: Any, chip: Any) -> Any:
    """Targets rounded down to the smallest chip."""
    before = builder.block
    with builder.if_then(builder.icmp_signed(">", chip, INT64(1))):
        chips = _quotients(builder, targets, builder.sitofp(targets, FRACTIONS), chip)
        rounded = builder.mul(chips, _all(builder, chip))
        last = builder.block
    either = builder.phi(WHOLES)
    either.add_incoming(targets, before)
    either.add_incoming(rounded, last)
    return either


def _targets(builder: Any, kinds: Any, values: Any, level: Any, pot: Any, bet: Any, chip: Any) -> Any:
    """The street totals of parts of the pot and multiples of the bet."""
    of_pot = builder.icmp_signed("==", kinds, _lanes(OF_POT))
    amounts = builder.select(of_pot, _all(builder, pot), _all(builder, bet))
    base = builder.select(of_pot, _all(builder, level), _lanes(0))
    fractions = builder.fmul(*(builder.sitofp(vector, FRACTIONS) for vector in (values, amounts)))
    parts = _quotients(builder, builder.mul(values, amounts), fractions, INT64(MILLION))
    return _in_chips(builder, builder.add(base, parts), chip)


def _first(builder: Any, count: Any) -> Any:
    """The lanes before `count`."""
    return builder.icmp_signed("<", ir.Constant(WHOLES, list(range(LANES))), _all(builder, count))


def _load(context: Any, builder: Any, array_type: Any, array: Any, row: int, at: Any, wanted: Any) -> Any:
    """Some of eight numbers of a row of an array, zeros instead of the others."""
    found = make_array(array_type)(context, builder, array)
    place = builder.gep(found.data, [builder.add(builder.mul(builder.extract_value(found.shape, 1), INT64(row)), at)])
    place = builder.bitcast(place, WHOLES.as_pointer())
    kind = ir.FunctionType(WHOLES, [place.type, INT32, FLAGS, WHOLES])
    load = get_or_insert_function(builder.module, kind, "llvm.masked.load.v8i64.p0")
    return builder.call(load, [place, INT32(8), wanted, _lanes(0)])


def _store(context: Any, builder: Any, array_type: Any, array: Any, at: Any, moves: Any, wanted: Any) -> None:
    """Write some of eight numbers to an array."""
    place = builder.gep(make_array(array_type)(context, builder, array).data, [at])
    place = builder.bitcast(place, WHOLES.as_pointer())
    kind = ir.FunctionType(ir.VoidType(), [WHOLES, place.type, INT32, FLAGS])
    store = get_or_insert_function(builder.module, kind, "llvm.masked.store.v8i64.p0")
    builder.call(store, [moves, place, INT32(8), wanted])


def _offered(builder: Any, targets: Any, before: Any, is_all_in: Any, is_least: Any, game: Any) -> Any:
    """Which targets are legal, and no other's already."""
    least, most, all_in_elsewhere, least_elsewhere = game
    shifted = ir.Constant(ir.VectorType(INT32, LANES), [LANES, *range(LANES - 1)])
    is_new = builder.icmp_signed("!=", targets, builder.shuffle_vector(targets, _all(builder, before), shifted))
    is_new = builder.and_(is_new, builder.icmp_signed("!=", targets, _all(builder, all_in_elsewhere)))
    not_least = builder.icmp_signed("!=", targets, _all(builder, least_elsewhere))
    is_new = builder.and_(is_new, builder.or_(is_least, not_least))
    enough = builder.icmp_signed(">=", targets, _all(builder, least))
    legal = builder.and_(enough, builder.icmp_signed("<=", targets, _all(builder, most)))
    return builder.and_(legal, builder.or_(is_all_in, is_new))


def _offer_eight(typing: Any, sizes: Any, first: Any, game: Any, fixed: Any, before: Any, choices: Any) -> Any:
    if (sizes.dtype, sizes.ndim, sizes.layout) != (types.int64, 2, "C"):
        raise errors.TypingError(f"bet sizes are int64 and C-contiguous, (3, sizes), not {sizes}")
    if (choices.dtype, choices.ndim, choices.layout) != (types.int64, 1, "C"):
        raise errors.TypingError(f"choices are int64 and C-contiguous, (K, actions); their rows are not {choices}")

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        sizes, first, game, fixed, before, choices = arguments
        level, pot, bet, chip, all_in, least, *rest = (builder.extract_value(game, k) for k in range(9))
        at = builder.add(first, INT64(2))
        given = builder.extract_value(make_array(signature.args[0])(context, builder, sizes).shape, 1)
        room = builder.extract_value(make_array(signature.args[5])(context, builder, choices).shape, 0)
        given, room = builder.sub(given, first), builder.sub(room, at)
        wanted = builder.and_(_first(builder, given), _first(builder, room))
        kinds, values = (_load(context, builder, signature.args[0], sizes, row, first, wanted) for row in (0, 1))
        is_all_in = builder.icmp_signed("==", kinds, _lanes(ALL_IN))
        is_least = builder.or_(builder.icmp_signed("==", kinds, _lanes(LEAST)), _all(builder, fixed))
        targets = _targets(builder, kinds, values, level, pot, bet, chip)
        targets = builder.select(is_least, _all(builder, least), targets)
        targets = builder.select(is_all_in, _all(builder, all_in), targets)
        offered = _offered(builder, targets, before, is_all_in, is_least, (least, *rest))
        moves = builder.select(offered, targets, _lanes(NO_MOVE))
        _store(context, builder, signature.args[5], choices, at, moves, wanted)
        return builder.extract_element(targets, INT32(LANES - 1))

    return types.int64(sizes, types.int64, game, types.boolean, types.int64, choices), generate


def _plain_offer_eight(sizes: Any, first: int, game: Any, fixed: bool, before: int, choices: Any) -> int:
    level, pot, bet, chip, all_in, least, most, all_in_elsewhere, least_elsewhere = (int(number) for number in game)
    for k in range(first, min(first + LANES, sizes.shape[1], len(choices) - 2)):
        kind, value = int(sizes[0, k]), int(sizes[1, k])
        named = {before, all_in_elsewhere}
        if kind == ALL_IN:
            target, named = all_in, set()
        elif kind == LEAST or fixed:
            target = least
        else:
            target = level + value * pot // MILLION if kind == OF_POT else value * bet // MILLION
            target -= target % chip
            named.add(least_elsewhere)
        choices[2 + k] = target if least <= target <= most and target not in named else NO_MOVE
        before = target
    return before


offer_eight = _plain_offer_eight if config.DISABLE_JIT else intrinsic(_offer_eight)
offer_eight.__doc__ = """Offer sizes from `first` on, eight at most, in choices[2 + first :]; returns the last total.

game: what sizes are parts of: level, pot after a call, bet; the smallest chip; the all-in; what is legal: least and
most; the all-in and the least raise again where they have a name of their own, else NO_MOVE. before: the street total
of the size before the first.
"""


@inline
def offer_sizes(t, r, sizes, all_in_name, ascending, choices):
    """Each size that is legal, and each raise once: the all-in under its own name, others under the first that
    means them."""
    level, fixed = t.level, r.structure == FIXED_LIMIT
    pot, bet = t.pot + call_price(t, t.actor), max(level, r.min_bet[t.street])
    all_in = t.stack[t.actor] + t.bet[t.actor]
    least, most = t.raise_min, t.raise_max if t.raise_max > 0 else NO_MOVE
    # Ascending sizes that mean the same stand side by side, but for the least raise, which comes first.
    least_name = ascending and not fixed and sizes[0, 0] == LEAST
    elsewhere = all_in if all_in_name else NO_MOVE, least if least_name else NO_MOVE
    game = (level, pot, bet, r.smallest_chip, all_in, least, most, *elsewhere)
    before = NO_MOVE
    for first in range(0, sizes.shape[1], LANES):
        before = offer_eight(sizes, first, game, fixed, before, choices)
    if not ascending:
        withdraw_repeated(sizes.shape[1], choices)


@inline
def withdraw_repeated(sizes, choices):
    """Sizes that do not ascend may mean the same raise without standing side by side."""
    for k in range(1, sizes):
        again = False
        for earlier in range(k):
            again |= choices[2 + earlier] == choices[2 + k]
        choices[2 + k] = NO_MOVE if again else choices[2 + k]


@kernel
def choose_sizes(tables, rules, rows, sizes, choices):
    """Fold, check or call, and the bet sizes. sizes: (3, sizes), their kinds, their values, whether they ascend."""
    all_in_name, ascending = (sizes[0] == ALL_IN).any(), sizes[2, 0] != 0
    for i in range(rows.size):
        t = tables[rows[i]]
        if t.actor == NOBODY:
            choices[i, :] = NO_MOVE
        else:
            offer_passive(t, t.actor, choices[i])
            offer_sizes(t, rules[t.stage], sizes, all_in_name, ascending, choices[i])
