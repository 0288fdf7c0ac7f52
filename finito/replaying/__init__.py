"""Recorded games again: judged, inferred or seen anew, and compared with what was said then."""
