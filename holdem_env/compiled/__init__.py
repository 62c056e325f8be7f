"""The door to the compiler: everything that knows Numba's or LLVM's insides."""
