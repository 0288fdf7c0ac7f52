"""From pixels to observations to actions."""
