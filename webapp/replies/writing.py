"""Writes a reply to one of our mails as a mail program would, for the replies that players type at /mailbox.

The reply is processed like every other incoming mail, quotes and all.
"""

from datetime import datetime
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid

from webapp.replies.authentication import FIELD


def answer_mail(mail: EmailMessage, typed: str, now: datetime, signed_by: str) -> bytes:
    """A raw mail in which the recipient of `mail` answers `typed` above the quoted text.

    `mail` must have the header fields To, Reply-To and Message-ID. No mail server takes the answer, so that a verdict
    on its sender is signed here, under the name `signed_by`.
    """
    (reader,) = mail["To"].addresses
    answer = EmailMessage()
    answer[FIELD] = f"{signed_by}; dmarc=pass"
    answer["From"] = reader
    answer["To"] = mail["Reply-To"].addresses
    answer["Subject"] = f"Re: {mail['Subject']}"
    answer["Date"] = format_datetime(now)
    answer["Message-ID"] = make_msgid(domain="mailbox.hearts.localhost")
    answer["In-Reply-To"] = mail["Message-ID"]
    answer["References"] = " ".join([*mail.get("References", "").split(), mail["Message-ID"]])
    (sender,) = mail["From"].addresses
    quoted = [f"> {line}".rstrip() for line in _text(mail).splitlines()]
    begins = f"On {now:%d %B %Y at %H:%M}, {sender.display_name} <{sender.addr_spec}> wrote:"
    answer.set_content("\n".join([*typed.splitlines(), "", begins, *quoted, ""]), cte="quoted-printable")
    return answer.as_bytes()


def _text(mail: EmailMessage) -> str:
    part = mail.get_body(("plain",))
    return str(part.get_content()) if part else ""
