"""A browser without scripts: opens links, shows the forms of a page, and submits them.

It knows nothing of the service: it sends only what the page offers.
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Self

import httpx
from bs4 import BeautifulSoup
from lxml.html import HtmlElement, HTMLParser, document_fromstring

from tests.servers import LONG

TYPED = {"text", "email", "number", "search", "tel", "url", "password"}


@dataclass
class Form:
    """A form of a page. `values` is what it would send; `choices` what its fields offer besides."""

    method: str
    action: str
    values: dict[str, list[str]] = field(default_factory=dict)
    choices: dict[str, list[str]] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, tag: HtmlElement, url: httpx.URL) -> Self:
        form = cls(str(tag.get("method", "get")).upper(), str(url.join(str(tag.get("action") or str(url)))))
        for control in tag.iter("input", "select", "textarea", "button"):
            if "name" in control.attrib and "disabled" not in control.attrib:
                form._take(control)
        return form

    def _take(self, control: HtmlElement) -> None:
        name, value = str(control.attrib["name"]), str(control.attrib.get("value", ""))
        kind = control.tag if control.tag != "input" else str(control.get("type", "text"))
        self.kinds[name] = kind
        match kind:
            case "radio" | "checkbox":
                self.choices.setdefault(name, []).append(value)
                if "checked" in control.attrib:
                    self.values.setdefault(name, []).append(value)
            case "select":
                options = list(control.iter("option"))
                self.choices[name] = [str(option.get("value", option.text_content())) for option in options]
                chosen = [option for option in options if "selected" in option.attrib] or options[:1]
                self.values[name] = [str(option.get("value", option.text_content())) for option in chosen]
            case "button" | "submit":
                self.choices.setdefault(name, []).append(value)
            case "textarea":
                self.values[name] = [control.text_content()]
            case _:
                self.values[name] = [value]

    def fill(self, **answers: str | list[str]) -> Self:
        """Types and ticks. Fails if the form has no such field, or does not offer such a choice."""
        for name, answer in answers.items():
            given = [answer] if isinstance(answer, str) else answer
            assert name in self.kinds, f"the form has no field {name}, only {sorted(self.kinds)}"
            assert self.kinds[name] != "hidden", f"nobody can type into {name}"
            if self.kinds[name] not in TYPED | {"textarea"}:
                assert set(given) <= set(self.choices[name]), f"{name} offers {self.choices[name]}, not {given}"
            self.values[name] = given
        return self


@dataclass
class Page:
    """A page as the site sent it, parsed when it is first used."""

    url: httpx.URL
    status: int
    content: bytes

    @cached_property
    def soup(self) -> BeautifulSoup:
        return BeautifulSoup(self.content, "lxml")

    @property
    def forms(self) -> list[Form]:
        if not self.content.strip():
            return []
        page = document_fromstring(self.content, HTMLParser(encoding="utf-8"))  # ten times as fast as a soup
        # The line of languages in the foot is no question.
        return [Form.read(tag, self.url) for tag in page.iter("form") if tag.get("class") != "languages"]

    @property
    def text(self) -> str:
        return " ".join(self.soup.get_text(" ").split())

    def link(self, words: str) -> str:
        """Returns the target of the first link with these words."""
        for anchor in self.soup.find_all("a", href=True):
            if words in " ".join(anchor.get_text(" ").split()):
                return str(self.url.join(str(anchor["href"])))
        raise AssertionError(f"no link {words!r} on {self.url}: {self.text[:500]}")


class Browser:
    """Keeps cookies, follows redirects, and fails on any page that says the service is broken."""

    def __init__(self) -> None:
        fresh = httpx.Limits(max_keepalive_connections=0)  # a person's browser disconnects between two mails
        # Nothing is encrypted here, and reading the certificates of all authorities would take longer than a page.
        self._client = httpx.Client(follow_redirects=True, timeout=LONG, limits=fresh, verify=False)

    def open(self, url: str) -> Page:
        return self._page(self._client.get(url))

    def submit(self, form: Form) -> Page:
        if form.method == "GET":
            return self._page(self._client.get(form.action, params=form.values))
        from_here = {"Sec-Fetch-Site": "same-origin"}  # every form comes from the page to which it is sent
        return self._page(self._client.request(form.method, form.action, data=form.values, headers=from_here))

    def download(self, url: str) -> bytes:
        answer = self._client.get(url)
        assert answer.status_code == 200, f"{answer.status_code} for the download {url}"
        return answer.content

    def close(self) -> None:
        self._client.close()

    def _page(self, answer: httpx.Response) -> Page:
        assert answer.status_code < 500, f"{answer.status_code} for {answer.url}: {answer.text[:500]}"
        return Page(answer.url, answer.status_code, answer.content)
