"""Machines' clocks differ: what one has signed a moment ago may come from the future for another.

Signatures with a time in them are good for five minutes more at either end. Whose clock is right is for NTP.
"""

import time
from datetime import timedelta
from typing import Any

from flask import Flask
from flask.sessions import SecureCookieSessionInterface
from itsdangerous import SignatureExpired, TimestampSigner, URLSafeTimedSerializer

TOLERANCE = timedelta(minutes=5)


class TolerantSigner(TimestampSigner):
    """As the library has it, but a signature is neither too young nor too old by less than `TOLERANCE`."""

    def unsign(self, signed_value: str | bytes, max_age: int | None = None, return_timestamp: bool = False) -> Any:
        value, signed_at = super().unsign(signed_value, return_timestamp=True)
        age, most = time.time() - signed_at.timestamp(), TOLERANCE.total_seconds()
        if max_age is not None and not -most <= age <= max_age + most:
            raise SignatureExpired(f"Signature age {age:.0f} seconds", payload=value, date_signed=signed_at)
        return (value, signed_at) if return_timestamp else value


class TolerantSessions(SecureCookieSessionInterface):
    """Flask's session cookies, read with the same tolerance: a player is signed in at every machine."""

    def get_signing_serializer(self, app: Flask) -> URLSafeTimedSerializer | None:
        serializer = super().get_signing_serializer(app)
        if serializer is not None:
            serializer.signer = TolerantSigner
        return serializer
