"""How luck is taken out of results without a bias, and the intervals that are left."""
