"""Makes the Flask application of the web process: all pages, with the headers and the log that secret links need."""

import gzip
import hashlib
import re
from collections.abc import Mapping
from functools import cache, lru_cache, partial
from http import HTTPStatus
from pathlib import Path
from types import TracebackType

from flask import Flask, Request, Response, request
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface
from itsdangerous import URLSafeTimedSerializer
from werkzeug.middleware.proxy_fix import ProxyFix

from webapp.accounts import sign_ins
from webapp.core.database import DatabaseDown
from webapp.core.log import start_log
from webapp.core.runtime import Runtime, runtime_from_environment
from webapp.core.say import tongue
from webapp.core.templates import TEMPLATES, Environments
from webapp.core.tokens import TolerantSigner
from webapp.operators import commands, probes
from webapp.operators.health import Readiness
from webapp.pages import (
    addresses,
    at_table,
    away,
    games,
    guest_list,
    home,
    host,
    invitations,
    language,
    lobby,
    mailbox,
    opening,
    play,
    players,
    preferences,
    relive,
    requests,
    sharing,
    table,
    turns,
    ways_in,
)
from webapp.pages.common import close_snapshot, drawing_once
from webapp.pages.requests import check_host, check_origin, lead_to_clean_link

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


BLUEPRINTS = (
    home.blueprint,
    opening.blueprint,
    invitations.blueprint,
    language.blueprint,
    host.blueprint,
    lobby.blueprint,
    guest_list.blueprint,
    turns.blueprint,
    play.blueprint,
    table.blueprint,
    relive.blueprint,
    sharing.blueprint,
    players.blueprint,
    games.blueprint,
    preferences.blueprint,
    away.blueprint,
    ways_in.blueprint,
    addresses.blueprint,
    at_table.blueprint,
    probes.blueprint,
)
LARGEST_FORM = 64 * 1024
# A page loads nothing from elsewhere, has nothing inline, cannot be framed, and passes its URL on to no other site.
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; font-src 'self'; frame-src 'self'; "
        "worker-src 'self'; manifest-src 'self'; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "same-origin",  # with "no-referrer" browsers hide even from us whether a form is ours
    "X-Content-Type-Options": "nosniff",
}
# For a service behind HTTPS. Without includeSubDomains: other hosts of the domain may not use HTTPS.
HSTS = {"Strict-Transport-Security": f"max-age={365 * 24 * 3600}"}
PRIVATE = {"Cache-Control": "no-store", "X-Robots-Tag": "noindex"}
MAY_BE_FOUND = {"home.home", "home.crawlers", "players.privacy"}  # as `robots.txt` and their own tags say


class Webapp(Flask):
    """Flask, but its log never contains the URL of a page: links are keys to seats."""

    def log_exception(self, exc_info: tuple[type, BaseException, TracebackType] | tuple[None, None, None]) -> None:
        rule = request.url_rule.rule if request.url_rule else "no page"
        self.logger.error("%s %s failed", request.method, rule, exc_info=exc_info)


def make_site(runtime: Runtime | None = None) -> Flask:
    """The web application on `runtime`, or on one made from the environment (an invalid setting ends the process)."""
    runtime = runtime or runtime_from_environment()
    start_log(runtime.settings.log_format)
    keys = runtime.keys
    is_encrypted = runtime.settings.is_https
    app = Webapp(__name__, template_folder=str(TEMPLATES))
    app.url_map.merge_slashes = False  # it would redirect to the host that the request names
    app.config.update(
        SECRET_KEY=keys[0],
        SECRET_KEY_FALLBACKS=keys[1:],
        # With this prefix browsers accept the cookie only from this host, over HTTPS: no neighbour can sign players in.
        SESSION_COOKIE_NAME="__Host-hearts" if is_encrypted else "hearts",
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_SECURE=is_encrypted,
        PERMANENT_SESSION_LIFETIME=sign_ins.LASTS,
        SESSION_REFRESH_EACH_REQUEST=False,  # but once a day, by `this_sign_in`: cacheable files must bear no cookie
        MAX_CONTENT_LENGTH=LARGEST_FORM,
        MAX_FORM_MEMORY_SIZE=LARGEST_FORM,
        SEND_FILE_MAX_AGE_DEFAULT=365 * 24 * 3600,  # a changed file has a new URL
    )
    app.session_interface = TolerantSessions()
    app.extensions["runtime"] = runtime
    app.extensions["readiness"] = Readiness(runtime)
    app.jinja_env.lstrip_blocks = True  # the first view stays within what a server sends at once
    app.jinja_env.globals |= {"static": _static_url, "once": drawing_once(), "tongue": tongue}
    app.extensions["environments"] = Environments(app.jinja_env)
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)
    if runtime.settings.keeps_mail:
        app.register_blueprint(mailbox.blueprint)
    requests.register(app)
    requests.register_log(app)  # before all that may answer a request
    app.before_request(language.begin)
    app.before_request(check_host)
    app.before_request(check_origin)
    app.before_request(lead_to_clean_link)
    app.teardown_request(close_snapshot)
    app.teardown_request(language.end)
    app.after_request(language.note)
    if runtime.settings.trusted_proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=runtime.settings.trusted_proxies, x_proto=0)  # type: ignore[method-assign]
    headers = HEADERS | HSTS if runtime.settings.is_https else HEADERS
    app.after_request(partial(_add_headers, headers, headers | PRIVATE))
    commands.register(app)
    return app


def _add_headers(of_files: Mapping[str, str], of_pages: Mapping[str, str], response: Response) -> Response:
    if response.status_code == HTTPStatus.NOT_MODIFIED:
        response.close()  # a file that is not sent is closed by nobody else
    compress(request, response)
    has = {name.lower() for name, _ in response.headers}
    for name, value in (of_files if request.endpoint == "static" else of_pages).items():
        if name == "X-Robots-Tag" and request.endpoint in MAY_BE_FOUND:
            continue
        if name.lower() not in has:  # as `setdefault`, which looks through all headers for each
            response.headers.add(name, value)
    return response


@cache
def _static_url(name: str) -> str:
    """The URL of a file in `static/`, which changes when the file does."""
    content = (Path(__file__).parent / "static" / name).read_bytes()
    return f"/static/{name}?{hashlib.sha256(content).hexdigest()[:10]}"
