"""An independent oracle: one hold'em hand in plain Python, written from the rulebook alone, slow and easy to check."""
