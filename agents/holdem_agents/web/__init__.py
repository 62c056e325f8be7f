"""The pages of `holdem web`: play, replay and watch in a browser."""
