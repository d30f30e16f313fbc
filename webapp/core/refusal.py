"""The error for a request that cannot be granted. Any room may raise it; the pages show its text."""


class Refused(ValueError):
    """The request cannot be granted, and nothing has changed; the text is a sentence for the person who asked."""
