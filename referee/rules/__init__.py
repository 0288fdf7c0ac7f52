"""Rule sets: one protocol, the pile games of the Ligretto family, Espresso and its variants."""
