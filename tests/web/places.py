"""Folders of the tests of the pages."""

from pathlib import Path

NO_RUNS = Path(__file__).with_name("no_runs")
"""A folder that is not there: a test's site offers no runs of whoever runs the tests."""
