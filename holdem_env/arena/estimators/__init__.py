"""How luck is taken out of results without a bias."""
