"""Sweeps: many settings of one training configuration, several seeds each, compared at an equal budget.

`sweep_file` reads the file, `objective` is one run, `study` has them run and tells Optuna, `report` compares.
"""
