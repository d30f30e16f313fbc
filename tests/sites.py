"""The site for tests that look at pages. They share it, since to make one takes longer than most tests."""

from flask import Flask

import tests.clients  # noqa: F401 - the clients of each site
from webapp.core.runtime import Runtime
from webapp.operators.health import Readiness
from webapp.site import make_site

ELSEWHERE = {"data_dir", "database_url", "smtp_url"}  # settings that differ from test to test, and make no other site
MOST = 8  # sites that a process keeps

_made: dict[str, Flask] = {}  # by the other settings


def site_of(runtime: Runtime) -> Flask:
    """The site on this runtime; one got for another runtime of the same settings is on this one from then on."""
    settings = f"{runtime.settings.model_dump(exclude=ELSEWHERE)} {runtime.settings.keeps_mail}"
    if settings not in _made:
        if len(_made) == MOST:
            _made.clear()
        _made[settings] = make_site(runtime)
    site = _made[settings]
    site.config.update(SECRET_KEY=runtime.keys[0], SECRET_KEY_FALLBACKS=runtime.keys[1:])
    site.extensions |= {"runtime": runtime, "readiness": Readiness(runtime)}
    return site
