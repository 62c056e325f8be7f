"""`python -m holdem_agents.cli` runs the `holdem` command."""

from .start import main

main()
