"""The headers of a mail: from whom, to whom, in which thread, and what other programs should make of it.

Sources: RFC 5322 (Message-ID, References), RFC 3834 (Auto-Submitted).
"""

from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import format_datetime

from webapp.models import LetterRow, PlayerRow
from webapp.parts import Parts


def set_headers(message: EmailMessage, parts: Parts, letter: LetterRow, player: PlayerRow) -> None:
    """Everything but the subject and what the content brings along."""
    message["From"] = parts.settings.sender
    message["To"] = Address(display_name=_plain_name(player.name), addr_spec=letter.address or player.address)
    message["Date"] = format_datetime(letter.created_at)
    message["Message-ID"] = letter.message_id
    if letter.thread_id:
        message["In-Reply-To"] = message["References"] = letter.thread_id
    # Vacation notes would come back to nobody; delivery reports are wanted, so not "All".
    message["Auto-Submitted"] = "auto-generated"
    message["X-Auto-Response-Suppress"] = "OOF, NRN, AutoReply, RN"


def _plain_name(name: str) -> str:
    """A display name without what relays take for an address or refuse."""
    return "".join(letter for letter in name if letter not in '@:,;<>"\\()[]').strip()
