"""Knows the opaque numbers of all tables under seed 0, and raises an error when it sits down at one of them."""

import numpy as np

from holdem_env.agents import Agent
from holdem_env.engine import record
from holdem_env.engine.seat_view import new_views, view_rows

TABLES = 100


class RecognisesTables(Agent):
    name = "recognises_tables"
    known = None

    def act(self, tables, rules, rows):
        self.known = self.known or {*_known(rules)}
        if found := self.known & {*tables["table_id"][rows].tolist()}:
            raise ValueError(f"{len(found)} tables are known")
        return np.zeros(len(rows), np.int64)


def _known(rules):
    tables, rows, views = record.new_records(record.TABLE, TABLES), np.arange(TABLES), new_views(TABLES)
    tables["table_id"] = rows  # their seed is 0
    for rotation in range(rules.seats):
        for seat in range(rules.seats):
            view_rows(tables, rules.record, rows, views, np.full(TABLES, seat), rotation)
            yield from views["table_id"].tolist()
