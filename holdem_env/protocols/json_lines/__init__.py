"""A protocol for bots in any language: lines of JSON over standard input and output (docs/protocol.md)."""

from .program_agent import ProgramAgent
from .programs import ProgramError
from .remote_agent import RemoteAgent

__all__ = ["ProgramAgent", "ProgramError", "RemoteAgent"]
