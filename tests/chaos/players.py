"""Players who go on whatever breaks: they note each deed and its answer, and try again later if there was none."""

import random
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from urllib.parse import urlsplit

from tests.chaos.browsers import NotingBrowser, Unavailable
from tests.chaos.doings import ANSWERED, SOON, Doings, Habit, habits_of, may_be_shared, proposes
from tests.chaos.notes import Deed, Notes, Way
from tests.chaos.posting import Post
from tests.end_to_end.browsing import Form
from tests.end_to_end.correspondents import CHOICES, HELD, Correspondent
from tests.end_to_end.players import ADDRESS, PASSED, Player, links
from tests.servers import Mail
from tests.worker.push_service import PushService

AFTERWARDS = SOON[1] + 3  # seconds after which players who have left look whether they are still asked
TRIES_BY_MAIL = 2  # then they use the links
ASKING = ("/turn/", "/confirm/", "/invitation/")
YES_OR_NO = "“yes” or “no”"
CARDS = re.compile(r"YOUR CARDS|YOU MAY PLAY|(?:Choose|Play) by ")  # around the cards of a mail without links
FIELDS = {"pass": "card", "play": "card", "ahead": "ahead"}  # by the kind of question
SECOND_THOUGHTS = 0.6  # the share of their answers after which players choose again who have done so before


def _leads_to(mail: Mail, *paths: str) -> bool:
    return any(urlsplit(link).path.startswith(paths) for link in links(mail))


@dataclass
class Person(Player):
    """Plays by links, and does other things besides. `reads` is the address at which the last mail came."""

    doings: Doings = field(kw_only=True)
    reads: str = ""

    @property
    def address(self) -> str:
        return self.reads or super().address

    @property
    def inboxes(self) -> Sequence[str]:
        """The addresses at which they read their mail, also one to which they may move."""
        return self.doings.address, self.doings.new_address

    def is_asked(self, mail: Mail) -> bool:
        """Whether the mail asks them to do something, or lets them share a result."""
        return _leads_to(mail, *ASKING, *ANSWERED) or may_be_shared(mail) or proposes(mail)

    def read(self, mail: Mail) -> None:
        self.reads = mail.to
        if proposes(mail):
            self.doings.consider(mail)
        elif _leads_to(mail, "/turn/"):
            if self.doings.besides(mail):
                self.doings.later(mail.subject, partial(self._reply_late, mail), AFTERWARDS)
            else:
                self.reply(mail)
        elif not self.doings.answer(mail) and _leads_to(mail, *ASKING):
            super().read(mail)
            if _leads_to(mail, "/confirm/"):
                self.doings.send_link(links(mail)[0])

    def _reply_late(self, mail: Mail) -> None:
        self.reads = mail.to
        self.reply(mail)

    def reply(self, mail: Mail) -> None:
        """Answers the questions of the mail."""
        super().read(mail)

    def _submit(self, form: Form, kind: str) -> None:
        """Submits a form; who thinks again chooses other cards on the same page, which may be too late by then."""
        super()._submit(form, kind)
        if (field := FIELDS.get(kind)) and self._thinks_again:
            others = [card for card in form.choices[field] if card not in form.values[field]]
            number = len(form.values[field])
            form.fill(**{field: self.doings.luck.sample(others or form.choices[field], number)})
            super()._submit(form, kind)

    @property
    def _thinks_again(self) -> bool:
        has_shown = (Habit.SECOND_THOUGHTS, self.doings.name) in self.doings.notes.used
        is_likely = not has_shown or self.doings.luck.random() < SECOND_THOUGHTS
        is_one = Habit.SECOND_THOUGHTS in self.doings.habits and is_likely
        if is_one:
            self.doings.note(Habit.SECOND_THOUGHTS)
        return is_one


@dataclass
class Writer(Person, Correspondent):
    """Replies to their mails, and notes what the first server answered."""

    notes: Notes = field(kw_only=True)
    post: Post = field(kw_only=True)
    failed: int = 0  # tries by mail, in a row

    def reply(self, mail: Mail) -> None:
        """Replies, and may think again; after `TRIES_BY_MAIL` that no server took, uses the links."""
        if self.failed >= TRIES_BY_MAIL:
            self.failed = 0
            Player.read(self, mail)
            return
        Correspondent.read(self, mail)
        if self._thinks_again:
            reader = Player if self.doings.luck.random() < 0.5 else Correspondent
            reader.read(self, mail)

    def _type(self, mail: Mail, to: str, words: str | None) -> None:
        if words is None:
            return
        self.typed.append(words)
        raw, at = self._answer(mail, to, words, len(self.typed)), datetime.now(UTC)
        status = self.post(self.address, to, raw)
        number = raw.partition(b"Message-ID: ")[2].split()[0].decode()
        meant, now = tuple(sorted(self._meant or words.split(", "))), datetime.now(UTC)
        self.notes.deeds.append(Deed(at, now, self.doings.address, Way.MAIL, to, meant, status, number))
        self.failed = 0 if status == 250 else self.failed + 1
        if status != 250:
            raise Unavailable

    def _words_for(self, text: str) -> str | None:
        self._meant: list[str] = []
        return super()._words_for(text)

    def _written(self, code: str, number: int) -> str:
        self._meant = [code]
        return super()._written(code, number)


@dataclass
class Penpal(Writer):
    """Plays by answers alone, where nobody opens a page; a host confirms their table in a browser of that machine."""

    def is_asked(self, mail: Mail) -> bool:
        return "/confirm/" in mail.text or self._words_for(mail.text) is not None

    def read(self, mail: Mail) -> None:
        self.reads = mail.to
        if confirming := [link for link in ADDRESS.findall(mail.text) if "/confirm/" in link]:
            self._visit(confirming)
            return
        is_about_cards = YES_OR_NO not in mail.text
        if is_about_cards:
            self.notes.asked.add(self.name)
        self._reply(mail)
        if is_about_cards and self._thinks_again:
            self._reply(mail)

    def _reply(self, mail: Mail) -> None:
        self._type(mail, mail.message["Reply-To"].addresses[0].addr_spec, self._words_for(mail.text))

    def _words_for(self, text: str) -> str | None:
        self._meant = []
        if YES_OR_NO in text:
            return "yes"
        if choices := CHOICES.findall(text):
            return self._luck.choice(choices)
        if held := HELD.findall(CARDS.split(text)[1]) if "YOUR CARDS" in text else []:
            return ", ".join(self._luck.sample(held, PASSED))
        if may_play := HELD.findall(CARDS.split(text)[1]) if "YOU MAY PLAY" in text else []:
            return self._written(self._luck.choice(may_play), len(self.typed))
        return None


def person(
    name: str,
    notes: Notes,
    post: Post,
    push: PushService,
    luck: random.Random,
    friend: str,
    newcomer: str,
    table: Sequence[str],
    of_table: Collection[Habit],
    *,
    writes: bool,
    has_pages: bool,
) -> Person:
    """A player of that name, who replies to their mails if they are one who `writes`, or if the service has no pages,
    and else uses links.

    `luck` chooses their habits, besides those `of_table`, whose people have the names `table`. They ask the player
    whose name is `friend` to play for them, and offer seats to the one whose name is `newcomer`.
    """
    address = address_of(name)
    browser = NotingBrowser(notes, address)
    habits = habits_of(luck) | set(of_table)
    others = [(one, address_of(one)) for one in (friend, newcomer)]
    doings = Doings(name, address, browser, notes, push, luck, *others, table, habits)
    if writes or not has_pages:
        kind = Writer if has_pages else Penpal
        return kind(name, browser=browser, post=post, notes=notes, doings=doings)
    return Person(name, browser=browser, doings=doings)


def address_of(name: str) -> str:
    return f"{name.lower()}@example.org"
