"""A game as data: Rules, presets, phases and levels of a session, the dealer's errors. Nothing is played here."""
