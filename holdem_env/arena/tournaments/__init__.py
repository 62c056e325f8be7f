"""Tournaments: shards over processes into a store, standings and ratings."""
