"""The mails to an operator: to try whether mail is delivered, and when answers cannot be read."""

from tests.samples.rendering import MailSample
from worker.mails.accounts import TrialMail, UnreadMail

SINCE = "Mon 2 March, 03:12 (Berlin time)"


def mails() -> dict[str, MailSample]:
    return {
        "trial": ("trial", TrialMail(address="https://hearts.example", sender="play@hearts.example")),
        "unread": ("unread", UnreadMail(address="https://hearts.example", since=SINCE)),
    }
