"""`python -m finito`."""

from finito.cli import main

if __name__ == "__main__":
    main()
