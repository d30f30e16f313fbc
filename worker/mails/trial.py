"""The mail that an operator sends to try the relay. Its reader may be no player, so it has no links."""

from worker.mails.mail import Context, Mail


def context(mail: Mail) -> Context:
    settings = mail.runtime.settings
    return {"address": settings.address, "sender": settings.sender.addr_spec}
