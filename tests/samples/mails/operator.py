"""The mail by which an operator tries whether mail is delivered."""

from tests.samples.rendering import Sample


def mails() -> dict[str, Sample]:
    return {"trial": ("trial", {"address": "https://hearts.example", "sender": "play@hearts.example"})}
