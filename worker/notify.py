"""Devices are told that their player is asked: beside the mail, or, if she wishes it so, in its place.

A letter that asks is told once, when it is due, in words that everybody at the table may read: others see her screen.
Mails do not wait for it; where they come only if no device can be told, that is known within minutes.
Sources: RFC 8030 (sending), RFC 8291 (the text is for the browser alone), RFC 8292 (who sends).
"""

import json
import logging
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from http import HTTPStatus
from http.client import HTTPException
from types import TracebackType
from typing import Any, Self
from urllib.error import HTTPError
from urllib.request import HTTPRedirectHandler, Request, build_opener

from py_vapid import Vapid02
from pywebpush import WebPusher
from sqlmodel import Session, col, delete, update

from webapp.accounts.devices import devices_of, is_of_push_service, origin_of
from webapp.core.database import DatabaseDown
from webapp.core.runtime import Runtime
from webapp.games.presence import was_present_recently
from webapp.kinds import KINDS
from webapp.models import DeviceRow, GameRow, LetterRow, LetterState, PlayerRow, SeatRow
from webapp.outbox import lateness
from webapp.outbox.leases import put_off
from worker import outcome
from worker.contents import contents
from worker.mail import subject_of

log = logging.getLogger(__name__)

PATIENCE = 10.0  # seconds for a push service to answer
AGAIN_AFTER = 2.0  # seconds, once, where it has failed
SILENT_FOR = timedelta(minutes=1)  # how long a push service that does not answer is not asked again
AT_ONCE = 8  # notices
LONGEST_LIFE = timedelta(days=1)  # for which a push service keeps a notice; the deadline ends it sooner
MAIL_AFTER = timedelta(minutes=10)  # then a mail goes in whose place no device could be told
FIRST_PAUSE = timedelta(minutes=1)
SIGNED_FOR = timedelta(hours=12)


class PushResult(StrEnum):
    """What came of telling a device."""

    TOLD = "told"
    GONE = "gone"  # the browser takes no notifications any more
    REFUSED = "refused"
    LATER = "later"  # there was no answer, or too much to do


@dataclass(frozen=True, slots=True)
class Notice:
    """What devices are told of a letter; `is_instead`: no mail goes if any of them can be told."""

    letter_id: int
    devices: tuple[DeviceRow, ...]
    content: bytes
    ttl: timedelta
    topic: str  # a newer notice of the same takes the place of an older one
    is_instead: bool


class Notifier(AbstractContextManager["Notifier"]):
    """Tells devices while mails are sent; at its end all have been told, or cannot be now."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._pool = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="notify")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._pool.shutdown()

    def tell(self, notice: Notice) -> None:
        """Has the notice told, beside what the caller does; its letter must be committed."""
        self._pool.submit(_tell_or_log, self._runtime, notice)


def notice_of(runtime: Runtime, session: Session, letter: LetterRow) -> Notice | None:
    """What the devices of the letter's player are to be told now; None where nothing is.

    A letter in whose place they are told waits until it is known whether they could be.
    """
    now = runtime.now()
    if not _is_to_be_told(runtime, letter, now):
        return None
    devices = devices_of(session, letter.player_id)
    devices = [device for device in devices if is_of_push_service(device.endpoint, runtime.settings.push_services)]
    if not devices or was_present_recently(session.get_one(SeatRow, (letter.table_id, letter.seat)), now):
        return None
    player = session.get_one(PlayerRow, letter.player_id)
    words = contents(runtime, session, letter, player)
    if words is None:
        return None
    longest = min(MAIL_AFTER, lateness.longest_wait(session, letter))
    is_instead = player.push_only and now - letter.created_at < longest and not letter.requested
    if is_instead:
        waited = now - letter.created_at  # each time twice as long, and not beyond when the mail goes
        put_off(letter, min(now + max(FIRST_PAUSE, waited), letter.created_at + longest))
    topic = f"hearts-{letter.game_id}-{letter.seat}"
    told = {"title": subject_of(letter.kind, words), "body": words["sheet"].preheader, "tag": topic}
    content = json.dumps(told | {"url": words["link"]}, ensure_ascii=False).encode()
    assert letter.id is not None
    return Notice(letter.id, tuple(devices), content, _life(session, letter, now), topic, is_instead)


def _is_to_be_told(runtime: Runtime, letter: LetterRow, now: datetime) -> bool:
    """Whether a letter asks, and devices may hear of it: for the first time, or again within minutes of it."""
    asks = KINDS[letter.kind].asks and letter.state is LetterState.QUEUED and not letter.notified
    is_fresh = letter.tries == 0 or now - letter.created_at < MAIL_AFTER
    return asks and is_fresh and runtime.push_key is not None


def _life(session: Session, letter: LetterRow, now: datetime) -> timedelta:
    due_at = session.get_one(GameRow, letter.game_id).due_at
    return LONGEST_LIFE if due_at is None else max(timedelta(), min(due_at - now, LONGEST_LIFE))


def _tell_or_log(runtime: Runtime, notice: Notice) -> None:
    try:
        said = _tell(runtime, notice)
        with runtime.database.writing() as session:
            _note(session, notice, said, runtime.now())
        if notice.is_instead and PushResult.TOLD in said.values():
            _note_asked(runtime, notice)
    except DatabaseDown:
        return
    except Exception as error:  # noqa: BLE001  nobody waits for what comes of it; its words may hold an address
        log.error("letter %d: devices could not be told (%s)", notice.letter_id, type(error).__name__)
        return
    if notice.is_instead and PushResult.TOLD not in said.values() and PushResult.LATER not in said.values():
        runtime.bell.deliver()


def _note_asked(runtime: Runtime, notice: Notice) -> None:
    with runtime.database.reading() as session:
        letter = session.get_one(LetterRow, notice.letter_id)
    lateness.note_asked(runtime, letter, runtime.now())


def _tell(runtime: Runtime, notice: Notice) -> dict[int, PushResult]:
    """What each device, by its number, has come to; a push service that does not answer is not asked twice."""
    said: dict[int, PushResult] = {}
    for device in notice.devices:
        assert device.id is not None
        origin = origin_of(device.endpoint)
        with runtime.database.reading() as session:
            is_silent = outcome.paused_until(session, origin, runtime.now()) is not None
        code = None if is_silent else _sent(runtime, notice, device)
        if code is None and not is_silent:
            with runtime.database.writing() as session:
                outcome.pause_domain(session, origin, runtime.now() + SILENT_FOR, "it does not answer")
        said[device.id] = _what_it_means(code)
        if said[device.id] is not PushResult.TOLD:
            log.warning("letter %d: %s answered %s", notice.letter_id, origin, code or "nothing")
    return said


def _sent(runtime: Runtime, notice: Notice, device: DeviceRow) -> int | None:
    """What the push service answered, the second time if it failed at first; None where it did not."""
    code = _post(_request(runtime, notice, device))
    if code is not None and code >= HTTPStatus.INTERNAL_SERVER_ERROR:
        time.sleep(AGAIN_AFTER)
        code = _post(_request(runtime, notice, device))
    return code


def _request(runtime: Runtime, notice: Notice, device: DeviceRow) -> Request:
    assert runtime.push_key is not None
    keys = {"p256dh": device.public_key, "auth": device.secret}
    sealed = WebPusher({"endpoint": device.endpoint, "keys": keys}).encode(notice.content)["body"]
    claims = {
        "sub": f"mailto:{runtime.settings.sender.addr_spec}",
        "aud": origin_of(device.endpoint),
        "exp": int((runtime.now() + SIGNED_FOR).timestamp()),
    }
    signed: Mapping[str, str] = Vapid02(runtime.push_key.private, conf={"no-strict": True}).sign(claims)
    headers = {
        "Content-Type": "application/octet-stream",
        "Content-Encoding": "aes128gcm",
        "TTL": str(int(notice.ttl.total_seconds())),
        "Urgency": "normal",
        "Topic": notice.topic,
    }
    return Request(device.endpoint, sealed, {**headers, **signed}, method="POST")


def _post(request: Request) -> int | None:
    """The status of the answer, of which nothing more is read; None where there is none."""
    try:
        with _opener.open(request, timeout=PATIENCE) as answer:
            status: int = answer.status
            return status
    except HTTPError as refusal:
        refusal.close()
        return refusal.code
    except (OSError, HTTPException):
        return None


class _NoRedirects(HTTPRedirectHandler):
    """Whoever is known to be a push service is written to, and nobody to whom it points."""

    def redirect_request(self, *_: Any) -> None:
        return None


_opener = build_opener(_NoRedirects)


def _what_it_means(code: int | None) -> PushResult:
    if code is None or code == HTTPStatus.TOO_MANY_REQUESTS or code >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return PushResult.LATER
    if code in (HTTPStatus.NOT_FOUND, HTTPStatus.GONE):
        return PushResult.GONE
    return PushResult.TOLD if HTTPStatus.OK <= code < HTTPStatus.MULTIPLE_CHOICES else PushResult.REFUSED


def _note(session: Session, notice: Notice, said: Mapping[int, PushResult], now: datetime) -> None:
    """Forgets devices that are gone; the letter is told, or goes by mail, or is tried again later."""
    for device in notice.devices:
        if device.id is not None and said[device.id] is PushResult.GONE:
            same = (col(DeviceRow.id) == device.id, col(DeviceRow.endpoint) == device.endpoint)
            session.exec(delete(DeviceRow).where(*same))
    is_told, may_be = PushResult.TOLD in said.values(), PushResult.LATER in said.values()
    letter = update(LetterRow).where(col(LetterRow.id) == notice.letter_id)
    waiting = letter.where(col(LetterRow.state) == LetterState.QUEUED)
    if is_told or not may_be:
        session.exec(letter.values(notified=True, told_at=now if is_told else None))  # and so not tried again
    if is_told and notice.is_instead:
        session.exec(waiting.values(state=LetterState.NOTIFIED, next_at=None, sent_at=now))
    elif notice.is_instead and not may_be:
        session.exec(waiting.values(next_at=now))
