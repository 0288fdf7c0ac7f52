"""The net that looks a second time at what the finder takes for cards."""
