"""What hands and ranges are worth against each other, exactly or by sampling."""
