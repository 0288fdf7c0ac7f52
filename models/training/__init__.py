"""Training of the nets; needs the train extra, never used at run time."""
