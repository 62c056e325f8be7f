"""Learners in public: what one is, the loop that trains it, hooks beside it, and the log. See docs/own_learner.md."""

from ..runs.logs import Log
from ..training.learners.hooks import Hook
from ..training.learners.learner import Algorithm, Learner, learner_of
from ..training.learners.loop import train

__all__ = ["Algorithm", "Hook", "Learner", "Log", "learner_of", "train"]
