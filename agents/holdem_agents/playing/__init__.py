"""A person at a table with agents, whatever shows it: the terminal and the browser play through this room."""
