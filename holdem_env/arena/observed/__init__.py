"""What is seen at the tables while agents play: their habits, and the biggest pots."""
