"""What is seen at the tables while agents play: statistics of each player, and the biggest pots."""
