"""What every room may need: validated models, files written whole or not at all, optional packages, the version."""
