"""`python -m holdem_env.solvers.card_tables` finds the boundaries of buckets and writes boundaries.npz (20 s)."""

from __future__ import annotations

from .boundaries import save_shipped

if __name__ == "__main__":
    save_shipped()
