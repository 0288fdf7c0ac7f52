"""The net that says whether two cut-out cards are of one print."""
