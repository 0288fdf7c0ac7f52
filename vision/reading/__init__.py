"""The parts of the card reader: what it answers, how a card is cut out, when it keeps silent."""
