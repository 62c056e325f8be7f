"""A game as data: Rules, presets, the phases and blind levels of a session, dealer errors. Nothing is played here."""
