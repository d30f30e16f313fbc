"""Flask's session cookies, which are valid on every machine. Only the web process loads Flask, so they stand alone."""

from flask import Flask
from flask.sessions import SecureCookieSessionInterface
from itsdangerous import URLSafeTimedSerializer

from webapp.core.clocks import TolerantSigner


class TolerantSessions(SecureCookieSessionInterface):
    """Signed with the tolerance of `clocks`, so that a sign-in is valid on every machine."""

    def get_signing_serializer(self, app: Flask) -> URLSafeTimedSerializer | None:
        serializer = super().get_signing_serializer(app)
        if serializer is not None:
            serializer.signer = TolerantSigner
        return serializer
