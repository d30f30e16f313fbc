"""The home page, and a word for whoever watches whether the service is up."""

from flask import Blueprint
from sqlalchemy import text

from webapp.pages.common import page, runtime

blueprint = Blueprint("home", __name__)


@blueprint.get("/")
def home() -> str:
    return page("home")


@blueprint.get("/healthz")
def health() -> dict[str, str]:
    """Answers only if the database does."""
    with runtime().database.reading() as session:
        session.connection().execute(text("SELECT 1"))
    return {"status": "ok"}


@blueprint.get("/robots.txt")
def crawlers() -> tuple[str, dict[str, str]]:
    return "User-agent: *\nAllow: /$\nDisallow: /\n", {"Content-Type": "text/plain"}
