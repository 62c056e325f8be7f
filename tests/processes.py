"""What tests see of other processes."""

from pathlib import Path


def is_running(pid: int) -> bool:
    """Whether a process is there and no zombie. It may end while this looks at it."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
