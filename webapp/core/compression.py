"""Compresses pages, style sheets and scripts for clients that accept gzip (RFC 9110, section 8.4.1.3).

A proxy may compress, too: it leaves responses alone that have a Content-Encoding already.
"""

import gzip
from functools import lru_cache

from flask import Request, Response

MIN_BYTES = 512  # compressing fewer gains nothing
LEVEL = 1  # a page takes a third of the time of level 6, and a sixth more bytes
MIME_TYPES = {"text/html", "text/css", "text/javascript", "text/plain", "image/svg+xml", "application/json"}
MIME_TYPES |= {"application/manifest+json"}


def compress(request: Request, response: Response) -> None:
    """Compresses `response` in place if `request` accepts gzip and it helps; never a partial response or an image."""
    if response.mimetype not in MIME_TYPES or response.status_code == 206 or "Content-Encoding" in response.headers:
        return
    if not response.is_streamed and (response.content_length or MIN_BYTES) < MIN_BYTES:
        return
    response.vary.add("Accept-Encoding")
    if response.status_code == 304 or (response.is_streamed and not response.direct_passthrough):
        return
    if request.accept_encodings["gzip"] <= 0:
        return
    response.direct_passthrough = False  # our static files are small enough to be read into memory
    content = response.get_data()
    if len(content) < MIN_BYTES:
        return
    is_file = request.endpoint == "static"
    response.set_data(_compressed_file(content) if is_file else gzip.compress(content, LEVEL, mtime=0))
    response.headers["Content-Encoding"] = "gzip"
    if tag := response.get_etag()[0]:
        response.set_etag(tag, weak=True)  # the same content in other bytes


@lru_cache(maxsize=64)
def _compressed_file(content: bytes) -> bytes:
    """A process compresses each file once, and so makes it as small as it can."""
    return gzip.compress(content, mtime=0)
