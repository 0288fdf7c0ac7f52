"""What went wrong, said to the person at the table."""


class BadInput(Exception):
    """The input is understood and bad: one sentence that names it, what is wrong and what would help."""
