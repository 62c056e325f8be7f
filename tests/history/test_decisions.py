"""Decisions of hands as a Parquet file: what was seen, offered and done, and who is paid when."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from errors import complaint, mentions
from holdem_env.history import phh
from holdem_env.history.decisions import DecisionWriter

parquet = pytest.importorskip("pyarrow.parquet", reason="the extra `parquet` is not installed")

PLURIBUS = Path(__file__).resolve().parent.parent / "data" / "pluribus.phhs"
HANDS = list(phh.read(PLURIBUS))[:5]


def test_every_decision_is_a_row_and_the_last_of_a_seat_is_paid(tmp_path: Path) -> None:
    with DecisionWriter(tmp_path / "all.parquet", "flat", "fcpa") as writer:
        for hand in HANDS:
            writer.write(hand)
    table = parquet.read_table(tmp_path / "all.parquet")
    rows = table.to_pylist()
    assert len(rows) == sum(move.kind in ("fold", "call", "raise") for hand in HANDS for move in hand.moves)
    about = json.loads(table.schema.metadata[b"holdem"])
    assert (about["observation"], len(about["actions"])) == ("flat", len(rows[0]["action_mask"]))
    for row in rows:
        assert row["action_mask"][row["action"]]
        assert row["terminal"] or row["reward"] == 0
    for number, hand in enumerate(HANDS, 1):
        for seat, chips in enumerate(hand.replay().payoffs):
            mine = [row for row in rows if (row["hand"], row["seat"]) == (number, seat)]
            assert [row["terminal"] for row in mine] == [False] * (len(mine) - 1) + [True] * bool(mine)
            assert not mine or mine[-1]["reward"] == pytest.approx(chips / hand.rules.unit)
    assert np.isfinite(np.array([row["observation"] for row in rows])).all()


def test_one_players_decisions_alone(tmp_path: Path) -> None:
    name = HANDS[0].players[0]  # type: ignore[index]
    with DecisionWriter(tmp_path / "one.parquet", hero=name) as writer:
        writer.write(HANDS[0])
    assert {row["seat"] for row in parquet.read_table(tmp_path / "one.parquet").to_pylist()} == {0}


def test_what_cannot_be_written_is_refused(tmp_path: Path) -> None:
    with DecisionWriter(tmp_path / "none.parquet", "flat", "continuous") as it:
        mentions(complaint(it.write, HANDS[0]), "actions that are numbers have no index")
    (tmp_path / "old.parquet").touch()
    mentions(complaint(DecisionWriter, tmp_path / "old.parquet", kind=FileExistsError), "exists already")
