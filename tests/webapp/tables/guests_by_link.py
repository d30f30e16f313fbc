"""Tables with seats for whoever opens the host's link, and the guests who come by it, for the tests of that."""

from tests.cast import seat_link, table_row
from tests.webapp.tables.open_seats import open_table, player
from webapp.core.tokens import JoinLink, MessengerLink
from webapp.forms.opening import LINK_SEAT, NewSeat
from webapp.tables import lobby, messenger


def open_linked(runtime, *others: NewSeat, free: int = 1) -> int:
    """Opens Ann's table with that many seats for her link, and these others. Returns its id."""
    return open_table(runtime, *[LINK_SEAT] * free, *others)


def path_of_link(runtime, table_id: int, number: int | None = None) -> str:
    """The path of the table's link: that of its present number, or of another one."""
    return runtime.signer.local_url(MessengerLink(table_id, number or table_row(runtime, table_id).link_number))


def come(runtime, table_id: int, name: str, number: int | None = None) -> int:
    """`name` takes a seat by the host's link and the mail that follows. Returns the seat's number."""
    link = JoinLink(table_id, player(runtime, name), by_link=number or table_row(runtime, table_id).link_number)
    return lobby.take_open_seat(runtime, link, name, runtime.now(), by_mail=True).seat


def deal(runtime, table_id: int) -> None:
    """Ann, who has seen who came, deals the first hand."""
    messenger.deal(runtime, seat_link(runtime, table_id, 0), runtime.now())
