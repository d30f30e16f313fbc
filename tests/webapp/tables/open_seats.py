"""Tables with open seats, and the strangers who take them, for the tests of that."""

import re
from datetime import timedelta

from hearts.robot import Level
from hearts.rules import preset_rules
from tests.cast import address, dump, letters, seats, table_row
from tests.submitting import words
from tests.webapp.accounts.signed_in import browser_of
from webapp.core.tokens import ConfirmLink, InvitationLink, JoinLink
from webapp.forms.opening import NewSeat, NewTable
from webapp.models import LetterKind, SeatState
from webapp.tables import lobby, seating
from worker.mail import compose

ANN, FIRST = 0, 1
NOBODYS = "ABCDE"  # a code that no table has
ASKING = {"name": "Eve", "address": "eve@example.org", "time_zone": "Asia/Tokyo"}


def open_table(
    runtime, *new_seats: NewSeat, host: str = "Ann", pace: timedelta = timedelta(days=1), confirmed: bool = True
) -> int:
    """A table with these seats beside its host's, in the lobby if it is confirmed. Returns its id."""
    runtime.now.pass_by(timedelta(minutes=15))  # only a few tables an hour may be opened from one address
    people = (f"{host} Smith", address(host), "Europe/Berlin", new_seats)
    rules = preset_rules("classic", players=len(new_seats) + 1)
    made = seating.open_table(runtime, NewTable(*people, rules, pace, pace, Level.RULE), runtime.now())
    assert made.id is not None
    if confirmed:
        seating.confirm(runtime, ConfirmLink(made.id), runtime.now())
    return made.id


BO, CY = (NewSeat(name, address(name)) for name in ("Bo", "Cy"))
PIP, RUBY = NewSeat("Pip", None), NewSeat("Ruby", None)


def listed(runtime) -> list[str]:
    """The codes of the tables in the lobby."""
    with runtime.database.reading() as session:
        return [found.code for found in lobby.open_tables(session, runtime.now())]


def player(runtime, name: str) -> int:
    """The id of a player who has played here before."""
    with runtime.database.writing() as session:
        row = seating.player_at(session, address(name), name, runtime.now())
        row.seen_at = runtime.now()
        assert row.id is not None
        return row.id


def join(runtime, table_id: int, name: str, *, called: str = "") -> int:
    """`name` takes a seat, by the link mailed to them. Returns its number."""
    link = JoinLink(table_id, player(runtime, name))
    return lobby.take_open_seat(runtime, link, called or name, runtime.now(), by_mail=True).seat


def invitation(runtime, table_id: int, seat: int) -> InvitationLink:
    return InvitationLink(table_id, seat, seats(runtime, table_id)[seat].player_id or 0)


def accept(runtime, table_id: int, seat: int) -> None:
    name = seats(runtime, table_id)[seat].name
    seating.accept(runtime, invitation(runtime, table_id, seat), name, "UTC", runtime.now())


def states(runtime, table_id: int) -> list[SeatState]:
    return [seat.state for seat in seats(runtime, table_id)]


def code(runtime, table_id: int) -> str:
    return table_row(runtime, table_id).code


def signed_in(runtime, name: str):
    """A signed-in browser."""
    return browser_of(runtime, player(runtime, name))


def check_refused(runtime, before, response, status: int, sentence: str) -> None:
    assert response.status_code == status
    assert sentence in words(response)
    assert dump(runtime) == before


def join_mail(runtime):
    """The newest mail with a link to a seat, composed."""
    with runtime.database.reading() as session:
        mail = compose(runtime, session, letters(runtime, LetterKind.JOIN)[-1])
    assert mail is not None
    return mail


def join_path(runtime) -> str:
    """The path of its link."""
    text = join_mail(runtime).get_body(("plain",)).get_content()
    (path,) = re.findall(r"http://127\.0\.0\.1:8000(/join/\S+)", text)
    return path
