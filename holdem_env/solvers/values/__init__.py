"""What hands are worth when a street is over and the next card is still to come: a network's estimates, and the search
of one street that ends in them (Moravčík et al. 2017, DeepStack).

`pairs` has the equities of all pairs of hands on a board, `network` what the network sees, the network in NumPy and its
file, `street` the search, `labels` the solved examples that it is trained on. `holdem train values_turn`
trains one.
"""
