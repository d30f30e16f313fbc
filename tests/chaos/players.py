"""Players who go on whatever breaks: they note each deed and its answer, and try again later if there was none."""

import smtplib
from dataclasses import dataclass, field
from datetime import UTC, datetime
from urllib.parse import urlsplit

import httpx

from tests.chaos.notes import Deed, Notes, Way, about_in, chosen_in
from tests.end_to_end.browsing import Browser, Form, Page
from tests.end_to_end.correspondents import Correspondent, by_smtp
from tests.end_to_end.players import Player, links
from tests.servers import Mail

DOWN = (502, 503, 504)  # what a site answers that says itself that it is down
SECONDS = 30  # that a player waits for an answer
TRIES_BY_MAIL = 2  # then they use the links
ASKING = ("/turn/", "/confirm/", "/invitation/")


class Unavailable(Exception):
    """The site, or the listener for mails, did not answer, or asked to try again later."""


def asks(mail: Mail) -> bool:
    """Whether the mail asks its reader to do something."""
    return any(urlsplit(link).path.startswith(ASKING) for link in links(mail))


class NotingBrowser(Browser):
    """Raises Unavailable if there is no answer, and notes what was submitted, and pages that say all is broken."""

    def __init__(self, notes: Notes, player: str) -> None:
        super().__init__()
        self._client.timeout = httpx.Timeout(SECONDS)
        self._notes, self._player = notes, player

    def open(self, url: str) -> Page:
        try:
            return self._page(self._client.get(url))
        except httpx.TransportError as error:
            raise Unavailable from error

    def submit(self, form: Form) -> Page:
        headers = {"Sec-Fetch-Site": "same-origin"}
        path, at = urlsplit(form.action).path, datetime.now(UTC)
        status = None
        try:
            send = self._client.post
            answer = send(form.action, data=form.values, headers=headers, follow_redirects=False)
            status = answer.status_code
        except httpx.TransportError as error:
            raise Unavailable from error
        finally:
            deed = Deed(at, self._player, Way.FORM, path, chosen_in(form), status, about_in(form))
            self._notes.deeds.append(deed)
        if answer.has_redirect_location:  # it was done; what the next page says is nothing new
            return Page(answer.url, 200, b"")
        page = self._page(answer)
        if page.status == 400 and "sealed" in form.kinds:  # the turn has come, and with it what they wait for
            page.status = 409
        return page

    def _page(self, answer: httpx.Response) -> Page:
        if answer.status_code in DOWN:
            raise Unavailable
        if answer.status_code >= 500:
            self._notes.unexpected.append(f"{answer.status_code} for {answer.url.path[:20]}…")
            raise Unavailable
        return Page(answer.url, answer.status_code, answer.content)


@dataclass
class Writer(Correspondent):
    """Replies to their mails, and notes what the listener answered."""

    notes: Notes = field(kw_only=True)
    listener: tuple[str, int] = field(kw_only=True)  # host and port where the service takes mails
    failed: int = 0  # tries by mail, in a row

    def read(self, mail: Mail) -> None:
        """Replies; after `TRIES_BY_MAIL` that the listener did not take, uses the links."""
        if self.failed < TRIES_BY_MAIL:
            super().read(mail)
        else:
            self.failed = 0
            Player.read(self, mail)

    def _type(self, mail: Mail, to: str, words: str | None) -> None:
        if words is None:
            return
        self.typed.append(words)
        raw = self._answer(mail, to, words, len(self.typed))
        status = self._send(to, raw)
        number = raw.partition(b"Message-ID: ")[2].split()[0].decode()
        meant = tuple(sorted(self._meant or words.split(", ")))
        self.notes.deeds.append(Deed(datetime.now(UTC), self.address, Way.MAIL, to, meant, status, number))
        self.failed = 0 if status == 250 else self.failed + 1
        if status != 250:
            raise Unavailable

    def _words_for(self, text: str) -> str | None:
        self._meant: list[str] = []
        return super()._words_for(text)

    def _written(self, code: str, number: int) -> str:
        self._meant = [code]
        return super()._written(code, number)

    def _send(self, to: str, raw: bytes) -> int | None:
        """Sends an email to the listener. Returns its last response; None if the connection broke."""
        try:
            with smtplib.SMTP(*self.listener, local_hostname="home.example.org", timeout=SECONDS) as line:
                line.ehlo()
                for said in (line.mail(self.address), line.rcpt(to)):
                    if said[0] >= 400:
                        return said[0]
                return line.data(raw)[0]
        except smtplib.SMTPResponseException as error:
            return error.smtp_code
        except (smtplib.SMTPException, OSError):
            return None


def person(name: str, notes: Notes, listener: tuple[str, int], *, writes: bool) -> Player:
    """A player of that name, who replies to their mails if they are one who `writes`, and else uses links."""
    browser = NotingBrowser(notes, f"{name.lower()}@example.org")
    if writes:
        return Writer(name, browser=browser, post=by_smtp(listener[1]), notes=notes, listener=listener)
    return Player(name, browser=browser)
