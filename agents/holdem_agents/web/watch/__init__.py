"""The page "Watch": training runs and tournaments while they go on."""
