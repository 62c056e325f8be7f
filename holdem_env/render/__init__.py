"""Showing a table to people."""
