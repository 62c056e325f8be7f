"""Files of data for offline and imitation learning, each with a card: hands of agents, and solved spots."""
