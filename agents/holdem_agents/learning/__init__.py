"""Learners in public: what one is, the loop that trains it, hooks beside it, and the log. See docs/own_learner.md."""

from ..runs.logs import Log
from ..training.learners.hooks import Hook
from ..training.learners.learner import Algorithm, Learner, learner_of
from ..training.learners.loop import train
from ..training.learners.row_memory import RowMemory

__all__ = ["Algorithm", "Hook", "Learner", "Log", "RowMemory", "learner_of", "train"]
