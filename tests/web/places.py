"""Folders of the tests of the pages."""

from pathlib import Path

NO_RUNS = Path(__file__).with_name("no_runs")
"""A folder that does not exist: a test's site offers none of the developer's own runs."""
