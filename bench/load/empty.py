"""A site with an empty page, for comparison: what the server and Flask cost without us."""

from flask import Flask

site = Flask(__name__)


@site.get("/")
def nothing() -> str:
    return ""
