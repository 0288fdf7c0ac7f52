"""Sessions: folders with the video, what was seen, what was done and what was said of it."""
