"""Helpers for all packages: validated models, atomic file writes, optional packages, moved modules, the version."""
