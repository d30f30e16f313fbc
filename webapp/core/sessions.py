"""Flask's session cookies, which are valid on every machine. Only the web process loads Flask, so they stand alone."""

from flask import Flask, Request
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface
from itsdangerous import URLSafeTimedSerializer

from webapp.core.database import DatabaseDown
from webapp.core.eras import TolerantSigner


class TolerantSessions(SecureCookieSessionInterface):
    """Signed with the tolerance of `clocks`, so that a sign-in is valid on every machine."""

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
