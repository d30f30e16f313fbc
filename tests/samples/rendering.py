"""Templates, set up as where they are used; and what samples hand to them."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from webapp.core.say import tongue
from webapp.core.templates import Environments
from webapp.pages.common import PageContext, drawing_once
from worker.mails.mail import MailContext

ROOT = Path(__file__).parent.parent.parent
Sample = tuple[str, dict[str, Any]]  # the name of a template or the kind of a mail, and its context
PageSample = PageContext | Sample
MailSample = tuple[str, MailContext]  # the kind of a mail, and its context


@dataclass(frozen=True)
class Line:
    """Any object with the attributes that a template uses."""

    said: Mapping[str, Any]

    def __getattr__(self, name: str) -> Any:
        try:
            return self.said[name]
        except KeyError:
            raise AttributeError(name) from None


def line(**said: Any) -> Line:
    return Line(said)


def environment(*, trim: bool = True) -> Environment:
    """Set up as in the site (which keeps line breaks) and the worker (which does not), but strict about names."""
    return _environments(trim).spoken()


@cache
def _environments(trim: bool) -> Environments:
    made = Environment(
        loader=FileSystemLoader(ROOT / "templates"),
        autoescape=lambda name: name is None or name.endswith(".html"),  # None: a macro that Python calls
        undefined=StrictUndefined,
        trim_blocks=trim,
        lstrip_blocks=True,
    )
    made.globals |= {"has_pages": True, "static": lambda name: f"/static/{name}"}
    made.globals |= {"once": drawing_once(), "tongue": tongue}
    return Environments(made)


def framed(context: PageContext, **frame: Any) -> Sample:
    """A page with variables that it shares with every page, such as `player_name`."""
    return context.template, {**context.variables(), **frame}
