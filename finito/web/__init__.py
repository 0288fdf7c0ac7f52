"""The web side: the same store and referee as the command line, over HTTP on this machine."""
