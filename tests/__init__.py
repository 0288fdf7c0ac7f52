import finito  # noqa: F401  what it says about threads has to be said before numpy is there, as in the program
