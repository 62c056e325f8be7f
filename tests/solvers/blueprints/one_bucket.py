"""Card tables that take no time: all hands of flops and turns are in one bucket, those of rivers go by strength."""

import numpy as np

from holdem_env.solvers.card_tables.dealing import DealTables

FLOPS, TURNS, COMBOS = 22_100, 270_725, 1_326


def no_tables(cards, threads=1, progress=None):
    """Stands for `CardAbstraction.deal_tables`, which takes a minute."""
    arrays = [np.zeros((1, COMBOS), np.uint16)] * 2
    for boards in (FLOPS, TURNS):
        arrays += [np.zeros(boards, np.int32), np.zeros(boards, np.uint8)]
    tables = [*arrays, np.zeros((cards.river, 0), np.int32)]
    for table in tables:
        table.flags.writeable = False
    return DealTables(*tables)
