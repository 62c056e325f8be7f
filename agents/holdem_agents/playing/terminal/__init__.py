"""A person at a table with agents, in the terminal."""
