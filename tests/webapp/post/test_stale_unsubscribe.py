"""One click in an old mail about a seat that somebody else has by now: it stops that table, and nothing else."""

import pytest

from tests.answers import inbound, mail, send
from tests.cast import dump, letters, play_hand, start_game
from tests.webapp.company.hosted import BO, accept, give, offer, seat_of
from webapp.inbox.acting import sort_mail
from webapp.models import LetterKind, PlayerRow
from webapp.post.letters import unsubscribe_link
from webapp.tokens import UnsubscribeLink
from worker import postman


@pytest.fixture
def game_id(parts) -> int:
    return start_game(parts)


def invitable(parts, player_id: int) -> bool:
    with parts.database.reading() as session:
        return session.get_one(PlayerRow, player_id).invitations


def old_mails(parts, player_id: int) -> set[UnsubscribeLink]:
    """What one click stops in each mail that the player has been sent."""
    return {link for one in letters(parts) if one.player_id == player_id and (link := unsubscribe_link(one))}


@pytest.mark.parametrize("by", ["link", "mail"])
@pytest.mark.parametrize("to", ["a robot", "somebody else"])
def test_one_click_after_the_seat_is_lost_leaves_every_other_table_open(parts, client, game_id, to, by) -> None:
    bo = seat_of(parts, game_id, BO).player_id
    postman.deliver(parts)
    give(parts, game_id, BO, None)
    if to == "somebody else":
        accept(parts, offer(parts, game_id))
        play_hand(parts, game_id)
    postman.deliver(parts)
    mine = [one for one in letters(parts) if one.player_id == bo and one.table_id]
    assert {LetterKind.INVITATION, LetterKind.PASS, LetterKind.REPLACED} <= {one.kind for one in mine}
    seats_before = dump(parts)["seat"]
    for letter in mine:
        if by == "link":
            link = parts.signer.local_url(UnsubscribeLink(letter.table_id, letter.seat, bo))
            stopped = client.post(link, data={"List-Unsubscribe": "One-Click"})
            assert stopped.status_code == 200
            assert "Nobody can invite you" not in stopped.text
        else:
            arrived = send(parts, letter, mail("Bo", "unsubscribe"), to="u")
            sort_mail(parts)
            assert inbound(parts, arrived).handled_at
    assert invitable(parts, bo)
    assert dump(parts)["seat"] == seats_before
