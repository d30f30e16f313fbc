"""The mail by which an operator tries whether mail is delivered."""

from tests.samples.rendering import MailSample
from worker.mails.trial import TrialMail


def mails() -> dict[str, MailSample]:
    return {"trial": ("trial", TrialMail(address="https://hearts.example", sender="play@hearts.example"))}
