"""Questions: a look at their player is planned with the turn, and they are mailed again on request."""

from hearts.seats import Seat
from tests.cast import letters, start_game
from tests.mailing import letters_to
from tests.sites import site_of
from webapp.models import LetterKind, LetterRow, LetterState, PlayerRow
from webapp.outbox.turn_mail import AGAIN_AFTER
from worker import postman

QUEUED = LetterState.QUEUED


def test_a_worker_looks_at_players_whose_turn_has_come(runtime):
    table = start_game(runtime)
    postman.deliver(runtime)
    table.pass_all()
    (leader,) = table.game.to_act
    with runtime.database.reading() as session:
        assert session.get_one(PlayerRow, table.seats[leader].player_id).turns_at == runtime.now()


def test_a_turn_is_mailed_again_every_ten_minutes_at_most(runtime):
    table = start_game(runtime)
    site = site_of(runtime).test_client()
    again = f"{runtime.signer.local_url(table.turn_link(0))}/again"
    assert site.post(again).status_code == 303
    (letter,) = letters_to(runtime, "Ann", LetterKind.TURNS)
    assert (letter.state, letter.requested, letter.next_at) == (QUEUED, True, runtime.now())
    with runtime.database.writing() as session:
        sent = session.get_one(LetterRow, letter.id)
        sent.state, sent.sent_at = LetterState.SENT, runtime.now()
    refused = site.post(again)
    assert (refused.status_code, "just written to you" in refused.text) == (429, True)
    assert refused.headers["Retry-After"] == "600"
    runtime.now.pass_by(AGAIN_AFTER)
    assert site.post(again).status_code == 303
    assert len({one.message_id for one in letters_to(runtime, "Ann", LetterKind.TURNS)}) == 2
    table.pass_lowest(Seat(0))
    assert site.post(again).status_code == 409, "that turn is over"


def test_each_player_gets_the_score_sheet_of_a_hand(runtime):
    table = start_game(runtime, ("Ann", "Bo"), robots=2)
    table.play_hand()
    assert [letter.seat for letter in letters(runtime, LetterKind.SCORE_SHEET)] == [0, 1]
