"""The report of a tournament: one HTML file, and what it was made of."""
