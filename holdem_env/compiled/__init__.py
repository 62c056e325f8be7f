"""The door to the compiler: everything that knows Numba's or LLVM's insides, and nothing that knows poker.

The other rooms take from here the decorators (compiler.py), the types of arguments, and how records lie in memory.
"""

from numba import types as types

from .compiler import compiled as compiled
from .compiler import inline as inline
from .compiler import kernel as kernel
from .compiler import kernel_of as kernel_of
from .compiler import noinline as noinline
from .compiler import typed as typed
