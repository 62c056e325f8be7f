"""A score for any agent: a task says what is measured (`task`), measures find it (`measures`, `spots`), and a card
tells it (`card`, `card_text`). `scoring` runs a task on an agent and writes the card."""
