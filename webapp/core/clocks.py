"""Tolerance for clock skew: a time that one machine notes may be in another's future, or be over too soon.

Timestamped signatures are accepted five minutes early and five minutes late, and rings (`bell`) last that much longer
than they need to. The clock of the database decides what is due (`database_clock`).
"""

import time
from datetime import timedelta
from typing import Any

from itsdangerous import SignatureExpired, TimestampSigner

from webapp.core.eras import Eras, is_lost, no_restorations

TOLERANCE = timedelta(minutes=5)


class TolerantSigner(TimestampSigner):
    """The library's signer, which also accepts a signature that is up to `TOLERANCE` too new or too old.

    It accepts none from a time that a restore has lost (`eras`).
    """

    def __init__(self, *args: Any, eras: Eras = no_restorations, **others: Any) -> None:
        super().__init__(*args, **others)
        self._eras = eras

    def unsign(self, signed_value: str | bytes, max_age: int | None = None, return_timestamp: bool = False) -> Any:
        value, signed_at = super().unsign(signed_value, return_timestamp=True)
        if is_lost(self._eras(), signed_at):
            raise SignatureExpired("Signed in a time that is lost", payload=value, date_signed=signed_at)
        age, most = time.time() - signed_at.timestamp(), TOLERANCE.total_seconds()
        if max_age is not None and not -most <= age <= max_age + most:
            raise SignatureExpired(f"Signature age {age:.0f} seconds", payload=value, date_signed=signed_at)
        return (value, signed_at) if return_timestamp else value
