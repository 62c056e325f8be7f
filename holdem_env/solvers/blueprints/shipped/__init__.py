"""The strategies in the box, which make_agent("blueprint_100bb") and its like play, and their cards."""
