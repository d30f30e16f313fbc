"""Violations that tests plant: deeds that nobody did, mails that nobody sent."""

from datetime import datetime, timedelta
from email.message import EmailMessage

from tests.cast import address, leave, letters
from tests.chaos.checks.aftermath import Aftermath
from tests.chaos.notes import Deed, Notes, Way
from tests.chaos.relay import MoodyRelay
from tests.servers import Mail
from webapp.core.runtime import Runtime
from webapp.models import LetterRow
from webapp.outbox import turn_mail

MOMENT = timedelta(seconds=1)


def left_by(runtime: Runtime, relay: MoodyRelay, notes: Notes | None = None) -> Aftermath:
    return Aftermath(None, runtime, relay, notes or Notes(), runtime.now())  # type: ignore[arg-type]


def form(name: str, path: str, *chosen: str, at: datetime, about: str = "", answer: int = 303) -> Deed:
    """A form that one of the cast has submitted."""
    return Deed(at, at + MOMENT, address(name), Way.FORM, path, tuple(sorted(chosen)), answer, about)


def deliver(relay: MoodyRelay, runtime: Runtime, letter: LetterRow, text: str, to: str = "") -> None:
    """Has the relay take the letter, with another text."""
    message = EmailMessage()
    message["Message-ID"] = letter.message_id
    message.set_content(text)
    reader = to or address("Ann")
    relay.mails.append(Mail("", reader, message, message.as_bytes()))
    relay.taken_at[letter.message_id] = relay.came_at[letter.message_id, reader] = runtime.now()


def queue_mails(runtime: Runtime) -> None:
    """Nobody is on our pages, and workers have looked whom to mail."""
    leave(runtime)
    turn_mail.queue_due(runtime, runtime.now())


def letter_to(runtime: Runtime, seat: int) -> LetterRow:
    """The newest question to the player of that seat, once nobody is on our pages."""
    queue_mails(runtime)
    return [letter for letter in letters(runtime) if letter.seat == seat and letter.about == "pass"][-1]
