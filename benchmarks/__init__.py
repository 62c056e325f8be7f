"""What README's figures come from: `make bench` measures this project beside the engines that pip can install.

Everything runs in one process on one core, each pair one after the other in turns, so that ratios hold even when
the machine's speed drifts. Absolute numbers belong to the machine they were measured on.
"""
