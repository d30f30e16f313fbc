"""The devices of a player: browsers that take notifications for her, each by an address and two keys of its own.

Such an address comes from whoever sends the form, and we write to it later; so it must be one of a push service that
we know. Sources: RFC 8030 (the address), RFC 8291 (the keys). What is sent, and when, is for the worker.
"""

import re
from base64 import urlsafe_b64decode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicKey
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, delete, select

from webapp.core.refusal import Refused
from webapp.core.runtime import Runtime
from webapp.core.tokens import LinkInvalid, PreferencesLink
from webapp.games.links import check_player
from webapp.models import DeviceRow, PlayerRow
from webapp.presentation.moments import moment

MOST = 10  # devices a player
LONGEST_ADDRESS = 1000
SECRET_BYTES = 16
# No more than push services need; a port is for one on this machine alone.
_ADDRESS = re.compile(r"(https?://([a-z0-9-]+(?:\.[a-z0-9-]+)*)(?::[0-9]{1,5})?)/[A-Za-z0-9._~:/?=&%+-]*")
_BASE64 = re.compile(r"[A-Za-z0-9_-]+={0,2}")
_KINDS = {
    "push.services.mozilla.com": "Firefox",
    "push.apple.com": "Safari",
    "notify.windows.com": "Edge",
}
OTHER_KIND = "Chrome, or one like it"
NO_SUBSCRIPTION = "Your browser has not told us how to reach it. Please try again."


@dataclass(frozen=True, slots=True)
class Subscription:
    """What a browser gives whoever may write to it: where to, and the keys, in base64url without padding."""

    endpoint: str
    public_key: str  # p256dh
    secret: str  # auth


@dataclass(frozen=True, slots=True)
class DeviceLine:
    """One of her devices, as the list shows it."""

    number: int
    kind: str
    since: str
    mark: str  # by what a browser knows its own device, without the page saying its address


@dataclass(frozen=True, slots=True)
class DeviceSheet:
    """What a player sees of her devices, and with which key another one subscribes."""

    key: str
    lines: tuple[DeviceLine, ...]
    push_only: bool


def device_sheet(runtime: Runtime, session: Session, player: PlayerRow) -> DeviceSheet | None:
    """What `player` sees of her devices; None where the service sends no notifications."""
    if runtime.push_key is None:
        return None
    assert player.id is not None
    lines = tuple(_line(device, player.time_zone, runtime.now()) for device in devices_of(session, player.id))
    return DeviceSheet(runtime.push_key.public, lines, player.push_only)


def _line(device: DeviceRow, zone: str, now: datetime) -> DeviceLine:
    assert device.id is not None
    since, _, _ = moment(device.created_at, now, zone).words.partition(",")
    return DeviceLine(device.id, kind_of(device.endpoint), since, sha256(device.endpoint.encode()).hexdigest())


def read_subscription(fields: Mapping[str, str], services: Sequence[str]) -> Subscription:
    """The subscription in the fields endpoint, p256dh and auth, checked. Raises Refused."""
    endpoint, public_key, secret = (fields.get(name, "") for name in ("endpoint", "p256dh", "auth"))
    if not is_of_push_service(endpoint, services):
        raise Refused("Your browser is told by a service that we do not know, so we cannot tell it anything.")
    try:
        EllipticCurvePublicKey.from_encoded_point(SECP256R1(), _bytes(public_key))
        has_secret = len(_bytes(secret)) == SECRET_BYTES
    except ValueError:
        raise Refused(NO_SUBSCRIPTION) from None
    if not has_secret:
        raise Refused(NO_SUBSCRIPTION)
    return Subscription(endpoint, public_key.rstrip("="), secret.rstrip("="))


def is_of_push_service(endpoint: str, services: Sequence[str]) -> bool:
    """Whether `endpoint` is an address at one of the push services, as the settings name them."""
    runtime = _ADDRESS.fullmatch(endpoint) if len(endpoint) <= LONGEST_ADDRESS else None
    if runtime is None:
        return False
    origin, host = runtime.groups()
    return origin in services or (origin == f"https://{host}" and any(_is_named(host, name) for name in services))


def origin_of(endpoint: str) -> str:
    """The push service of a device's address, as in "https://web.push.apple.com"."""
    return "/".join(endpoint.split("/", 3)[:3])


def kind_of(endpoint: str) -> str:
    """What browser a device is, as far as its push service tells."""
    host = origin_of(endpoint).removeprefix("https://")
    return next((kind for name, kind in _KINDS.items() if host.endswith(name)), OTHER_KIND)


def devices_of(session: Session, player_id: int) -> Sequence[DeviceRow]:
    """The player's devices, the oldest first."""
    hers = select(DeviceRow).where(DeviceRow.player_id == player_id)
    return session.exec(hers.order_by(col(DeviceRow.id))).all()


def add_device(
    runtime: Runtime, player_id: int, subscription: Subscription, now: datetime, *, generation: int = 0
) -> None:
    """The device tells the player from now on; if it was another player's, it is no more: the browser is hers now.

    `generation` is the number of the link that the player came by. Raises LinkInvalid where there is no such player,
    LinkExpired where they have ended the link, Refused where they have enough devices.
    """
    with runtime.database.writing() as session:
        check_player(PreferencesLink(player_id, generation), _player(session, player_id)).seen_at = now
        known = _known(session, subscription.endpoint)
        is_hers = known is not None and known.player_id == player_id
        if not is_hers and len(devices_of(session, player_id)) >= MOST:
            raise Refused(f"{MOST} devices are told already, which is as many as there may be. Forget one first.")
        known = known or _added(session, player_id, subscription, now)
        known.player_id, known.public_key, known.secret = player_id, subscription.public_key, subscription.secret


def renew_device(runtime: Runtime, endpoint: str, secret: str, subscription: Subscription) -> bool:
    """A browser has got a new address in place of `endpoint`, and proves by its `secret` that this one was its own.

    Returns whether there was such a device.
    """
    with runtime.database.writing() as session:
        known = _known(session, endpoint)
        if known is None or known.secret != secret.rstrip("="):
            return False
        if endpoint != subscription.endpoint and _known(session, subscription.endpoint) is not None:
            session.delete(known)  # its own page was faster
            return True
        known.endpoint, known.public_key = subscription.endpoint, subscription.public_key
        known.secret = subscription.secret
        return True


def forget_devices(runtime: Runtime, player_id: int, device_id: int | None, now: datetime) -> None:
    """One of the player's devices, or all of them (None), is told nothing more; with the last one the mails are back.

    Raises LinkInvalid where there is no such player.
    """
    with runtime.database.writing() as session:
        player = _player(session, player_id)
        player.seen_at = now
        hers = delete(DeviceRow).where(col(DeviceRow.player_id) == player_id)
        session.exec(hers if device_id is None else hers.where(col(DeviceRow.id) == device_id))
        if not devices_of(session, player_id):
            player.push_only = False
    runtime.bell.deliver()


def forget_all(session: Session, player: PlayerRow) -> None:
    """None of the devices of the player, who is locked, is told anything more, and mails ask for their turns again."""
    session.exec(delete(DeviceRow).where(col(DeviceRow.player_id) == player.id))
    player.push_only = False


def set_push_only(runtime: Runtime, player_id: int, *, push_only: bool, now: datetime) -> None:
    """Whether no mail asks for the player's turns while a device is told of them.

    Raises LinkInvalid where there is no such player.
    """
    with runtime.database.writing() as session:
        player = _player(session, player_id)
        player.seen_at, player.push_only = now, push_only
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
    except IntegrityError:  # it has just been given to us for another player
        device = session.exec(select(DeviceRow).where(DeviceRow.endpoint == subscription.endpoint)).one()
    return device


def _known(session: Session, endpoint: str) -> DeviceRow | None:
    return session.exec(select(DeviceRow).where(DeviceRow.endpoint == endpoint).with_for_update()).first()


def _player(session: Session, player_id: int) -> PlayerRow:
    player = session.get(PlayerRow, player_id, with_for_update={"key_share": True}, populate_existing=True)
    if player is None:
        raise LinkInvalid
    return player


def _is_named(host: str, name: str) -> bool:
    return host.endswith(name[1:]) if name.startswith("*.") else host == name


def _bytes(text: str) -> bytes:
    """What `text` is in base64url, with or without padding. Raises ValueError where it is none."""
    if not _BASE64.fullmatch(text):
        raise ValueError(text)
    plain = text.rstrip("=")
    return urlsafe_b64decode(plain + "=" * (-len(plain) % 4))
