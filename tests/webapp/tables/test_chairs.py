"""Seats that a host gives away or offers: who has them then, and what becomes of links and mails.

What nobody sees of a hand that was dealt to somebody else is in `test_between_hands`.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier

import pytest

from hearts.cards import card_text
from hearts.robot import Level
from tests.answers import answer, first_cards, question
from tests.answers import mail as typed
from tests.cast import (
    NAMES,
    PACE,
    address,
    dump,
    letters,
    load,
    open_table,
    play_hand,
    seat_link,
    seats,
    start_game,
    turn_link,
)
from tests.webapp.tables.hosted import (
    ANN,
    BO,
    CY,
    DI,
    EVE,
    HOUR,
    accept,
    composed,
    first_pass,
    give,
    hand_over,
    host_of,
    offer,
    seat_of,
    status,
    table_of,
    take_at_once,
    waiting,
)
from webapp import service
from webapp.core.refusal import Refused
from webapp.core.tokens import HostLink, InvitationLink, LinkInvalid, UnsubscribeLink
from webapp.forms.opening import OPEN_CHAIR, Chair
from webapp.games.due import Due
from webapp.models import (
    LetterKind,
    LetterState,
    PlayerRow,
    SeatRow,
    SeatState,
    Talk,
    Way,
)
from webapp.players import preferences
from webapp.site import make_site
from webapp.tables import hosting, seating
from webapp.tables.hosting import Given, Manners
from worker import postman


@pytest.fixture
def game_id(parts) -> int:
    return start_game(parts)


def test_a_robot_has_the_chair_at_once_and_goes_on_from_the_same_cards(parts, game_id) -> None:
    held, bo = load(parts, game_id).game.held[BO], seat_of(parts, game_id, BO).player_id
    assert give(parts, game_id, BO, None) is Given.ROBOT
    stored = load(parts, game_id)
    assert (stored.seats[BO].state, stored.seats[BO].player_id) == (SeatState.ROBOT, None)
    assert stored.game.held[BO] == held
    assert stored.row.wake_at == parts.now(), "the robot's turn"
    assert service.play_for_absent(parts, game_id) == 1
    assert load(parts, game_id).records[-1].way is Way.ROBOT
    assert [letter.player_id for letter in letters(parts, LetterKind.REPLACED)] == [bo]


def test_whoever_has_lost_her_chair_is_told_once_and_shown_no_card(parts, game_id) -> None:
    postman.deliver(parts)
    give(parts, game_id, BO, None)
    give(parts, game_id, BO, None)
    postman.deliver(parts)
    (told,) = letters(parts, LetterKind.REPLACED)
    assert told.state is LetterState.KEPT
    assert "Hello Bo," in told.message
    assert not {"♠", "♥", "♦", "♣"} & set(told.message)


def test_what_waits_for_whoever_has_lost_her_chair_is_not_sent(parts, game_id) -> None:
    give(parts, game_id, BO, None)
    postman.deliver(parts)
    assert {letter.state for letter in letters(parts, LetterKind.PASS) if letter.seat == BO} == {LetterState.SUPERSEDED}
    assert waiting(parts, LetterKind.REMINDER) == [ANN, ANN, CY, CY, DI, DI]


def test_whoever_wanted_no_mails_of_the_table_is_not_told(parts, game_id) -> None:
    preferences.set_mails(parts, table_of(parts, game_id), BO, mails=False, now=parts.now())
    give(parts, game_id, BO, None)
    assert letters(parts, LetterKind.REPLACED) == []


def test_an_offer_changes_nothing_for_whoever_plays_until_it_is_accepted(parts, game_id) -> None:
    before, bos = load(parts, game_id), turn_link(parts, game_id, BO)
    offer(parts, game_id)
    after = load(parts, game_id)
    assert (after.row.due_at, after.row.wake_at, after.records) == (
        before.row.due_at,
        before.row.wake_at,
        before.records,
    )
    assert after.seats[BO].name == "Bo"
    assert turn_link(parts, game_id, BO) == bos
    assert letters(parts, LetterKind.REPLACED) == []


def test_whoever_is_handed_a_seat_takes_it_as_it_is_and_is_asked_with_her_whole_time(either_parts) -> None:
    parts = either_parts
    game_id = start_game(parts)
    postman.deliver(parts)
    held = load(parts, game_id).game.held[BO]
    parts.now.pass_by(6 * HOUR)
    with parts.database.writing() as rows:
        row = rows.get_one(SeatRow, (table_of(parts, game_id), BO))
        row.away, row.missed, row.here_at = True, 2, parts.now()
    take_at_once(parts, game_id)
    stored = load(parts, game_id)
    bo = stored.seats[BO]
    assert (bo.name, bo.state, bo.away, bo.missed, bo.mails, bo.here_at) == (
        *("Eve", SeatState.ACCEPTED),
        *(False, 0, True, None),
    )
    assert (bo.offered_to, bo.offered_name, bo.offer_state) == (None, None, None)
    assert stored.game.held[BO] == held
    assert stored.row.due_at == parts.now() + PACE
    asked = [letter for letter in letters(parts, LetterKind.PASS) if letter.seat == BO]
    assert [letter.player_id == bo.player_id for letter in asked] == [False, True]
    assert asked[1].thread_id is None, "not in the thread of mails that somebody else has"
    assert len(letters(parts, LetterKind.REPLACED)) == 1
    postman.deliver(parts)
    asked = [letter for letter in letters(parts, LetterKind.PASS) if letter.seat == BO]
    assert [letter.state for letter in asked] == [LetterState.KEPT] * 2


def test_the_links_of_whoever_has_lost_her_chair_open_nothing(parts, game_id) -> None:
    old = [turn_link(parts, game_id, BO), seat_link(parts, table_of(parts, game_id), BO)]
    assert [status(parts, link) for link in old] == [200, 200]
    take_at_once(parts, game_id)
    assert [status(parts, link) for link in old] == [403, 403]
    cards = list(map(card_text, first_cards(parts, game_id, BO)))
    before = dump(parts)
    assert make_site(parts).test_client().post(parts.signer.local_url(old[0]), data={"card": cards}).status_code == 403
    assert dump(parts) == before
    assert status(parts, turn_link(parts, game_id, BO)) == 200, "that of whoever has it now"


def test_a_link_that_names_nobody_opens_nothing_once_the_chair_has_changed_hands(parts, game_id) -> None:
    link = replace(turn_link(parts, game_id, BO), player_id=0)
    assert status(parts, link) == 200
    take_at_once(parts, game_id)
    assert status(parts, link) == 403
    form = {"card": list(map(card_text, first_cards(parts, game_id, BO)))}
    before = dump(parts)
    assert make_site(parts).test_client().post(parts.signer.local_url(link), data=form).status_code == 403
    assert dump(parts) == before


@pytest.mark.parametrize("word", ["the cards", "away", "help"])
def test_an_answer_by_mail_of_whoever_has_lost_her_chair_does_nothing(parts, game_id, word) -> None:
    letter = question(parts, "Bo")
    take_at_once(parts, game_id)
    records = load(parts, game_id).records
    cards = " ".join(map(card_text, first_cards(parts, game_id, BO)))
    answered = answer(parts, letter, typed("Bo", cards if word == "the cards" else word))
    assert load(parts, game_id).records == records
    assert not seat_of(parts, game_id, BO).away
    assert "Somebody else has the chair" in answered.outcome
    assert letters(parts, LetterKind.ANSWER) == []


def test_an_answer_read_before_and_played_after_the_chair_changed_hands_plays_nothing(parts, game_id) -> None:
    bo = seat_of(parts, game_id, BO).player_id
    take_at_once(parts, game_id)
    stored = load(parts, game_id)
    turn = first_pass(stored, BO)
    with pytest.raises(LookupError):
        service.take_turn(parts, game_id, Due(1, "pass"), turn, Way.REPLY, parts.now(), player_id=bo)


def test_whoever_gets_her_chair_back_is_not_told_that_she_lost_it(parts, game_id) -> None:
    give(parts, game_id, BO, None)
    give(parts, game_id, BO, Chair("Bo", address("Bo")))
    bo = seat_of(parts, game_id, BO).offered_to or 0
    accept(parts, InvitationLink(table_of(parts, game_id), BO, bo), "Bo")
    play_hand(parts, game_id)
    postman.deliver(parts)
    assert [letter.state for letter in letters(parts, LetterKind.REPLACED)] == [LetterState.SUPERSEDED]
    asked = [letter for letter in letters(parts, LetterKind.PASS) if letter.seat == BO]
    assert [(letter.hand, letter.state) for letter in asked] == [(1, LetterState.SUPERSEDED), (2, LetterState.KEPT)]


def test_a_robots_chair_can_be_offered_to_a_friend_who_comes_late(parts) -> None:
    game_id = start_game(parts, NAMES[:3], robots=1)
    accept(parts, offer(parts, game_id, DI))
    assert seat_of(parts, game_id, DI).state is SeatState.ROBOT
    play_hand(parts, game_id)
    assert seat_of(parts, game_id, DI).state is SeatState.ACCEPTED
    assert [letter.seat for letter in letters(parts, LetterKind.PASS)] == [ANN, BO, CY, ANN, BO, CY, DI]
    assert letters(parts, LetterKind.REPLACED) == [], "robots get no mail"


def test_declining_clears_the_offer_and_tells_the_host(parts, game_id) -> None:
    link = offer(parts, game_id)
    seating.decline(parts, link, parts.now())
    assert seat_of(parts, game_id, BO).offered_to is None
    assert [(letter.seat, letter.about) for letter in letters(parts, LetterKind.DECLINED)] == [(ANN, "Eve")]
    assert seat_of(parts, game_id, BO).state is SeatState.ACCEPTED
    assert "plays on" in composed(parts, letters(parts, LetterKind.DECLINED)[0])["plain"]
    with pytest.raises(seating.SeatGone):
        accept(parts, link)


def test_unsubscribing_from_an_offer_declines_it(parts, game_id) -> None:
    link = offer(parts, game_id)
    preferences.unsubscribe(parts, UnsubscribeLink(link.table_id, link.seat, link.player_id), parts.now())
    assert seat_of(parts, game_id, BO).offered_to is None
    assert seat_of(parts, game_id, BO).player_id != link.player_id


def test_an_offer_that_was_withdrawn_is_not_sent_and_opens_nothing_and_can_be_made_again(parts, game_id) -> None:
    link = offer(parts, game_id)
    host = host_of(parts, link.table_id)
    hosting.withdraw_offer(parts, host, BO, parts.now())
    postman.deliver(parts)
    assert {letter.state for letter in letters(parts, LetterKind.INVITATION) if letter.about == "replace"} == {
        LetterState.SUPERSEDED
    }
    with pytest.raises(seating.SeatGone):
        accept(parts, link)
    offer(parts, game_id)
    postman.deliver(parts)
    sent = [letter for letter in letters(parts, LetterKind.INVITATION) if letter.about == "replace"]
    assert [letter.state for letter in sent] == [LetterState.KEPT]
    accept(parts, link)
    play_hand(parts, game_id)
    assert seat_of(parts, game_id, BO).name == "Eve"


@pytest.mark.parametrize(
    ("number", "chair", "sentence"),
    [
        pytest.param(BO, Chair("cy", address("Eve")), "this name already", id="a name of the table"),
        pytest.param(BO, Chair("Eve", address("Cy")), "sits at the table", id="somebody who sits here"),
        pytest.param(BO, Chair("Eve", address("Bo")), "sits at the table", id="whoever has the chair"),
        pytest.param(BO, OPEN_CHAIR, "Somebody plays on this chair", id="anybody"),
    ],
)
def test_a_chair_cannot_be_offered_to(parts, game_id, number, chair, sentence) -> None:
    before = dump(parts)
    with pytest.raises(Refused, match=sentence):
        give(parts, game_id, number, chair)
    assert dump(parts) == before


def test_a_chair_cannot_be_offered_to_somebody_who_wants_no_invitations(parts, game_id) -> None:
    with parts.database.writing() as rows:
        rows.add(PlayerRow(address=address("Eve"), name="Eve", invitations=False, created_at=parts.now()))
    with pytest.raises(seating.NotInvitable):
        give(parts, game_id, BO, EVE)


def test_nobody_gets_two_chairs(parts, game_id) -> None:
    link = offer(parts, game_id, BO)
    with pytest.raises(Refused, match="is invited to it"):
        give(parts, game_id, CY, EVE)
    with parts.database.writing() as rows:
        rows.get_one(SeatRow, (link.table_id, CY)).offered_to = link.player_id
    accept(parts, link)
    for _ in ("promised to her", "hers"):
        with pytest.raises(seating.SeatGone):
            accept(parts, InvitationLink(link.table_id, CY, link.player_id), "Eve too")
        play_hand(parts, game_id)


def test_the_host_keeps_her_own_chair(parts, game_id) -> None:
    for chair in (None, EVE):
        with pytest.raises(seating.SeatGone):
            give(parts, game_id, ANN, chair)


def test_before_the_game_a_free_chair_is_given_away_by_the_one_path(parts) -> None:
    table_id = open_table(parts)
    host = host_of(parts, table_id)
    assert hosting.give_chair(parts, host, BO, None, parts.now()) is Given.ROBOT
    assert hosting.give_chair(parts, host, CY, EVE, parts.now()) is Given.INVITED
    assert hosting.give_chair(parts, host, DI, OPEN_CHAIR, parts.now()) is Given.OPEN
    assert [seat.state for seat in seats(parts, table_id)[1:]] == [
        *(SeatState.ROBOT, SeatState.INVITED, SeatState.OPEN)
    ]


def test_somebody_is_reminded_once_and_not_within_the_first_hour(parts) -> None:
    table_id = open_table(parts)
    host = host_of(parts, table_id)
    postman.deliver(parts)
    with pytest.raises(Refused, match="within the last hour"):
        hosting.remind(parts, host, BO, parts.now())
    parts.now.pass_by(2 * HOUR)
    hosting.remind(parts, host, BO, parts.now())
    postman.deliver(parts)
    sent = [letter for letter in letters(parts, LetterKind.INVITATION) if letter.seat == BO]
    assert [letter.state for letter in sent] == [LetterState.KEPT] * 2
    with pytest.raises(Refused, match="third time"):
        hosting.remind(parts, host, BO, parts.now())


def test_nobody_but_the_host_changes_anything(parts, game_id) -> None:
    table_id, other = table_of(parts, game_id), table_of(parts, start_game(parts, ("Bo", "Ann", "Cy", "Di")))
    strangers = [HostLink(table_id, seat_of(parts, game_id, BO).player_id or 0), HostLink(99, 1)]
    strangers.append(HostLink(other, host_of(parts, table_id).player_id))
    before, now = dump(parts), parts.now()
    for link in strangers:
        for change in (
            lambda link: hosting.give_chair(parts, link, CY, None, now),
            lambda link: hosting.withdraw_offer(parts, link, CY, now),
            lambda link: hosting.remind(parts, link, CY, now),
            lambda link: hosting.change_pace(parts, link, HOUR, HOUR, now),
            lambda link: hosting.pause(parts, link, paused=True, now=now),
            lambda link: hosting.change_manners(parts, link, Manners(Talk.NONE, True, Level.RULE), now),
            lambda link: hosting.end_game(parts, link, now),
        ):
            with pytest.raises(LinkInvalid):
                change(link)
    assert dump(parts) == before


@pytest.mark.parametrize("round_", range(3))
def test_a_turn_against_a_new_player_is_one_or_the_other(either_parts, round_) -> None:
    parts = either_parts
    game_id = start_game(parts)
    link, bos = offer(parts, game_id), turn_link(parts, game_id, BO)
    hand_over(parts, link)
    turn = first_pass(load(parts, game_id), BO)
    barrier = Barrier(2)

    def play() -> bool:
        barrier.wait()
        try:
            service.take_turn(parts, game_id, Due(1, "pass"), turn, Way.PAGE, parts.now(), player_id=bos.player_id)
        except LookupError:
            return False
        return True

    def take() -> None:
        barrier.wait()
        accept(parts, link)

    with ThreadPoolExecutor(2) as pool:
        played, taken = pool.submit(play), pool.submit(take)
    taken.result()
    assert len(load(parts, game_id).records) == 1 + played.result()
    assert seat_of(parts, game_id, BO).name == "Eve"
    asked = [letter for letter in letters(parts, LetterKind.PASS) if letter.player_id == link.player_id]
    assert len(asked) == (0 if played.result() else 1)
