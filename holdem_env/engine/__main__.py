"""Compile the functions that all kernels of the engine call, while another process begins (compiled/ahead.py)."""

from ..compiled.tricks import uses
from . import hand as hand
from . import session_kernels as session_kernels

if uses("noinline"):
    from ..compiled.insides.linking import load_all

    load_all()
