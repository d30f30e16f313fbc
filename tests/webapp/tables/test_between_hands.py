"""A seat passes to another player between two hands: nobody is shown a hand of which somebody else held cards."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest

from hearts.cards import card_text
from hearts.turns import Play
from tests.cast import (
    address,
    letters,
    load,
    open_table,
    play_first,
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
    accept,
    composed,
    give,
    hand_over_link,
    host_of,
    last_decision,
    offer,
    seat_of,
    table_of,
)
from tests.webapp.tables.peeking import cards_in, shown_to
from webapp import service
from webapp.core.tokens import InvitationLink, LinkInvalid, PlayLink
from webapp.forms.opening import Chair
from webapp.games.finished import finished_hand
from webapp.games.presence import note_here
from webapp.models import Frequency, LetterKind, LetterState, PlayerRow, SeatRow, SeatState, Way
from webapp.players import preferences
from webapp.presentation.sheets import last_hand_of, score_sheet_of
from webapp.site import make_site
from webapp.tables import hosting, seating
from webapp.tables.hosting import Given
from worker import postman

ROUNDS = 3


@pytest.fixture
def game_id(parts) -> int:
    return start_game(parts)


def dealt_and_held(parts, game_id: int, seat: int) -> set[int]:
    """All that the seat has had in its hand since the deal."""
    game = load(parts, game_id).game
    return {*game.deal.held[seat], *game.held[seat]}


def sheets_to(parts, player_id: int | None) -> list[int | None]:
    """The hands of which the player is owed a score sheet."""
    return [letter.hand for letter in letters(parts, LetterKind.SCORE_SHEET) if letter.player_id == player_id]


# what nobody sees


@pytest.mark.parametrize("turns", [0, 2, 9], ids=["before she has passed", "after she has passed", "in the play"])
@pytest.mark.parametrize("is_robots", [False, True], ids=["her own", "given to a robot first"])
def test_whoever_is_given_a_seat_in_mid_hand_sees_none_of_its_cards(parts, game_id, is_robots, turns) -> None:
    if is_robots:
        give(parts, game_id, BO, None)
    for _ in range(turns):
        play_first(parts, game_id)
    link = offer(parts, game_id)
    accept(parts, link)
    held = dealt_and_held(parts, game_id, BO)
    assert held
    assert cards_in(shown_to(parts, game_id, link.player_id, BO), held) == {}


def test_nor_does_a_robot_that_takes_the_seat_afterwards_let_her_in(parts, game_id) -> None:
    link = offer(parts, game_id)
    accept(parts, link)
    for _ in range(6):
        play_first(parts, game_id)
    assert give(parts, game_id, BO, None) is Given.ROBOT
    assert seat_of(parts, game_id, BO).state is SeatState.ROBOT
    assert cards_in(shown_to(parts, game_id, link.player_id, BO), dealt_and_held(parts, game_id, BO)) == {}
    play_hand(parts, game_id)
    assert seat_of(parts, game_id, BO).name == "Eve"


def test_the_peeking_notices_the_cards_of_the_next_hand_which_are_hers_to_see(parts, game_id) -> None:
    link = offer(parts, game_id)
    accept(parts, link)
    play_hand(parts, game_id)
    shown = cards_in(shown_to(parts, game_id, link.player_id, BO), load(parts, game_id).game.held[BO])
    assert {where.split(",")[-1].split("/")[1] if "/" in where else "mail" for where in shown} >= {"play", "mail"}


# how it passes


def test_whoever_plays_there_plays_on_as_if_nothing_were_until_the_hand_is_over(parts, game_id) -> None:
    before, link = load(parts, game_id), turn_link(parts, game_id, BO)
    accept(parts, offer(parts, game_id))
    after = load(parts, game_id)
    assert (after.row.due_at, after.row.wake_at) == (before.row.due_at, before.row.wake_at)
    assert after.records == before.records
    assert (after.seats[BO].name, after.seats[BO].player_id) == ("Bo", before.seats[BO].player_id)
    assert letters(parts, LetterKind.REPLACED) == []
    cards = [card_text(card) for card in list(after.game.held[BO])[:3]]
    played = make_site(parts).test_client().post(parts.signer.local_url(link), data={"card": cards})
    assert played.status_code == 303
    assert played.location.startswith("/play/")


def test_with_the_next_deal_the_newcomer_is_asked_and_whoever_had_the_seat_is_not(either_parts) -> None:
    parts = either_parts
    game_id = start_game(parts)
    bo = seat_of(parts, game_id, BO).player_id
    link = offer(parts, game_id)
    accept(parts, link, "Eva")
    play_hand(parts, game_id)
    row = seat_of(parts, game_id, BO)
    assert (row.player_id, row.name, row.state) == (link.player_id, "Eva", SeatState.ACCEPTED)
    assert (row.offered_to, row.offered_name, row.offer_state) == (None, None, None)
    asked = [letter for letter in letters(parts, LetterKind.PASS) if letter.seat == BO]
    assert [(letter.hand, letter.player_id) for letter in asked] == [(1, bo), (2, link.player_id)]
    waits = [letter for letter in letters(parts) if letter.player_id == bo and letter.state is LetterState.OWED]
    assert {letter.kind for letter in waits} == {LetterKind.SCORE_SHEET, LetterKind.REPLACED}
    postman.deliver(parts)
    assert letters(parts, LetterKind.PASS)[-1].thread_id is None


def test_a_seat_passes_on_also_when_the_deadline_or_a_robot_ends_the_hand(parts, game_id) -> None:
    link = offer(parts, game_id)
    accept(parts, link)
    give(parts, game_id, CY, None)
    while load(parts, game_id).game.hand == 1:
        parts.now.pass_by(timedelta(days=3))
        service.play_for_absent(parts, game_id)
    assert seat_of(parts, game_id, BO).player_id == link.player_id
    assert not seat_of(parts, game_id, BO).away


def test_before_the_first_deal_a_seat_passes_at_once(parts) -> None:
    table_id = open_table(parts)
    for number in (BO, CY):
        player = seats(parts, table_id)[number].player_id or 0
        seating.accept(parts, InvitationLink(table_id, number, player), "BoCy"[number - 1 :], "UTC", parts.now())
    hosting.give_chair(parts, host_of(parts, table_id), BO, Chair("Eve", address("Eve")), parts.now())
    eve = seats(parts, table_id)[BO].offered_to or 0
    assert letters(parts, LetterKind.OFFERED) == [], "there is no hand to be played to its end"
    accept(parts, InvitationLink(table_id, BO, eve))
    assert seats(parts, table_id)[BO].player_id == eve
    assert len(letters(parts, LetterKind.REPLACED)) == 1


def test_an_offer_from_before_seats_waited_for_the_hand_follows_the_same_rule(parts, game_id) -> None:
    link = offer(parts, game_id)
    with parts.database.writing() as session:
        session.get_one(SeatRow, (link.table_id, BO)).offer_state = None
    accept(parts, link)
    assert seat_of(parts, game_id, BO).name == "Bo"
    play_hand(parts, game_id)
    assert seat_of(parts, game_id, BO).name == "Eve"


def test_several_seats_pass_with_one_deal(either_parts) -> None:
    parts = either_parts
    game_id = start_game(parts)
    for number, name in ((DI, "Emil"), (BO, "Eve")):
        given = hosting.give_chair(
            parts, host_of(parts, table_of(parts, game_id)), number, Chair(name, address(name)), parts.now()
        )
        assert given is Given.OFFERED
        newcomer = seat_of(parts, game_id, number).offered_to or 0
        accept(parts, InvitationLink(table_of(parts, game_id), number, newcomer), name)
    play_hand(parts, game_id)
    assert [seat.name for seat in load(parts, game_id).seats] == ["Ann", "Eve", "Cy", "Emil"]
    assert len(letters(parts, LetterKind.REPLACED)) == 2


def test_in_live_play_the_newcomer_is_asked_by_mail_and_has_time_to_come(parts) -> None:
    game_id = start_game(parts, pace=timedelta(seconds=30))
    link = offer(parts, game_id)
    accept(parts, link)
    play_hand(parts, game_id)
    stored = load(parts, game_id)
    assert [letter.hand for letter in letters(parts, LetterKind.PASS) if letter.player_id == link.player_id] == [2]
    assert stored.row.due_at == parts.now() + timedelta(minutes=5)


# whose hand it was


def test_the_score_sheet_of_the_hand_goes_to_whoever_played_it(parts, game_id) -> None:
    bo, link = seat_of(parts, game_id, BO).player_id, offer(parts, game_id)
    accept(parts, link)
    note_here(parts, link.table_id, BO, bo or 0, parts.now())  # where others are shown it, she cannot look any more
    play_hand(parts, game_id)
    assert (sheets_to(parts, bo), sheets_to(parts, link.player_id)) == ([1], [])
    sheet = next(letter for letter in letters(parts, LetterKind.SCORE_SHEET) if letter.player_id == bo)
    for text in composed(parts, sheet).values():
        assert "Bo" in text
        assert "Eve" not in text
        assert "because you sat at" in text
        assert "/seat/" not in text
        assert "/relive/" in text


def test_a_daily_digest_tells_of_the_hand_without_a_way_to_the_table(parts, game_id) -> None:
    bo = seat_of(parts, game_id, BO).player_id
    with parts.database.writing() as session:
        session.get_one(PlayerRow, bo).frequency = Frequency.DAILY
    accept(parts, offer(parts, game_id))
    play_hand(parts, game_id)
    parts.now.pass_by(timedelta(days=1))
    postman.deliver(parts)
    (digest,) = (letter for letter in letters(parts, LetterKind.DIGEST) if letter.player_id == bo and letter.message)
    for text in composed(parts, digest).values():
        assert "Hand 1 is over" in text
        assert "/relive/" in text
        assert "/seat/" not in text


def test_every_sheet_names_who_played_a_hand_and_not_who_has_the_seat_since(parts, game_id) -> None:
    accept(parts, offer(parts, game_id))
    play_hand(parts, game_id)
    play_hand(parts, game_id)
    stored = load(parts, game_id)
    assert stored.names == ["Ann", "Eve", "Cy", "Di"]
    assert [finished_hand(stored, hand).names[BO] for hand in (1, 2)] == ["Bo", "Eve"]
    assert [score_sheet_of(stored, hands=hand).sides[BO].name for hand in (1, 2)] == ["Bo", "Eve"]
    first, second = score_sheet_of(stored).hands
    assert "Eve" not in " ".join(first.story)
    assert "Bo" not in " ".join(second.story)
    cys = [letter for letter in letters(parts, LetterKind.SCORE_SHEET) if letter.seat == CY]
    assert ["Eve" in composed(parts, letter)["plain"] for letter in cys] == [False, True]


def test_a_hand_that_a_robot_plays_to_its_end_is_the_robots(parts, game_id) -> None:
    accept(parts, offer(parts, game_id))
    give(parts, game_id, BO, None)
    robot = seat_of(parts, game_id, BO).name
    play_hand(parts, game_id)
    play_hand(parts, game_id)
    assert [load(parts, game_id).names_of_hand(hand)[BO] for hand in (1, 2, 3)] == [robot, "Eve", "Eve"]


def test_the_newcomers_page_does_not_call_the_hand_before_hers(parts, game_id) -> None:
    accept(parts, offer(parts, game_id))
    play_hand(parts, game_id)
    stored = load(parts, game_id)
    assert last_hand_of(stored, BO) is None
    before = last_hand_of(stored, CY)
    assert before is not None
    assert [side.name for side in before.score.sides] == ["Ann", "Bo", "Cy", "Di"]


def test_whoever_plays_the_last_card_is_not_led_into_the_newcomers_seat(parts) -> None:
    seat = ANN
    while seat == ANN:  # who keeps her seat
        game_id = start_game(parts)
        seat, turn = last_decision(parts, game_id)
    assert isinstance(turn, Play)
    accept(parts, offer(parts, game_id, seat))
    theirs, name = turn_link(parts, game_id, seat), seat_of(parts, game_id, seat).name
    follows = PlayLink(table_of(parts, game_id), seat, theirs.player_id)
    form = {"card": card_text(turn.card), "play": parts.signer.local_url(follows)}
    client = make_site(parts).test_client()
    played = client.post(parts.signer.local_url(theirs), data=form)
    assert load(parts, game_id).game.hand == 2
    assert played.status_code == 200
    assert "From the next one on Eve has your seat, to whom Ann, who hosts the table, has given it." in played.text
    assert cards_in({"page": played.text}, set(load(parts, game_id).game.held[seat]) - {turn.card}) == {}
    assert "/play/" not in played.text
    assert "/turn/" not in played.text
    again = client.post(parts.signer.local_url(theirs), data=form, follow_redirects=True)
    assert again.status_code == 403
    assert "Ann, who hosts Table" in again.text
    assert name == load(parts, game_id).names_of_hand(1)[seat]


def test_every_old_page_tells_whoever_has_lost_the_seat_who_gave_it_away(parts, client, game_id) -> None:
    table_id, bo = table_of(parts, game_id), seat_of(parts, game_id, BO).player_id or 0
    old = [turn_link(parts, game_id, BO), seat_link(parts, table_id, BO), PlayLink(table_id, BO, bo)]
    give(parts, game_id, BO, None)
    for link in old:
        page = client.get(parts.signer.local_url(link))
        assert page.status_code == 403
        assert "Ann, who hosts Table" in page.text
        assert "Mail programs sometimes break" not in page.text
    said = client.post(f"{parts.signer.local_url(old[2])}/talk", data={"text": "Hello"})
    assert (said.status_code, "Somebody else has your seat now" in said.text) == (403, True)


# races


@pytest.mark.parametrize("round_", range(ROUNDS))
def test_accepting_while_the_last_card_is_played_gives_the_seat_now_or_after_the_next_hand(either_parts, round_):
    parts = either_parts
    game_id = start_game(parts)
    link = offer(parts, game_id)
    last_decision(parts, game_id)
    _at_once(lambda: accept(parts, link), lambda: play_first(parts, game_id))
    stored = load(parts, game_id)
    assert stored.game.hand == 2
    is_in = stored.seats[BO].player_id == link.player_id
    asked = {letter.player_id for letter in letters(parts, LetterKind.PASS) if letter.hand == 2 and letter.seat == BO}
    assert asked == {stored.seats[BO].player_id}
    assert len(letters(parts, LetterKind.REPLACED)) == is_in
    if not is_in:
        held = dealt_and_held(parts, game_id, BO)
        assert cards_in(shown_to(parts, game_id, link.player_id, BO), held) == {}
        play_hand(parts, game_id)
    assert seat_of(parts, game_id, BO).player_id == link.player_id


@pytest.mark.parametrize("round_", range(ROUNDS))
def test_withdrawing_while_it_is_accepted_leaves_the_seat_as_it_was_and_tells_whoever_had_accepted(
    either_parts, round_
):
    parts = either_parts
    game_id = start_game(parts)
    link = offer(parts, game_id)
    host = host_of(parts, link.table_id)
    gone = []

    def take() -> None:
        try:
            accept(parts, link)
        except seating.SeatGone:
            gone.append("withdrawn")

    _at_once(take, lambda: hosting.withdraw_offer(parts, host, BO, parts.now()))
    row = seat_of(parts, game_id, BO)
    assert (row.name, row.offered_to, row.offer_state) == ("Bo", None, None)
    assert len(letters(parts, LetterKind.OFFER_OVER)) + len(gone) == 1


@pytest.mark.parametrize("round_", range(ROUNDS))
def test_handing_over_while_the_next_hand_is_dealt_gives_the_seat_once(either_parts, round_):
    parts = either_parts
    game_id = start_game(parts)
    link = offer(parts, game_id)
    accept(parts, link)
    last_decision(parts, game_id)

    theirs = hand_over_link(parts, link)
    _at_once(
        lambda: seating.hand_over(parts, theirs, parts.now(), at_once=True),
        lambda: play_first(parts, game_id),
    )
    stored = load(parts, game_id)
    assert stored.game.hand == 2
    assert stored.seats[BO].player_id == link.player_id
    assert len(letters(parts, LetterKind.REPLACED)) == 1
    assert [change["seat"] for change in stored.row.earlier] == [BO]
    asked = [letter for letter in letters(parts, LetterKind.PASS) if letter.hand == 2 and letter.seat == BO]
    assert [letter.player_id for letter in asked] == [link.player_id]


def test_a_turn_of_whoever_lost_the_seat_at_the_deal_is_refused(parts, game_id) -> None:
    bo = seat_of(parts, game_id, BO).player_id
    accept(parts, offer(parts, game_id))
    play_hand(parts, game_id)
    stored = load(parts, game_id)
    link = turn_link(parts, game_id, BO)
    turn = Play(BO, next(iter(stored.game.held[BO])))
    with pytest.raises(LookupError):
        service.take_turn(parts, game_id, service.Due(2, link.due), turn, Way.PAGE, parts.now(), player_id=bo)
    with pytest.raises(LinkInvalid):
        note_here(parts, table_of(parts, game_id), BO, bo or 0, parts.now())
    preferences.set_away(parts, table_of(parts, game_id), BO, away=True, now=parts.now(), player_id=bo)
    assert not seat_of(parts, game_id, BO).away, "her mail was read before the deal, and is acted upon after it"


def _at_once(*acts) -> None:
    """Does both as nearly at the same moment as can be; neither may fail."""
    barrier = Barrier(len(acts))

    def do(act) -> None:
        barrier.wait()
        act()

    with ThreadPoolExecutor(len(acts)) as pool:
        for done in [pool.submit(do, act) for act in acts]:
            done.result()
