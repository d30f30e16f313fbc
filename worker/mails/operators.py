"""The mails to an operator. Their reader may be no player, so they have no links."""

from dataclasses import dataclass

from webapp.games.clock import way_in
from webapp.presentation.phrasing import timestamp
from worker.mails.mail import Mail, MailContext

# The mail that an operator sends to try the relay. Its reader may be no player, so it has no links.


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialMail(MailContext):
    address: str
    sender: str


def trial_mail(mail: Mail) -> TrialMail:
    settings = mail.runtime.settings
    return TrialMail(address=settings.address, sender=settings.sender.addr_spec)


# The mail to an operator: answers by mail cannot be read. Its reader may be no player, so it has no links.


@dataclass(frozen=True, slots=True, kw_only=True)
class UnreadMail(MailContext):
    address: str
    since: str  # "Tue 3 March, 18:00 (Berlin time)"


def unread_mail(mail: Mail) -> UnreadMail | None:
    """The context; None if answers are read again."""
    settings, now = mail.runtime.settings, mail.runtime.now()
    since = way_in.shut_since(mail.session, settings, now)
    if since is None or since.isoformat() != mail.letter.about:
        return None
    return UnreadMail(address=settings.address, since=timestamp(since, now, mail.player.time_zone).text)
