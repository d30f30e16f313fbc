"""Flask, the database, links: what a player sees, and the path of a turn."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flask import Flask


def create_app() -> "Flask":
    """The web application, as gunicorn and `hearts-by-mail` call it."""
    from webapp.site import make_site  # workers and schedulers need no pages

    return make_site()
