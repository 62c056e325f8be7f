"""Small games solved exactly, and the best response to a strategy."""
