"""`python -m holdem_agents.cli` is `holdem`."""

from .start import main

main()
