"""Sweeps: many settings of one training configuration, several seeds each, compared at an equal budget.

`sweep_file` is the file and its checks, `settings` the configurations that it asks for, `objective` one run, `trials`
what Optuna keeps, `study` the whole in its folder, `comparison` means, differences and intervals over the seeds,
`report` what is written.
"""
