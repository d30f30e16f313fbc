"""Tolerance for clock skew: what one machine has dated may be in the future for another, or be over too soon.

Timestamped signatures are accepted five minutes early and five minutes late, and rings (`bell`) last that much longer
than they need to. What is due goes by the clock of the database (`database_clock`).
"""

import time
from datetime import timedelta
from typing import Any

from itsdangerous import SignatureExpired, TimestampSigner

TOLERANCE = timedelta(minutes=5)


class TolerantSigner(TimestampSigner):
    """The library's signer, which also accepts a signature that is up to `TOLERANCE` too new or too old."""

    def unsign(self, signed_value: str | bytes, max_age: int | None = None, return_timestamp: bool = False) -> Any:
        value, signed_at = super().unsign(signed_value, return_timestamp=True)
        age, most = time.time() - signed_at.timestamp(), TOLERANCE.total_seconds()
        if max_age is not None and not -most <= age <= max_age + most:
            raise SignatureExpired(f"Signature age {age:.0f} seconds", payload=value, date_signed=signed_at)
        return (value, signed_at) if return_timestamp else value
