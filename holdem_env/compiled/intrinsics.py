"""What the rooms above use of the compiler tricks: each trick, or ordinary Numba where the trick is off."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import types
from numba.extending import intrinsic, overload

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


def _plain_read(row, place):
    return row[place]


def _plain_write(row, place, number):
    row[place] = number


def _plain_fill(number):
    return number


def _plain_choose(test, positive, other):
    return positive if test > 0 else other


def _plain_transpose(row, place):
    """One number."""


def _plain_line_size(row):
    return 1


def _plain_floats_of(numbers, floats):
    return numbers if numbers.dtype.kind == "f" else floats


def _typed_floats_of(numbers, floats):
    """`_plain_floats_of` for Numba, which wants one type of result."""
    if isinstance(numbers.dtype, types.Float):
        return lambda numbers, floats: numbers
    return lambda numbers, floats: floats


def _lanes() -> tuple[Any, ...]:
    """How many lanes there are, and what works with them; see below."""
    if not uses("lanes"):
        overload(_plain_floats_of)(_typed_floats_of)
        functions: tuple[Any, ...] = (_plain_read, _plain_fill, _plain_read, _plain_fill)
        functions += (_plain_write, _plain_choose, _plain_transpose, _plain_line_size)
        return 1, *(inline(each) for each in functions), _plain_floats_of
    from .insides import lanes

    made = [lanes.reader(8), lanes.filler(8), lanes.reader(None), lanes.filler(None)]
    made += [lanes.write_lanes, lanes.choose_lanes, lanes.transpose_lanes, lanes.count_of_line, lanes.floats_among]
    found = [intrinsic(each) for each in made]
    found[-1].borrows = True
    return 8, *found


# Lanes are numbers side by side, float32 or float64, that are computed with at once, by +, -, * and /: eight of them,
# or a line of 64 bytes. Without the trick each is one number. `write(row, place, lanes)` puts them into a contiguous
# row; `choose(test, positive, other)` takes, lane by lane, `positive` where test > 0; `transpose(row, place)`
# transposes the LANES times LANES numbers from a place on; `line_size(row)` is how many of a row's numbers a line has;
# `floats_of(numbers, floats)` is `numbers` if these are floats: a choice between types.
LANES, read_eight, fill_eight, read_line, fill_line, write, choose, transpose, line_size, floats_of = _lanes()


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
