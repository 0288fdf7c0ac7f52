"""The parts of counting by back: what of each card shows, whose back it is, and whether the sum is sure."""
