"""The bundled networks, each with its card: `holdem train values_turn`."""
