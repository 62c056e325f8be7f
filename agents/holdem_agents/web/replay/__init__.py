"""The page "Replay": finished hands, step by step."""
