"""Pages and style sheets squeezed for the way, where the reader takes gzip (RFC 9110, section 8.4.1.3).

A proxy may do it as well: it leaves alone what has an encoding already.
"""

import gzip
from functools import lru_cache

from flask import Request, Response

LEAST = 512  # bytes; less gains nothing
LEVEL = 6
KINDS = {"text/html", "text/css", "text/javascript", "text/plain", "image/svg+xml", "application/json"}
KINDS |= {"application/manifest+json"}


def compress(request: Request, response: Response) -> None:
    """Makes `response` gzip if that helps and `request` takes it; nothing of a part of a file or of a picture."""
    if response.mimetype not in KINDS or response.status_code == 206 or "Content-Encoding" in response.headers:
        return
    response.vary.add("Accept-Encoding")
    if response.status_code == 304 or (response.is_streamed and not response.direct_passthrough):
        return
    if request.accept_encodings["gzip"] <= 0 or (response.content_length or LEAST) < LEAST:
        return
    response.direct_passthrough = False  # a file of ours is small enough to be read whole
    content = response.get_data()
    if len(content) < LEAST:
        return
    response.set_data(_kept(content) if request.endpoint == "static" else _squeezed(content))
    response.headers["Content-Encoding"] = "gzip"
    if tag := response.get_etag()[0]:
        response.set_etag(tag, weak=True)  # the same file, but other bytes


def _squeezed(content: bytes) -> bytes:
    return gzip.compress(content, LEVEL, mtime=0)


_kept = lru_cache(maxsize=64)(_squeezed)
