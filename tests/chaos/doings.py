"""Players' doings besides playing cards, by the pages and mails that everybody uses: most of them do each of it.

The run's seed decides which habits a player has, and when they show.
"""

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from functools import partial
from typing import Protocol
from urllib.parse import urljoin, urlsplit

from tests.chaos.browsers import NotingBrowser, Unavailable
from tests.chaos.notes import Notes, Shown
from tests.end_to_end.browsing import Form, Page
from tests.end_to_end.players import hearts_page, links
from tests.servers import Mail
from tests.worker.push_service import PushService

HABITUAL = 0.95  # the share of the players who have a habit
A_DEED = 0.9  # the share of the questions at which a player also does something else
NEW, OLD = 7, 2  # deeds at one question, at most: of those that they have not done yet, and of others
SOON = (3.0, 12.0)  # seconds until they are back, or think again
ENDED = 0.3  # the share of the questions at which a host proposes the end of the game, if they have that habit
LONG_PACES = (6 * 3600, 12 * 3600)  # seconds; nobody misses a deadline so


class Habit(StrEnum):
    """A habit of more than half of the players, or a thing of their table; the values name it in the closing table."""

    STAND_INS = "stand-ins"
    TRANSFERS = "transfers"
    DEVICES = "devices"
    ADDRESSES = "addresses"
    SHARES = "shares"
    TALK = "talk"
    AWAY = "away"
    PAUSES = "pauses"
    SECOND_THOUGHTS = "second thoughts"
    LINKS = "messenger links"
    PACES = "another pace"
    ENDINGS = "the end of a game"


class Later(Protocol):
    """Has something done after that many seconds, and again after a while if the site is down then."""

    def __call__(self, what: str, do: Callable[[], object], seconds: float) -> None: ...


@dataclass
class Doings:
    """One player's other doings. They ask their `friend`, by name and address, to play for them, and as a host offer
    seats to `newcomer`.

    `table` are the names of those who sit at their table from its beginning; neither of the two is among them.
    """

    name: str
    address: str
    browser: NotingBrowser
    notes: Notes
    push: PushService
    luck: random.Random
    friend: tuple[str, str]
    newcomer: tuple[str, str]
    table: Sequence[str]
    habits: frozenset[Habit] = frozenset()
    guests: list["Doings"] = field(default_factory=list)  # those to whom a host sends their link by messenger
    later: Later = field(init=False)
    _preferences: str = ""  # the newest links that they have
    _table: str = ""
    _play: str = ""
    _after_sign_in: list[Callable[[], bool]] = field(default_factory=list)
    _is_away: bool = False
    _said: int = 0

    @property
    def new_address(self) -> str:
        return f"new-{self.address}"

    def besides(self, mail: Mail) -> bool:
        """Perhaps does something else before they answer a mail. Returns whether they leave its question to others."""
        self._remember(links(mail))
        if self.name in self.table:
            self.notes.asked.add(self.name)
        chosen = self._chosen() if self.luck.random() < A_DEED else []
        if chosen and (turn := _first(links(mail), "/turn/")):
            form = hearts_page(self.browser.open(turn))
            self._play = urljoin(turn, form.values["play"][0]) if form and form.values.get("play") else ""
        return any(self._do(habit) and habit in ABSENCES for habit in chosen if self._may_do(habit))

    def note(self, habit: Habit) -> None:
        """Notes that they have shown a habit, and everybody at their table if it is about the table."""
        names = self.table if habit in OF_TABLES else [self.name]
        self.notes.used.update((habit, name) for name in names)

    def _chosen(self) -> list[Habit]:
        """A few of their habits, most of them such as they have not shown yet; habits that make them leave come last.

        To ask a friend, or to offer a seat, takes a sign-in, so that comes first.
        """
        able = [habit for habit in sorted(self.habits) if habit in _DEEDS]
        self.luck.shuffle(able)
        fresh = sorted(self._not_shown(able), key=lambda habit: habit not in (Habit.STAND_INS, Habit.TRANSFERS))
        shown = [habit for habit in able if habit not in fresh]
        return sorted([*fresh[:NEW], *shown[:OLD]], key=lambda habit: habit in ABSENCES)

    def _not_shown(self, habits: Iterable[Habit]) -> list[Habit]:
        return [habit for habit in habits if (habit, self.name) not in self.notes.used]

    def _may_do(self, habit: Habit) -> bool:
        """Whether they are not away already, if the habit is a way to be."""
        return habit not in ABSENCES or not self._is_away

    def _do(self, habit: Habit) -> bool:
        """Shows a habit. Returns whether the site let them."""
        is_done = _DEEDS[habit](self)
        if is_done:
            self.note(habit)
        return is_done

    def answer(self, mail: Mail) -> bool:
        """Does what a mail is about that asks for no card. Returns whether it was about anything here."""
        found = links(mail)
        self._remember(found)
        for path, act in _ANSWERS.items():
            if link := _first(found, path):
                act(self, link)
                return True
        if Habit.SHARES in self.habits and may_be_shared(mail):
            if self._share():
                self.note(Habit.SHARES)
            return True
        return False

    def _share(self) -> bool:
        """Shares the result of the game, and looks at every hand as a stranger does."""
        if not self._table:
            return False
        page = self.browser.open(self._table)
        link = next((str(one["href"]) for one in page.soup.find_all("a", href=True) if "/share?" in one["href"]), None)
        if link is None:
            return False
        address = str(page.url.join(link))
        form = _form(self.browser.open(address), "/share", want="share")
        if form is None:
            return False
        is_shared = self.browser.submit(form.fill(want="share")).status < 400
        shared = self.browser.open(address).soup.find("a", string="See what others see")
        if shared is not None:
            self._show(urljoin(address, str(shared["href"])))
        return is_shared

    def _show(self, link: str) -> None:
        stranger = NotingBrowser(self.notes, "a stranger")
        hands = sum("/hand/" in str(one["href"]) for one in stranger.open(link).soup.find_all("a", href=True))
        for hand in range(1, hands + 2):
            page = stranger.open(f"{link}/hand/{hand}")
            self.notes.shown.append(Shown(datetime.now(UTC), urlsplit(f"{link}/hand/{hand}").path, page.status))
        stranger.close()

    def _remember(self, found: list[str]) -> None:
        self._preferences = _first(found, "/preferences/") or self._preferences
        self._table = next((one for one in found if _is_table(one)), self._table)

    def _talk(self) -> bool:
        self._said += 1
        return self._submit(self._play, "/talk", text=f"{self.name} says {self._said}, and good luck")

    @property
    def _away_page(self) -> str:
        return f"{self._preferences.partition('?')[0]}/away" if self._preferences else ""

    def _stand_in(self) -> bool:
        """Asks the friend, or for the sign-in that this takes."""
        if self._ask_friend():
            return True
        if self._submit(self._away_page, "/away/sign-in", do="yes"):
            self._after_sign_in.append(self._stand_in_asked)
        return False

    def _stand_in_asked(self) -> bool:
        """Asks the friend, signed in."""
        if asked := self._ask_friend():
            self.note(Habit.STAND_INS)
        return asked

    def _ask_friend(self) -> bool:
        name, address = self.friend
        return self._leave("friend", name=name, address=address)

    def _away(self) -> bool:
        return self._leave("robot")

    def _leave(self, answer: str, **more: str) -> bool:
        """Goes away until they come back soon: what the form offers as `answer` happens meanwhile."""
        if self._submit(self._away_page, "/away", answer=answer, **more):
            self._is_away = True
            self._later("back", self._back)
            return True
        return False

    def _back(self) -> None:
        """Comes back, and soon leaves in another way, if there is one in which they have not left yet."""
        self._is_away = False
        self._submit(self._away_page, "/away/back", do="yes")
        for habit in self._not_shown(sorted(ABSENCES & self.habits))[:1]:
            self._later(habit, partial(self._do, habit))

    def _pause(self) -> bool:
        play = self._play
        if self._submit(play, "/pause", want="yes"):
            self._later("the clock goes on", lambda: self._submit(play, "/pause", want="no"))
            return True
        return False

    def _move(self) -> bool:
        return self._submit(self._preferences, "/address", address=self.new_address)

    def _device(self) -> bool:
        """Adds a device, as the page's script does."""
        form = _form(self.browser.open(self._preferences), "/devices") if self._preferences else None
        if form is None:
            return False
        device = self.push.browser()
        self.notes.devices.append((self.name, device))
        form.values |= {name: [value] for name, value in device.form.items()}
        return self.browser.submit(form).status < 400

    @property
    def _settings(self) -> str:
        """The page of the table's settings, which its host alone has; empty without any."""
        page = self.browser.open(self._play) if self._play else None
        host = page.soup.find("a", string="Table settings") if page else None
        return str(page.url.join(str(host["href"]))) if page and host else ""

    def _another_pace(self) -> bool:
        """Proposes another pace of hours, at a table that has one."""
        form = _form(self.browser.open(settings), "/pace") if (settings := self._settings) else None
        if form is None or int(form.values["play_time"][0]) not in LONG_PACES:
            return False
        others = [pace for pace in form.choices["play_time"] if int(pace) in LONG_PACES]
        paces = {name: self.luck.choice(others) for name in ("pass_time", "play_time")}
        return self.browser.submit(form.fill(**paces)).status < 400

    def _end(self) -> bool:
        """Proposes the end of the game, at some of their questions."""
        settings = self._settings if self.luck.random() < ENDED else ""
        return self._submit(f"{settings}/end", "/end") if settings else False

    def consider(self, mail: Mail) -> None:
        """Looks at what the host proposes, and agrees."""
        table = next((link for link in links(mail) if _is_table(link)), "")
        form = _form(self.browser.open(table), "/agree") if table else None
        if form is not None:
            self.browser.submit(form.fill(proposal=self.luck.choice(form.choices["proposal"])))

    def _offer(self) -> bool:
        """Offers a seat to the newcomer, as only the host can, or asks for the sign-in that this takes."""
        settings = self._settings
        if not settings:
            return False
        if self._offer_at(settings):
            return True
        if self._submit(settings, "/sign-in", do="yes"):
            self._after_sign_in.append(partial(self._offer_signed_in, settings))
        return False

    def _offer_signed_in(self, settings: str) -> bool:
        if offered := self._offer_at(settings):
            self.note(Habit.TRANSFERS)
        return offered

    def _offer_at(self, settings: str) -> bool:
        name, address = self.newcomer
        forms = [form for form in self.browser.open(settings).forms if urlsplit(form.action).path.endswith("/fill")]
        offering = [form for form in forms if "address" in form.kinds]
        if not offering:
            return False
        form = self.luck.choice(offering).fill(name=name, address=address)
        form = form.fill(kind="player") if form.kinds["kind"] == "radio" else form
        return self.browser.submit(form).status < 400

    def _sign_in(self, link: str) -> None:
        self._confirm(link)
        waiting, self._after_sign_in = self._after_sign_in, []
        for do in waiting:
            do()

    def send_link(self, link: str) -> None:
        """Sends the host's link to their guests, once the page of the confirmed table shows it."""
        if not self.guests:
            return
        page = self.browser.open(link)
        field = page.soup.find("input", id="link")
        if field is None and hearts_page(page):
            raise Unavailable  # they have not confirmed the table yet
        if field is None:  # they have dealt, or the table is lost
            return
        for guest in self.guests:
            guest.later("a link by messenger", partial(guest.come, str(field["value"])), guest.luck.uniform(*SOON) / 4)
        self._later("the deal", partial(self._deal, link))

    def come(self, link: str) -> None:
        """Asks for a seat by the link that the host has sent, if there still is one."""
        if form := _form(self.browser.open(link), "", name=self.name):
            self.browser.submit(form.fill(name=self.name, address=self.address))

    def _deal(self, link: str) -> None:
        """Deals once everybody has come by the link; looks again until then."""
        page = self.browser.open(link)
        if _form(page, "/guests", want="deal"):
            self._submit(link, "/guests", want="deal")
            self.note(Habit.LINKS)
        elif _form(page, "/guests"):
            self._later("the deal", partial(self._deal, link))

    def _agree(self, link: str) -> None:
        self._submit(link, "", answer="yes")

    def _confirm(self, link: str) -> None:
        if form := _form(self.browser.open(link), urlsplit(link).path):
            self.browser.submit(form)

    def _later(self, what: str, do: Callable[[], object]) -> None:
        self.later(what, do, self.luck.uniform(*SOON))

    def _submit(self, page: str, ending: str, **answers: str) -> bool:
        """Submits the form of a page whose action ends so, if the page has one that offers these answers."""
        form = _form(self.browser.open(page), ending, **answers) if page else None
        if form is None:
            return False
        return self.browser.submit(form.fill(**answers)).status < 400


def proposes(mail: Mail) -> bool:
    """Whether the mail says what the host of a table proposes."""
    return "may agree" in mail.text


def may_be_shared(mail: Mail) -> bool:
    """Whether the mail is a sheet of a game whose result its reader may share."""
    return any(urlsplit(link).path.endswith("/share") for link in links(mail))


def habits_of(luck: random.Random) -> frozenset[Habit]:
    """Each habit of a player alone with a chance of `HABITUAL`."""
    return frozenset(habit for habit in Habit if habit not in OF_TABLE_FORM and luck.random() < HABITUAL)


def _form(page: Page, ending: str, **answers: str) -> Form | None:
    """The first form whose action ends so, and which offers these choices or takes these texts; None without any."""
    for form in page.forms:
        is_it = urlsplit(form.action).path.endswith(ending) and form.method == "POST"
        if is_it and all(_takes(form, name, answer) for name, answer in answers.items()):
            return form
    return None


def _takes(form: Form, name: str, answer: str) -> bool:
    return name in form.kinds and answer in form.choices.get(name, [answer])


def _first(found: Iterable[str], path: str) -> str | None:
    return next((link for link in found if urlsplit(link).path.startswith(path)), None)


def _is_table(link: str) -> bool:
    path = urlsplit(link).path
    return path.startswith("/seat/") and path.count("/") == 2


_DEEDS: dict[Habit, Callable[[Doings], bool]] = {
    Habit.STAND_INS: Doings._stand_in,
    Habit.TRANSFERS: Doings._offer,
    Habit.DEVICES: Doings._device,
    Habit.ADDRESSES: Doings._move,
    Habit.TALK: Doings._talk,
    Habit.AWAY: Doings._away,
    Habit.PAUSES: Doings._pause,
    Habit.PACES: Doings._another_pace,
    Habit.ENDINGS: Doings._end,
}
ABSENCES = {Habit.STAND_INS, Habit.AWAY}
OF_TABLES = {Habit.TRANSFERS, Habit.LINKS, Habit.PACES, Habit.ENDINGS}
OF_TABLE_FORM = {Habit.LINKS, Habit.ENDINGS}  # which the table has from its beginning
_ANSWERS: dict[str, Callable[[Doings, str], None]] = {
    "/sign-in/": Doings._sign_in,
    "/new-address/": Doings._confirm,
    "/old-address/": Doings._agree,
    "/device/": Doings._confirm,
    "/join/": Doings._confirm,
}
ANSWERED = tuple(_ANSWERS)
