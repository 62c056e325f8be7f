"""The few words of LLVM that the intrinsics share: types, pointers, vectors.

llvmlite's typed pointers (`as_pointer`) are announced to go: LLVM has had none since version 17. As long as llvmlite
has them, Numba's arrays hold them, and they do not mix with opaque ones; after that, all pointers are opaque. Only this
file knows the difference.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.np.arrayobj import make_array

FLAG, BYTE, INT32, INT64 = (ir.IntType(bits) for bits in (1, 8, 32, 64))
FLOAT, DOUBLE, VOID = ir.FloatType(), ir.DoubleType(), ir.VoidType()
POINTERS_ARE_OPAQUE = not hasattr(INT64, "as_pointer") or INT64.as_pointer().is_opaque


def pointer_to(kind: ir.Type) -> ir.Type:
    """The type of a pointer to a value of this type."""
    return ir.PointerType() if POINTERS_ARE_OPAQUE else kind.as_pointer()


def function_at(builder: Any, address: Any, kind: ir.FunctionType) -> Any:
    """The function at an address. A call asks the pointer for the function's type, which only a typed one knows: an
    llvmlite without those fails the toy of `calls`."""
    return builder.inttoptr(address, kind.as_pointer())


def byte_at(builder: Any, pointer: Any, offset: Any) -> Any:
    """A pointer `offset` bytes behind another one."""
    return builder.gep(builder.bitcast(pointer, pointer_to(BYTE)), [offset], source_etype=BYTE)


def first_of(context: Any, builder: Any, array_type: Any, array: Any) -> Any:
    """A pointer to the first element of an array."""
    return make_array(array_type)(context, builder, array).data


def length_of(context: Any, builder: Any, array_type: Any, array: Any, axis: int) -> Any:
    """How many places an array has along an axis."""
    return builder.extract_value(make_array(array_type)(context, builder, array).shape, axis)


def load(builder: Any, place: Any, kind: ir.Type, align: int) -> Any:
    """A value of this type from a pointer of any type."""
    return builder.load(builder.bitcast(place, pointer_to(kind)), align=align, typ=kind)


def store(builder: Any, value: Any, place: Any, align: int) -> None:
    """Write a value to a pointer of any type."""
    builder.store(value, builder.bitcast(place, pointer_to(value.type)), align=align)


def same(kind: ir.Type, value: Any, length: int) -> ir.Constant:
    """A constant vector of the same number, over and over."""
    return ir.Constant(ir.VectorType(kind, length), [value] * length)


def spread(builder: Any, value: Any, length: int) -> Any:
    """A vector of the same number, over and over."""
    vector = builder.insert_element(same(value.type, ir.Undefined, length), value, INT32(0))
    return builder.shuffle_vector(vector, vector, same(INT32, 0, length))
