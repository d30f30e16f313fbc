"""Signs tokens with the library itsdangerous, and keeps what it makes anew for each one.

The signatures are the library's own: each accepts the other's. A page reads one token and makes two.
"""

import hmac
import json
from functools import cache
from typing import Any

from itsdangerous import URLSafeTimedSerializer
from itsdangerous.encoding import base64_encode
from itsdangerous.signer import SigningAlgorithm

from webapp.core.clocks import TolerantSigner

COMPRESSED_FROM = 100  # bytes; fewer hardly ever get shorter, and to try it takes longer than to sign


class _Sha1(SigningAlgorithm):
    """The library's default, computed in one step."""

    def get_signature(self, key: bytes, value: bytes) -> bytes:
        return hmac.digest(key, value, "sha1")


class _Signer(TolerantSigner):
    """A signer that derives each of its keys once."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._derived = cache(super().derive_key)

    def derive_key(self, secret_key: str | bytes | None = None) -> bytes:
        return self._derived(secret_key)


class _Json:
    """JSON without blanks, as the library writes it."""

    dumps = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
    loads = staticmethod(json.loads)


class TokenSerializer(URLSafeTimedSerializer):
    """The library's serializer of tokens for one purpose, with one signer for all of them."""

    def __init__(self, keys: list[str], purpose: str) -> None:
        """`keys` are those that are accepted; the last one signs."""
        super().__init__(keys, salt=purpose, serializer=_Json)
        self._signer = _Signer(keys, salt=purpose, algorithm=_Sha1())

    def make_signer(self, salt: str | bytes | None = None) -> TolerantSigner:
        return self._signer

    def dump_payload(self, obj: Any) -> bytes:
        text: bytes = self.serializer.dumps(obj).encode()
        return base64_encode(text) if len(text) < COMPRESSED_FROM else super().dump_payload(obj)
