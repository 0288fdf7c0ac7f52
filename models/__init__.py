"""Shipped networks, their cards, and the scripts that make and measure them."""
