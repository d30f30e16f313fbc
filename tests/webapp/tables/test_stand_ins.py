"""A friend plays for a player who is away: asked, seated, and gone when the player is back."""

import random
import re
from datetime import timedelta

import pytest

from hearts.cards import card_text
from hearts.game import Stage, legal
from hearts.rules import preset_rules
from hearts.seats import Seat
from hearts.turns import Play
from tests.answers import answer, mail, question
from tests.cast import (
    PACE,
    address,
    ask_all,
    dump,
    letters,
    load,
    miss_deadline,
    play_first,
    play_hand,
    play_link,
    seat_link,
    seats,
    start_game,
    turn_link,
)
from tests.playing import pass_all, pass_lowest
from tests.races import at_once, check_replays
from tests.side_by_side import hand, play_in
from tests.webapp.accounts.signed_in import browser_of
from tests.webapp.tables.hosted import (
    ANN,
    BO,
    CY,
    DI,
    EVE,
    accept,
    composed,
    first_pass,
    give,
    host_of,
    last_decision,
    offer,
    seat_of,
    status,
    table_of,
)
from webapp import service
from webapp.accounts import access
from webapp.core.refusal import Refused
from webapp.core.tokens import (
    AgainLink,
    HandOverLink,
    HostLink,
    InvitationLink,
    PreferencesLink,
    SeatLink,
    UnsubscribeLink,
)
from webapp.forms.opening import NewSeat
from webapp.games import shares, store
from webapp.games.due import Due, due_of
from webapp.games.links import seat_link as link_of
from webapp.games.vacation import days_left, vacation_of
from webapp.kinds import QUESTIONS
from webapp.models import GameState, LetterKind, LetterState, PlayerRow, SeatState, TurnSource
from webapp.outbox.letters import unsubscribe_link
from webapp.players import away, preferences, vacation
from webapp.site import make_site
from webapp.tables import again, hosting, seating, stand_ins
from worker import postman

SECOND = timedelta(seconds=1)


def ask(runtime, game_id, number=BO, friend=EVE) -> InvitationLink:
    """The player of the seat goes away and asks a friend. Returns the link by which the friend answers."""
    table_id, player_id = table_of(runtime, game_id), seat_of(runtime, game_id, number).player_id
    stand_ins.ask(runtime, player_id, table_id, friend, runtime.now())
    return InvitationLink(table_id, number, seat_of(runtime, game_id, number).offered_to or 0)


def lend(runtime, game_id, number=BO) -> InvitationLink:
    """Eve plays for the player of the seat. Returns the link by which she took it."""
    link = ask(runtime, game_id, number)
    accept(runtime, link)
    return link


def come_back(runtime, link, owner) -> None:
    preferences.set_away(runtime, link.table_id, link.seat, away=False, now=runtime.now(), player_id=owner)


def told(runtime, kind: LetterKind, player_id: int) -> list[str]:
    """The mails of that kind to the player that go out, as text."""
    waiting = (LetterState.QUEUED, LetterState.HELD)
    mine = [one for one in letters(runtime, kind) if one.player_id == player_id and one.state in waiting]
    return [composed(runtime, one)["plain"] for one in mine]


def asked(runtime, player_id: int) -> list[LetterKind]:
    """The questions that wait for the player."""
    waiting = {LetterState.QUEUED, LetterState.HELD}
    mine = [one for one in letters(runtime) if one.player_id == player_id and one.kind in QUESTIONS]
    return [one.kind for one in mine if one.state in waiting]


def shown(runtime, link) -> str:
    return " ".join(make_site(runtime).test_client().get(runtime.signer.local_url(link)).text.split())


# asked, seated, and back


def test_a_robot_plays_until_the_friend_accepts_who_then_has_the_seat_at_once(runtime, game_id) -> None:
    bo = seat_of(runtime, game_id, BO).player_id
    link = ask(runtime, game_id)
    row = seat_of(runtime, game_id, BO)
    assert (row.name, row.away, load(runtime, game_id).row.wake_at) == ("Bo", True, runtime.now())
    ask(runtime, game_id)
    (invited,) = told(runtime, LetterKind.INVITATION, link.player_id)[:-1]
    assert "Bo is away, and asks you to play for them." in invited
    assert "Bo asks you to play for them" in shown(runtime, link)
    service.play_for_absent(runtime, game_id)
    assert load(runtime, game_id).records[-1].source is TurnSource.ORDER
    pass_all(runtime, game_id, (ANN, CY, DI))
    preferences.set_away(runtime, link.table_id, BO, away=True, now=runtime.now())
    hand = load(runtime, game_id).game.held[BO]
    accept(runtime, link)
    accept(runtime, link)
    row = seat_of(runtime, game_id, BO)
    assert (row.player_id, row.stands_in_for, row.state) == (link.player_id, bo, SeatState.ACCEPTED)
    assert (row.name, row.away, row.offered_to) == ("Eve for Bo", False, None)
    assert load(runtime, game_id).game.held[BO] == hand
    (lent,) = told(runtime, LetterKind.REPLACED, bo)
    assert "Hello Bo, Eve has said yes, and plays your seat" in lent
    assert "Eve for Bo" in shown(runtime, seat_link(runtime, link.table_id, ANN))
    while load(runtime, game_id).game.to_act != (BO,):
        play_first(runtime, game_id)
    assert asked(runtime, link.player_id) == [LetterKind.TURN]
    assert asked(runtime, bo) == []


def test_the_player_takes_the_seat_back_at_once_and_the_friends_links_die(runtime, game_id, client) -> None:
    bo, url = seat_of(runtime, game_id, BO).player_id, runtime.signer.local_url
    old = [url(turn_link(runtime, game_id, BO)), url(seat_link(runtime, table_of(runtime, game_id), BO))]
    old.append(url(play_link(runtime, game_id, BO)))
    link = lend(runtime, game_id)
    hers = [turn_link(runtime, game_id, BO), seat_link(runtime, link.table_id, BO), play_link(runtime, game_id, BO)]
    assert [status(runtime, one) for one in hers] == [200, 200, 200]
    ways = set()
    for at in old:
        page = client.get(at)
        assert page.status_code == 403
        assert "Eve plays for you" in page.text
        ways |= set(re.findall(r'action="([^"]+)"', page.text))
    (way,) = ways
    assert client.post(old[0], data={"card": ["2C"]}).status_code == 403, "a card of before is not played"
    assert seat_of(runtime, game_id, BO).player_id == link.player_id, "looking brings nobody back"
    assert client.post(way).status_code == 303
    row = seat_of(runtime, game_id, BO)
    assert (row.player_id, row.name, row.state) == (bo, "Bo", SeatState.ACCEPTED)
    assert (row.away, row.stands_in_for, row.lent) == (False, None, None)
    assert asked(runtime, bo) == [LetterKind.PASS]
    assert asked(runtime, link.player_id) == []
    assert [status(runtime, one) for one in hers] == [403, 403, 403]
    turn, who = first_pass(load(runtime, game_id), BO), {"player_id": link.player_id}
    with pytest.raises(LookupError):
        service.take_turn(runtime, game_id, Due(1, "pass"), turn, TurnSource.PAGE, runtime.now(), **who)
    assert client.get(old[1]).status_code == 200
    (sorry,) = told(runtime, LetterKind.REPLACED, link.player_id)
    assert "Hello Eve, Bo is back at Table" in sorry
    before = dump(runtime)["seat"]
    come_back(runtime, link, bo)
    preferences.give_back(runtime, link.table_id, bo, runtime.now())
    with pytest.raises(seating.SeatGone):
        accept(runtime, link)
    assert dump(runtime)["seat"] == before


def test_the_history_names_who_played_and_the_points_stay_with_the_seat(runtime, game_id) -> None:
    bo = seat_of(runtime, game_id, BO).player_id
    play_hand(runtime, game_id)
    link = lend(runtime, game_id)
    play_hand(runtime, game_id)
    come_back(runtime, link, bo)
    stored = load(runtime, game_id)
    assert [stored.names_of_hand(hand)[BO] for hand in (1, 2, 3)] == ["Bo", "Eve for Bo", "Bo"]
    assert [stored.has_played(Seat(BO), hand) for hand in (1, 2)] == [True, False]
    assert [change["player"] for change in stored.row.earlier] == [bo, link.player_id]
    last = [change["turns"] for change in stored.row.earlier]
    assert [stored.has_chosen(Seat(BO), number) for number in (last[0], last[0] + 1, last[1], last[1] + 1)] == [
        *(True, False, False, True),
    ]


def test_a_shared_result_does_not_reveal_that_a_player_was_away(runtime, game_id) -> None:
    link = lend(runtime, game_id)
    play_hand(runtime, game_id)
    for number, name in ((ANN, "Bo"), (BO, "Eve")):
        own = seat_link(runtime, link.table_id, number)
        shares.share(runtime, own, game_id, runtime.now(), names=True)
        with runtime.database.reading() as session:
            row = shares.share_of(session, game_id, own.player_id)
            assert shares.shared_game(session, row).names == ["Ann", name, "Cy", "Di"]


def test_two_long_names_are_shortened_to_the_length_of_one(either_runtime) -> None:
    game_id = start_game(either_runtime)
    accept(either_runtime, ask(either_runtime, game_id), "Everlasting " * 3 + "Eve!")
    come_back(either_runtime, seat_link(either_runtime, 1, BO), seat_of(either_runtime, game_id, BO).stands_in_for)
    (change,) = load(either_runtime, game_id).row.earlier[1:]
    assert change["name"] == "Everlasting Ever… for Bo"


@pytest.mark.parametrize("gone", ["gives back", "goes away", "unsubscribes", "is unreachable", "misses"])
def test_without_the_friend_a_robot_plays_until_the_player_is_back(runtime, game_id, gone) -> None:
    bo = seat_of(runtime, game_id, BO).player_id
    link = lend(runtime, game_id)
    if gone == "gives back":
        preferences.give_back(runtime, link.table_id, link.player_id, runtime.now())
        preferences.give_back(runtime, link.table_id, bo, runtime.now())
    elif gone == "goes away":
        preferences.set_away_everywhere(runtime, link.player_id, away=True, now=runtime.now())
    elif gone == "unsubscribes":
        (sent,) = [one for one in letters(runtime, LetterKind.PASS) if one.player_id == link.player_id]
        with runtime.database.reading() as session:
            stops = unsubscribe_link(sent, session.get_one(PlayerRow, link.player_id))
        preferences.unsubscribe(runtime, stops, runtime.now())
    elif gone == "is unreachable":
        away.stop_waiting_for(runtime, link.player_id, runtime.now())
    else:
        pass_all(runtime, game_id, (ANN, CY, DI))
        miss_deadline(runtime, game_id)
        assert seat_of(runtime, game_id, BO).player_id == link.player_id
        while load(runtime, game_id).game.to_act != (BO,):
            play_first(runtime, game_id)
        miss_deadline(runtime, game_id)
        (sorry,) = told(runtime, LetterKind.REPLACED, link.player_id)
        assert "Two deadlines in a row have passed at Table" in sorry
    row = seat_of(runtime, game_id, BO)
    assert (row.player_id, row.name, row.away, row.mails, row.stands_in_for) == (bo, "Bo", True, True, None)
    assert len(told(runtime, LetterKind.REPLACED, link.player_id)) == (gone == "misses")
    (sorry,) = told(runtime, LetterKind.DECLINED, bo)
    assert "Eve can't play for you at Table" in sorry
    assert asked(runtime, link.player_id) == asked(runtime, bo) == []
    if gone != "misses":
        assert service.play_for_absent(runtime, game_id) == 1
        assert load(runtime, game_id).records[-1].source is TurnSource.ORDER


def test_a_friend_who_declines_is_told_to_the_player_and_not_to_the_host(runtime, game_id, client) -> None:
    bo, link = seat_of(runtime, game_id, BO).player_id, ask(runtime, game_id)
    left = client.post(runtime.signer.local_url(link), data={"answer": "decline"})
    assert "We tell Bo." in left.text
    assert [one.player_id for one in letters(runtime, LetterKind.DECLINED)] == [bo]
    assert seat_of(runtime, game_id, BO).offered_to is None
    come_back(runtime, link, bo)
    postman.deliver(runtime)
    assert [one.state for one in letters(runtime, LetterKind.DECLINED)] == [LetterState.SUPERSEDED], "Bo is back"


@pytest.mark.parametrize("how", ["a tap", "a turn", "a mail", "the end"])
def test_a_friend_who_answers_too_late_gets_no_seat_and_can_be_asked_again(runtime, game_id, how) -> None:
    bo, link = seat_of(runtime, game_id, BO).player_id, ask(runtime, game_id)
    if how == "a tap":
        come_back(runtime, link, bo)
    elif how == "a turn":
        pass_lowest(runtime, game_id, BO)
    elif how == "a mail":
        preferences.mail_again(runtime, game_id, Seat(BO), due_of(load(runtime, game_id).game, Seat(BO)), runtime.now())
    else:
        hosting.end_game(runtime, host_of(runtime, link.table_id), runtime.now())
    assert seat_of(runtime, game_id, BO).offered_to is None
    with pytest.raises(seating.SeatGone):
        accept(runtime, link)
    if how != "the end":
        runtime.now.pass_by(SECOND)
        ask(runtime, game_id)
        accept(runtime, link)
        assert seat_of(runtime, game_id, BO).name == "Eve for Bo"
        invited = [one for one in letters(runtime, LetterKind.INVITATION) if one.player_id == link.player_id]
        assert [one.again for one in invited].count(False) == 2, "a mail each time"


# hands side by side, and vacation days


def asked_in(runtime, player_id: int) -> list[int]:
    """The hands in which a question waits for the player."""
    waiting = {LetterState.QUEUED, LetterState.HELD}
    mine = [one for one in letters(runtime) if one.player_id == player_id and one.kind in QUESTIONS]
    return sorted(one.hand for one in mine if one.state in waiting)


def until_asked(runtime, game_id, number, rng) -> None:
    """The others play until that hand asks Bo's seat."""
    while BO not in (one := hand(runtime, game_id, number)).game.to_act:
        play_in(runtime, one, rng)


def test_the_friend_and_then_the_player_is_asked_in_each_of_the_hands_side_by_side(runtime) -> None:
    game_id, rng = start_game(runtime, at_once=4), random.Random(1)
    bo, hands = seat_of(runtime, game_id, BO).player_id, [1, 2, 3, 4]
    while hand(runtime, game_id, 2).game.stage is Stage.PASS:
        play_in(runtime, hand(runtime, game_id, 2), rng)
    link = ask(runtime, game_id)
    assert service.play_for_absent(runtime, game_id) >= 2, "a robot passes"
    for number in hands:
        until_asked(runtime, game_id, number, rng)
    runtime.now.pass_by(timedelta(hours=5))
    accept(runtime, link)
    assert asked_in(runtime, link.player_id) == hands
    assert service.play_for_absent(runtime, game_id) == 0, "the robot plays in none of them any more"
    assert {one.clock.due_at for one in load(runtime, game_id).open_hands()} == {runtime.now() + PACE}
    for number in (1, 3):
        turn = Play(Seat(BO), next(iter(legal(hand(runtime, game_id, number).game, Seat(BO)))))
        due = due_of(hand(runtime, game_id, number).game, Seat(BO))
        who = {"player_id": link.player_id}
        service.take_turn(runtime, game_id, due, turn, TurnSource.PAGE, runtime.now(), **who)
    until_asked(runtime, game_id, 1, rng)
    if BO in hand(runtime, game_id, 3).game.to_act:
        play_in(runtime, hand(runtime, game_id, 3), rng)
    assert asked_in(runtime, link.player_id) == [1, 2, 4]
    runtime.now.pass_by(timedelta(hours=1))
    come_back(runtime, link, bo)
    assert (asked_in(runtime, link.player_id), asked_in(runtime, bo)) == ([], [1, 2, 4])
    dues = {one.game.hand: one.clock.due_at for one in load(runtime, game_id).open_hands()}
    assert {dues[number] for number in (1, 2, 4)} == {runtime.now() + PACE}
    assert service.play_for_absent(runtime, game_id) == 0
    check_replays(runtime, game_id)


def test_the_vacation_days_are_the_players_and_a_friend_has_none(runtime, game_id) -> None:
    bo, table_id = seat_of(runtime, game_id, BO).player_id, table_of(runtime, game_id)
    with runtime.database.writing() as session:
        store.load(session, game_id).table.vacation_days = 3
    vacation.take_vacation(runtime, bo, table_id, 2, runtime.now())
    taken = vacation_of(seat_of(runtime, game_id, BO))
    link = ask(runtime, game_id)
    service.play_for_absent(runtime, game_id)
    pass_all(runtime, game_id, (ANN, CY, DI))
    while load(runtime, game_id).game.to_act != (BO,):
        play_first(runtime, game_id)
    accept(runtime, link)
    stored = load(runtime, game_id)
    assert (stored.row.due_at, days_left(stored.table, stored.seats[BO])) == (runtime.now() + PACE, 0)
    for change in (vacation.end_vacation, lambda *to: vacation.take_vacation(*to[:-1], 1, to[-1])):
        with pytest.raises(Refused, match="the vacation days are theirs"):
            change(runtime, link.player_id, table_id, runtime.now())
    assert miss_deadline(runtime, game_id) > 0, "no day is taken for the friend"
    assert seat_of(runtime, game_id, BO).missed == 1
    come_back(runtime, link, bo)
    stored = load(runtime, game_id)
    assert (vacation_of(stored.seats[BO]), days_left(stored.table, stored.seats[BO])) == (taken, 1)


# the game's end, and the host


def test_at_the_end_of_the_game_the_seat_is_the_players_who_may_play_again(runtime, client) -> None:
    game_id = start_game(runtime, rules=preset_rules("classic", target=10))
    ann, table_id = seat_of(runtime, game_id, ANN).player_id, table_of(runtime, game_id)
    host = HostLink(table_id, ann)
    link = lend(runtime, game_id, ANN)
    assert status(runtime, host) == 403, "nobody hosts meanwhile"
    assert status(runtime, seat_link(runtime, table_id, BO)) == 200
    assert "hosts" not in shown(runtime, seat_link(runtime, table_id, ANN))
    code = shown(runtime, seat_link(runtime, table_id, BO)).split("Table ")[1][:5]
    assert client.get(f"/lobby/{code}").status_code == 409, "the game is being played"
    play_hand(runtime, game_id)
    stored = load(runtime, game_id)
    assert stored.row.state is GameState.OVER
    row = stored.seats[ANN]
    assert (row.player_id, row.name, row.state, row.away) == (ann, "Ann", SeatState.HOST, False)
    assert stored.names_of_hand(1)[ANN] == "Eve for Ann"
    final = [one for one in letters(runtime, LetterKind.FINAL_SHEET) if one.state is LetterState.QUEUED]
    assert {one.player_id for one in final} == {seat.player_id for seat in stored.seats}
    assert len(told(runtime, LetterKind.SCORE_SHEET, link.player_id)) == 1
    (over,) = told(runtime, LetterKind.REPLACED, link.player_id)
    assert "Thank you for playing for Ann." in over
    for seat in seats(runtime, table_id):
        again.agree(runtime, AgainLink(table_id, seat.seat, seat.player_id or 0, 1), runtime.now())
    assert load(runtime, game_id + 1).names == ["Ann", "Bo", "Cy", "Di"]
    assert status(runtime, host) == 200


def test_every_sheet_of_a_game_that_is_over_ranks_the_player_whose_seat_the_friend_played(runtime) -> None:
    game_id = start_game(runtime, rules=preset_rules("classic", target=10))
    link = lend(runtime, game_id)
    play_hand(runtime, game_id)
    assert load(runtime, game_id).row.state is GameState.OVER
    ann = seat_of(runtime, game_id, ANN).player_id
    for kind in (LetterKind.SCORE_SHEET, LetterKind.FINAL_SHEET):
        (sheet,) = told(runtime, kind, ann)
        assert re.search(r"\d\. Bo: \d", sheet)
        assert "Eve for Bo:" not in sheet
    (hers,) = told(runtime, LetterKind.SCORE_SHEET, link.player_id)
    assert re.search(r"\d\. Bo: \d", hers)


def test_a_friend_whose_card_ends_the_game_reads_so(runtime, client) -> None:
    game_id = start_game(runtime, rules=preset_rules("classic", target=10))
    number, card = last_decision(runtime, game_id)
    lend(runtime, game_id, number)
    at = runtime.signer.local_url(turn_link(runtime, game_id, number))
    done = " ".join(client.post(at, data={"card": card_text(card.card)}).text.split())
    assert "again, for whom you have played." in done


def test_an_offer_of_the_host_takes_the_place_of_what_the_player_asked(runtime, game_id) -> None:
    link = ask(runtime, game_id)
    offer(runtime, game_id)
    accept(runtime, link)
    assert seat_of(runtime, game_id, BO).name == "Bo", "until the hand is over"


def test_the_host_cannot_offer_a_lent_seat_and_both_learn_that_a_robot_has_it(runtime, game_id) -> None:
    bo, link = seat_of(runtime, game_id, BO).player_id, lend(runtime, game_id)
    with pytest.raises(Refused, match="Eve plays for Bo until they are back"):
        give(runtime, game_id, BO, NewSeat("Emil", address("Emil")))
    give(runtime, game_id, BO, None)
    row = seat_of(runtime, game_id, BO)
    assert (row.player_id, row.stands_in_for, row.lent) == (None, None, None)
    for player_id in (bo, link.player_id):
        sent = [one for one in letters(runtime, LetterKind.REPLACED) if one.player_id == player_id]
        assert "has given your seat to a robot" in composed(runtime, sent[-1])["plain"]
    postman.deliver(runtime)
    states = [(one.reason, one.state) for one in letters(runtime, LetterKind.REPLACED)]
    assert states == [("lent", LetterState.SUPERSEDED), (None, LetterState.KEPT), (None, LetterState.KEPT)]


# what is refused


def test_who_may_ask_whom(runtime, game_id) -> None:
    table_id, bo = table_of(runtime, game_id), seat_of(runtime, game_id, BO).player_id
    own, doubled = NewSeat("Bo", address("Bo")), NewSeat("cy", address("Eve"))
    for friend, why in ((own, "your own address"), (doubled, "this name already")):
        with pytest.raises(Refused, match=why):
            ask(runtime, game_id, BO, friend)
    assert not seat_of(runtime, game_id, BO).away, "nothing has changed"
    link = ask(runtime, game_id, BO, NewSeat("Friend", address("Cy")))
    with pytest.raises(Refused, match="You play at this table yourself"):
        accept(runtime, link, "Friend")
    offer(runtime, game_id, BO, NewSeat("Emil", address("Emil")))
    with pytest.raises(seating.SeatGone):
        accept(runtime, link, "Friend")
    with pytest.raises(Refused, match="The host has offered your seat to Emil"):
        ask(runtime, game_id)
    link = lend(runtime, game_id, DI)
    other = ask(runtime, game_id, CY)
    with pytest.raises(Refused, match="You play at this table yourself"):
        accept(runtime, other)
    with pytest.raises(Refused, match="You play for Di here"):
        stand_ins.ask(runtime, link.player_id, table_id, NewSeat("Fay", address("Fay")), runtime.now())
    assert status(runtime, HandOverLink(table_id, DI, link.player_id, bo)) == 200
    with pytest.raises(seating.SeatGone):
        stand_ins.ask(runtime, 99, table_id, EVE, runtime.now())
    hosting.end_game(runtime, host_of(runtime, table_id), runtime.now())
    with pytest.raises(Refused, match="No game is played"):
        ask(runtime, game_id, CY)


def test_an_owner_who_ends_all_access_takes_the_seat_back_by_fresh_links_only(runtime, game_id) -> None:
    bo, link = seat_of(runtime, game_id, BO).player_id, lend(runtime, game_id)
    old = SeatLink(link.table_id, BO, bo)
    hers = seat_link(runtime, link.table_id, BO)
    ask_all(runtime)
    with runtime.database.writing() as session:
        player, games = access.lock_games(session, bo)
        access.end_all_access(session, player, runtime.now())
        access.ask_again(session, runtime, bo, games, runtime.now())
    assert [status(runtime, one) for one in (old, hers)] == [410, 410]
    assert status(runtime, link_of(seat_of(runtime, game_id, BO), bo)) == 403
    assert asked(runtime, link.player_id) == [LetterKind.PASS], "the friend is asked anew"


# by mail, on the pages, and at the same moment


def test_one_word_by_mail_takes_the_seat_back(runtime, game_id) -> None:
    bo, sent = seat_of(runtime, game_id, BO).player_id, question(runtime, "Bo")
    lend(runtime, game_id)
    answer(runtime, sent, mail("Bo", "QS"))
    assert seat_of(runtime, game_id, BO).name == "Eve for Bo"
    answer(runtime, sent, mail("Bo", "back"))
    assert seat_of(runtime, game_id, BO).player_id == bo
    assert "Your turns come to you again" in told(runtime, LetterKind.ANSWER, bo)[-1]


def test_one_click_in_the_owners_mail_mutes_the_lent_seat_and_is_undone_by_coming_back(runtime, game_id) -> None:
    bo, link = seat_of(runtime, game_id, BO).player_id, lend(runtime, game_id)
    stops = UnsubscribeLink(link.table_id, BO, bo)
    preferences.unsubscribe(runtime, stops, runtime.now())
    row = seat_of(runtime, game_id, BO)
    assert (row.player_id, row.mails, row.lent["mails"]) == (link.player_id, True, False)
    preferences.undo_unsubscribe(runtime, stops, runtime.now())
    row = seat_of(runtime, game_id, BO)
    assert (row.player_id, row.mails, row.away) == (bo, True, False)
    runtime.now.pass_by(SECOND)
    lend(runtime, game_id)
    preferences.unsubscribe(runtime, stops, runtime.now())
    preferences.give_back(runtime, link.table_id, link.player_id, runtime.now())
    row = seat_of(runtime, game_id, BO)
    assert (row.player_id, row.mails, row.away) == (bo, False, True)
    assert told(runtime, LetterKind.DECLINED, bo) == []


def test_both_find_their_way_on_their_pages(runtime, game_id) -> None:
    bo, table_id = seat_of(runtime, game_id, BO).player_id, table_of(runtime, game_id)
    owner = browser_of(runtime, bo)
    wishes = runtime.signer.local_url(PreferencesLink(bo))
    form = {"table": str(table_id), "name": "Eve", "address": address("Eve")}
    wrong = owner.post(f"{wishes}/stand-in", data={**form, "address": "eve at home"})
    assert wrong.status_code == 400
    assert 'value="eve at home"' in wrong.text
    assert owner.post(f"{wishes}/stand-in", data={**form, "table": "99"}).status_code == 400
    asking = owner.post(f"{wishes}/stand-in", data=form, follow_redirects=True)
    assert "A robot plays your turns until Eve says yes" in asking.text
    eve = seat_of(runtime, game_id, BO).offered_to
    friend = browser_of(runtime, eve)
    assert "Bo asks you to play for them." in friend.get("/games").text
    (way,) = re.findall(r'href="(/invitation/[^"]+)"', friend.get("/games").text)
    taken = friend.post(way, data={"answer": "accept", "name": "Eve", "time_zone": "UTC"})
    assert "You play for Bo until they are back." in taken.text
    assert "You play for Bo. It is your turn: pass, hand 1." in friend.get("/games").text
    assert "Eve plays for you until you are back." in owner.get("/games").text
    assert "Eve plays for you." in owner.get(wishes).text
    assert address("Eve") not in owner.get(wishes).text
    own_page = runtime.signer.local_url(seat_link(runtime, table_id, BO))
    table = friend.get(own_page).text
    assert "Table settings" not in table
    (back,) = re.findall(r'action="([^"]+/give-back)"', table)
    assert "You don't play for Bo any more" in friend.post(back).text
    assert friend.post(back).status_code == 403
    assert "A robot plays your turns at once." in owner.get(wishes).text
    runtime.now.pass_by(SECOND)
    accept(runtime, ask(runtime, game_id))
    assert owner.post(f"{wishes}/table", data={"table": "all", "want": "back"}).status_code == 303
    row = seat_of(runtime, game_id, BO)
    assert (row.player_id, row.away) == (bo, False)


def test_a_return_and_a_card_of_the_friend_at_the_same_moment_take_effect_one_after_the_other(either_runtime) -> None:
    runtime = either_runtime
    game_id = start_game(runtime)
    pass_all(runtime, game_id)
    number = int(load(runtime, game_id).game.to_act[0])
    owner = seat_of(runtime, game_id, number).player_id
    link = lend(runtime, game_id, number)
    races = 0
    while races < 3:
        stored = load(runtime, game_id)
        if stored.game.stage is not Stage.PLAY or stored.game.to_act != (number,):
            play_first(runtime, game_id)
            continue
        if seat_of(runtime, game_id, number).player_id == owner:
            runtime.now.pass_by(SECOND)
            accept(runtime, ask(runtime, game_id, number))
        races, turns = races + 1, stored.row.turns

        def play(stored=stored):
            turn = Play(Seat(number), next(iter(legal(stored.game, Seat(number)))))
            due = due_of(stored.game, Seat(number))
            who = (runtime.now(), None, link.player_id)
            return service.take_turn(runtime, game_id, due, turn, TurnSource.PAGE, *who)

        played, back = at_once(play, lambda: come_back(runtime, link, owner))
        assert back is None
        row = seat_of(runtime, game_id, number)
        assert (row.player_id, row.stands_in_for, row.away) == (owner, None, False)
        after = load(runtime, game_id)
        returned_after = after.row.earlier[-1]["turns"]
        if isinstance(played, LookupError):
            assert (after.row.turns, returned_after) == (turns, turns), "the owner was faster, and is asked"
            assert asked(runtime, owner)
        else:
            assert after.row.turns >= returned_after > turns
    check_replays(runtime, game_id)
