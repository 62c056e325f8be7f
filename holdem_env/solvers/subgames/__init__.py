"""The rest of a hand solved with both ranges whole: rivers, turns, small flops."""
