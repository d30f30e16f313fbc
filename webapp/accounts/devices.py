"""Keeps the devices of a player: browsers that receive push notifications, each with an endpoint and two keys.

Anybody who submits the form chooses the endpoint, and we send requests to it later; so it must belong to a known push
service. Sources: RFC 8030 (the endpoint), RFC 8291 (the keys). The worker decides what is sent, and when.
"""

import re
from base64 import urlsafe_b64decode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicKey
from sqlalchemy import bindparam
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, delete, select

from webapp.core.runtime import Runtime
from webapp.core.say import Refused, later, say
from webapp.core.tokens import DeviceLink, PreferencesLink
from webapp.games.clock.presence import note_act
from webapp.games.record.links import check_player
from webapp.games.record.rows import locked_player
from webapp.models import DeviceRow, PlayerRow
from webapp.outbox import about_accounts
from webapp.presentation.phrasing import timestamp

MOST_DEVICES = 10  # of one player
LONGEST_ENDPOINT = 1000  # characters
SECRET_BYTES = 16
# No more than push services need; only a push service on this machine has a port.
_ENDPOINT = re.compile(r"(https?://([a-z0-9-]+(?:\.[a-z0-9-]+)*)(?::[0-9]{1,5})?)/[A-Za-z0-9._~:/?=&%+-]*")
_BASE64 = re.compile(r"[A-Za-z0-9_-]+={0,2}")
_KINDS = {
    "push.services.mozilla.com": "Firefox",
    "push.apple.com": "Safari",
    "notify.windows.com": "Edge",
}
_DEVICES = select(DeviceRow).where(DeviceRow.player_id == bindparam("player_id")).order_by(col(DeviceRow.id))
OTHER_KIND = later("Chrome, or one like it")
NO_SUBSCRIPTION = later("Your browser has not told us how to reach it. Please try again.")


@dataclass(frozen=True, slots=True)
class Subscription:
    """A browser's address for push notifications: the endpoint, and the keys in base64url without padding."""

    endpoint: str
    public_key: str  # p256dh
    secret: str  # auth


@dataclass(frozen=True, slots=True)
class DeviceLine:
    """One device, as the player's list of devices shows it."""

    number: int
    kind: str
    since: str
    is_confirmed: bool
    mark: str  # a hash by which a browser recognises its own endpoint; the page does not show the endpoint


@dataclass(frozen=True, slots=True)
class DeviceSheet:
    """A player's list of devices, and the public key with which another device subscribes."""

    key: str
    lines: tuple[DeviceLine, ...]
    push_only: bool


def device_sheet(runtime: Runtime, session: Session, player: PlayerRow) -> DeviceSheet | None:
    """The list of the player's devices; None if the service sends no notifications."""
    if runtime.push_key is None:
        return None
    lines = []
    for device in devices_of(session, player.id):
        since = timestamp(device.created_at, runtime.now(), player.time_zone).day
        mark = sha256(device.endpoint.encode()).hexdigest()
        lines.append(DeviceLine(device.id, kind_of(device.endpoint), since, device.is_confirmed, mark))
    return DeviceSheet(runtime.push_key.public, tuple(lines), player.push_only)


def read_subscription(fields: Mapping[str, str], services: Sequence[str]) -> Subscription:
    """Reads the fields `endpoint`, `p256dh` and `auth`. Raises Refused if the service is unknown or a key invalid."""
    endpoint, public_key, secret = (fields.get(name, "") for name in ("endpoint", "p256dh", "auth"))
    if not is_of_push_service(endpoint, services):
        raise Refused(say("Your browser is told by a service that we do not know, so we cannot tell it anything."))
    try:
        EllipticCurvePublicKey.from_encoded_point(SECP256R1(), decode_base64url(public_key))
        has_secret = len(decode_base64url(secret)) == SECRET_BYTES
    except ValueError:
        raise Refused(say(NO_SUBSCRIPTION)) from None
    if not has_secret:
        raise Refused(say(NO_SUBSCRIPTION))
    return Subscription(endpoint, public_key.rstrip("="), secret.rstrip("="))


def is_of_push_service(endpoint: str, services: Sequence[str]) -> bool:
    """Whether `endpoint` belongs to one of these push services, named as in the setting PUSH_HOSTS."""
    match = _ENDPOINT.fullmatch(endpoint) if len(endpoint) <= LONGEST_ENDPOINT else None
    if match is None:
        return False
    origin, host = match.groups()
    is_named = any(host.endswith(name[1:]) if name.startswith("*.") else host == name for name in services)
    return origin in services or (origin == f"https://{host}" and is_named)


def origin_of(endpoint: str) -> str:
    """The origin of an endpoint's push service, as in "https://web.push.apple.com"."""
    return "/".join(endpoint.split("/", 3)[:3])


def kind_of(endpoint: str) -> str:
    """The browser of a device, as far as its push service reveals it."""
    host = origin_of(endpoint).removeprefix("https://")
    return next((kind for name, kind in _KINDS.items() if host.endswith(name)), say(OTHER_KIND))


def devices_of(session: Session, player_id: int) -> Sequence[DeviceRow]:
    """The player's devices, the oldest first."""
    return session.exec(_DEVICES, params={"player_id": player_id}).all()


def add_device(
    runtime: Runtime,
    player_id: int,
    subscription: Subscription,
    now: datetime,
    *,
    generation: int = 0,
    is_confirmed: bool = True,
) -> None:
    """Adds the device to the player's. If it belonged to another player, it is taken from them: the browser moved on.

    A mail tells the player of a device that is new, or (not `is_confirmed`) asks whether it may be told anything.
    `generation` is that of the link by which they came. Raises LinkInvalid if there is no such player,
    LinkExpired if the player has ended the link, Refused if the player already has MOST_DEVICES devices.
    """
    with runtime.database.writing() as session:
        note_act(check_player(PreferencesLink(player_id, generation), locked_player(session, player_id)), now)
        known = _known(session, subscription.endpoint)
        is_own = known is not None and known.player_id == player_id
        if not is_own and len(devices_of(session, player_id)) >= MOST_DEVICES:
            raise Refused(
                say(
                    "{number} devices are told already, which is as many as there may be. Forget one first.",
                    number=MOST_DEVICES,
                )
            )
        known = known or _added(session, player_id, subscription, now)
        if not is_own:
            known.is_confirmed = is_confirmed
            about_accounts.queue_device_added(session, runtime, locked_player(session, player_id), known, now)
        known.player_id, known.public_key, known.secret = player_id, subscription.public_key, subscription.secret
    runtime.bell.deliver()


def confirm_device(runtime: Runtime, link: DeviceLink, now: datetime) -> str | None:
    """Has the device of the link told of the player's turns. Returns its kind; None if it is forgotten meanwhile.

    Raises LinkInvalid if there is no such player, LinkExpired if the player has ended the link.
    """
    with runtime.database.writing() as session:
        note_act(check_player(link, locked_player(session, link.player_id)), now)
        device = session.get(DeviceRow, link.device_id)
        if device is None or device.player_id != link.player_id:
            return None
        device.is_confirmed = True
        return kind_of(device.endpoint)


def renew_device(runtime: Runtime, endpoint: str, secret: str, subscription: Subscription) -> bool:
    """Replaces the subscription of a browser whose push service gave it a new endpoint in place of `endpoint`.

    The browser proves by the old `secret` that `endpoint` was its own. Returns False, and changes nothing, if no device
    has this endpoint and secret.
    """
    with runtime.database.writing() as session:
        known = _known(session, endpoint)
        if known is None or known.secret != secret.rstrip("="):
            return False
        if endpoint != subscription.endpoint and _known(session, subscription.endpoint) is not None:
            session.delete(known)  # the browser's own page has registered the new endpoint already
            return True
        known.endpoint, known.public_key = subscription.endpoint, subscription.public_key
        known.secret = subscription.secret
        return True


def forget_devices(runtime: Runtime, player_id: int, device_id: int | None, now: datetime) -> None:
    """Deletes one of the player's devices, or all of them (None). After the last one, mails ask for turns again.

    Raises LinkInvalid if there is no such player.
    """
    with runtime.database.writing() as session:
        player = locked_player(session, player_id)
        note_act(player, now)
        own = delete(DeviceRow).where(col(DeviceRow.player_id) == player_id)
        session.exec(own if device_id is None else own.where(col(DeviceRow.id) == device_id))
        if not devices_of(session, player_id):
            player.push_only = False
    runtime.bell.deliver()


def forget_all(session: Session, player: PlayerRow) -> None:
    """Deletes all devices of the player, whose row must be locked; mails ask for the player's turns again."""
    session.exec(delete(DeviceRow).where(col(DeviceRow.player_id) == player.id))
    player.push_only = False


def set_push_only(runtime: Runtime, player_id: int, *, push_only: bool, now: datetime) -> None:
    """Sets whether notifications replace the mails that ask for the player's turns, as long as a device receives them.

    Raises LinkInvalid if there is no such player.
    """
    with runtime.database.writing() as session:
        player = locked_player(session, player_id)
        player.push_only = push_only
        note_act(player, now)
    runtime.bell.deliver()


def _added(session: Session, player_id: int, subscription: Subscription, now: datetime) -> DeviceRow:
    device = DeviceRow(
        player_id=player_id,
        endpoint=subscription.endpoint,
        public_key=subscription.public_key,
        secret=subscription.secret,
        created_at=now,
    )
    try:
        with session.begin_nested():
            session.add(device)
    except IntegrityError:  # another request has just added the same endpoint
        device = session.exec(select(DeviceRow).where(DeviceRow.endpoint == subscription.endpoint)).one()
    return device


def _known(session: Session, endpoint: str) -> DeviceRow | None:
    return session.exec(select(DeviceRow).where(DeviceRow.endpoint == endpoint).with_for_update()).first()


def decode_base64url(text: str) -> bytes:
    """Decodes base64url text, with or without padding. Raises ValueError if it is not base64url."""
    if not _BASE64.fullmatch(text):
        raise ValueError(text)
    plain = text.rstrip("=")
    return urlsafe_b64decode(plain + "=" * (-len(plain) % 4))
