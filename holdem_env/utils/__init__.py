"""What every room may need: validated models, whole files, hooks, optional packages, the version."""
