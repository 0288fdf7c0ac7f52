"""The written form of a round: JSON lines in and out."""

from referee.notation.reading import Entry, parse_entry, parse_line
from referee.notation.writing import entry_to_json

__all__ = ["Entry", "entry_to_json", "parse_entry", "parse_line"]
