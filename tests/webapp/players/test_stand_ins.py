"""Stand-ins: a friend plays for a player who is away: asked, seated, and gone when the player is back."""

import re
from datetime import timedelta

import pytest

from hearts.game import Stage, legal
from hearts.seats import Seat
from hearts.turns import Play
from tests.answers import answer, mail, question, typed_pass
from tests.cast import address, dump, leave, letters, opened, seat_link, start_game
from tests.races import at_once, check_replays
from tests.table import ask_all
from tests.webapp.tables.hosted import (
    ANN,
    BO,
    CY,
    DI,
    EVE,
    accept,
    composed,
    end_game,
    first_pass,
    offer,
    status,
)
from tests.webapp.tables.lending import SECOND, ask, come_back, lend, mail_texts, questions_to, shown
from webapp.accounts import access
from webapp.core.say import Refused
from webapp.core.tokens import InvitationLink, SeatLink, UnsubscribeLink
from webapp.forms.opening import NewSeat
from webapp.games import shares
from webapp.games.asked.due import Due, due_of
from webapp.games.record import changing
from webapp.games.record.links import seat_link as link_of
from webapp.inbox import acting
from webapp.inbox.answering import Reason
from webapp.models import LetterKind, LetterState, SeatState, TurnSource
from webapp.play import taking
from webapp.players import away, preferences
from webapp.replies.reading import read
from webapp.tables import seating
from worker import postman


def asked(runtime, player_id: int) -> list[LetterKind]:
    """The questions that wait for the player."""
    return [one.kind for one in questions_to(runtime, player_id)]


# asked, seated, and back


def test_a_robot_plays_until_the_friend_accepts_the_seat(runtime, table) -> None:
    bo = table.seats[BO].player_id
    link = ask(table)
    row = table.seats[BO]
    assert (row.name, row.away, table.row.wake_at) == ("Bo", True, runtime.now())
    ask(table)
    (invited,) = mail_texts(runtime, LetterKind.INVITATION, link.player_id)[:-1]
    assert "Bo is away. Once you say yes, you have their seat" in invited
    assert "Bo asks you to play for them" in shown(runtime, link)
    table.play_for_absent()
    assert table.records[-1].source is TurnSource.AWAY
    table.pass_all((ANN, CY, DI))
    hand = table.game.held[BO]
    accept(runtime, link)
    accept(runtime, link)
    row = table.seats[BO]
    assert (row.player_id, row.stands_in_for, row.state) == (link.player_id, bo, SeatState.ACCEPTED)
    assert (row.name, row.away, row.offered_to) == ("Eve (Bo)", False, None)
    assert table.game.held[BO] == hand
    (lent,) = mail_texts(runtime, LetterKind.REPLACED, bo)
    assert "Hello Bo, Eve has said yes, and plays your seat" in lent
    assert "Eve (Bo)" in shown(runtime, seat_link(runtime, link.table_id, ANN))
    while table.game.to_act != (BO,):
        table.play_first()
    leave(runtime)
    assert asked(runtime, link.player_id) == [LetterKind.TURNS]
    assert asked(runtime, bo) == []


def test_a_returning_player_ends_the_friends_links_at_once(runtime, table, client) -> None:
    bo, url = table.seats[BO].player_id, runtime.signer.local_url
    back = seat_link(runtime, table.table_id, BO)
    old = [url(table.turn_link(BO)), url(back)]
    old.append(url(table.play_link(BO)))
    link = lend(table)
    hers = [table.turn_link(BO), seat_link(runtime, link.table_id, BO), table.play_link(BO)]
    assert [status(runtime, one) for one in hers] == [200, 200, 200]
    ways = []
    for at in old:
        page = client.get(at)
        assert page.status_code == 403
        assert "Eve plays for you" in page.text
        ways += [way for way in re.findall(r'action="([^"]+)"', page.text) if way != "/language"]
    assert {(opened(runtime, SeatLink, way), way.rpartition("/")[2]) for way in ways} == {(back, "back")}
    assert client.post(old[0], data={"card": ["2C"]}).status_code == 403, "a card of before is not played"
    assert table.seats[BO].player_id == link.player_id, "looking brings nobody back"
    assert client.post(ways[0]).status_code == 303
    row = table.seats[BO]
    assert (row.player_id, row.name, row.state) == (bo, "Bo", SeatState.ACCEPTED)
    assert (row.away, row.stands_in_for, row.lent) == (False, None, None)
    leave(runtime)
    assert asked(runtime, bo) == [LetterKind.TURNS]
    assert asked(runtime, link.player_id) == []
    assert [status(runtime, one) for one in hers] == [403, 403, 403]
    turn, who = first_pass(table.stored, BO), {"player_id": link.player_id}
    with pytest.raises(LookupError):
        taking.take_turn(runtime, table.game_id, Due(1, "pass"), turn, TurnSource.PAGE, runtime.now(), **who)
    assert client.get(old[1]).status_code == 200
    (sorry,) = mail_texts(runtime, LetterKind.REPLACED, link.player_id)
    assert "Hello Eve, Bo is back at Ann's table" in sorry
    before = dump(runtime)["seat"]
    come_back(runtime, link, bo)
    preferences.give_back(runtime, link.table_id, bo, runtime.now())
    with pytest.raises(seating.SeatGone):
        accept(runtime, link)
    assert dump(runtime)["seat"] == before


def test_the_history_names_the_friend_but_seats_keep_points(runtime, table) -> None:
    bo = table.seats[BO].player_id
    table.play_hand()
    link = lend(table)
    table.play_hand()
    come_back(runtime, link, bo)
    stored = table.stored
    assert [stored.names_of_hand(hand)[BO] for hand in (1, 2, 3)] == ["Bo", "Eve (Bo)", "Bo"]
    assert [stored.has_played(Seat(BO), hand) for hand in (1, 2)] == [True, False]
    assert [change.player for change in stored.row.earlier] == [bo, link.player_id]
    last = [change.turns for change in stored.row.earlier]
    assert [stored.has_chosen(Seat(BO), number) for number in (last[0], last[0] + 1, last[1], last[1] + 1)] == [
        *(True, False, False, True),
    ]


def test_a_shared_result_does_not_reveal_a_players_absence(runtime, table) -> None:
    link = lend(table)
    table.play_hand()
    for number, name in ((ANN, "Bo"), (BO, "Eve")):
        own = seat_link(runtime, link.table_id, number)
        shares.share(runtime, own, table.game_id, runtime.now(), names=True)
        with runtime.database.reading() as session:
            row = shares.share_of(session, table.game_id, own.player_id)
            assert shares.shared_game(session, row).names == ["Ann", name, "Cy", "Di"]


def test_two_long_names_are_shortened_to_the_length_of_one(either_runtime) -> None:
    table = start_game(either_runtime)
    accept(either_runtime, ask(table), "Everlasting " * 3 + "Eve!")
    come_back(either_runtime, seat_link(either_runtime, 1, BO), table.seats[BO].stands_in_for)
    (change,) = table.row.earlier[1:]
    assert change.name == "Everlasting Ever… (Bo)"


@pytest.mark.parametrize("gone", ["gives back", "goes away", "is unreachable", "misses"])
def test_without_the_friend_a_robot_plays_until_the_return(runtime, table, gone) -> None:
    bo = table.seats[BO].player_id
    link = lend(table)
    if gone == "gives back":
        preferences.give_back(runtime, link.table_id, link.player_id, runtime.now())
        preferences.give_back(runtime, link.table_id, bo, runtime.now())
    elif gone == "goes away":
        away.go_away(runtime, link.player_id, {link.table_id}, None, runtime.now())
    elif gone == "is unreachable":
        away.stop_waiting_for(runtime, link.player_id, runtime.now())
    else:
        table.pass_all((ANN, CY, DI))
        table.miss_deadline()
        assert table.seats[BO].player_id == link.player_id
        while table.game.to_act != (BO,):
            table.play_first()
        table.miss_deadline()
        (sorry,) = mail_texts(runtime, LetterKind.REPLACED, link.player_id)
        assert "two deadlines in a row have passed at Ann's table" in sorry
    row = table.seats[BO]
    assert (row.player_id, row.name, row.away, row.mails, row.stands_in_for) == (bo, "Bo", True, True, None)
    assert len(mail_texts(runtime, LetterKind.REPLACED, link.player_id)) == (gone == "misses")
    (sorry,) = mail_texts(runtime, LetterKind.DECLINED, bo)
    assert "Eve can't play for you at Ann's table" in sorry
    assert asked(runtime, link.player_id) == asked(runtime, bo) == []
    if gone != "misses":
        assert table.play_for_absent() == 1
        assert table.records[-1].source is TurnSource.AWAY


def test_a_friends_refusal_is_told_to_the_player_alone(runtime, table, client) -> None:
    bo, link = table.seats[BO].player_id, ask(table)
    left = client.post(runtime.signer.local_url(link), data={"answer": "decline"})
    assert "We tell Bo." in left.text
    assert [one.player_id for one in letters(runtime, LetterKind.DECLINED)] == [bo]
    assert table.seats[BO].offered_to is None
    come_back(runtime, link, bo)
    postman.deliver(runtime)
    assert [one.state for one in letters(runtime, LetterKind.DECLINED)] == [LetterState.SUPERSEDED], "Bo is back"


@pytest.mark.parametrize("how", ["a tap", "a turn", "an email", "the end"])
def test_a_friend_answering_too_late_can_be_asked_again(runtime, table, how) -> None:
    bo, link = table.seats[BO].player_id, ask(table)
    if how == "a tap":
        come_back(runtime, link, bo)
    elif how == "a turn":
        table.pass_lowest(BO)
    elif how == "an email":
        preferences.mail_again(runtime, table.game_id, Seat(BO), due_of(table.game, Seat(BO)), runtime.now())
    else:
        end_game(runtime, link.table_id)
    assert table.seats[BO].offered_to is None
    with pytest.raises(seating.SeatGone):
        accept(runtime, link)
    if how != "the end":
        runtime.now.pass_by(SECOND)
        ask(table)
        accept(runtime, link)
        assert table.seats[BO].name == "Eve (Bo)"
        invited = [one for one in letters(runtime, LetterKind.INVITATION) if one.player_id == link.player_id]
        assert [one.again for one in invited].count(False) == 2, "an email each time"


# what is refused


def test_who_may_ask_whom(runtime, table) -> None:
    table_id = table.table_id
    own, doubled = NewSeat("Bo", address("Bo")), NewSeat("cy", address("Eve"))
    for friend, why in ((own, "your own address"), (doubled, "this name already")):
        with pytest.raises(Refused, match=why):
            ask(table, BO, friend)
    assert not table.seats[BO].away, "nothing has changed"
    link = ask(table, BO, NewSeat("Friend", address("Cy")))
    with pytest.raises(Refused, match="You play at this table yourself"):
        accept(runtime, link, "Friend")
    offer(table, BO, NewSeat("Emil", address("Emil")))
    with pytest.raises(seating.SeatGone):
        accept(runtime, link, "Friend")
    with pytest.raises(Refused, match="The host has offered your seat to Emil"):
        ask(table)
    link = lend(table, DI)
    other = ask(table, CY)
    with pytest.raises(Refused, match="You play at this table yourself"):
        accept(runtime, other)
    with pytest.raises(Refused, match="You play for Di here"):
        away.ask(runtime, link.player_id, table_id, NewSeat("Fay", address("Fay")), runtime.now())
    with pytest.raises(seating.SeatGone):
        away.ask(runtime, 99, table_id, EVE, runtime.now())
    end_game(runtime, table_id)
    with pytest.raises(Refused, match="No game is played"):
        ask(table, CY)


def test_an_owner_ending_all_access_returns_by_fresh_links_only(runtime, table) -> None:
    bo, link = table.seats[BO].player_id, lend(table)
    old = SeatLink(link.table_id, BO, bo)
    hers = seat_link(runtime, link.table_id, BO)
    ask_all(runtime)
    with changing.games(runtime, runtime.now()) as transaction:
        player, games = access.lock_player_and_games(transaction.session, bo)
        access.end_all_access(transaction.session, player, runtime.now())
        access.ask_again(transaction, bo, games, with_friends=True)
    assert [status(runtime, one) for one in (old, hers)] == [410, 410]
    assert status(runtime, link_of(table.seats[BO], bo)) == 403
    assert asked(runtime, link.player_id) == [LetterKind.TURNS], "the friend is asked anew"


# by mail, and at the same moment


def test_one_word_by_mail_takes_the_seat_back(runtime, table) -> None:
    bo, sent = table.seats[BO].player_id, question(runtime, "Bo")
    lend(table)
    answer(runtime, sent, mail("Bo", "QS"))
    assert table.seats[BO].name == "Eve (Bo)"
    answer(runtime, sent, mail("Bo", "back"))
    assert table.seats[BO].player_id == bo
    assert "Your turns come to you again" in mail_texts(runtime, LetterKind.ANSWER, bo)[-1]


def test_the_owners_click_mutes_the_lent_seat_and_is_undone(runtime, table) -> None:
    bo, link = table.seats[BO].player_id, lend(table)
    stops = UnsubscribeLink(link.table_id, BO, bo)
    for undone in (True, False):
        preferences.unsubscribe(runtime, stops, runtime.now())
        row = table.seats[BO]
        assert (row.player_id, row.mails, row.lent.mails) == (link.player_id, True, False)
        if undone:
            preferences.undo_unsubscribe(runtime, stops, runtime.now())
            assert table.seats[BO].lent.mails
    preferences.give_back(runtime, link.table_id, link.player_id, runtime.now())
    row = table.seats[BO]
    assert (row.player_id, row.mails, row.away) == (bo, False, True)
    assert mail_texts(runtime, LetterKind.DECLINED, bo) == []


def test_a_friend_who_mutes_the_table_keeps_the_seat(runtime, table) -> None:
    link = lend(table)
    preferences.unsubscribe(runtime, UnsubscribeLink(link.table_id, BO, link.player_id), runtime.now())
    row = table.seats[BO]
    assert (row.player_id, row.mails, row.away) == (link.player_id, False, False)
    (text,) = mail_texts(runtime, LetterKind.MUTED, link.player_id)
    assert "/leave/" not in text, "the seat is not theirs to give away"


def test_a_lent_seat_returns_at_its_date(runtime, table) -> None:
    bo, until = table.seats[BO].player_id, runtime.now() + timedelta(days=3)
    away.ask(runtime, bo, table.table_id, EVE, runtime.now(), until)
    accept(runtime, InvitationLink(table.table_id, BO, table.seats[BO].offered_to))
    table.pass_all([BO])
    assert table.seats[BO].away_until == until, "a turn of the friend changes nothing"
    runtime.now.at = until - timedelta(seconds=1)
    away.end_due(runtime, runtime.now())
    assert table.seats[BO].stands_in_for == bo
    runtime.now.at = until
    away.end_due(runtime, runtime.now())
    row = table.seats[BO]
    assert (row.player_id, row.stands_in_for, row.away, row.away_until) == (bo, None, False, None)


def test_a_simultaneous_return_and_friends_card_happen_in_turn(either_runtime) -> None:
    runtime = either_runtime
    table = start_game(runtime)
    table.pass_all()
    number = int(table.game.to_act[0])
    owner = table.seats[number].player_id
    link = lend(table, number)
    races = 0
    while races < 3:
        stored = table.stored
        if stored.game.stage is not Stage.PLAY or stored.game.to_act != (number,):
            table.play_first()
            continue
        if table.seats[number].player_id == owner:
            runtime.now.pass_by(SECOND)
            accept(runtime, ask(table, number))
        races, turns = races + 1, stored.row.turns

        def play(stored=stored):
            turn = Play(Seat(number), next(iter(legal(stored.game, Seat(number)))))
            due = due_of(stored.game, Seat(number))
            who = (runtime.now(), None, link.player_id)
            return taking.take_turn(runtime, table.game_id, due, turn, TurnSource.PAGE, *who)

        played, back = at_once(play, lambda: come_back(runtime, link, owner))
        assert back is None
        row = table.seats[number]
        assert (row.player_id, row.stands_in_for, row.away) == (owner, None, False)
        after = table.stored
        returned_after = after.row.earlier[-1].turns
        if isinstance(played, LookupError):
            assert (after.row.turns, returned_after) == (turns, turns), "the owner was faster, and is asked"
            leave(runtime)
            assert asked(runtime, owner)
        else:
            assert after.row.turns >= returned_after > turns
    check_replays(table)


def test_an_owner_replying_with_a_card_learns_who_plays(runtime, table) -> None:
    owner = table.seats[BO].player_id
    letter = question(runtime, "Bo")
    lend(table)
    row = answer(runtime, letter, mail("Bo", "QS, KS, AS"))
    assert row.outcome == "Somebody plays for you."
    postman.deliver(runtime)
    (told,) = [one for one in letters(runtime, LetterKind.ANSWER) if one.player_id == owner]
    assert told.state is LetterState.KEPT
    assert "Eve plays for you" in told.subject
    text = composed(runtime, told)["plain"].replace('"hand 2 QS"', "")  # an example
    assert not re.search(r"\b[2-9TJQKA][CDSH]\b", text), "it names no card of the hand"
    answer(runtime, letter, mail("Bo", "back"))
    assert table.seats[BO].player_id == owner


def test_the_owner_whose_reply_meets_the_friends_yes_is_told(runtime, table, monkeypatch) -> None:
    letter = question(runtime, "Bo")

    def read_as_the_friend_accepts(*known):
        lend(table)
        return read(*known)

    monkeypatch.setattr(acting, "read", read_as_the_friend_accepts)
    row = answer(runtime, letter, mail("Bo", typed_pass(table, BO)))
    assert row.outcome == "Somebody plays for you."
    assert [one.reason for one in letters(runtime, LetterKind.ANSWER)] == [Reason.LENT]
    assert Seat(BO) in table.game.to_act, "and nothing was passed"
