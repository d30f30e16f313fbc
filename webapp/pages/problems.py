"""Answers every error with a page: a clear sentence, the right status, never a traceback."""

from dataclasses import dataclass

from flask import Flask
from werkzeug.exceptions import HTTPException

from webapp.core.database import DatabaseDown
from webapp.core.tokens import LinkExpired, LinkInvalid, SeatLent, SeatLost
from webapp.games.record.finished import HandNotScored
from webapp.games.record.links import PlayerForgotten
from webapp.games.record.rows import table_seats
from webapp.games.record.stand_in import owner_name
from webapp.games.shares import NothingToShare, SharingStopped
from webapp.inbox.receiving import AddressFull
from webapp.pages.away import lent_page
from webapp.pages.common import PageContext, page, page_without_database, reading, runtime
from webapp.pages.limits import Refusal, TooMuchMail, refused
from webapp.pages.requests import CameFromElsewhere
from webapp.tables.seating import SeatGone

SENTENCES = {
    400: ("We couldn't read that", "We cannot read what your browser sent. Please go back and try again."),
    403: ("This link doesn't work", "You may not see this page."),
    404: ("Page not found", "The address may have been cut off on its way; try the link in the mail again."),
    405: ("That cannot be done here", "Please go back and use the buttons on the page."),
    413: ("That's too long", "What was sent is longer than any form of ours. Nothing was changed."),
}
OTHERS = ("Something went wrong on our side", "Nothing is lost. Please try again in a minute.")
DATABASE_DOWN = (
    "We can't reach our records right now",
    "Your games are safe. Please try again in a minute. If you have just played a card, the page will then show "
    "whether it was played.",
)
RETRY_AFTER = 30  # seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem(PageContext):
    status: int
    heading: str
    sentence: str
    may_be_cut: bool = True  # a mail program may have cut off the end of the link
    may_sign_in: bool = True  # if the link is too old, its reader can get a fresh one by signing in


def register(app: Flask) -> None:
    """Makes `app` answer every error with a page."""
    app.register_error_handler(LinkInvalid, _link_invalid)
    app.register_error_handler(SeatLost, _seat_lost)
    app.register_error_handler(SeatLent, lent_page)
    app.register_error_handler(LinkExpired, _link_expired)
    app.register_error_handler(PlayerForgotten, _player_forgotten)
    app.register_error_handler(CameFromElsewhere, _came_from_elsewhere)
    app.register_error_handler(SeatGone, _seat_gone)
    app.register_error_handler(TooMuchMail, _too_much_mail)
    app.register_error_handler(AddressFull, _address_full)
    app.register_error_handler(HandNotScored, _still_played)
    app.register_error_handler(SharingStopped, _sharing_stopped)
    app.register_error_handler(NothingToShare, _nothing_to_share)
    app.register_error_handler(421, _other_host)
    app.register_error_handler(DatabaseDown, _database_down)
    app.register_error_handler(HTTPException, _other)
    app.register_error_handler(500, _failure)


def _problem(
    status: int, heading: str, sentence: str, *, may_be_cut: bool = True, may_sign_in: bool = True
) -> tuple[str, int]:
    problem = Problem(status=status, heading=heading, sentence=sentence, may_be_cut=may_be_cut, may_sign_in=may_sign_in)
    try:
        return page(problem), status
    except DatabaseDown:  # it is unknown who is signed in
        return page_without_database(problem), status


def _database_down(_: DatabaseDown) -> tuple[str, int, dict[str, str]]:
    heading, sentence = DATABASE_DOWN
    problem = Problem(status=503, heading=heading, sentence=sentence)
    return page_without_database(problem), 503, {"Retry-After": str(RETRY_AFTER)}


def _link_invalid(_: LinkInvalid) -> tuple[str, int]:
    sentence = "It may have been cut off on its way, or belong elsewhere. Please use the link in the mail itself."
    return _problem(403, "This link doesn't work", sentence)


def _seat_lost(lost: SeatLost) -> tuple[str, int]:
    with reading() as session:
        host = table_seats(session, lost.table_id)[0]
    given = f"{owner_name(host)}, who hosts the table, has given it to somebody else."
    sentence = f"{given} The links in earlier emails no longer work."
    return _problem(403, "Somebody else has your seat now", sentence, may_be_cut=False)


def _link_expired(_: LinkExpired) -> tuple[str, int]:
    sentence = "It worked once, but its time is over, or it was ended. Your games go on: get a fresh link by mail."
    return _problem(410, "This link is too old", sentence, may_be_cut=False)


def _player_forgotten(_: PlayerForgotten) -> tuple[str, int]:
    sentence = "So we can't write to you, and this link does nothing any more. If somebody invites you again, that \
mail has a link that stops all further invitations."
    return _problem(410, "We have forgotten your address", sentence, may_be_cut=False, may_sign_in=False)


def _came_from_elsewhere(_: CameFromElsewhere) -> tuple[str, int]:
    sentence = "Your browser says that another site sent this, or does not say who did. Nothing was changed. \
Please open our page yourself and use its button."
    return _problem(403, "This did not come from our own page", sentence, may_be_cut=False)


def _seat_gone(_: SeatGone) -> tuple[str, int]:
    return _problem(409, "This seat is taken", "It was given to somebody, or answered already. Nothing was changed.")


def _too_much_mail(error: TooMuchMail) -> Refusal:
    """For views that have no form on which to show the message."""
    return refused(_problem(429, "That is enough mail for now", str(error))[0], error)


def _address_full(_: AddressFull) -> tuple[str, int]:
    sentence = "This letter was answered very often within the hour. Please use its links, or answer it later."
    return _problem(429, "That is enough mail for now", sentence)


def _still_played(_: HandNotScored) -> tuple[str, int]:
    sentence = "Its cards can be seen once the last trick is played and the score is written. Please come back then."
    return _problem(409, "This hand is not over yet", sentence)


def _sharing_stopped(_: SharingStopped) -> tuple[str, int]:
    sentence = "The player who shared this result has stopped sharing it. Ask them for a new link."
    return _problem(410, "This result is not shared any more", sentence, may_be_cut=False, may_sign_in=False)


def _nothing_to_share(error: NothingToShare) -> tuple[str, int]:
    return _problem(409, "There is no result to share", str(error))


def _other_host(_: HTTPException) -> tuple[str, int]:
    sentence = f"Please open it by this machine's own name: {runtime().settings.address}/mailbox"
    return _problem(421, "The mailbox opens on this machine only", sentence)


def _other(error: HTTPException) -> tuple[str, int]:
    status = error.code or 500
    return _problem(status, *SENTENCES.get(status, OTHERS))


def _failure(_: Exception) -> tuple[str, int]:
    return _problem(500, *OTHERS)
