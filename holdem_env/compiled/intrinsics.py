"""What the rooms above use of the compiler tricks: each trick, or ordinary Numba where the trick is off."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.extending import intrinsic

from .compiler import inline
from .tricks import uses

Types = tuple[Any, ...]


def _prefetch_nothing(records, index, offset):
    """Neither plain Python nor ordinary Numba has a prefetch."""


def _prefetch() -> Any:
    if not uses("prefetch"):
        return inline(_prefetch_nothing)
    from .insides.prefetch import prefetch_line

    return intrinsic(prefetch_line)


prefetch = _prefetch()
prefetch.__doc__ = """Fetch the cache line `offset` bytes behind the beginning of records[index]. It may lie outside the
array: then nothing happens."""


def masked_sizes(unit: int, least: int, of_pot: int, all_in: int, nothing: int, plain: Callable[..., int]) -> Any:
    """A function (sizes, first, game, fixed, before, choices) that offers eight bet sizes; `plain` says what it does.

    unit: what stands for one in the values of sizes. least, of_pot, all_in: the kinds of sizes; any other is a multiple
    of the bet. nothing: what is written for a size that is not offered. plain: does the same in ordinary Numba and in
    plain Python.
    """
    if not uses("bet_sizes"):
        return inline(plain)
    from .insides.bet_sizes import eight_sizes

    return intrinsic(eight_sizes(unit, least, of_pot, all_in, nothing))


def lane_totals(lanes: int, total: int, *plain: Callable[..., None]) -> Any:
    """Three functions over hands in `lanes` lanes, of which two keep running totals by card.

    The first, (sums, cards, hands, first, end), adds hands `first` to `end` to the totals of their cards and, in line
    `total`, of all: sums (total + 1, lanes) and hands (H, lanes) float32 or float64; cards (2, H) int16, high and low.
    The second, (out, factor, sums, cards, hands, own, first, end), adds for each i to out (I, lanes) what the totals
    hold of other hands, times factor (lanes,): that of all, minus those of both of its cards (2, I), plus
    hands[own[i]], where own (I,) is int16.
    The third, (out, i, pay, row, hands, j), adds pay[row] * hands[j] to out[i], lane by lane.
    plain: three that do the same in ordinary Numba and plain Python.
    """
    if not uses("lanes"):
        return [inline(each) for each in plain]
    from .insides.lanes import hands_adder, others_adder, product_adder

    return intrinsic(hands_adder(lanes, total)), intrinsic(others_adder(lanes, total)), intrinsic(product_adder(lanes))


def address_of(kernel: Any, arguments: Types) -> int:
    """Where the machine code of a kernel begins, for arguments of these types; 0 where kernels are not called by
    address. The kernel must return nothing, and its errors would get lost."""
    if not uses("calls"):
        return 0
    from .insides.calls import entry_address
    from .insides.linking import load_separate

    load_separate(kernel.py_func)
    kernel.compile(arguments)
    return entry_address(kernel, arguments)


def caller_of(*accepted: Types) -> Any:
    """A function (address, five arrays) that calls the kernel at an address. Arrays that lie in memory as none of the
    `accepted` types would be read as if they did: they are refused."""
    if not uses("calls"):
        return inline(_no_address)
    from .insides.calls import call_of_five

    return intrinsic(call_of_five(accepted))


def _no_address(address: int, *arrays: Any) -> None:
    raise NotImplementedError("no kernel is called by its address here: address_of gives 0")
