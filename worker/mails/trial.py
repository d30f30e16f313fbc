"""The mail that an operator sends to try the relay. Its reader may be no player, so it has no links."""

from dataclasses import dataclass

from worker.mails.mail import Mail, MailContext


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialMail(MailContext):
    address: str
    sender: str


def context(mail: Mail) -> TrialMail:
    settings = mail.runtime.settings
    return TrialMail(address=settings.address, sender=settings.sender.addr_spec)
