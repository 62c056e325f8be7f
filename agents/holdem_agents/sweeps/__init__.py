"""Sweeps: many settings of one training configuration, several seeds each, compared at an equal budget.

`sweep_file` is the file and its checks, `settings` the configurations that it asks for, `runs` one run, `sweeping` all
of them, `results` the numbers that the runs wrote, `comparison` their means, differences and intervals, `curves` the
picture, `search` Optuna's part.
"""
