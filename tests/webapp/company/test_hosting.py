"""What a host changes at her table: chairs, pace, the clock, the end; what follows for the game, links and mails."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from threading import Barrier

import pytest

from hearts.cards import Cards, card_text
from hearts.game import Stage
from hearts.robot import Level
from hearts.rules import preset_rules
from hearts.seats import Seat
from hearts.turns import Pass
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
    play_first,
    play_hand,
    seat_link,
    seats,
    start_game,
    table,
    turn_link,
)
from webapp import service
from webapp.company import again, hosting, tables, talk
from webapp.company.again import Stand
from webapp.company.hosting import Given, Manners
from webapp.due import Due
from webapp.forms.fields import BadField
from webapp.forms.opening import OPEN_CHAIR, Chair
from webapp.models import (
    Frequency,
    GameState,
    LetterKind,
    LetterRow,
    LetterState,
    PlayerRow,
    SeatRow,
    SeatState,
    TableState,
    Talk,
    Way,
)
from webapp.post import presence, wishes
from webapp.post.letters import QUESTIONS
from webapp.site import make_site
from webapp.tokens import AgainLink, HostLink, InvitationLink, LinkInvalid, PlayLink, UnsubscribeLink
from worker import postman
from worker.mail import compose

ANN, BO, CY, DI = range(4)
EVE = Chair("Eve", address("Eve"))
HOUR = timedelta(hours=1)


@pytest.fixture
def game_id(parts) -> int:
    return start_game(parts)


def table_of(parts, game_id: int) -> int:
    return load(parts, game_id).row.table_id


def host_of(parts, table_id: int) -> HostLink:
    return HostLink(table_id, seats(parts, table_id)[ANN].player_id or 0)


def give(parts, game_id: int, number: int, chair: Chair | None) -> Given:
    table_id = table_of(parts, game_id)
    return hosting.give_chair(parts, host_of(parts, table_id), number, chair, parts.now())


def offer(parts, game_id: int, number: int = BO) -> InvitationLink:
    """The link by which Eve answers."""
    assert give(parts, game_id, number, EVE) is Given.OFFERED
    table_id = table_of(parts, game_id)
    return InvitationLink(table_id, number, seats(parts, table_id)[number].offered_to or 0)


def accept(parts, link: InvitationLink, name: str = "Eve") -> None:
    tables.accept(parts, link, name, "UTC", parts.now())


def seat_of(parts, game_id: int, number: int) -> SeatRow:
    return seats(parts, table_of(parts, game_id))[number]


def first_pass(stored, seat: int) -> Pass:
    """The first three cards that the seat holds."""
    return Pass(Seat(seat), Cards.of(list(stored.game.held[seat])[:3]))


def composed(parts, letter) -> dict[str, str]:
    """The text and the HTML of a mail."""
    with parts.database.reading() as rows:
        message = compose(parts, rows, rows.get_one(LetterRow, letter.id))
    return {kind: " ".join(message.get_body((kind,)).get_content().split()) for kind in ("plain", "html")}


def waiting(parts, kind: LetterKind) -> list[int]:
    """The seats to which mails of that kind are owed."""
    return [letter.seat for letter in letters(parts, kind) if letter.state is LetterState.OWED]


def status(parts, link) -> int:
    return make_site(parts).test_client().get(parts.signer.local_url(link)).status_code


# chairs


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
    wishes.set_mails(parts, table_of(parts, game_id), BO, mails=False, now=parts.now())
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


def test_whoever_accepts_takes_the_chair_as_it_is_and_is_asked_with_her_whole_time(either_parts) -> None:
    parts = either_parts
    game_id = start_game(parts)
    postman.deliver(parts)
    held = load(parts, game_id).game.held[BO]
    parts.now.pass_by(6 * HOUR)
    with parts.database.writing() as rows:
        row = rows.get_one(SeatRow, (table_of(parts, game_id), BO))
        row.away, row.missed, row.here_at = True, 2, parts.now()
    accept(parts, offer(parts, game_id))
    stored = load(parts, game_id)
    bo = stored.seats[BO]
    assert (bo.name, bo.state, bo.away, bo.missed, bo.mails, bo.here_at) == (
        *("Eve", SeatState.ACCEPTED),
        *(False, 0, True, None),
    )
    assert (bo.offered_to, bo.offered_name) == (None, None)
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
    accept(parts, offer(parts, game_id))
    assert [status(parts, link) for link in old] == [403, 403]
    cards = list(map(card_text, first_cards(parts, game_id, BO)))
    before = dump(parts)
    assert make_site(parts).test_client().post(parts.signer.local_url(old[0]), data={"card": cards}).status_code == 403
    assert dump(parts) == before
    assert status(parts, turn_link(parts, game_id, BO)) == 200, "that of whoever has it now"


def test_a_link_that_names_nobody_opens_nothing_once_the_chair_has_changed_hands(parts, game_id) -> None:
    link = replace(turn_link(parts, game_id, BO), player_id=0)
    assert status(parts, link) == 200
    accept(parts, offer(parts, game_id))
    assert status(parts, link) == 403
    form = {"card": list(map(card_text, first_cards(parts, game_id, BO)))}
    before = dump(parts)
    assert make_site(parts).test_client().post(parts.signer.local_url(link), data=form).status_code == 403
    assert dump(parts) == before


@pytest.mark.parametrize("word", ["the cards", "away", "help"])
def test_an_answer_by_mail_of_whoever_has_lost_her_chair_does_nothing(parts, game_id, word) -> None:
    letter = question(parts, "Bo")
    accept(parts, offer(parts, game_id))
    records = load(parts, game_id).records
    cards = " ".join(map(card_text, first_cards(parts, game_id, BO)))
    answered = answer(parts, letter, typed("Bo", cards if word == "the cards" else word))
    assert load(parts, game_id).records == records
    assert not seat_of(parts, game_id, BO).away
    assert "Somebody else has the chair" in answered.outcome
    assert letters(parts, LetterKind.ANSWER) == []


def test_an_answer_read_before_and_played_after_the_chair_changed_hands_plays_nothing(parts, game_id) -> None:
    bo = seat_of(parts, game_id, BO).player_id
    accept(parts, offer(parts, game_id))
    stored = load(parts, game_id)
    turn = first_pass(stored, BO)
    with pytest.raises(LookupError):
        service.take_turn(parts, game_id, Due(1, "pass"), turn, Way.REPLY, parts.now(), player_id=bo)


def test_whoever_gets_her_chair_back_is_not_told_that_she_lost_it(parts, game_id) -> None:
    give(parts, game_id, BO, None)
    give(parts, game_id, BO, Chair("Bo", address("Bo")))
    bo = seat_of(parts, game_id, BO).offered_to or 0
    accept(parts, InvitationLink(table_of(parts, game_id), BO, bo), "Bo")
    postman.deliver(parts)
    assert [letter.state for letter in letters(parts, LetterKind.REPLACED)] == [LetterState.SUPERSEDED]
    asked = [letter for letter in letters(parts, LetterKind.PASS) if letter.seat == BO]
    assert [letter.state for letter in asked] == [LetterState.SUPERSEDED, LetterState.KEPT]


def test_a_robots_chair_can_be_offered_to_a_friend_who_comes_late(parts) -> None:
    game_id = start_game(parts, NAMES[:3], robots=1)
    accept(parts, offer(parts, game_id, DI))
    assert seat_of(parts, game_id, DI).state is SeatState.ACCEPTED
    assert [letter.seat for letter in letters(parts, LetterKind.PASS)] == [ANN, BO, CY, DI]
    assert letters(parts, LetterKind.REPLACED) == [], "robots get no mail"


def test_declining_clears_the_offer_and_tells_the_host(parts, game_id) -> None:
    link = offer(parts, game_id)
    tables.decline(parts, link, parts.now())
    assert seat_of(parts, game_id, BO).offered_to is None
    assert [(letter.seat, letter.about) for letter in letters(parts, LetterKind.DECLINED)] == [(ANN, "Eve")]
    assert seat_of(parts, game_id, BO).state is SeatState.ACCEPTED
    assert "plays on" in composed(parts, letters(parts, LetterKind.DECLINED)[0])["plain"]
    with pytest.raises(tables.SeatGone):
        accept(parts, link)


def test_unsubscribing_from_an_offer_declines_it(parts, game_id) -> None:
    link = offer(parts, game_id)
    wishes.unsubscribe(parts, UnsubscribeLink(link.table_id, link.seat, link.player_id), parts.now())
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
    with pytest.raises(tables.SeatGone):
        accept(parts, link)
    offer(parts, game_id)
    postman.deliver(parts)
    sent = [letter for letter in letters(parts, LetterKind.INVITATION) if letter.about == "replace"]
    assert [letter.state for letter in sent] == [LetterState.KEPT]
    accept(parts, link)
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
    with pytest.raises(BadField, match=sentence):
        give(parts, game_id, number, chair)
    assert dump(parts) == before


def test_a_chair_cannot_be_offered_to_somebody_who_wants_no_invitations(parts, game_id) -> None:
    with parts.database.writing() as rows:
        rows.add(PlayerRow(address=address("Eve"), name="Eve", invitations=False, created_at=parts.now()))
    with pytest.raises(tables.NotInvitable):
        give(parts, game_id, BO, EVE)


def test_nobody_gets_two_chairs(parts, game_id) -> None:
    link = offer(parts, game_id, BO)
    with pytest.raises(BadField, match="is invited to it"):
        give(parts, game_id, CY, EVE)
    with parts.database.writing() as rows:
        rows.get_one(SeatRow, (link.table_id, CY)).offered_to = link.player_id
    accept(parts, link)
    with pytest.raises(tables.SeatGone):
        accept(parts, InvitationLink(link.table_id, CY, link.player_id), "Eve too")


def test_the_host_keeps_her_own_chair(parts, game_id) -> None:
    for chair in (None, EVE):
        with pytest.raises(tables.SeatGone):
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
    with pytest.raises(BadField, match="within the last hour"):
        hosting.remind(parts, host, BO, parts.now())
    parts.now.pass_by(2 * HOUR)
    hosting.remind(parts, host, BO, parts.now())
    postman.deliver(parts)
    sent = [letter for letter in letters(parts, LetterKind.INVITATION) if letter.seat == BO]
    assert [letter.state for letter in sent] == [LetterState.KEPT] * 2
    with pytest.raises(BadField, match="third time"):
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


# pace


def test_what_is_asked_now_keeps_the_longer_time(parts, game_id) -> None:
    host, due_at = host_of(parts, table_of(parts, game_id)), load(parts, game_id).row.due_at
    hosting.change_pace(parts, host, HOUR, HOUR, parts.now())
    assert load(parts, game_id).row.due_at == due_at
    hosting.change_pace(parts, host, 3 * PACE, HOUR, parts.now())
    assert load(parts, game_id).row.due_at == parts.now() + 3 * PACE == load(parts, game_id).row.wake_at
    for _ in range(4):
        play_first(parts, game_id)
    assert load(parts, game_id).row.due_at == parts.now() + HOUR


def test_reminders_follow_the_pace_and_nobody_is_asked_twice(parts, game_id) -> None:
    asked = len(letters(parts, LetterKind.PASS))
    hosting.change_pace(parts, host_of(parts, table_of(parts, game_id)), 3 * PACE, PACE, parts.now())
    reminders = [letter for letter in letters(parts, LetterKind.REMINDER) if letter.state is LetterState.OWED]
    assert [letter.seat for letter in reminders] == [ANN, ANN, BO, BO, CY, CY, DI, DI]
    assert {letter.next_at for letter in reminders[1::2]} == {parts.now() + 3 * PACE - timedelta(hours=3)}
    assert len(letters(parts, LetterKind.PASS)) == asked


# the clock


def test_while_the_clock_is_paused_nobody_is_reminded_or_played_for(parts, game_id) -> None:
    hosting.pause(parts, host_of(parts, table_of(parts, game_id)), paused=True, now=parts.now())
    assert (load(parts, game_id).row.due_at, load(parts, game_id).row.wake_at) == (None, None)
    assert waiting(parts, LetterKind.REMINDER) == []
    parts.now.pass_by(30 * PACE)
    assert service.claim_due(parts, parts.now()) == []
    assert service.play_for_absent(parts, game_id) == 0


def test_who_likes_plays_on_while_the_clock_is_paused_and_robots_do(parts) -> None:
    game_id = start_game(parts, NAMES[:3], robots=1)
    hosting.pause(parts, host_of(parts, table_of(parts, game_id)), paused=True, now=parts.now())
    assert service.claim_due(parts, parts.now()) == [game_id]
    assert service.play_for_absent(parts, game_id) == 1
    for _ in range(3):
        play_first(parts, game_id)
    assert load(parts, game_id).game.stage is Stage.PLAY
    assert load(parts, game_id).row.due_at is None


def test_when_the_clock_goes_on_all_have_their_whole_time_and_no_second_question(parts, game_id) -> None:
    host = host_of(parts, table_of(parts, game_id))
    postman.deliver(parts)
    hosting.pause(parts, host, paused=True, now=parts.now())
    parts.now.pass_by(5 * PACE)
    hosting.pause(parts, host, paused=False, now=parts.now())
    assert load(parts, game_id).row.due_at == load(parts, game_id).row.wake_at == parts.now() + PACE
    assert len([letter for letter in letters(parts) if letter.kind in QUESTIONS]) == 4
    assert set(waiting(parts, LetterKind.REMINDER)) == {ANN, BO, CY, DI}


def test_pausing_twice_is_once(parts, game_id) -> None:
    host = host_of(parts, table_of(parts, game_id))
    hosting.pause(parts, host, paused=True, now=parts.now())
    since = table(parts, host.table_id).paused_at
    parts.now.pass_by(HOUR)
    hosting.pause(parts, host, paused=True, now=parts.now())
    assert table(parts, host.table_id).paused_at == since


def test_a_robot_that_thought_while_the_clock_was_stopped_does_not_play_for_anybody(parts, game_id) -> None:
    parts.now.pass_by(PACE)
    turn = first_pass(load(parts, game_id), BO)
    hosting.pause(parts, host_of(parts, table_of(parts, game_id)), paused=True, now=parts.now())
    with pytest.raises(service.TurnOver):
        service.take_turn(parts, game_id, Due(1, "pass"), turn, Way.TIMEOUT, parts.now())


def test_there_is_no_clock_to_pause_without_a_game(parts) -> None:
    table_id = open_table(parts)
    with pytest.raises(BadField, match="No game is played"):
        hosting.pause(parts, host_of(parts, table_id), paused=True, now=parts.now())


def test_a_question_mailed_while_the_clock_is_paused_says_so(parts, game_id) -> None:
    hosting.pause(parts, host_of(parts, table_of(parts, game_id)), paused=True, now=parts.now())
    for words in composed(parts, question(parts, "Bo")).values():
        assert "The host has paused the clock on" in words
        assert "a robot plays for you" not in words


def test_a_digest_sent_while_the_clock_is_paused_tells_no_deadline(parts, game_id) -> None:
    bo = seat_of(parts, game_id, BO).player_id or 0
    with parts.database.reading() as rows:
        hers = wishes.wishes_of(rows.get_one(PlayerRow, bo))
    wishes.change_wishes(parts, bo, replace(hers, frequency=Frequency.BUNDLED), parts.now())
    hosting.pause(parts, host_of(parts, table_of(parts, game_id)), paused=True, now=parts.now())
    parts.now.pass_by(timedelta(minutes=2))
    postman.deliver(parts)
    (digest,) = letters(parts, LetterKind.DIGEST)
    assert digest.subject == "1 turn waits for you"
    assert "The host has paused the clock on" in " ".join(digest.message.replace("=\n", "").split())


# the end


@pytest.fixture
def second_hand(parts) -> int:
    """A game in its second hand."""
    game_id = start_game(parts)
    play_hand(parts, game_id)
    play_first(parts, game_id)
    return game_id


def end(parts, game_id: int) -> None:
    hosting.end_game(parts, host_of(parts, table_of(parts, game_id)), parts.now())


def test_a_game_that_was_ended_is_that_of_its_finished_hands_and_asks_nobody(parts, second_hand) -> None:
    before = load(parts, second_hand)
    end(parts, second_hand)
    stored = load(parts, second_hand)
    assert (stored.row.state, table(parts, stored.row.table_id).state) == (GameState.OVER, TableState.OVER)
    assert (stored.row.due_at, stored.row.wake_at, stored.row.ended_at) == (None, None, parts.now())
    assert (stored.game.stage, stored.game.to_act, stored.game.scores) == (Stage.DEAL, (), before.game.scores)
    assert [record.turn for record in stored.records] == before.finished_turns()
    assert service.play_for_absent(parts, second_hand) == 0


def test_everybody_but_the_host_is_told_once_how_it_stood(parts, second_hand) -> None:
    end(parts, second_hand)
    before = dump(parts)
    end(parts, second_hand)
    assert dump(parts)["letter"] == before["letter"]
    assert [letter.seat for letter in letters(parts, LetterKind.ENDED)] == [BO, CY, DI]
    scores = load(parts, second_hand).game.scores
    for words in composed(parts, letters(parts, LetterKind.ENDED)[0]).values():
        assert "Ann, who hosts" in words
        assert all(str(total) in words for total in scores[-1].totals)


def test_nothing_is_asked_by_mail_of_a_game_that_was_ended(parts, second_hand) -> None:
    end(parts, second_hand)
    postman.deliver(parts)
    asked = [letter for letter in letters(parts) if letter.kind in QUESTIONS and letter.hand == 2]
    assert {letter.state for letter in asked} == {LetterState.SUPERSEDED}
    assert waiting(parts, LetterKind.REMINDER) == []


def test_no_page_shows_a_card_of_the_hand_that_was_not_finished(parts, second_hand) -> None:
    stored = load(parts, second_hand)
    table_id, link = stored.row.table_id, turn_link(parts, second_hand, stored.game.to_act[0])
    seat = seat_link(parts, table_id, link.seat)
    end(parts, second_hand)
    browser = make_site(parts).test_client()
    shown = browser.get(parts.signer.local_url(seat))
    assert shown.status_code == 200
    assert "The host ended the game after 1 hand." in shown.text
    assert "Your cards" not in shown.text
    over = browser.get(parts.signer.local_url(link))
    assert (over.status_code, "The host has ended the game." in over.text) == (200, True)
    record = browser.get(f"{parts.signer.local_url(seat)}/record.json").json
    assert len(record["hands"]) == 1


def test_a_turn_of_a_game_that_was_ended_is_over(parts, second_hand) -> None:
    stored = load(parts, second_hand)
    seat = stored.game.to_act[0]
    end(parts, second_hand)
    with pytest.raises(service.TurnOver):
        service.take_turn(parts, second_hand, Due(2, "pass"), first_pass(stored, seat), Way.PAGE, parts.now())


@pytest.mark.parametrize("round_", range(3))
def test_a_turn_against_the_end_is_one_or_the_other(either_parts, round_) -> None:
    parts = either_parts
    game_id = start_game(parts, NAMES[:3], robots=1)
    host, turn = host_of(parts, table_of(parts, game_id)), first_pass(load(parts, game_id), BO)
    barrier = Barrier(2)

    def play() -> bool:
        barrier.wait()
        try:
            service.take_turn(parts, game_id, Due(1, "pass"), turn, Way.PAGE, parts.now())
        except service.TurnOver:
            return False
        return True

    def stop() -> None:
        barrier.wait()
        hosting.end_game(parts, host, parts.now())

    with ThreadPoolExecutor(2) as pool:
        played, stopped = pool.submit(play), pool.submit(stop)
    stopped.result()
    stored = load(parts, game_id)
    assert (stored.row.turns, stored.row.state) == (1 + played.result(), GameState.OVER)
    assert stored.row.wake_at is None
    assert not set(waiting(parts, LetterKind.PASS))


@pytest.mark.parametrize("round_", range(2))
def test_the_last_card_against_the_end_ends_the_game_once(either_parts, round_) -> None:
    parts = either_parts
    game_id = start_game(parts, rules=preset_rules("classic", target=10))
    while len((stored := load(parts, game_id)).game.won) < 11:
        play_first(parts, game_id)
    host, barrier = host_of(parts, stored.row.table_id), Barrier(2)

    def play() -> None:
        barrier.wait()
        while load(parts, game_id).row.state is GameState.PLAYING:
            try:
                play_first(parts, game_id)
            except (service.TurnOver, IndexError):
                return

    def stop() -> None:
        barrier.wait()
        hosting.end_game(parts, host, parts.now())

    with ThreadPoolExecutor(2) as pool:
        done = [pool.submit(play), pool.submit(stop)]
    assert [one.result() for one in done] == [None, None]
    ended, final = letters(parts, LetterKind.ENDED), letters(parts, LetterKind.FINAL_SHEET)
    assert (len(ended), len(final)) in ((3, 0), (0, 4))


def test_another_game_can_be_played_after_the_end(parts, second_hand) -> None:
    table_id = table_of(parts, second_hand)
    offer(parts, second_hand, CY)
    hosting.pause(parts, host_of(parts, table_id), paused=True, now=parts.now())
    end(parts, second_hand)
    assert seats(parts, table_id)[CY].offered_to is None
    links = [AgainLink(table_id, seat.seat, seat.player_id or 0, 1) for seat in seats(parts, table_id)]
    with parts.database.reading() as rows:
        assert again.standing(rows, links[BO]).stand is Stand.OPEN
    for link in links:
        again.agree(parts, link, parts.now())
    with parts.database.reading() as rows:
        newest = tables.current_game(rows, table_id)
    assert (newest.number, newest.state) == (2, GameState.PLAYING)
    assert newest.due_at == parts.now() + PACE, "the pause is over with the game"


def test_host_players_and_clock_at_once_do_not_stand_in_each_others_way(either_parts) -> None:
    parts = either_parts
    game_id = start_game(parts, rules=preset_rules("classic", target=10))
    table_id = table_of(parts, game_id)
    host, di = host_of(parts, table_id), seats(parts, table_id)[DI].player_id or 0
    says = PlayLink(table_id, DI, di)
    barrier = Barrier(5)

    def often(act) -> None:
        barrier.wait()
        for number in range(12):
            with suppress(service.TurnOver, BadField, talk.TooMuch):
                act(number)

    acts = (
        lambda number: play_first(parts, game_id),
        lambda number: hosting.pause(parts, host, paused=number % 2 == 0, now=parts.now()),
        lambda number: wishes.set_away(parts, table_id, DI, away=number % 2 == 0, now=parts.now()),
        lambda number: presence.note_here(parts, table_id, DI, di, parts.now(), here=number % 2 == 0),
        lambda number: talk.say(parts, says, f"Hello {number}", parts.now()),
    )
    with ThreadPoolExecutor(len(acts)) as pool:
        done = [pool.submit(often, act) for act in acts]
    assert [one.result() for one in done] == [None] * len(acts)
    assert load(parts, game_id).row.turns > 1


# how it is played


def test_talk_suggestions_and_robots_are_changed_together(parts, game_id) -> None:
    host = host_of(parts, table_of(parts, game_id))
    hosting.change_manners(parts, host, Manners(Talk.PHRASES, True, Level.STEADY), parts.now())
    changed = table(parts, host.table_id)
    assert (changed.talk, changed.suggestions, changed.robots) == (Talk.PHRASES, True, Level.STEADY)
