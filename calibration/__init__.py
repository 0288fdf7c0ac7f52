"""Lens, table plane, zones, light and decks: what is known of a table before play."""
