"""Learners in training, of the kinds of `learner.kind` (ppo, sb3), with their opponents, budgets and hooks."""
