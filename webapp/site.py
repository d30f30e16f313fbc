"""Makes the Flask application of the web process: all pages, with the headers and the log that secret links need."""

import hashlib
from collections.abc import Mapping
from functools import cache, partial
from http import HTTPStatus
from pathlib import Path
from types import TracebackType

from flask import Flask, Response, request
from werkzeug.middleware.proxy_fix import ProxyFix

from webapp.accounts import sign_ins
from webapp.core.log import start_log
from webapp.core.runtime import Runtime, runtime_from_environment
from webapp.core.say import tongue
from webapp.core.sentences import Environments
from webapp.core.templates import TEMPLATES
from webapp.core.web import TolerantSessions, compress
from webapp.operators import commands
from webapp.operators.health import Readiness
from webapp.pages import (
    addresses,
    at_table,
    away,
    games,
    guest_list,
    health,
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
    seats,
    sharing,
    turns,
    ways_in,
)
from webapp.pages.common import close_snapshot, drawing_once
from webapp.pages.requests import check_host, check_origin, lead_to_clean_link

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
    seats.blueprint,
    relive.blueprint,
    sharing.blueprint,
    players.blueprint,
    games.blueprint,
    preferences.blueprint,
    away.blueprint,
    ways_in.blueprint,
    addresses.blueprint,
    at_table.blueprint,
    health.blueprint,
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
