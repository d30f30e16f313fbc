"""Subscriptions to notifications, as browsers make them, and the rows that come of them."""

from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from sqlmodel import select

from tests.worker.push_service import base64url
from webapp.accounts.devices import Subscription
from webapp.core.tokens import PreferencesLink
from webapp.models import DeviceRow

GOOGLE = "https://fcm.googleapis.com/fcm/send/"
SECRET = "A" * 22


def point(curve=SECP256R1):
    public = generate_private_key(curve()).public_key()
    return base64url(public.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))


POINT = point()


def form(name="x", **other):
    """The subscription that a browser sends."""
    return {"endpoint": f"{GOOGLE}{name}", "p256dh": POINT, "auth": SECRET, **other}


def subscription(name="x"):
    return Subscription(f"{GOOGLE}{name}", POINT, SECRET)


def preferences_link(runtime, player=1):
    """The address of the page of a player's preferences; Ann's, if no other is given."""
    return runtime.signer.local_url(PreferencesLink(player))


def rows_of(runtime):
    """The devices, the oldest first."""
    with runtime.database.reading() as session:
        return list(session.exec(select(DeviceRow).order_by(DeviceRow.id)).all())
