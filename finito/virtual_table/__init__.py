"""A table that exists only in pictures, with the truth for every frame."""
