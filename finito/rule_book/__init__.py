"""The rules of a game, variant and edition in a player's words, in the four languages."""
