"""Training of the net that reads the small figure in a card's corner."""
