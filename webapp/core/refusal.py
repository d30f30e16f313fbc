"""What somebody asked for and cannot have, said to them. Any room may raise it; the pages show it."""


class Refused(ValueError):
    """What somebody asked for cannot be done, and nothing has changed; the text is the sentence for them."""
