"""Things to print at true size: the house deck, the table markers and the lens board."""
