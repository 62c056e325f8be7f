"""Bet sizes eight at a time, as a processor with wide registers works them out, in LLVM's terms for any processor.

What the codes mean, and the same in plain Python, stands in encoders/bet_sizes.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core.cgutils import get_or_insert_function
from numba.core.errors import TypingError

from .llvm import DOUBLE, FLAG, INT32, INT64, VOID, byte_at, first_of, length_of, pointer_to, same, spread

LANES = 8
WHOLES, FRACTIONS, FLAGS = (ir.VectorType(kind, LANES) for kind in (INT64, DOUBLE, FLAG))
WHOLE = 8  # bytes
SKIPPED = 2  # choices before the sizes: fold, check or call


def eight_sizes(unit: int, least: int, of_pot: int, all_in: int, nothing: int) -> Callable[..., Any]:
    """The intrinsic for these codes; see `masked_sizes` in intrinsics.py."""

    def typed(typing: Any, sizes: Any, first: Any, game: Any, fixed: Any, before: Any, choices: Any) -> Any:
        _check_types(sizes, choices)

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            sizes_array, first, game, fixed, before, choices_array = arguments
            level, pot, bet, chip, all_in_total, least_total, *rest = (builder.extract_value(game, k) for k in range(9))
            at = builder.add(first, INT64(SKIPPED))
            given = length_of(context, builder, sizes, sizes_array, 1)
            space = builder.sub(length_of(context, builder, choices, choices_array, 0), at)
            wanted = builder.and_(_before(builder, builder.sub(given, first)), _before(builder, space))
            row = first_of(context, builder, sizes, sizes_array)
            kinds = _load(builder, row, first, wanted)
            values = _load(builder, row, builder.add(given, first), wanted)
            is_all_in = builder.icmp_signed("==", kinds, _lanes(all_in))
            is_least = builder.or_(builder.icmp_signed("==", kinds, _lanes(least)), _all(builder, fixed))
            is_of_pot = builder.icmp_signed("==", kinds, _lanes(of_pot))
            targets = _targets(builder, is_of_pot, values, unit, level, pot, bet, chip)
            targets = builder.select(is_least, _all(builder, least_total), targets)
            targets = builder.select(is_all_in, _all(builder, all_in_total), targets)
            offered = _offered(builder, targets, before, is_all_in, is_least, (least_total, *rest))
            moves = builder.select(offered, targets, _lanes(nothing))
            _store(builder, first_of(context, builder, choices, choices_array), at, moves, wanted)
            return builder.extract_element(targets, INT32(LANES - 1))

        return types.int64(sizes, types.int64, game, types.boolean, types.int64, choices), generate

    return typed


def _check_types(sizes: Any, choices: Any) -> None:
    if (sizes.dtype, sizes.ndim, sizes.layout) != (types.int64, 2, "C"):
        raise TypingError(f"bet sizes are int64 and C-contiguous, (3, sizes), not {sizes}")
    if (choices.dtype, choices.ndim, choices.layout) != (types.int64, 1, "C"):
        raise TypingError(f"choices are int64 and C-contiguous, (K, actions); their rows are not {choices}")


def _all(builder: Any, value: Any) -> Any:
    """The same number in each lane."""
    return spread(builder, value, LANES)


def _lanes(value: int) -> ir.Constant:
    return same(INT64, value, LANES)


def _before(builder: Any, count: Any) -> Any:
    """The lanes before `count`."""
    return builder.icmp_signed("<", ir.Constant(WHOLES, list(range(LANES))), _all(builder, count))


def _load(builder: Any, row: Any, at: Any, wanted: Any) -> Any:
    """Some of eight numbers, zeros instead of the others."""
    place = builder.bitcast(byte_at(builder, row, builder.mul(at, INT64(WHOLE))), pointer_to(WHOLES))
    kind = ir.FunctionType(WHOLES, [place.type, INT32, FLAGS, WHOLES])
    load = get_or_insert_function(builder.module, kind, "llvm.masked.load.v8i64.p0")
    return builder.call(load, [place, INT32(WHOLE), wanted, _lanes(0)])


def _store(builder: Any, row: Any, at: Any, moves: Any, wanted: Any) -> None:
    """Write some of eight numbers."""
    place = builder.bitcast(byte_at(builder, row, builder.mul(at, INT64(WHOLE))), pointer_to(WHOLES))
    kind = ir.FunctionType(VOID, [WHOLES, place.type, INT32, FLAGS])
    store = get_or_insert_function(builder.module, kind, "llvm.masked.store.v8i64.p0")
    builder.call(store, [moves, place, INT32(WHOLE), wanted])


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


def _targets(builder: Any, is_of_pot: Any, values: Any, unit: int, level: Any, pot: Any, bet: Any, chip: Any) -> Any:
    """The street totals of parts of the pot and multiples of the bet."""
    amounts = builder.select(is_of_pot, _all(builder, pot), _all(builder, bet))
    base = builder.select(is_of_pot, _all(builder, level), _lanes(0))
    fractions = builder.fmul(*(builder.sitofp(vector, FRACTIONS) for vector in (values, amounts)))
    parts = _quotients(builder, builder.mul(values, amounts), fractions, INT64(unit))
    return _in_chips(builder, builder.add(base, parts), chip)


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
