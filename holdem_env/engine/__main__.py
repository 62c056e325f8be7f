"""Compile the functions that all kernels of the engine call, while another process begins (compiled/ahead.py)."""

from ..compiled.tricks import uses
from . import between_hands as between_hands
from . import hand as hand

if uses("noinline"):
    from ..compiled.insides.linking import load_all

    load_all()
