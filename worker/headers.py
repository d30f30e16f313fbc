"""Sets the headers of a mail: sender, recipient, thread, unsubscribing, and what keeps machines from answering.

Sources: RFC 5322 (Message-ID, References), RFC 3834 (Auto-Submitted), RFC 2369 and 8058 (List-Unsubscribe), RFC 6532
(addresses with letters beyond ASCII).
"""

from email.header import Header
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import EmailPolicy
from email.utils import format_datetime

from sqlmodel import Session, col, or_, select

from webapp.core.addresses import Purpose, address_in_ascii
from webapp.core.names import ISOLATES, bare
from webapp.core.runtime import Runtime
from webapp.models import LetterKind, LetterRow, LetterState, PlayerRow
from webapp.outbox.letters import unsubscribe_link

LONGEST_NAME = 75  # characters; some providers refuse longer display names, or take them for spam
LONGEST_FIELD = 320  # characters of a From or To with its name, as encoded
IN_REFERENCES = 5  # Message-IDs besides that of the thread's first mail
_NOT_IN_NAMES = frozenset('@:,;<>"\\()[]')
_ON_ITS_WAY = (LetterState.SENT, LetterState.KEPT, LetterState.BOUNCED)


class _MailPolicy(EmailPolicy):
    """Folds long identifiers and links at blanks only; the library would encode them, and nobody could read them."""

    _AT_BLANKS = frozenset({"message-id", "in-reply-to", "references", "list-unsubscribe"})

    def fold(self, name: str, value: str) -> str:
        if name.lower() in self._AT_BLANKS:
            return f"{name}: " + f"{self.linesep} ".join(value.split()) + self.linesep
        folded: str = super().fold(name, value)
        # A text that fills a line by itself: one letter more is better than a first line without any (RFC 5322, 2.1.1).
        return folded.replace(f"{name}:{self.linesep} ", f"{name}: ", 1)


_ASCII, _UTF8 = (_MailPolicy(utf8=utf8) for utf8 in (False, True))


def empty_message(address: str) -> EmailMessage:
    """An empty message to `address`; its headers are UTF-8 only if the address has letters beyond ASCII."""
    return EmailMessage(policy=_ASCII if address_in_ascii(address).isascii() else _UTF8)


def set_headers(
    message: EmailMessage,
    runtime: Runtime,
    session: Session,
    letter: LetterRow,
    player: PlayerRow,
    reply_to: str | None = None,
) -> None:
    """Sets all headers but the subject and those of the content.

    A mail is answered to `reply_to`, else to an address of its own.
    """
    sender = runtime.settings.sender
    message["From"] = _named(sender.display_name, sender.addr_spec)
    message["To"] = _named(player.name, address_in_ascii(letter.address or player.address))
    reply_to = reply_to or runtime.address_in_mail(Purpose.REPLY, letter.id)
    if reply_to:
        message["Reply-To"] = _named(sender.display_name, reply_to)
    message["Date"] = format_datetime(letter.created_at)
    message["Message-ID"] = letter.message_id
    if letter.thread_id:
        earlier = _earlier_in_thread(session, letter)
        message["In-Reply-To"] = (earlier or [letter.thread_id])[-1]
        references = [mail for mail in earlier if mail != letter.thread_id][-IN_REFERENCES:]
        message["References"] = " ".join([letter.thread_id, *references])
    _set_unsubscribe(message, runtime, letter, player)
    # Nobody would read vacation notes; we want delivery reports, so not "All".
    is_answer = letter.kind is LetterKind.ANSWER
    message["Auto-Submitted"] = "auto-replied" if is_answer else "auto-generated"
    message["X-Auto-Response-Suppress"] = "OOF, NRN, AutoReply, RN"


def _earlier_in_thread(session: Session, letter: LetterRow) -> list[str]:
    """The Message-IDs of the latest mails that were sent in the letter's thread, oldest first."""
    in_thread = or_(LetterRow.message_id == letter.thread_id, LetterRow.thread_id == letter.thread_id)
    found = select(LetterRow.message_id).where(in_thread, LetterRow.player_id == letter.player_id)
    # By its game, too: that is how an index finds the thread.
    found = found.where(LetterRow.game_id == letter.game_id, LetterRow.seat == letter.seat)
    found = found.where(LetterRow.id != letter.id, col(LetterRow.state).in_(_ON_ITS_WAY))
    latest = found.order_by(col(LetterRow.sent_at).desc(), col(LetterRow.id).desc()).limit(IN_REFERENCES)
    return list(session.exec(latest))[::-1]


def _set_unsubscribe(message: EmailMessage, runtime: Runtime, letter: LetterRow, player: PlayerRow) -> None:
    """Lets the player unsubscribe with one click in their mail program, by a POST or by a mail."""
    link = unsubscribe_link(letter, player)
    if link is None:
        return
    targets = [f"<{runtime.signer.url(link)}>"] if runtime.settings.has_pages else []
    if address := runtime.address_in_mail(Purpose.UNSUBSCRIBE, letter.id):
        targets.insert(0, f"<mailto:{address}>")
    message["List-Unsubscribe"] = ", ".join(targets)
    if runtime.settings.has_pages:
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"


def unencoded(text: str) -> str:
    """The text of a header as it is: the library would spell out what looks like an encoded word (RFC 2047)."""
    shown = "".join(letter if letter.isprintable() or letter in ISOLATES else " " for letter in text)
    return shown.replace("=?", "= ?")


def _named(name: str, address: str) -> str:
    """The address with a display name that no relay refuses; without a name if the field would be too long."""
    username, _, domain = address.rpartition("@")
    plain = "".join(letter for letter in unencoded(bare(name)) if letter not in _NOT_IN_NAMES)
    plain = " ".join(plain.split())[:LONGEST_NAME].rstrip()
    is_long = len(Header(plain, "utf-8").encode()) + len(address) + 3 > LONGEST_FIELD
    return str(Address(display_name="" if is_long else plain, username=username, domain=domain))
