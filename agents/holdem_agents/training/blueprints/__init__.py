"""Runs of `holdem solve CONFIG`: training a blueprint in a run folder, and its model card."""
