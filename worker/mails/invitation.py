"""The invitation to a table's first game, to another one, or to a seat of a game that is being played."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from webapp.core.tokens import InvitationLink, Link
from webapp.games.record import store
from webapp.games.record.links import again_link
from webapp.games.record.stand_in import is_stand_in_asked
from webapp.models import SeatState, TableRow, TableState
from webapp.presentation.faces import EXAMPLE, Face
from webapp.presentation.last_game import LastGame, last_game_of
from webapp.tables import seating
from webapp.tables.again import who_wants_again
from webapp.tables.offers import is_offered, is_promised
from worker.mails.mail import AtTable, Mail, MailContext, at_table, own_seat, sealing


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationMail(MailContext):
    host_name: str
    link: str
    is_reminder: bool
    company: str
    is_played: bool
    example: Sequence[Face] = EXAMPLE  # cards that the reader might hold
    who_again: str | None = None  # wants another game
    last: LastGame | None = None  # the game before that
    stand_in_for: str | None = None
    seal: str | None = None  # of the game that the table plays next
    fair_link: str = ""


def context(mail: Mail) -> InvitationMail | None:
    """The context; None if the seat does not wait for the reader's answer any more."""
    if not _is_still_invited(mail):
        return None
    here, letter = at_table(mail), mail.letter
    made = InvitationMail(
        **here.frame,
        **sealing(mail),
        host_name=here.host_name,
        link=mail.url(_link(mail, here)),
        is_reminder=letter.again,
        company=here.frame["table"].company_of(letter.of_seat),
        is_played=False,
    )
    if letter.game_number is not None:
        return replace(made, who_again=who_wants_again(here.seats), last=_last_game(mail, letter.game_number - 1))
    if not is_offered(here.own, letter.player_id):
        return made
    return replace(
        made,
        you=here.own.offered_name,
        table_link=None,
        stand_in_for=here.own.name if is_stand_in_asked(here.own) else None,
        seal=None if is_stand_in_asked(here.own) else made.seal,
        is_played=here.table.state is TableState.PLAYING,
    )


def _is_still_invited(mail: Mail) -> bool:
    """Whether the seat, free or occupied, still waits for the player's answer to the invitation."""
    seat, player_id = own_seat(mail), mail.letter.player_id
    is_open = mail.session.get_one(TableRow, mail.letter.table_id).state is TableState.INVITING
    is_invited = is_open and seat.state is SeatState.INVITED and seat.player_id == player_id
    return is_invited or (is_offered(seat, player_id) and not is_promised(seat, player_id))


def _last_game(mail: Mail, number: int) -> LastGame | None:
    game = seating.game(mail.session, mail.letter.of_table, number)
    if game is None:
        return None
    return last_game_of(mail.session, store.load(mail.session, game.id), mail.letter.player_id, mail.player.time_zone)


def _link(mail: Mail, here: AtTable) -> Link:
    """The link to answer by: to the first game, or to another one."""
    letter = mail.letter
    if letter.game_number is None:
        return InvitationLink(letter.of_table, letter.of_seat, letter.player_id, mail.player.links)
    return again_link(here.own, letter.game_number - 1, letter.player_id)
