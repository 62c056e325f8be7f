"""The compiler tricks: each module uses Numba's or LLVM's insides, and is imported only where its trick is in use."""
