"""What hands are worth when a street is over and the next card is still to come: a network's estimates, and the search
of one street that ends in them (Moravčík et al. 2017, DeepStack). `holdem train values_turn` trains one."""
