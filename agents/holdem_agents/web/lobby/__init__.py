"""What the pages may choose from: agents, games, model cards."""
