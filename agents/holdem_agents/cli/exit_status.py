"""Exit statuses of the `holdem` command."""

INTERRUPTED = 130
"""What a shell tells of a command that Ctrl-C ended."""
