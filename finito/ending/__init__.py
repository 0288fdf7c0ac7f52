"""The end of a round: the table is cleared, cards are turned over, counted, and the count is reconciled."""
