"""The `holdem` command line."""

from .start import main

__all__ = ["main"]
