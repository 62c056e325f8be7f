"""Which hands a blueprint takes for the same: buckets by strength and potential."""
