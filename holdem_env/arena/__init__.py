"""Matches between agents: the same deals for everybody, and intervals that say how sure the result is."""

from .match import MatchResult, play_match

__all__ = ["MatchResult", "play_match"]
