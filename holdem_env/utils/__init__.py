"""Helpers for all packages: validated models, atomic file writes, hooks, optional packages, the version."""
