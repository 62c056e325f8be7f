"""Cards as text and numbers, ranges of hands, and the hand evaluator."""

from .text import *  # noqa: F403
