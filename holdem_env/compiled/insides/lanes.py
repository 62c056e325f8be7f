"""Running totals in lanes, a vector for each card: what the compiler does not find by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError

from .llvm import DOUBLE, FLOAT, INT64, byte_at, first_of, length_of, load, same, store

CARD_BYTES = 2


class Places:
    """Where lines of lanes, and numbers of two bytes, lie in memory."""

    def __init__(self, context: Any, builder: Any, lanes: int, sums: Any) -> None:
        self.context, self.builder = context, builder
        self.bytes = sums.dtype.bitwidth // 8
        self.kind = FLOAT if sums.dtype == types.float32 else DOUBLE
        self.vector = ir.VectorType(self.kind, lanes)
        self.line_bytes = INT64(lanes * self.bytes)

    def first(self, kind: Any, array: Any) -> Any:
        """A pointer to the first element of an array."""
        return first_of(self.context, self.builder, kind, array)

    def line(self, first: Any, number: Any) -> Any:
        return byte_at(self.builder, first, self.builder.mul(number, self.line_bytes))

    def read(self, first: Any, number: Any) -> Any:
        return load(self.builder, self.line(first, number), self.vector, self.bytes)

    def add_to(self, first: Any, number: Any, more: Any) -> None:
        place = self.line(first, number)
        so_far = load(self.builder, place, self.vector, self.bytes)
        store(self.builder, self.builder.fadd(so_far, more), place, self.bytes)

    def number(self, first: Any, place: Any) -> Any:
        at = byte_at(self.builder, first, self.builder.mul(place, INT64(CARD_BYTES)))
        return self.builder.sext(load(self.builder, at, ir.IntType(16), CARD_BYTES), INT64)


def _check(*arrays: Any) -> None:
    if any(array.layout != "C" for array in arrays):
        raise TypingError("lanes: give C-contiguous arrays")


def hands_adder(lanes: int, total: int) -> Callable[..., Any]:
    """The intrinsic of `lane_totals` that adds hands."""

    def typed(typing: Any, sums: Any, cards: Any, hands: Any, first: Any, end: Any) -> Any:
        _check(sums, cards, hands)

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            places = Places(context, builder, lanes, sums)
            sums_at, cards_at, hands_at = (
                places.first(*pair) for pair in zip(signature.args[:3], arguments[:3], strict=True)
            )
            width = length_of(context, builder, signature.args[1], arguments[1], 1)
            first, end = arguments[3:]
            so_far = cgutils.alloca_once_value(builder, same(places.kind, 0.0, lanes))
            with cgutils.for_range_slice(builder, first, end, INT64(1), INT64) as (j, _):
                hand = places.read(hands_at, j)
                builder.store(builder.fadd(builder.load(so_far), hand), so_far)
                places.add_to(sums_at, places.number(cards_at, j), hand)
                places.add_to(sums_at, places.number(cards_at, builder.add(width, j)), hand)
            places.add_to(sums_at, INT64(total), builder.load(so_far))
            return context.get_dummy_value()

        return types.void(sums, cards, hands, types.int64, types.int64), generate

    return typed


def others_adder(lanes: int, total: int) -> Callable[..., Any]:
    """The intrinsic of `lane_totals` that adds what the totals hold of other hands."""

    def typed(
        typing: Any, out: Any, factor: Any, sums: Any, cards: Any, hands: Any, own: Any, first: Any, end: Any
    ) -> Any:
        _check(out, factor, sums, cards, hands, own)

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            places = Places(context, builder, lanes, sums)
            firsts = [places.first(*pair) for pair in zip(signature.args[:6], arguments[:6], strict=True)]
            out_at, factor_at, sums_at, cards_at, hands_at, own_at = firsts
            width = length_of(context, builder, signature.args[3], arguments[3], 1)
            times, everything = places.read(factor_at, INT64(0)), places.read(sums_at, INT64(total))
            with cgutils.for_range_slice(builder, *arguments[6:], INT64(1), INT64) as (i, _):
                high = places.read(sums_at, places.number(cards_at, i))
                low = places.read(sums_at, places.number(cards_at, builder.add(width, i)))
                itself = places.read(hands_at, places.number(own_at, i))
                left = builder.fadd(builder.fsub(builder.fsub(everything, high), low), itself)
                places.add_to(out_at, i, builder.fmul(times, left))
            return context.get_dummy_value()

        return types.void(out, factor, sums, cards, hands, own, types.int64, types.int64), generate

    return typed


def product_adder(lanes: int) -> Callable[..., Any]:
    """The intrinsic of `lane_totals` that adds a product."""

    def typed(typing: Any, out: Any, i: Any, pay: Any, row: Any, hands: Any, j: Any) -> Any:
        _check(out, pay, hands)

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            places = Places(context, builder, lanes, out)
            out_at, pay_at, hands_at = (places.first(signature.args[k], arguments[k]) for k in (0, 2, 4))
            times, hand = places.read(pay_at, arguments[3]), places.read(hands_at, arguments[5])
            places.add_to(out_at, arguments[1], builder.fmul(times, hand))
            return context.get_dummy_value()

        return types.void(out, types.int64, pay, types.int64, hands, types.int64), generate

    return typed
