"""Players who know nothing but their mails: they follow a link and submit the form behind it."""

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from lxml.html import document_fromstring

from tests.end_to_end.browsing import Browser, Form, Page
from tests.servers import LONG, Mail, MailServer

ADDRESS = re.compile(r"https?://[^\s<>\"]+")
PASSED = 3
RESULTS = 6  # pages in a row on how hands ended, at most
HOURS = str(6 * 3600)  # as the form says it
RANKS = "23456789TJQKA"


def links(mail: Mail) -> list[str]:
    """The targets of the links of an email, each once, in the order of its HTML part; then those of its text alone."""
    anchors = document_fromstring(mail.html).iter("a")
    found = [str(anchor.get("href", "")) for anchor in anchors] + ADDRESS.findall(mail.text)
    return list(dict.fromkeys(link for link in found if link.startswith("http")))


def hearts_page(page: Page) -> Form | None:
    """The form on a page that asks for something; None if there is none."""
    return next((form for form in page.forms if not {"kind", "seat", "phrase"} & form.kinds.keys()), None)


def _rank(card: str) -> int:
    return RANKS.index(card[0])


@dataclass
class Player:
    """A player with an inbox. A silent one reads no mail; an eager one takes every trick, so that games are short."""

    name: str
    eager: bool = False
    silent: bool = False
    browser: Browser = field(default_factory=Browser)
    answered: list[str] = field(default_factory=list)  # the kinds of question answered in time, in order

    def __post_init__(self) -> None:
        self._luck = random.Random(self.name)

    @property
    def address(self) -> str:
        return f"{self.name.lower()}@example.org"

    def open_table(self, home: str, guests: Sequence["Player"], robots: int = 0, **fields: str) -> Page:
        """From the home page's button to the page that points to the inbox. Robots play the simple way, unless `fields`
        of the form say otherwise.
        """
        form_page = self.browser.open(self.browser.open(home).link("Open a table"))
        (form,) = form_page.forms
        form.fill(host_name=self.name, host_address=self.address, time_zone="Europe/Berlin")
        form.fill(robots="rule", length="100")
        seats = sorted({int(name.split("_")[1]) for name in form.kinds if name.startswith("seat_")})
        for number, guest in zip(seats, guests, strict=False):
            seat = f"seat_{number}"
            form.fill(**{f"{seat}_kind": "player", f"{seat}_name": guest.name, f"{seat}_address": guest.address})
        for place, number in enumerate(seats[len(guests) :]):
            form.fill(**{f"seat_{number}_kind": "robot" if place < robots else "none"})
        form.fill(**fields)
        page = self.browser.submit(form)
        assert page.status == 200, page.text[:1000]
        return page

    def read(self, mail: Mail) -> None:
        """Opens the pages that the mail asks to open, and answers its questions; one game is enough for them."""
        if self.silent or "The game is over" in mail.subject:
            return
        found = [link for link in links(mail) if "language=" not in link]  # they stay with English
        turns = dict.fromkeys(urlsplit(link).path for link in found if urlsplit(link).path.startswith("/turn/"))
        for path in turns or [urlsplit(found[0]).path]:
            self._visit([link for link in found if urlsplit(link).path == path])

    def _visit(self, asked: list[str]) -> None:
        page = self.browser.open(self._luck.choice(asked))  # a card's own link, or the one to all cards
        for _ in range(RESULTS):
            form = hearts_page(page)
            kind = self._fill(form) if form else None
            if form and kind:
                self._submit(form, kind)
                return
            on = page.soup.select_one("a.go-on")  # from how a hand ended to what waits
            if on is None:
                return
            page = self.browser.open(str(page.url.join(str(on["href"]))))

    def _submit(self, form: Form, kind: str) -> None:
        after = self.browser.submit(form)
        # 429: they have asked for as many mails as they may
        assert after.status in (200, 409, 429), f"{after.status} for {kind}: {after.text[:500]}"
        if after.status == 200:  # neither too late nor too much
            self.answered.append(kind)

    def _fill(self, form: Form) -> str | None:
        """Fills the form. Returns what it asked for; None if it only makes an offer."""
        match form.kinds:
            case {"answer": _} if "accept" not in form.choices["answer"]:  # they have, though its page never came
                return None
            case {"answer": _}:
                form.fill(answer="accept")
                return "invitation"
            case {"card": "checkbox"}:
                cards = sorted(form.choices["card"], key=_rank)
                form.fill(card=cards[:PASSED] if self.eager else self._luck.sample(cards, PASSED))
                return "pass"
            case {"card": "radio"}:
                if self.eager:  # ignores the card that the link has chosen
                    form.fill(card=max(form.choices["card"], key=_rank))
                elif "card" not in form.values:
                    form.fill(card=self._luck.choice(form.choices["card"]))
                return "play"
            case {"ahead": "button"}:  # one tap, for their turn
                form.fill(ahead=self._luck.choice(form.choices["ahead"]))
                return "ahead"
            case {"moon": _}:
                form.fill(moon=self._luck.choice(form.choices["moon"]))
                return "moon"
            case {"want": _} | {"address": _} | {"text": _} | {"language": _}:  # the preferences, talk, the foot
                return None
            case _:
                return "confirmation"


class Inboxes:
    """The mails of one table's players, in the order of arrival, from now on."""

    def __init__(self, server: MailServer) -> None:
        self._server = server
        self._first = self._next = len(server.mails)

    @property
    def read(self) -> list[Mail]:
        """The mails read so far."""
        return self._server.mails[self._first : self._next]

    @property
    def arrived(self) -> list[Mail]:
        """All mails so far, read or not."""
        return self._server.mails[self._first :]

    @property
    def has_more(self) -> bool:
        return len(self._server.mails) > self._next

    def next(self, seconds: float = LONG) -> Mail:
        mail = self._server.wait(self._next, seconds)
        self._next += 1
        return mail
