"""The pages of `holdem web`: play, replay, watch, charts and solve. `app.py` lists them."""
