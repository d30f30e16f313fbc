"""Another game at the same table: proposed, agreed to, declined, and begun once."""

import random
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from hearts.cards import Cards
from hearts.deal import deal, dealer_after
from hearts.game import Stage, legal
from hearts.rules import preset_rules
from hearts.turns import Moon, MoonChoice, Pass, Play
from tests.cast import NAMES, dump, letters, load, seat_link, seats, start_game, table
from webapp.core.tokens import AgainLink, InvitationLink, LinkInvalid
from webapp.forms.opening import Chair
from webapp.games import store
from webapp.games.store import Record
from webapp.models import GameState, LetterKind, SeatRow, SeatState, TableState, Way
from webapp.site import make_site
from webapp.tables import again, seating
from webapp.tables.again import Stand
from webapp.tables.seating import SeatGone
from worker import postman

ANN, BO, CY, DI = range(4)


@pytest.fixture
def over(parts) -> int:
    """The id of a table of four whose first game is over."""
    return finished_table(parts)


def finished_table(parts, names=NAMES, robots: int = 0) -> int:
    rules = preset_rules("classic", players=len(names) + robots, target=10)  # over after a hand
    game_id = start_game(parts, names, robots, rules)
    play_out(parts, game_id)
    return load(parts, game_id).table.id


def play_out(parts, game_id: int) -> None:
    """Everybody plays the first card that is legal, until the game is over; nobody is told."""
    chance = random.Random(game_id)
    with parts.database.writing() as rows:
        stored = store.load(rows, game_id, lock=True)
        while stored.game.stage is not Stage.OVER:
            stored = store.append(rows, stored, Record(_any_turn(stored.game, chance), Way.PAGE), parts.now())
        stored.row.state, stored.row.due_at, stored.row.wake_at = GameState.OVER, None, None
        stored.table.state = TableState.OVER


def _any_turn(game, chance: random.Random):
    if game.stage is Stage.DEAL:
        return deal(game.rules, dealer_after(game.deal.dealer, game.rules), chance)
    seat = game.to_act[0]
    match game.stage:
        case Stage.PASS:
            return Pass(seat, Cards.of(list(game.held[seat])[:3]))
        case Stage.MOON:
            return Moon(seat, MoonChoice.ADD)
        case _:
            return Play(seat, next(iter(legal(game, seat))))


def link(parts, table_id: int, seat: int, number: int = 1) -> AgainLink:
    return AgainLink(table_id, seat, seats(parts, table_id)[seat].player_id or 0, number)


def agree(parts, table_id: int, *those: int, number: int = 1) -> None:
    for seat in those:
        again.agree(parts, link(parts, table_id, seat, number), parts.now())


def states(parts, table_id: int) -> list[SeatState]:
    return [seat.state for seat in seats(parts, table_id)]


def stand(parts, table_id: int, seat: int, number: int = 1) -> Stand:
    with parts.database.reading() as rows:
        return again.standing(rows, link(parts, table_id, seat, number)).stand


def newest(parts, table_id: int):
    with parts.database.reading() as rows:
        return seating.current_game(rows, table_id)


def asked(parts) -> list[tuple[int, str]]:
    """Whom invitations to another game were owed to, reminders left out."""
    return [
        (letter.seat, letter.about) for letter in letters(parts, LetterKind.INVITATION) if letter.about == "again 2"
    ]


# proposing and agreeing


def test_the_first_to_want_another_game_invites_the_others(parts, over) -> None:
    agree(parts, over, BO)
    assert table(parts, over).state is TableState.INVITING
    assert states(parts, over) == [SeatState.INVITED, SeatState.ACCEPTED, SeatState.INVITED, SeatState.INVITED]
    assert asked(parts) == [(ANN, "again 2"), (CY, "again 2"), (DI, "again 2")]
    assert [stand(parts, over, seat) for seat in range(4)] == [Stand.ASKED, Stand.AGREED, Stand.ASKED, Stand.ASKED]


def test_the_last_to_agree_begins_the_next_game_by_the_same_rules(parts, over) -> None:
    first = newest(parts, over)
    agree(parts, over, BO, ANN, DI)
    assert newest(parts, over).id == first.id
    agree(parts, over, CY)
    second = newest(parts, over)
    assert (second.number, table(parts, over).state) == (2, TableState.PLAYING)
    assert load(parts, second.id).game.rules == load(parts, first.id).game.rules
    assert load(parts, second.id).game.hand == 1
    assert states(parts, over) == [SeatState.HOST, *[SeatState.ACCEPTED] * 3]
    assert {letter.seat for letter in letters(parts, LetterKind.PASS) if letter.game_id == second.id} == {0, 1, 2, 3}


def test_robots_always_want_another_game(parts) -> None:
    table_id = finished_table(parts, NAMES[:1], robots=3)
    agree(parts, table_id, ANN)
    assert newest(parts, table_id).number == 2
    assert states(parts, table_id) == [SeatState.HOST, *[SeatState.ROBOT] * 3]


def test_to_agree_twice_is_once(parts, over) -> None:
    agree(parts, over, BO)
    before = dump(parts)
    agree(parts, over, BO)
    assert dump(parts) == before


def test_the_link_changes_nothing_once_the_game_has_begun(parts, over) -> None:
    agree(parts, over, ANN, BO, CY, DI)
    before = dump(parts)
    agree(parts, over, ANN, BO)
    assert dump(parts) == before
    assert stand(parts, over, ANN) is Stand.BEGUN


def test_a_third_game_is_asked_for_anew(parts, over) -> None:
    agree(parts, over, ANN, BO, CY, DI)
    play_out(parts, newest(parts, over).id)
    agree(parts, over, CY, number=2)
    assert states(parts, over)[BO] is SeatState.INVITED
    assert "again 3" in {letter.about for letter in letters(parts, LetterKind.INVITATION)}
    agree(parts, over, BO)
    assert states(parts, over)[BO] is SeatState.INVITED, "the link of the first game agrees to the second one only"


def test_whoever_was_away_or_had_stopped_the_mails_is_back(parts, over) -> None:
    with parts.database.writing() as rows:
        di = rows.get_one(SeatRow, (over, DI))
        di.away, di.mails, di.missed = True, False, 3
    agree(parts, over, ANN)
    assert [seat for seat, _ in asked(parts)] == [BO, CY], "she has asked for no more mails"
    agree(parts, over, DI)
    di = seats(parts, over)[DI]
    assert (di.away, di.mails, di.missed) == (False, True, 0)


@pytest.mark.parametrize("round_", range(2))
def test_two_last_taps_at_once_begin_one_game(either_parts, round_) -> None:
    table_id = finished_table(either_parts, NAMES[:3], robots=1)
    agree(either_parts, table_id, ANN)
    tap_together(either_parts, table_id, BO, CY)
    assert newest(either_parts, table_id).number == 2
    assert table(either_parts, table_id).state is TableState.PLAYING


def test_two_first_taps_at_once_invite_everybody_once(either_parts) -> None:
    table_id = finished_table(either_parts, NAMES[:3], robots=1)
    tap_together(either_parts, table_id, ANN, BO)
    assert states(either_parts, table_id)[:3] == [SeatState.HOST, SeatState.ACCEPTED, SeatState.INVITED]
    assert sorted(seat for seat, _ in asked(either_parts)).count(CY) == 1


def tap_together(parts, table_id: int, *those: int) -> None:
    links = [link(parts, table_id, seat) for seat in those]
    together = Barrier(len(links))

    def tap(one: AgainLink) -> None:
        together.wait()
        again.agree(parts, one, parts.now())

    with ThreadPoolExecutor(len(links)) as pool:
        list(pool.map(tap, links))


# declining


def decline(parts, table_id: int, seat: int) -> None:
    player_id = seats(parts, table_id)[seat].player_id or 0
    seating.decline(parts, InvitationLink(table_id, seat, player_id), parts.now())


def test_a_chair_that_was_declined_can_be_given_away_and_the_game_begins(parts, over) -> None:
    agree(parts, over, ANN, BO, CY)
    decline(parts, over, DI)
    (told,) = letters(parts, LetterKind.DECLINED)
    assert (told.seat, told.about) == (ANN, "Di")
    seating.refill(parts, seat_link(parts, over, ANN), DI, None, parts.now())
    assert newest(parts, over).number == 2
    assert states(parts, over)[DI] is SeatState.ROBOT


def test_the_old_game_keeps_the_names_of_those_who_played_it(parts, over) -> None:
    first = newest(parts, over).id
    agree(parts, over, ANN, BO, CY)
    decline(parts, over, DI)
    seating.refill(parts, seat_link(parts, over, ANN), DI, Chair("Emil", "emil@example.org"), parts.now())
    assert load(parts, first).names == list(NAMES)
    seating.accept(parts, InvitationLink(over, DI, seats(parts, over)[DI].player_id), "Emil", "UTC", parts.now())
    assert load(parts, newest(parts, over).id).names == ["Ann", "Bo", "Cy", "Emil"]


def test_a_new_player_does_not_inherit_that_the_old_one_was_away(parts, over) -> None:
    with parts.database.writing() as rows:
        di = rows.get_one(SeatRow, (over, DI))
        di.away, di.missed = True, 3
    agree(parts, over, ANN)
    decline(parts, over, DI)
    seating.refill(parts, seat_link(parts, over, ANN), DI, Chair("Emil", "emil@example.org"), parts.now())
    emil = seats(parts, over)[DI]
    assert (emil.name, emil.away, emil.missed) == ("Emil", False, 0)


def test_whoever_declined_may_think_better_of_it(parts, over) -> None:
    agree(parts, over, ANN, BO, CY)
    decline(parts, over, DI)
    assert stand(parts, over, DI) is Stand.DECLINED
    agree(parts, over, DI)
    assert newest(parts, over).number == 2


def test_without_its_host_the_table_is_closed_and_those_who_agreed_are_told(parts, over) -> None:
    agree(parts, over, BO)
    decline(parts, over, ANN)
    assert table(parts, over).state is TableState.OVER
    assert [(letter.seat, letter.about) for letter in letters(parts, LetterKind.DECLINED)] == [(BO, "Ann")]
    assert [stand(parts, over, seat) for seat in range(4)] == [Stand.DECLINED, *[Stand.CLOSED] * 3]
    for seat in (BO, CY):
        with pytest.raises(SeatGone):
            agree(parts, over, seat)


def test_a_host_who_thinks_better_of_it_opens_the_table_again(parts, over) -> None:
    agree(parts, over, BO)
    decline(parts, over, ANN)
    agree(parts, over, ANN)
    assert states(parts, over) == [SeatState.HOST, SeatState.ACCEPTED, SeatState.INVITED, SeatState.INVITED]
    assert len(asked(parts)) == 3, "nobody is asked twice"
    agree(parts, over, CY, DI)
    assert newest(parts, over).number == 2


def test_the_same_player_may_decline_before_every_game(parts, over) -> None:
    agree(parts, over, ANN)
    decline(parts, over, DI)
    agree(parts, over, DI, BO, CY)
    play_out(parts, newest(parts, over).id)
    agree(parts, over, ANN, number=2)
    decline(parts, over, DI)
    assert len(letters(parts, LetterKind.DECLINED)) == 2


# links and pages


def test_nobody_takes_part_with_the_link_of_a_chair_that_was_given_away(parts, over) -> None:
    old = link(parts, over, DI)
    agree(parts, over, ANN)
    decline(parts, over, DI)
    seating.refill(parts, seat_link(parts, over, ANN), DI, None, parts.now())
    before = dump(parts)
    with pytest.raises(SeatGone):
        again.agree(parts, old, parts.now())
    assert dump(parts) == before


def test_a_game_that_was_not_played_cannot_be_followed_by_another(parts, over) -> None:
    with pytest.raises(LinkInvalid):
        agree(parts, over, ANN, number=2)


def test_nothing_is_proposed_while_a_game_is_played(parts) -> None:
    game_id = start_game(parts)
    table_id = load(parts, game_id).table.id
    before = dump(parts)
    agree(parts, table_id, ANN)
    assert dump(parts) == before


def url(parts, table_id: int, seat: int, number: int = 1) -> str:
    return parts.signer.local_url(link(parts, table_id, seat, number))


def test_looking_changes_nothing(parts, over, client) -> None:
    before = dump(parts)
    for way in (client.get, client.head):
        assert way(url(parts, over, BO)).status_code == 200
    assert dump(parts) == before


def test_one_button_proposes_and_two_answer(parts, over, client) -> None:
    page = client.get(url(parts, over, BO)).text
    assert "Another game?" in page
    assert page.count("<button") == 1
    answer = client.post(url(parts, over, BO), data={"answer": "accept"}, follow_redirects=True)
    assert "You play again" in answer.text
    assert "We wait for the answers of Ann, Cy and Di." in answer.text
    page = client.get(url(parts, over, CY)).text
    assert "Bo wants to play again" in page
    assert page.count("<button") == 2
    assert (
        "You have declined" in client.post(url(parts, over, CY), data={"answer": "decline"}, follow_redirects=True).text
    )


@pytest.mark.parametrize(("data", "status"), [({}, 400), ({"answer": "maybe"}, 400)])
def test_a_form_that_is_not_ours_changes_nothing(parts, over, client, data, status) -> None:
    before = dump(parts)
    assert client.post(url(parts, over, BO), data=data).status_code == status
    assert dump(parts) == before


def test_eve_has_no_business_here(parts, over, client) -> None:
    before = dump(parts)
    bo = seats(parts, over)[BO].player_id
    for forged in (AgainLink(over, ANN, bo, 1), AgainLink(over, 9, bo, 1), AgainLink(99, BO, bo, 1)):
        assert client.post(parts.signer.local_url(forged), data={"answer": "accept"}).status_code in (403, 404, 409)
        assert client.get(parts.signer.local_url(forged)).status_code in (403, 404, 409)
    token = url(parts, over, BO)
    assert client.post(token[:-2] + "xx", data={"answer": "accept"}).status_code == 403
    assert client.post(token.replace("/again/", "/seat/") + "/chair", data={}).status_code == 403
    assert dump(parts) == before


def test_between_games_the_table_page_shows_the_last_score_and_asks(parts, over, client) -> None:
    bo, cy = (parts.signer.local_url(seat_link(parts, over, seat)) for seat in (BO, CY))
    page = client.get(bo).text
    assert "Another game?" in page
    assert "/again/" in page
    agree(parts, over, BO)
    assert "You play again" in client.get(bo).text
    page = client.get(cy).text
    assert "Bo wants to play again" in page
    assert 'class="race"' in page
    assert "after " in page
    agree(parts, over, ANN, CY, DI)
    assert "Play again" not in client.get(bo).text


def test_only_other_chairs_are_the_hosts_to_fill(parts, over, client) -> None:
    agree(parts, over, BO)
    page = client.get(parts.signer.local_url(seat_link(parts, over, ANN))).text
    assert page.count("Give away this chair") == 2


def test_the_record_of_the_last_game_stays_to_be_had(parts, over, client) -> None:
    agree(parts, over, ANN, BO, CY, DI)
    seat = parts.signer.local_url(seat_link(parts, over, BO))
    assert len(client.get(f"{seat}/record.json?game=1").json["hands"]) >= 1
    assert client.get(f"{seat}/record.json?game=2").json["hands"] == []
    assert client.get(f"{seat}/record.json?game=3").status_code == 403


def test_the_mail_says_who_wants_to_play_and_opens_the_same_page(parts, over) -> None:
    agree(parts, over, BO)
    postman.deliver(parts)
    (letter,) = [one for one in letters(parts, LetterKind.INVITATION) if one.seat == CY and one.about == "again 2"]
    assert letter.subject == "Bo wants to play again"
    mail = letter.message.replace("=\n", "")
    assert f"/again/{parts.signer.token(link(parts, over, CY))[:20]}" in mail
    site = make_site(parts).test_client()
    assert site.get(url(parts, over, CY)).status_code == 200
