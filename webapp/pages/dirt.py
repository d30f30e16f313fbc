"""Cleans links to which a mail program, or a person who copied one, has added something: a dot, a bracket, a quote.

A link of ours has a path of a word and a token, perhaps with a page below it, and a query of cards. Anything after
these is a mistake: it is cut off, and the browser is led to the link itself.
"""

import re
from urllib.parse import parse_qsl, urlencode

from flask import redirect, request
from werkzeug.wrappers import Response

# The signature of a token ends with a letter, a digit, "-" or "_"; nothing else is part of it.
_LINK = re.compile(r"(/[a-z-]+/[\w-]+\.[\w-]+\.[\w-]+(?:/[a-z-]+|/\d+)*)[^\w?-]*(?:\?(.*))?", re.ASCII | re.DOTALL)
_CARD = re.compile(r"((?:10|[2-9tjqka])[cdhs])[^a-z0-9]*", re.IGNORECASE)


def lead_to_clean_link() -> Response | None:
    """A redirect to the link that is meant; None if the one that was opened is clean, or none of ours."""
    if request.method not in ("GET", "HEAD"):
        return None
    found = _LINK.fullmatch(request.path)
    if found is None:
        return None
    path, added = found.groups()
    given = "&".join(filter(None, (added, request.query_string.decode("utf-8", "replace"))))
    query = urlencode([_clean(*pair) for pair in parse_qsl(given, keep_blank_values=True)])
    clean = f"{path}?{query}" if query else path
    if path == request.path and urlencode(parse_qsl(given, keep_blank_values=True)) == query:
        return None
    return redirect(clean, 302)


def _clean(name: str, value: str) -> tuple[str, str]:
    """A pair of the query: `&amp;` was a mark of HTML, and a card has a rank and a suit."""
    name = name.removeprefix("amp;")
    card = _CARD.fullmatch(value) if name == "card" else None
    return name, card[1].upper() if card else value
