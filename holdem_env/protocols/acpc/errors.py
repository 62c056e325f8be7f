"""What may go wrong with a player behind a socket."""

from __future__ import annotations


class PlayerFailed(ValueError):
    """A player cannot go on: too slow, gone, or wrong too often. The message names the player and the reason.

    Args:
        player: The player's name.
        reason: What happened, in words.
    """

    def __init__(self, player: str, reason: str) -> None:
        super().__init__(player, reason)
        self.player, self.reason = player, reason

    def __str__(self) -> str:
        return f"{self.player} {self.reason}"
