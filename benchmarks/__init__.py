"""What README's figures come from: `make bench` measures this project beside the engines that pip can install.

Contestants take turns within one run, A B A B and so on, on one core. Each figure is the median of several turns with
its quartiles, and each ratio is taken turn by turn, so that ratios hold even when the machine's speed drifts. Absolute
numbers belong to the machine they were measured on; every run begins with its name.

`python -m benchmarks environments --against PATH` compares this checkout with another one of the project.
"""
