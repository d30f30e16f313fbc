"""Makes the pages of a turn that is over: what was played, who plays now, and how its player gets there."""

from hearts.seats import Seat
from hearts.turns import Turn
from webapp.games.asked.due import due_of
from webapp.games.asked.whose_turn import first_asked
from webapp.games.record import links
from webapp.games.record.records import Record
from webapp.games.record.stand_in import owner_name
from webapp.games.record.store import TableGame
from webapp.models import GameState, TurnSource
from webapp.pages.common import runtime
from webapp.pages.ways_in import OldLinkPage
from webapp.presentation.turn_text import awaited_at_table, played_sentence, turn_sentence

HEADINGS = {
    TurnSource.TIMEOUT: "We played for you",
    TurnSource.AWAY: "We played for you",
    TurnSource.AHEAD: "You chose ahead",
    TurnSource.WAIT: "We played for you",
    TurnSource.FORCED: "It played itself",
    TurnSource.CLAIM: "It played itself",
}


def turn_over(stored: TableGame, seat: Seat, answer: Record | None, path: str) -> OldLinkPage:
    """The page that says what was played for this turn and who plays now, and has their turn mailed to its player.

    `path` is that of the turn's own page.
    """
    row = stored.seats[seat]
    return OldLinkPage(
        reader=row.player_id,
        heading="It is not your turn" if answer is None else HEADINGS.get(answer.source, _heading(answer.turn)),
        sentences=[
            *([turn_sentence(answer)] if answer else []),
            awaited_at_table(first_asked(stored, seat), seat),
        ],
        action=f"{path}/back" if row.away or is_asked(stored, seat) else None,
        is_away=row.away,
        table_link=runtime().signer.local_url(links.seat_link(row)),
    )


def handed_on(stored: TableGame, seat: Seat, turn: Turn) -> OldLinkPage:
    """The page for a player whose card has ended the hand, after which somebody else has got their seat."""
    newcomer, host = stored.seats[seat].name, owner_name(stored.seats[0])
    sentence = f"The hand is over. {host}, who hosts the table, has given your seat to {newcomer} from the next one on."
    if stored.row.state is GameState.OVER:  # then only a lent seat passes to somebody else
        sentence = f"The game is over, and the seat is {newcomer}'s again."
    return OldLinkPage(heading=_heading(turn), sentences=[sentence, "Thank you for playing."])


def is_asked(stored: TableGame, seat: Seat) -> bool:
    """Whether a hand of the game asks the player of the seat now."""
    return stored.row.state is GameState.PLAYING and due_of(first_asked(stored, seat).game, seat) is not None


def _heading(turn: Turn) -> str:
    return played_sentence(turn).removesuffix(".")
