"""How good the nets are, on renders and on real photos."""
