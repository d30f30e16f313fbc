"""Fetches mails from a mailbox over IMAP, where no server of ours takes them in.

The mailbox may be somebody's own: only mails to us are fetched whole, none is marked, and none is moved or deleted but
those that belong to a letter. Such a mail is stored first, then moved or deleted if the host wants that, and only then
is the place noted up to where the mailbox has been read. After any failure in between, the mail is found again, and its
copy is recognised. So any number of processes may read one mailbox.

A mail that fails, at whatever step, is put aside and tried again later, and the next one is read. The place stays
before it until it has been read, or has failed for most of a day; so a process that starts meanwhile finds it, too.
Sources: RFC 9051, RFC 2177 (IDLE).
"""

import logging
import signal
import sys
import threading
import time
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from sqlalchemy.exc import IntegrityError

from webapp.core import mail_server
from webapp.core.credentials import Mailbox, NoPassword
from webapp.core.database import DatabaseDown
from webapp.core.mail_server import (
    IMAPClient,
    IMAPClientAbortError,
    IMAPClientError,
    IMAPClientReadOnlyError,
    LoginError,
    NotEncrypted,
    connect_imap,
    reason,
)
from webapp.core.metrics import FAILED_MAILS
from webapp.core.runtime import Runtime
from webapp.games.clock import way_in
from webapp.inbox import finding, receiving, without_game
from webapp.inbox.receiving import KEPT_FOR, LARGEST_ON_WIRE, receive
from webapp.replies.received import Mail, fields, parse_head

log = logging.getLogger(__name__)

PATIENCE = 60.0  # seconds for a response
POLL = 20.0  # seconds between two looks, where the server cannot say that a mail has come
IDLE = 60.0  # seconds after which a server that says so is asked again: the line may be dead, or its word was lost
GLANCE = 1.0  # seconds within which a process that is to stop notices that
FIRST_WAIT, LONGEST_WAIT = 1.0, 300.0  # seconds before the next attempt to connect; each is twice as long
PROVED = 10.0  # seconds after which a line is one that lasts
ONCE_MORE = 60.0  # seconds before a password that was not accepted is tried once more: user databases go away, too
WITHOUT_IDLE = 600.0  # seconds for which a server is looked at instead that offers IDLE and then fails
PUT_OFF, LONGER = 60.0, 3  # seconds until a mail is tried again that has failed; so many times as long after each try
MOST_TRIES = 8  # of a mail, within 18 hours
AT_ONCE = 200  # mails whose headers are fetched together
_SAME = ("Message-ID", "From", "Date")  # fields that tell a mail from a notice that the server puts in its place


class NotGiven(Exception):
    """The server gives nothing for a mail that is there, or something else than the mail."""


@dataclass(frozen=True, slots=True)
class _Aside:
    """A mail that has failed `tries` times, and is tried again at `due`, by the clock of `time.monotonic`."""

    tries: int
    due: float


class Fetcher:
    """Reads a mailbox until `stop` is set."""

    def __init__(self, runtime: Runtime, mailbox: Mailbox, stop: threading.Event) -> None:
        self._runtime = runtime
        self._mailbox = mailbox
        self._stop = stop
        self._validity = 0
        self._seen = 0  # the last mail that this process has looked at
        self._aside: dict[int, _Aside] = {}  # earlier ones that have failed
        self._suspect = 0  # the mail at which the line broke, or the first of some that were fetched together
        self._to_clear: set[int] = set()  # mails that are to be moved or deleted
        self._tidies_from = self._idles_from = 0.0

    def run(self) -> None:
        """Reads the mailbox, and connects again if the line breaks.

        Raises NoPassword or NotEncrypted if the first attempt fails so, and LoginError if the second one does, too:
        then a setting is wrong.
        """
        wait, was_open, was_refused = FIRST_WAIT, False, False
        while not self._stop.is_set():
            began, was_read = time.monotonic(), False
            try:
                with connect_imap(self._mailbox, self._runtime.settings.mailbox_password(), PATIENCE) as line:
                    was_open = True
                    for _ in self._passes(line):
                        was_read = True
            except (LoginError, NoPassword, NotEncrypted) as error:
                if not was_open and (was_refused or not isinstance(error, LoginError)):
                    raise
                was_refused, wait = True, wait if was_open else ONCE_MORE
                log.error("the mailbox does not let us in (%s); trying again", reason(error))
            except DatabaseDown as error:  # `Database` has logged it, too
                log.warning("the mailbox waits for the database (%s)", error)
            except Exception as error:  # noqa: BLE001  whatever a server says, it is asked again
                log.warning("the mailbox cannot be read (%s); trying again", _name(error))
            if was_read and time.monotonic() - began >= PROVED:
                wait = FIRST_WAIT
            self._stop.wait(wait)
            wait = min(2 * wait, LONGEST_WAIT)

    def _passes(self, line: IMAPClient) -> Iterator[None]:
        """Looks for mails, again and again; each time it yields, all that were there have been seen to.

        The folder is opened anew each time: its owner may have renamed it, and made another one of its name.
        """
        while not self._stop.is_set():
            following = self._open(line)
            self._look(line)
            if self._stop.is_set():
                return
            self._suspect = 0
            self._see_up_to(following - 1)  # nobody need look at older mails again
            yield
            self._clear_away(line)
            self._wait_for_mail(line)

    def _open(self, line: IMAPClient) -> int:
        """Opens the folder, and goes on where this process or another one has stopped. Returns its UIDNEXT, or 0."""
        folder = self._mailbox.folder
        validity, following = mail_server.opened(line, folder)
        if validity != self._validity and not self._place(validity):
            # Courier and imap4d number mails anew at each look until somebody has opened the folder to change it.
            try:
                mail_server.opened(line, folder, to_change=True)
            except IMAPClientError as error:  # the folder is there to be looked at alone
                if _is_of_the_line(error):
                    raise
            validity, following = mail_server.opened(line, folder)
        if validity != self._validity:
            self._validity, self._seen = validity, 0
            self._aside.clear()
            self._to_clear.clear()
        self._seen = max(self._seen, self._place(validity))
        return following

    def _place(self, validity: int) -> int:
        with self._runtime.database.reading() as session:
            return receiving.place_in(session, self._mailbox.key, validity)

    def _look(self, line: IMAPClient) -> None:
        """Sees to the mails that have come since, and to those put aside."""
        began, now = self._runtime.now(), time.monotonic()
        if again := sorted(uid for uid, aside in self._aside.items() if aside.due <= now):
            self._see_to(line, again)
            self._aside = {uid: aside for uid, aside in self._aside.items() if aside.due > now}
        # A mail that comes meanwhile may be announced among the answers to these commands, and then not again in IDLE.
        while found := self._new(line):
            for at in range(0, len(found), AT_ONCE):
                if self._stop.is_set():
                    return
                self._see_to(line, found[at : at + AT_ONCE])
        way_in.note_read(self._runtime, began)

    def _new(self, line: IMAPClient) -> list[int]:
        """The mails that this process has not looked at; in a new mailbox, those of the last days."""
        if self._seen:
            found = mail_server.uids_after(line, self._seen)
        else:
            day = (self._runtime.now() - KEPT_FOR - timedelta(days=1)).date()
            found = mail_server.uids_since(line, day)
        return [uid for uid in found if uid not in self._aside]

    def _see_to(self, line: IMAPClient, uids: Sequence[int]) -> None:
        for uid, (head, may_be_ours) in self._wanted(line, uids).items():
            with self._net(uid):
                if may_be_ours:
                    self._take(line, uid, head)
                elif raw := _whole(line, uid, head):
                    without_game.answer(self._runtime, head, raw)
            self._seen = max(self._seen, uid)
        if not self._tidies_from:
            self._clear_away(line)
        self._see_up_to(max(uids))

    def _wanted(self, line: IMAPClient, uids: Sequence[int]) -> dict[int, tuple[Mail, bool]]:
        """The heads of the mails that need a closer look, found together, or one by one where that fails."""
        if not self._suspect:
            try:
                return self._found(line, uids)
            except DatabaseDown:
                raise
            except Exception as error:
                if _is_of_the_line(error):
                    self._suspect = uids[0]
                    raise
                log.warning("emails are looked at one by one (%s)", _name(error))
        wanted: dict[int, tuple[Mail, bool]] = {}
        for uid in uids:
            with self._net(uid):
                wanted |= self._found(line, [uid])
        return wanted

    def _found(self, line: IMAPClient, uids: Sequence[int]) -> dict[int, tuple[Mail, bool]]:
        """The heads of the mails that may be ours, and of those that were written to us without a letter."""
        given = mail_server.heads(line, uids, finding.NEEDED)
        heads = {uid: parse_head(raw) for uid, raw in given.items()}
        with self._runtime.database.reading() as session:
            known = finding.known_ids(session, heads.values())
        ours = {uid: finding.may_be_ours(self._runtime, head, known) for uid, head in heads.items()}
        return {
            uid: (head, ours[uid])
            for uid, head in heads.items()
            if ours[uid] or without_game.is_to_us(self._runtime, head)
        }

    def _take(self, line: IMAPClient, uid: int, head: Mail) -> None:
        """Stores the mail if it is ours."""
        with self._runtime.database.reading() as session:
            recipients = finding.addresses_of(session, self._runtime, head)
        if not recipients and not finding.is_report(head):
            return
        raw = _whole(line, uid, head)
        if raw is None:
            return
        if not recipients:
            with self._runtime.database.reading() as session:
                recipients = finding.reported_by(session, self._runtime, raw)
        for recipient in recipients:
            receive(self._runtime, finding.sender_of(head), recipient, raw, is_ours_to_repeat=True)
        settings = self._runtime.settings
        if recipients and (settings.handled_folder or settings.deletes_handled):
            self._to_clear.add(uid)

    @contextmanager
    def _net(self, uid: int) -> Iterator[None]:
        """Puts a mail aside if the block fails for it; if the line breaks, only once it has broken there twice."""
        try:
            yield
        except DatabaseDown:
            raise
        except Exception as error:
            if not _is_of_the_line(error):
                self._put_aside(uid, error)
                return
            if self._suspect == uid:
                self._put_aside(uid, error)
            self._suspect = uid
            raise

    def _put_aside(self, uid: int, error: Exception) -> None:
        tries = self._aside[uid].tries + 1 if uid in self._aside else 1
        if tries == MOST_TRIES:
            del self._aside[uid]
            FAILED_MAILS.labels("left").inc()
            log.error("the email with UID %d has failed %d times (%s); it is left unread", uid, tries, _name(error))
            return
        wait = PUT_OFF * LONGER ** (tries - 1)
        self._aside[uid] = _Aside(tries, time.monotonic() + wait)
        FAILED_MAILS.labels("put aside").inc()
        log.warning("the email with UID %d has failed (%s); trying again in %d seconds", uid, _name(error), wait)

    def _see_up_to(self, uid: int) -> None:
        """Notes that the mails up to this one need no more reading, but for those put aside."""
        self._seen = max(self._seen, uid)
        last = min([self._seen, *(one - 1 for one in self._aside)])
        try:
            with self._runtime.database.writing() as session:
                receiving.move_on(session, self._mailbox.key, self._validity, last)
        except IntegrityError:  # another process noted the first place in this mailbox at once
            return

    def _clear_away(self, line: IMAPClient) -> None:
        """Does with stored mails what the host has chosen. Another process may have done so.

        What fails here is tried again later, and keeps no mail from being read.
        """
        settings, uids = self._runtime.settings, sorted(self._to_clear)
        if not uids or time.monotonic() < self._tidies_from:
            return
        folder = settings.handled_folder
        try:
            mail_server.opened(line, self._mailbox.folder, to_change=True)
            if folder:
                mail_server.move(line, uids, mail_server.named_here(line, folder))
            else:
                mail_server.remove(line, uids)
            self._to_clear.clear()
            self._tidies_from = 0.0
        except Exception as error:
            self._tidies_from = time.monotonic() + PUT_OFF
            task = f"moved to the folder {folder}" if folder else f"deleted from the folder {self._mailbox.folder}"
            log.warning("emails that are stored cannot be %s (%s); trying again later", task, _name(error))
            if _is_of_the_line(error):
                raise
        mail_server.opened(line, self._mailbox.folder)

    def _wait_for_mail(self, line: IMAPClient) -> None:
        """Waits until the server says that a mail has come, or for a while. Ends soon once the process is to stop."""
        began = time.monotonic()
        soonest = min((aside.due - began for aside in self._aside.values()), default=IDLE)
        if began < self._idles_from or not line.has_capability("IDLE"):
            self._stop.wait(min(POLL, max(soonest, GLANCE)))
            return
        try:
            line.idle()
        except IMAPClientError as error:
            self._do_without_idle(error)
            if _is_of_the_line(error):
                raise
            return
        until = began + min(IDLE, soonest)
        try:
            while not self._stop.is_set() and (now := time.monotonic()) < until:
                said = line.idle_check(timeout=GLANCE)
                is_closed = not said and time.monotonic() - now < GLANCE / 2  # there is something, and no word in it
                if is_closed or any(len(words) > 1 and words[1] == b"EXISTS" for words in said):
                    break
            line.idle_done()
        except Exception as error:
            if time.monotonic() - began < PROVED:
                self._do_without_idle(error)
            raise

    def _do_without_idle(self, error: Exception) -> None:
        self._idles_from = time.monotonic() + WITHOUT_IDLE
        log.warning("the mailbox's server does not say when mail comes (%s); we look ourselves", _name(error))


def _whole(line: IMAPClient, uid: int, head: Mail) -> bytes | None:
    """The mail with that head; None if it is gone. Raises NotGiven."""
    raw = mail_server.whole(line, uid, LARGEST_ON_WIRE)
    if raw is None:
        return None
    found = parse_head(raw)
    pairs = [(fields(head, name), fields(found, name)) for name in _SAME]
    if not raw or any(before and after and before != after for before, after in pairs):
        raise NotGiven
    return raw


def _is_of_the_line(error: Exception) -> bool:
    """Whether a failure ended the connection, so that no other command can be given on it."""
    is_refusal = isinstance(error, IMAPClientReadOnlyError)  # which the library takes for the end of a line
    return isinstance(error, IMAPClientAbortError | OSError) and not is_refusal


def _name(error: Exception) -> str:
    """The name of a failure and its place, in words that quote no mail."""
    if isinstance(error, IMAPClientError | OSError):
        return reason(error)
    at = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}, {Path(at.filename).name}:{at.lineno}"


def fetch_until_stopped(runtime: Runtime) -> int:
    """Fetches mails until SIGTERM or SIGINT. Returns the exit status: 2, with a message, if a setting is wrong."""
    mailbox = runtime.settings.mailbox
    assert mailbox is not None
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    try:
        Fetcher(runtime, mailbox, stop).run()
    except NoPassword as error:
        sys.stderr.write(f"{error}.\n")
        return 2
    except NotEncrypted:
        sys.stderr.write(f"INBOX_URL names {mailbox.host}, which offers no encryption to protect the password.\n")
        return 2
    except LoginError:
        sys.stderr.write(
            f"INBOX_URL names {mailbox.host}, which does not accept the user {mailbox.user} and {mailbox.secret}.\n"
        )
        return 2
    return 0
