"""Cookies and compression: what only the web process loads."""

import gzip
import re
from functools import lru_cache

from flask import Flask, Request, Response
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface
from itsdangerous import URLSafeTimedSerializer

from webapp.core.database import DatabaseDown
from webapp.core.tokens import TolerantSigner

# Compresses pages, style sheets and scripts for clients that accept gzip (RFC 9110, section 8.4.1.3).
# A proxy may compress, too: it leaves responses alone that have a Content-Encoding already.

MIN_BYTES = 512  # compressing fewer gains nothing
LEVEL = 1  # a page takes a third of the time of level 6, and a sixth more bytes
MIME_TYPES = {"text/html", "text/css", "text/javascript", "text/plain", "image/svg+xml", "application/json"}
MIME_TYPES |= {"application/manifest+json"}
REMARKS = {  # nothing else in our files looks like one
    "text/css": re.compile(rb"\s*/\*.*?\*/", re.DOTALL),
    "text/javascript": re.compile(rb"^ *//.*\n| +// .*", re.MULTILINE),
}


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
    compressed = _compressed_file(content, response.mimetype) if is_file else gzip.compress(content, LEVEL, mtime=0)
    response.set_data(compressed)
    response.headers["Content-Encoding"] = "gzip"
    if tag := response.get_etag()[0]:
        response.set_etag(tag, weak=True)  # the same content in other bytes


@lru_cache(maxsize=64)
def _compressed_file(content: bytes, mimetype: str) -> bytes:
    """A process compresses each file once, and so makes it as small as it can: without its remarks, a tenth of it."""
    remark = REMARKS.get(mimetype)
    return gzip.compress(remark.sub(b"", content) if remark else content, mtime=0)


# Flask's session cookies, which are valid on every machine.


class TolerantSessions(SecureCookieSessionInterface):
    """Signed with `TOLERANCE`, so that a sign-in is valid on every machine."""

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        if self.get_cookie_name(app) not in request.cookies:  # nothing to verify: most players only follow links
            return self.session_class()
        try:
            return super().open_session(app, request)
        except DatabaseDown:  # which knows what is lost; the page says that it is down, if it needs it
            return self.session_class()

    def get_signing_serializer(self, app: Flask) -> URLSafeTimedSerializer | None:
        serializer = super().get_signing_serializer(app)
        if serializer is not None:
            serializer.signer = TolerantSigner
            serializer.signer_kwargs = {**serializer.signer_kwargs, "eras": app.extensions["runtime"].eras}
        return serializer
