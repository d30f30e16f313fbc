"""Players who reply to their mails, as mail programs do: once seated, they do nothing but type."""

import re
import smtplib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.utils import make_msgid
from html import escape

from hearts.cards import parse_card
from tests.end_to_end.players import ADDRESS, PASSED, Inboxes, Player
from tests.end_to_end.service import Service
from tests.end_to_end.sheets import is_final
from tests.servers import LONG, Mail
from webapp.presentation.faces import face

HELD = re.compile(r"\b([2-9TJQKA][CDSH]) \S+")
MAY_PLAY = re.compile(r"^ +([2-9TJQKA][CDSH]) \S+ +https?://", re.MULTILINE)
THEN = re.compile(r"^THEN\s*$", re.MULTILINE)  # heads the other questions of an email
CHOICES = re.compile(r'"(add|subtract)" for ')
BY_OTHER_MEANS = {"link", "page", "order", "timeout"}  # the sources of turns that could have been typed but were not
Post = Callable[[str, str, bytes], object]  # sender, recipient, raw mail


def by_smtp(port: int) -> Post:
    """Sends each email over its own connection to a server on this machine."""

    def post(sender: str, recipient: str, raw: bytes) -> None:
        with smtplib.SMTP("127.0.0.1", port, local_hostname="home.example.org", timeout=LONG) as line:
            line.sendmail(sender, [recipient], raw)

    return post


@dataclass
class Correspondent(Player):
    """Types a legal answer, each time in another form, above or below the quoted mail, in plain text or HTML."""

    post: Post = field(kw_only=True)
    typed: list[str] = field(default_factory=list)

    def read(self, mail: Mail) -> None:
        """Replies to an email that asks for a turn; any other question is answered on the web.

        Of an email of several turns the reply is to the first, whose choices it shows; the others are answered there.
        """
        reply_to = mail.message["Reply-To"]
        first, *others = THEN.split(mail.text)
        words = self._words_for(first)
        if words is None:
            super().read(mail)
            return
        self._type(mail, reply_to.addresses[0].addr_spec, words)
        for link in ADDRESS.findall("".join(others)):
            if "/turn/" in link:
                self._visit([link])

    def _type(self, mail: Mail, to: str, words: str) -> None:
        """Mails the words to the address of one turn."""
        self.typed.append(words)
        self.post(self.address, to, self._answer(mail, to, words, len(self.typed)))

    def _words_for(self, text: str) -> str | None:
        """The text to type; None if the mail asks for nothing."""
        if "YOUR CARDS" in text:
            held = HELD.findall(text.partition("YOUR CARDS")[2].partition("Choose here")[0])
            return ", ".join(self._luck.sample(held, PASSED))
        if choices := CHOICES.findall(text):
            return self._luck.choice(choices)
        if may_play := MAY_PLAY.findall(text):
            return self._written(self._luck.choice(may_play), len(self.typed))
        return None

    def _written(self, code: str, number: int) -> str:
        known = face(parse_card(code))
        ways = (
            code,
            code if code in ("AH", "AS") else code.lower(),  # those are words, too, and asked back
            known.text,
            known.name,
            f"Play the {known.name}, please.",
            f"{known.rank} of {known.suit}",
        )
        return ways[number % len(ways)]

    def _answer(self, mail: Mail, to: str, words: str, number: int) -> bytes:
        answer = EmailMessage()
        answer["From"] = f"{self.name} <{self.address}>"
        answer["To"] = to
        answer["Subject"] = f"Re: {mail.subject}"
        answer["Message-ID"] = make_msgid(domain="home.example.org")
        answer["In-Reply-To"] = mail.message["Message-ID"]
        begins = "On Mon, 2 Mar 2026 at 12:00, Hearts by Mail <hearts@hearts.example.org> wrote:"
        quoted = "\n".join(f"> {line}" for line in mail.text.splitlines())
        match number % 3:
            case 0:
                answer.set_content(f"{begins}\n{quoted}\n\n{words}\n")
            case 1:
                answer.set_content(f"{words}\n\n{begins}\n{quoted}\n\n-- \n{self.name}, +49 30 123456\n")
            case _:
                below = "<br>".join(escape(line) for line in mail.text.splitlines())
                page = f"<div>{escape(words)}</div><div>{begins}</div><blockquote>{below}</blockquote>"
                answer.set_content(page, subtype="html")
        return answer.as_bytes()


def play_by_answers(service: Service, inboxes: Inboxes, players: Sequence[Correspondent]) -> list[Mail]:
    """Every player replies to every email until all have their final score sheet. Returns those.

    Of mails that have come together, the last is read first: so some answers come before their turn.
    """
    finals: list[Mail] = []
    while len(finals) < len(players):
        service.check()
        mails = [inboxes.next()]
        while inboxes.has_more:
            mails.append(inboxes.next())
        finals += filter(is_final, mails)
        for mail in reversed(mails):
            next(player for player in players if player.address == mail.to).read(mail)
    return finals


def sources_of(service: Service) -> Counter[str]:
    """How many turns were played by each source."""
    return Counter(service.column("turn", "source"))
