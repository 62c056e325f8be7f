"""The pages of `holdem web`: play, replay, watch, charts and ladder. `app.py` lists them."""
