"""Bad input to the pure core: the message is one sentence for the person who wrote it."""


class RefereeError(ValueError):
    """The input is understood and bad."""


class NotationError(RefereeError):
    """A line, field or face that the notation does not know."""
