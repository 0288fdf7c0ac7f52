"""Training of the card reader: `python -m models.training.reader`."""
