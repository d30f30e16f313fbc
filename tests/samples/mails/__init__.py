"""Every email in every state worth looking at, as kind and context.

Each module has the mails of one subject, and gives them as `mails()`. `frames` has the words of every email about a
table.
"""

from functools import cache

from tests.samples.mails import (
    accounts,
    answers,
    host,
    invitations,
    muted,
    operator,
    scores,
    stand_ins,
    talk,
    turns,
    year,
)
from tests.samples.rendering import MailSample, Sample

# fmt: off
SUBJECTS = (
    invitations, host, stand_ins,
    turns, answers, scores, talk,
    muted, accounts, operator, year,
)
# fmt: on


@cache
def contexts() -> dict[str, MailSample]:
    """By name of the picture: the kind, and its context."""
    made: dict[str, MailSample] = {}
    for subject in SUBJECTS:
        found = subject.mails()
        assert not made.keys() & found.keys(), "two mails have the same name"
        made |= found
    return made


def mails() -> dict[str, Sample]:
    """The same with the variables of each context."""
    return {name: (kind, context.variables()) for name, (kind, context) in contexts().items()}
