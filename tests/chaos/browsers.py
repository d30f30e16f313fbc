"""Browsers that note what was submitted and answered, and that say when the site is down."""

from datetime import UTC, datetime
from urllib.parse import urlsplit

import httpx

from tests.chaos.notes import Deed, Notes, Way, about_in, chosen_in
from tests.end_to_end.browsing import Browser, Form, Page

DOWN = (502, 503, 504)  # what a site answers that says itself that it is down
SECONDS = 30  # that a player waits for an answer
NOT_THEIRS = (403, 404, 410)  # of a seat that its player has lost or lent, or of a link that has ended


class Unavailable(Exception):
    """The site, or the listener for mails, did not answer, or asked to try again later."""


class NotingBrowser(Browser):
    """Raises Unavailable if there is no answer, and notes what was submitted, and pages that say all is broken."""

    def __init__(self, notes: Notes, player: str) -> None:
        super().__init__()
        self._client.timeout = httpx.Timeout(SECONDS)
        self._notes, self._player = notes, player

    def open(self, url: str) -> Page:
        """The page; an empty one if it says that there is nothing for this player."""
        try:
            page = self._page(self._client.get(url))
        except httpx.TransportError as error:
            raise Unavailable from error
        return Page(page.url, page.status, b"") if page.status in NOT_THEIRS else page

    def submit(self, form: Form) -> Page:
        """The page that answers a form; of one that leads to another page, its address alone."""
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
            now = datetime.now(UTC)
            deed = Deed(at, now, self._player, Way.FORM, path, chosen_in(form), status, about_in(form))
            self._notes.deeds.append(deed)
        if answer.has_redirect_location:  # it was done; the next page says nothing new
            return Page(answer.url.join(answer.headers["Location"]), 200, b"")
        page = self._page(answer)
        is_over = page.status == 400 and "ahead" in form.kinds  # the turn has come, and the rules bar the card
        if is_over or page.status in NOT_THEIRS:
            page.status = 409
        return page

    def _page(self, answer: httpx.Response) -> Page:
        if answer.status_code in DOWN:
            raise Unavailable
        if answer.status_code >= 500:
            self._notes.unexpected.append(f"{answer.status_code} for {answer.url.path[:20]}…")
            raise Unavailable
        return Page(answer.url, answer.status_code, answer.content)
