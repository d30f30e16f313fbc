"""Subscriptions to notifications, as browsers make them."""

from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.worker.push_service import base64url
from webapp.accounts.devices import Subscription

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
