"""Shows the rules of a table in plain words to anybody who has the link. The page names no player."""

from flask import Blueprint, abort

from webapp.games.rows import table_rules
from webapp.pages.common import page, reading
from webapp.presentation.house_rules import Section, how_we_play, in_short
from webapp.presentation.summary import MAY_ASK
from webapp.tables import seating

blueprint = Blueprint("how_we_play", __name__)
KNOWS = "It knows what their own page shows them, and nobody else learns what it says."
ASKING = Section("Asking the robot", (MAY_ASK, KNOWS))


@blueprint.get("/how-we-play/<code>")
def show(code: str) -> str:
    with reading() as session:
        table = seating.table_of_code(session, code.upper())
    if table is None:
        abort(404)
    rules = table_rules(table)
    sections = (*how_we_play(rules), *([ASKING] if table.suggestions else []))
    return page("how_we_play", in_short=in_short(rules), sections=sections)
