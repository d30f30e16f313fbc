"""Serves the home page, the health check for monitoring, and `robots.txt`."""

from flask import Blueprint
from sqlalchemy import text

from webapp.pages.common import page, runtime

blueprint = Blueprint("home", __name__)


@blueprint.get("/")
def home() -> str:
    return page("home")


@blueprint.get("/healthz")
def health() -> dict[str, str]:
    """The health check; fails if the database does not answer."""
    with runtime().database.reading() as session:
        session.connection().execute(text("SELECT 1"))
    return {"status": "ok"}


@blueprint.get("/robots.txt")
def crawlers() -> tuple[str, dict[str, str]]:
    return "User-agent: *\nAllow: /$\nDisallow: /\n", {"Content-Type": "text/plain"}
