"""Sends push notifications that ask a player for a turn: beside the mail, or, if the player prefers, instead of it.

A letter that asks notifies a player's devices once, when it is due. The text contains nothing that others at the table
may not read, as others can see the screen. Mails do not wait for notifications; a mail that goes only if no device can
be notified goes within minutes.
Sources: RFC 8030 (sending), RFC 8291 (encryption for the browser), RFC 8292 (identification of the sender).
"""

import json
import logging
import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from http import HTTPStatus
from types import TracebackType
from typing import Self

import requests
from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDH,
    SECP256R1,
    EllipticCurvePrivateKey,
    EllipticCurvePublicKey,
    generate_private_key,
)
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02
from sqlmodel import Session, col, delete, update

from webapp.accounts.devices import decode_base64url, devices_of, is_of_push_service, origin_of
from webapp.core.database import DatabaseDown
from webapp.core.runtime import Runtime
from webapp.models import DeviceRow, LetterRow, LetterState, PlayerRow
from webapp.models.mail import KINDS
from webapp.outbox import holding, lateness, turn_mail
from webapp.outbox.letters import put_off
from webapp.outbox.turn_mail import Look
from worker import attempts
from worker.mail import subject_of
from worker.mails import letter_context
from worker.mails.turns import TurnsMail

# Encrypts a notification for one browser, so that the push service in between cannot read it.
# Sources: RFC 8291 (the keys), RFC 8188 (the coding `aes128gcm`, here always of one record).

RECORD_SIZE = 4096  # bytes, which every push service accepts
TAG_SIZE = 16  # bytes that AES-GCM adds
SALT_SIZE = 16
LAST_RECORD = b"\x02"  # marks the end of the content
LONGEST = RECORD_SIZE - TAG_SIZE - len(LAST_RECORD)  # bytes of content


def encrypt(
    content: bytes,
    public_key: bytes,
    secret: bytes,
    *,
    sender: EllipticCurvePrivateKey | None = None,
    salt: bytes | None = None,
) -> bytes:
    """The body of a request to a push service, in the coding `aes128gcm`.

    `public_key` (an uncompressed point of P-256) and `secret` are the browser's. The key pair `sender` and the `salt`
    are for one message, and drawn unless the caller, a test, names them. Raises ValueError if the content is longer
    than LONGEST bytes, or if `public_key` is no point.
    """
    if len(content) > LONGEST:
        raise ValueError(f"a notification has at most {LONGEST} bytes, not {len(content)}")
    sender = sender or generate_private_key(SECP256R1())
    salt = salt or os.urandom(SALT_SIZE)
    shared = sender.exchange(ECDH(), EllipticCurvePublicKey.from_encoded_point(SECP256R1(), public_key))
    sent_by = sender.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    seed = _derive(shared, secret, b"WebPush: info\0" + public_key + sent_by, 32)
    key = _derive(seed, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derive(seed, salt, b"Content-Encoding: nonce\0", 12)  # as it is for the first record
    header = salt + RECORD_SIZE.to_bytes(4, "big") + bytes([len(sent_by)]) + sent_by
    return header + AESGCM(key).encrypt(nonce, content + LAST_RECORD, None)


def _derive(key: bytes, salt: bytes, purpose: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, purpose).derive(key)


log = logging.getLogger(__name__)

TIMEOUT = 10.0  # seconds for a push service to answer
SILENT_FOR = timedelta(minutes=1)  # how long nothing is sent to a push service that does not answer
AT_ONCE = 8  # notices sent at the same time
LONGEST_TTL = timedelta(days=1)  # how long a push service keeps a notice; a deadline before that shortens it
MAIL_AFTER = timedelta(minutes=10)  # then the mail goes after all, if no device could be notified
FIRST_PAUSE = timedelta(minutes=1)
SIGNED_FOR = timedelta(hours=12)


class PushResult(StrEnum):
    """The result of notifying one device."""

    DELIVERED = "told"
    GONE = "gone"  # the browser accepts no notifications any more
    REFUSED = "refused"
    LATER = "later"  # the push service did not answer, or had too much to do


@dataclass(frozen=True, slots=True)
class Notice:
    """The notification of a letter. `replaces_mail`: no mail goes if any of the devices can be notified."""

    letter_id: int
    devices: tuple[DeviceRow, ...]
    content: bytes
    ttl: timedelta
    composed_at: datetime
    topic: str  # a newer notice replaces an older one with the same topic
    replaces_mail: bool


class Notifier(AbstractContextManager["Notifier"]):
    """Sends notices in threads of its own. Leaving its context waits until each has been sent or has failed."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._pool = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="notify")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._pool.shutdown()

    def send(self, notice: Notice) -> None:
        """Sends the notice in the background. The transaction that made it must be committed."""
        self._pool.submit(_send_or_log, self._runtime, notice)


def notice_of(runtime: Runtime, session: Session, letter: LetterRow, look: Look | None = None) -> Notice | None:
    """The notice to send now to the devices of the letter's player; None if there is nothing to send.

    Puts off a letter whose mail the notice replaces, until it is known whether a device could be notified.
    """
    now = runtime.now()
    asks = KINDS[letter.kind].is_question and letter.state is LetterState.QUEUED and not letter.notified
    is_fresh = letter.tries == 0 or now - letter.created_at < MAIL_AFTER
    if not asks or not is_fresh or runtime.push_key is None:
        return None
    devices = [one for one in devices_of(session, letter.player_id) if one.is_confirmed]
    devices = [device for device in devices if is_of_push_service(device.endpoint, runtime.settings.push_services)]
    if not devices:
        return None
    player = session.get_one(PlayerRow, letter.player_id)
    context = letter_context(runtime, session, letter, player, look)
    if not isinstance(context, TurnsMail) or context.first is None:
        return None
    longest = min(MAIL_AFTER, lateness.longest_wait(session, letter))
    replaces_mail = player.push_only and now - letter.created_at < longest and not letter.requested
    if replaces_mail:
        waited = now - letter.created_at  # doubles the pause each time, up to the time when the mail goes
        put_off(letter, min(now + max(FIRST_PAUSE, waited), letter.created_at + longest))
    topic = f"hearts-{letter.player_id}"  # one at a time, as of the mail: it names all that waits
    title, body = subject_of(letter.kind, context.variables()), context.first["sheet"].preheader
    fields = {"title": title, "body": body, "tag": topic, "url": context.first["link"]}
    content = json.dumps(fields, ensure_ascii=False).encode()
    due_at = lateness.deadline_of(session, letter)
    ttl = LONGEST_TTL if due_at is None else max(timedelta(), min(due_at - now, LONGEST_TTL))
    return Notice(letter.id, tuple(devices), content, ttl, now, topic, replaces_mail)


def _send_or_log(runtime: Runtime, notice: Notice) -> None:
    try:
        results = _send(runtime, notice)
        if notice.replaces_mail and PushResult.DELIVERED in results.values():
            with runtime.database.reading() as session:
                letter = session.get_one(LetterRow, notice.letter_id)
            lateness.postpone_for_late_mail(runtime, letter, runtime.now())  # before it counts as shown
        with runtime.database.writing() as session:
            _record(session, notice, results, runtime.now())
    except DatabaseDown:
        return
    except Exception as error:  # noqa: BLE001  nobody waits for the result; the message may contain an endpoint
        log.error("letter %d: devices could not be told (%s)", notice.letter_id, type(error).__name__)
        return
    if notice.replaces_mail and not {PushResult.DELIVERED, PushResult.LATER} & set(results.values()):
        runtime.bell.deliver()


def _send(runtime: Runtime, notice: Notice) -> dict[int, PushResult]:
    """Sends the notice to each device. Returns the results by device id.

    Pauses a push service that does not answer, so that other devices do not wait for it.
    """
    results: dict[int, PushResult] = {}
    for device in notice.devices:
        try:
            results[device.id] = _send_to(runtime, notice, device)
        except DatabaseDown:
            raise
        except Exception as error:  # noqa: BLE001  the others are told; the message may contain an endpoint
            log.error("letter %d: device %d could not be told (%s)", notice.letter_id, device.id, type(error).__name__)
            results[device.id] = PushResult.REFUSED
    return results


def _send_to(runtime: Runtime, notice: Notice, device: DeviceRow) -> PushResult:
    origin = origin_of(device.endpoint)
    with runtime.database.reading() as session:
        is_silent = attempts.paused_until(session, origin, runtime.now()) is not None
    code = None if is_silent else _post(runtime, notice, device)
    if code is None and not is_silent:
        with runtime.database.writing() as session:
            holding.pause(session, origin, runtime.now() + SILENT_FOR, "it does not answer")
    result = _result_of(code)
    if result is not PushResult.DELIVERED:
        log.warning("letter %d: %s answered %s", notice.letter_id, origin, code or "nothing")
    return result


def _post(runtime: Runtime, notice: Notice, device: DeviceRow) -> int | None:
    """Sends the notice to a device. Returns the status of the response, and reads nothing else; None without any.

    No redirect is followed: we send only to known push services, not to hosts that they name.
    """
    assert runtime.push_key is not None
    encrypted = encrypt(notice.content, decode_base64url(device.public_key), decode_base64url(device.secret))
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
        **signed,
    }
    try:
        with requests.post(
            device.endpoint, encrypted, headers=headers, timeout=TIMEOUT, allow_redirects=False, stream=True
        ) as response:
            return response.status_code
    except requests.RequestException:
        return None


def _result_of(code: int | None) -> PushResult:
    if code is None or code == HTTPStatus.TOO_MANY_REQUESTS or code >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return PushResult.LATER
    if code in (HTTPStatus.NOT_FOUND, HTTPStatus.GONE):
        return PushResult.GONE
    return PushResult.DELIVERED if HTTPStatus.OK <= code < HTTPStatus.MULTIPLE_CHOICES else PushResult.REFUSED


def _record(session: Session, notice: Notice, results: Mapping[int, PushResult], now: datetime) -> None:
    """Deletes devices that are gone. Records the letter as notified, or sends its mail, or leaves it for a retry.

    A notice that replaces the mail counts as one.
    """
    if notice.replaces_mail and PushResult.DELIVERED in results.values():
        turn_mail.note_out(session, notice.devices[0].player_id, now, now)
    for device in notice.devices:
        if results[device.id] is PushResult.GONE:
            same = (col(DeviceRow.id) == device.id, col(DeviceRow.endpoint) == device.endpoint)
            session.exec(delete(DeviceRow).where(*same))
    is_delivered, may_retry = PushResult.DELIVERED in results.values(), PushResult.LATER in results.values()
    letter = update(LetterRow).where(col(LetterRow.id) == notice.letter_id)
    waiting = letter.where(col(LetterRow.state) == LetterState.QUEUED)
    if is_delivered or not may_retry:
        session.exec(letter.values(notified=True, notified_at=now if is_delivered else None))  # ends the retries
    if is_delivered and notice.replaces_mail:
        session.exec(waiting.values(state=LetterState.NOTIFIED, next_at=None, sent_at=notice.composed_at))
    elif notice.replaces_mail and not may_retry:
        session.exec(waiting.values(next_at=now))
