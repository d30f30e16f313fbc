"""Our mails as they are sent, composed from the real templates, for others to reply to."""

from email.headerregistry import Address
from email.message import EmailMessage
from functools import cache

from tests.samples.mails import mails
from tests.samples.rendering import Sample
from webapp.models import LetterKind
from webapp.replies.reading import Asked
from worker.mail import html_of, subject_of, text_of

HEARTS = "hearts@hearts.example"
WRITERS = {"Ann": "ann@example.org", "Bo": "bo@example.org", "Cy": "cy@example.org", "Di": "di@example.org"}


@cache
def _mails() -> dict[str, Sample]:
    return mails()


@cache
def mail(name: str) -> EmailMessage:
    """The mail of `tests.samples.mails` by that name, to Bo."""
    written, words = _mails()[name]
    kind = LetterKind(written)
    made = EmailMessage()
    made["From"] = Address("Hearts by Mail", addr_spec=HEARTS)
    made["To"] = Address("Bo", addr_spec=WRITERS["Bo"])
    made["Subject"] = subject_of(kind, words)
    made["Date"] = "Mon, 02 Mar 2026 18:00:00 +0000"
    made["Message-ID"] = f"<{name}.5f0c2d9a7b1e4c38@hearts.example>"
    made["Auto-Submitted"] = "auto-generated"
    made.set_content(text_of(kind, words), cte="quoted-printable")
    made.add_alternative(html_of(kind, words), subtype="html", cte="quoted-printable")
    made.set_boundary("=-hearts-by-mail")
    return made


@cache
def asked_by(name: str) -> Asked:
    """The question of the mail by that name, to Bo."""
    _, words = _mails()[name]
    stage = words["first"]["sheet"].stage if words.get("first") else "sheet"
    legal = tuple(face.code for face in words["first"]["sheet"].legal_faces) if stage == "play" else ()
    what = "trick 5" if stage == "play" else stage
    return Asked(seat=1, hand=2, what=what, addresses=frozenset({WRITERS["Bo"]}), legal=legal)


@cache
def questions() -> tuple[str, ...]:
    """The names of the mails that ask something."""
    return tuple(name for name, (_, words) in _mails().items() if words.get("first"))
