"""What hands and ranges are worth: equities, strength against a random hand, all-in values of finished hands."""
