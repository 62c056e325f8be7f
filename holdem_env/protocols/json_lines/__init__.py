"""A protocol for bots in any language: lines of JSON over standard input and output (docs/protocol.md)."""

from .program_agent import ProgramAgent
from .programs import ProgramError

__all__ = ["ProgramAgent", "ProgramError"]
