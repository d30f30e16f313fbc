"""Gives each request a number, by which its lines in the log are found, and counts, times and logs its page.

A page is named by its route, never by its URL: links are keys to seats.
"""

import re
import secrets
from time import perf_counter

from flask import Flask, Response, g, request

from webapp.core import metrics
from webapp.core.log import begin_about, end_about, log_event

HEADER = "X-Request-ID"
_WELL_FORMED = re.compile(r"[A-Za-z0-9-]{8,64}")


def register(app: Flask) -> None:
    """Adds this to `app`. Functions that are added later run within it."""
    app.before_request(_begin)
    app.after_request(_note_page)
    app.teardown_request(_end)


def _begin() -> None:
    """Begins to time the request, under the number that a proxy has given it, or one of our own."""
    g.started_at = perf_counter()
    given = request.headers.get(HEADER, "")
    g.request_id = given if _WELL_FORMED.fullmatch(given) else secrets.token_hex(8)
    g.logged_about = begin_about(request=g.request_id)


def _note_page(response: Response) -> Response:
    seconds = perf_counter() - g.started_at
    route, method = (request.url_rule.rule, request.method) if request.url_rule else ("none", "any")
    metrics.PAGES.labels(route, method, f"{response.status_code // 100}xx").observe(seconds)
    if request.endpoint != "static":
        log_event("page", route=route, method=method, status=response.status_code, ms=round(seconds * 1000, 1))
    response.headers[HEADER] = g.request_id
    return response


def _end(_: BaseException | None) -> None:
    if token := g.pop("logged_about", None):
        end_about(token)
