"""Shows the rules of a table in plain words to anybody who has the link. The page names no player."""

from collections.abc import Sequence
from dataclasses import dataclass

from flask import Blueprint, abort

from webapp.games.record.live import plays_live
from webapp.games.record.rows import table_rules
from webapp.pages.common import PageContext, page, reading
from webapp.presentation.clock_text import why_at_once
from webapp.presentation.house_rules import Section, how_we_play, in_short
from webapp.presentation.summary import MAY_ASK
from webapp.tables import seating

blueprint = Blueprint("how_we_play", __name__)
KNOWS = "It knows what their own page shows them, and nobody else learns what it says."
AT_ONCE = "Several hands at once"
IN_EACH = (
    "There is one for each direction of the pass. "
    "You hold cards in each and play wherever it is your turn, and their points count in order."
)
ASKING = Section("Asking the robot", (MAY_ASK, KNOWS))


@dataclass(frozen=True, slots=True, kw_only=True)
class HowWePlay(PageContext):
    in_short: str
    sections: Sequence[Section]


@blueprint.get("/how-we-play/<code>")
def show(code: str) -> str:
    with reading() as session:
        table = seating.table_of_code(session, code.upper())
    if table is None:
        abort(404)
    rules = table_rules(table)
    is_at_once = table.at_once > 1 and not plays_live(table)
    at_once = [Section(AT_ONCE, (why_at_once(table.at_once), IN_EACH))] if is_at_once else []
    more = [*at_once, *([ASKING] if table.suggestions else [])]
    sections = (*how_we_play(rules), *more)
    return page(HowWePlay(in_short=in_short(rules), sections=sections))
