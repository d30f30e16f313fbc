"""Fetches mails from a mailbox over IMAP, where no server of ours takes them in.

The mailbox may be somebody's own: only mails to us are fetched whole, none is marked, and none is moved or deleted but
those that belong to a letter. Such a mail is stored first, then moved or deleted if the host wants that, and only then
is the place noted up to where the mailbox has been read. After any failure in between, the mail is found again, and its
copy is recognised. So any number of processes may read one mailbox. Sources: RFC 9051, RFC 2177 (IDLE), RFC 6851
(MOVE), RFC 4315 (UIDPLUS).
"""

import logging
import signal
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from webapp.core.database import DatabaseDown
from webapp.core.imap_connection import IMAPClient, IMAPClientError, LoginError, NotEncrypted, connect
from webapp.core.mailbox import Mailbox, NoPassword
from webapp.core.runtime import Runtime
from webapp.games.clock import way_in
from webapp.inbox import finding, reading_on, unaddressed
from webapp.inbox.limits import AddressFull
from webapp.inbox.receiving import KEPT_FOR, LARGEST_ON_WIRE, receive
from webapp.replies.received import Mail, parse_head

log = logging.getLogger(__name__)

PATIENCE = 60.0  # seconds for a response
POLL = 20.0  # seconds between two looks, where the server cannot say that a mail has come
IDLE = 60.0  # seconds after which a server that says so is asked again: the line may be dead, or its word was lost
GLANCE = 1.0  # seconds within which a process that is to stop notices that
FIRST_WAIT, LONGEST_WAIT = 1.0, 300.0  # seconds before the next attempt to connect; each is twice as long
PUT_OFF = 600.0  # seconds until a mail is tried again that could not be stored
AT_ONCE = 200  # mails whose headers are fetched together
_FIELDS = " ".join(name.upper() for name in finding.NEEDED)
_HEAD = f"BODY.PEEK[HEADER.FIELDS ({_FIELDS})]"
_WHOLE = f"BODY.PEEK[]<0.{LARGEST_ON_WIRE}>"


class Fetcher:
    """Reads a mailbox until `stop` is set."""

    def __init__(self, runtime: Runtime, mailbox: Mailbox, stop: threading.Event) -> None:
        self._runtime = runtime
        self._mailbox = mailbox
        self._stop = stop
        self._validity = 0
        self._seen = 0  # the last mail that this process has looked at
        self._put_off: set[int] = set()  # earlier ones that could not be stored
        self._try_again_at = 0.0

    def run(self) -> None:
        """Reads the mailbox, and connects again if the line breaks.

        Raises LoginError, NoPassword or NotEncrypted if the first attempt fails for good: then a setting is wrong.
        """
        wait, was_open = FIRST_WAIT, False
        while not self._stop.is_set():
            try:
                with self._connected() as line:
                    was_open = True
                    for _ in self._passes(line):
                        wait = FIRST_WAIT
            except (LoginError, NoPassword, NotEncrypted) as error:
                if not was_open:
                    raise
                log.error("the mailbox does not let us in (%s); trying again", type(error).__name__)
            except (IMAPClientError, OSError) as error:
                log.warning("the mailbox cannot be read (%s); trying again", type(error).__name__)
            except SQLAlchemyError as error:  # `Database` has logged that it is down
                log.warning("the mailbox waits for the database (%s)", type(error).__name__)
            self._stop.wait(wait)
            wait = min(2 * wait, LONGEST_WAIT)

    def _connected(self) -> IMAPClient:
        return connect(self._mailbox, self._runtime.settings.mailbox_password(), PATIENCE)

    def _passes(self, line: IMAPClient) -> Iterator[None]:
        """Looks for mails, again and again; each time it yields, all that were there have been seen to."""
        settings = self._runtime.settings
        if settings.handled_folder and not line.folder_exists(settings.handled_folder):
            line.create_folder(settings.handled_folder)
        changes = bool(settings.handled_folder) or settings.deletes_handled
        chosen = line.select_folder(self._mailbox.folder, readonly=not changes)
        self._begin(int(chosen[b"UIDVALIDITY"]))
        self._look(line)
        if not self._stop.is_set():  # nobody need look at older mails again
            self._see_up_to(int(chosen[b"UIDNEXT"]) - 1)
        while not self._stop.is_set():
            yield
            self._wait_for_mail(line)
            self._look(line)

    def _begin(self, validity: int) -> None:
        if validity != self._validity:
            self._validity, self._seen = validity, 0
            self._put_off.clear()
        with self._runtime.database.reading() as session:
            self._seen = max(self._seen, reading_on.place_in(session, self._mailbox.key, validity))

    def _look(self, line: IMAPClient) -> None:
        """Sees to the mails that have come since, and to those put off."""
        began = self._runtime.now()
        if self._put_off and time.monotonic() >= self._try_again_at:
            again, self._put_off = sorted(self._put_off), set()
            self._see_to(line, again)
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
            found = line.search(["UID", f"{self._seen + 1}:*"])
        else:
            found = line.search(["SINCE", (self._runtime.now() - KEPT_FOR - timedelta(days=1)).date()])
        return sorted(uid for uid in found if uid > self._seen)  # a server names the last mail even if it is older

    def _see_to(self, line: IMAPClient, uids: Sequence[int]) -> None:
        fetched = line.fetch(uids, [_HEAD])
        heads = {uid: parse_head(_content(fetched[uid], b"BODY[HEADER")) for uid in uids if uid in fetched}
        with self._runtime.database.reading() as session:
            known = finding.known_ids(session, heads.values())
        ours = {uid: head for uid, head in heads.items() if finding.may_be_ours(self._runtime, head, known)}
        for uid, head in heads.items():
            if uid not in ours and unaddressed.is_to_us(self._runtime, head):
                unaddressed.answer(self._runtime, head, _whole(line, uid))
        stored = [uid for uid, head in ours.items() if self._take(line, uid, head)]
        if stored:
            try:
                self._clear_away(line, stored)
            except IMAPClientError as error:  # a full mailbox takes no copies; a broken line fails again at once
                log.warning("emails that are stored stay in the mailbox: %s", type(error).__name__)
        self._see_up_to(max(uids))

    def _see_up_to(self, uid: int) -> None:
        """Notes that the mails up to this one need no more reading, but for those put off."""
        self._seen = max(self._seen, uid)
        last = min([self._seen, *(one - 1 for one in self._put_off)])
        try:
            with self._runtime.database.writing() as session:
                reading_on.move_on(session, self._mailbox.key, self._validity, last)
        except IntegrityError:  # another process noted the first place in this mailbox at once
            return

    def _take(self, line: IMAPClient, uid: int, head: Mail) -> bool:
        """Stores the mail if it is ours. Returns whether it is; one that cannot be stored is put off."""
        with self._runtime.database.reading() as session:
            recipients = finding.addresses_of(session, self._runtime, head)
        if not recipients and not finding.is_report(head):
            return False
        raw = _whole(line, uid)
        if not recipients:
            with self._runtime.database.reading() as session:
                recipients = finding.reported_by(session, self._runtime, raw)
        try:
            for recipient in recipients:
                receive(self._runtime, finding.sender_of(head), recipient, raw)
        except DatabaseDown:
            raise
        except (AddressFull, SQLAlchemyError) as error:  # one mail that fails must not hold up the others
            log.warning("an email could not be stored (%s); it is tried again later", type(error).__name__)
            self._put_off.add(uid)
            self._try_again_at = time.monotonic() + PUT_OFF
            return False
        return bool(recipients)

    def _clear_away(self, line: IMAPClient, uids: Sequence[int]) -> None:
        """Does with stored mails what the host has chosen. Another process may have done so."""
        settings = self._runtime.settings
        if settings.handled_folder and line.has_capability("MOVE"):
            line.move(uids, settings.handled_folder)
            return
        if settings.handled_folder:
            line.copy(uids, settings.handled_folder)
        if settings.handled_folder or settings.deletes_handled:
            line.delete_messages(uids, silent=True)
            if line.has_capability("UIDPLUS"):  # else it would also remove what the owner has marked
                line.expunge(uids)

    def _wait_for_mail(self, line: IMAPClient) -> None:
        """Waits until the server says that a mail has come, or for a while. Ends soon once the process is to stop."""
        if not line.has_capability("IDLE"):
            self._stop.wait(POLL)
            line.noop()
            return
        line.idle()
        until = time.monotonic() + (POLL if self._put_off else IDLE)
        while not self._stop.is_set() and time.monotonic() < until:
            if any(len(said) > 1 and said[1] == b"EXISTS" for said in line.idle_check(timeout=GLANCE)):
                break
        line.idle_done()


def _whole(line: IMAPClient, uid: int) -> bytes:
    return _content(line.fetch([uid], [_WHOLE]).get(uid, {}), b"BODY[]")


def _content(fetched: dict[bytes, Any], begins: bytes) -> bytes:
    """The part of a fetched mail whose name begins so; empty if there is none."""
    return next((bytes(value) for name, value in fetched.items() if name.startswith(begins) and value), b"")


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
