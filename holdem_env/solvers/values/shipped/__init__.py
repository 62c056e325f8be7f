"""The bundled networks, each with its card: `holdem solve values`."""
