"""Choose now: who is asked before their turn, what an email of it asks, and until when they may answer."""

import random
from datetime import timedelta

import pytest

from hearts.cards import card_text
from hearts.seats import Seat
from hearts.turns import Play
from hearts.view import view
from hearts.waits import Price, matters_ahead
from hearts.waits.ahead import Unless, choices_ahead, foreseen
from tests.cast import NAMES, PACE, give_waits, letters, load, play_link, start_game
from tests.mailing import BUNDLED, set_preferences
from tests.playing import ask_all, following_cards, pass_all, play_first, waiting_game
from tests.reminding import reminded_seats, reminder_times, sleeps
from tests.side_by_side import play_in
from tests.submitting import words
from tests.webapp.asked_ahead import answer, due, set_table
from tests.webapp.going_away import set_away
from webapp.games.asked import whose_turn
from webapp.games.asked.choose_now import AHEAD, asked_before_turn, to_look_at
from webapp.games.asked.due import later_due, turn_link
from webapp.games.asked.whose_turn import awaited
from webapp.games.record import store
from webapp.models import LetterKind, LetterState, SeatRow, SeatState, TurnSource, Wait
from webapp.outbox.delivery import last_mails
from webapp.play import due_games
from webapp.players import waits
from webapp.robots import thinking
from worker import postman
from worker.mail import compose

pytestmark = pytest.mark.usefixtures("same_seed")
ANN, BO, CY, DI = map(Seat, range(4))


@pytest.fixture
def game_id(runtime):
    """Bo has led, Cy is to play, Di and Ann follow; each has a choice of cards. The table asks at once."""
    made = waiting_game(runtime)
    set_table(runtime, made, asks_ahead=True)
    return made


def set_seat(runtime, game_id, seat, **columns):
    with runtime.database.writing() as session:
        row = session.get_one(SeatRow, (load(runtime, game_id).row.table_id, seat))
        for name, value in columns.items():
            setattr(row, name, value)


def asked(runtime, game_id):
    stored = load(runtime, game_id)
    return [seat for seat in map(Seat, range(4)) if asked_before_turn(stored, seat)]


def mails_to(runtime, game_id, seat, what=None):
    """The questions of the present trick to the player of the seat."""
    what = what or due(runtime, game_id)
    found = [one for one in letters(runtime, LetterKind.TURN) if one.seat == seat and one.game_id == game_id]
    return [one for one in found if (one.hand, one.about) == (what.hand, what.what)]


def text_of(runtime, letter):
    with runtime.database.writing() as session:
        message = compose(runtime, session, session.get_one(type(letter), letter.id))
    return None if message is None else message.get_body("plain").get_content()


def page_of(runtime, client, game_id, seat):
    return words(client.get(runtime.signer.local_url(play_link(runtime, game_id, seat))))


# who is asked


def test_all_who_follow_are_asked_at_once_and_only_once(runtime, game_id):
    for _ in range(2):
        assert due_games.play_for_absent(runtime, game_id) == 0
        assert asked(runtime, game_id) == [ANN, DI]
        assert [[one.reason for one in mails_to(runtime, game_id, seat)] for seat in (CY, DI, ANN)] == [
            [None],
            [AHEAD],
            [AHEAD],
        ]
    assert sleeps(load(runtime, game_id).row)


def test_a_card_wakes_the_worker_that_asks(runtime):
    game_id = start_game(runtime)
    set_table(runtime, game_id, asks_ahead=True)
    pass_all(runtime, game_id)
    while not to_look_at(load(runtime, game_id)):
        play_first(runtime, game_id)
    assert due_games.claim_due(runtime, runtime.now()) == [game_id]


def kept_answer(runtime, game_id):
    answer(runtime, game_id, ANN, following_cards(runtime, game_id, ANN)[0])


@pytest.mark.parametrize(
    ("change", "whom"),
    [
        pytest.param(lambda *given: set_table(*given, asks_ahead=False), [], id="the table does not want it"),
        pytest.param(lambda *given: set_table(*given, play_seconds=60), [], id="a live table"),
        pytest.param(lambda *given: set_seat(*given, DI, away=True), [ANN], id="who is away"),
        pytest.param(lambda *given: set_seat(*given, DI, robot_hand=1), [ANN], id="whose hand a robot plays"),
        pytest.param(lambda *given: set_seat(*given, DI, state=SeatState.ROBOT, player_id=None), [ANN], id="a robot"),
        pytest.param(kept_answer, [DI], id="who has answered ahead"),
        pytest.param(lambda *given: set_seat(*given, CY, away=True), [ANN, DI], id="and none before a robot's card"),
    ],
)
def test_only_players_who_have_to_choose_are_asked(runtime, game_id, change, whom):
    change(runtime, game_id)
    due_games.play_for_absent(runtime, game_id)
    stored = load(runtime, game_id)
    assert asked(runtime, game_id) == [seat for seat in whom if seat not in stored.game.to_act]


def test_who_has_one_card_to_choose_is_not_asked(runtime):
    game_id, seen = start_game(runtime), set()
    set_table(runtime, game_id, asks_ahead=True)
    while len(load(runtime, game_id).game.tricks) < 9 and not seen >= {1, 2}:
        play_first(runtime, game_id)
        due_games.play_for_absent(runtime, game_id)
        stored = load(runtime, game_id)
        for seat in map(Seat, range(4)):
            if choices := choices_ahead(view(stored.game, seat)):
                assert (seat in asked(runtime, game_id)) is (len(choices) > 1)
                seen.add(min(len(choices), 2))
    assert seen == {1, 2}


def test_no_wait_asks_ahead_only_where_it_matters(runtime):
    """The robot finds a decision that matters for each player who is asked, and none for the others."""
    game_id, found = start_game(runtime), {True: 0, False: 0}
    give_waits(runtime, game_id, None, Wait.NONE, Wait.NONE, Wait.NONE)
    set_table(runtime, game_id, asks_ahead=True)
    pass_all(runtime, game_id)
    while not load(runtime, game_id).game.scores and min(found.values()) < 2:
        due_games.play_for_absent(runtime, game_id)
        stored = load(runtime, game_id)
        for seat in map(Seat, range(4)):
            if later_due(stored.game, seat) and awaited(stored):
                seen = seen_when_asked(runtime, stored, seat)
                is_asked = seat in asked(runtime, game_id)
                assert matters_to(seat, foreseen(seen)) is is_asked
                found[is_asked] += 1
        play_first(runtime, game_id)
    assert min(found.values()) >= 2


def matters_to(seat, ahead):
    """Whether the seat has to choose a card; to Ann every choice matters."""
    return ahead is not None and (seat == ANN or matters_ahead(ahead, 7))


def seen_when_asked(runtime, stored, seat):
    """Returns the seat's view when it was asked in this trick; its present view if it was not."""
    turns = [one.turns for one in mails_to(runtime, stored.id, seat)]
    with runtime.database.reading() as session:
        return view(store.load(session, stored.id, turns=turns[0]).game if turns else stored.game, seat)


def test_each_of_the_hands_side_by_side_asks_by_itself(runtime):
    game_id = start_game(runtime, at_once=4)
    set_table(runtime, game_id, asks_ahead=True)
    rng, asked_in = random.Random(4), set()
    while sum(bool(one.game.on_table) for one in load(runtime, game_id).open_hands()) < 3:
        play_in(runtime, rng.choice(list(load(runtime, game_id).open_hands())), rng)
    due_games.play_for_absent(runtime, game_id)
    hands = {one.game.hand: one for one in load(runtime, game_id).open_hands() if one.game.on_table}
    for number, one in hands.items():
        whom = {seat for seat in map(Seat, range(4)) if asked_before_turn(one, seat)}
        mailed = {letter.seat for letter in letters(runtime) if (letter.hand, letter.reason) == (number, AHEAD)}
        assert whom == mailed
        asked_in |= {number} if whom else set()
    assert len(asked_in) > 1


# one question


def test_the_mail_shows_the_trick_and_links_to_each_card(runtime, game_id):
    due_games.play_for_absent(runtime, game_id)
    (letter,) = mails_to(runtime, game_id, ANN)
    text = text_of(runtime, letter)
    assert "Cy and Di play before you. Choose now, and nobody has to wait for you." in text
    assert "Play by" not in text, "the deadline is another player's"
    for card in following_cards(runtime, game_id, ANN):
        assert f"?card={card_text(card)}" in text


def test_the_first_mails_links_play_so_no_second_is_sent(runtime, client, game_id):
    due_games.play_for_absent(runtime, game_id)
    stored, what = load(runtime, game_id), due(runtime, game_id)
    link, card = runtime.signer.local_url(turn_link(stored, DI, what)), following_cards(runtime, game_id, DI)[0]
    before = client.get(f"{link}?card={card_text(card)}").get_data(as_text=True)
    assert 'name="sealed"' in before
    assert f'value="{card_text(card)}" required checked' in before
    play_first(runtime, game_id)
    assert len(mails_to(runtime, game_id, DI)) == 1
    assert 'name="card"' in client.get(f"{link}?card={card_text(card)}").get_data(as_text=True)
    assert client.post(link, data={"card": card_text(card)}).status_code == 303
    assert Play(DI, card) in [record.turn for record in load(runtime, game_id).records]


def test_a_mail_sent_after_the_turn_began_asks_for_it(runtime, game_id):
    due_games.play_for_absent(runtime, game_id)
    (letter,) = mails_to(runtime, game_id, DI)
    play_first(runtime, game_id)
    text = text_of(runtime, letter)
    assert "Play by" in text
    assert "before you" not in text


def test_an_answered_question_is_not_mailed(runtime, game_id):
    due_games.play_for_absent(runtime, game_id)
    answer(runtime, game_id, ANN, following_cards(runtime, game_id, ANN)[0])
    assert [one.state for one in mails_to(runtime, game_id, ANN)] == [LetterState.SUPERSEDED]
    assert asked(runtime, game_id) == [DI]


@pytest.mark.parametrize("is_sent", [False, True])
def test_a_player_who_must_choose_again_learns_why(runtime, game_id, is_sent):
    due_games.play_for_absent(runtime, game_id)
    if is_sent:
        ask_all(runtime)
    card = following_cards(runtime, game_id, DI)[-1]
    answer(runtime, game_id, DI, card, unless=frozenset({Unless.WIN}))
    play_first(runtime, game_id)
    first, second = mails_to(runtime, game_id, DI)
    assert first.state is (LetterState.SENT if is_sent else LetterState.SUPERSEDED)
    assert (first.reason, second.reason) == (AHEAD, None)
    assert "but it would win the trick." in text_of(runtime, second)


def test_a_digest_asks_it_too(runtime, game_id):
    set_preferences(runtime, "Di", frequency=BUNDLED)
    due_games.play_for_absent(runtime, game_id)
    assert [one.state for one in mails_to(runtime, game_id, DI)] == [LetterState.HELD]
    runtime.now.pass_by(timedelta(hours=2))
    postman.deliver(runtime)
    (digest,) = [one for one in letters(runtime, LetterKind.DIGEST) if one.message]
    assert "Cy plays before you." in digest.message.replace("=\n", "")
    assert [one.state for one in mails_to(runtime, game_id, DI)] == [LetterState.BUNDLED]


def hardly_matters(monkeypatch):
    monkeypatch.setattr(thinking, "small_price", lambda *_: Price(0.1, 100, 7))
    monkeypatch.setattr(whose_turn, "may_shed_queen", lambda _: False)
    monkeypatch.setattr(thinking, "matters_ahead", lambda *_: False)


def test_we_may_still_play_when_the_turn_has_come(runtime, game_id, monkeypatch):
    hardly_matters(monkeypatch)
    due_games.play_for_absent(runtime, game_id)
    what = due(runtime, game_id)
    give_waits(runtime, game_id, None, None, None, Wait.NONE)
    play_first(runtime, game_id)
    due_games.play_for_absent(runtime, game_id)
    record = next(one for one in reversed(load(runtime, game_id).records) if one.turn.seat == DI)
    assert record.source is TurnSource.WAIT
    assert [one.state for one in mails_to(runtime, game_id, DI, what)] == [LetterState.SUPERSEDED]


def test_a_new_wait_takes_the_question_back(runtime, game_id, monkeypatch):
    hardly_matters(monkeypatch)
    due_games.play_for_absent(runtime, game_id)
    stored = load(runtime, game_id)
    waits.change_wait(runtime, stored.seats[DI].player_id, Wait.NONE, runtime.now(), stored.row.table_id)
    due_games.play_for_absent(runtime, game_id)
    assert asked(runtime, game_id) == [ANN]
    postman.deliver(runtime)
    assert [one.state for one in mails_to(runtime, game_id, DI)] == [LetterState.SUPERSEDED]


def test_who_is_back_is_asked(runtime, game_id):
    table_id = load(runtime, game_id).row.table_id
    set_away(runtime, table_id, DI, away=True)
    due_games.play_for_absent(runtime, game_id)
    assert asked(runtime, game_id) == [ANN]
    set_away(runtime, table_id, DI, away=False)
    due_games.play_for_absent(runtime, game_id)
    assert asked(runtime, game_id) == [ANN, DI]
    assert len(mails_to(runtime, game_id, DI)) == 1


# sealed


def test_nobody_learns_who_is_asked_or_has_answered(runtime, client, game_id):
    def shown():
        pages = [runtime.signer.local_url(play_link(runtime, game_id, seat)) for seat in (BO, CY, DI)]
        return [(words(client.get(page)), client.get(f"{page}/now").json) for page in pages]

    set_seat(runtime, game_id, DI, away=True)  # so that Ann alone is asked
    before = shown()
    due_games.play_for_absent(runtime, game_id)
    assert asked(runtime, game_id) == [ANN]
    assert shown() == before
    answer(runtime, game_id, ANN, following_cards(runtime, game_id, ANN)[0])
    assert shown() == before


def test_the_host_sees_no_mail_that_asks_before_the_turn(runtime, game_id):
    ask_all(runtime)
    seats = load(runtime, game_id).seats
    with runtime.database.reading() as session:
        before = last_mails(session, seats, runtime.now(), even_ahead=False)
    assert DI in before
    runtime.now.pass_by(timedelta(minutes=5))
    due_games.play_for_absent(runtime, game_id)
    ask_all(runtime)
    with runtime.database.reading() as session:
        assert last_mails(session, seats, runtime.now(), even_ahead=False) == before
        assert last_mails(session, seats, runtime.now())[DI].at == runtime.now()


# the clock


def test_who_was_asked_before_their_turn_has_the_same_deadline(runtime, game_id):
    due_games.play_for_absent(runtime, game_id)
    for name in NAMES:
        set_preferences(runtime, name, quiet=None)
    ask_all(runtime)
    runtime.now.pass_by(timedelta(hours=2))
    play_first(runtime, game_id)
    assert load(runtime, game_id).row.due_at == runtime.now() + PACE
    assert reminder_times(runtime, game_id, DI), "the table waits for them now"


def test_nobody_is_reminded_before_their_turn_nor_played_for(runtime, game_id):
    due_games.play_for_absent(runtime, game_id)
    ask_all(runtime)
    assert reminded_seats(runtime, game_id) == {CY}
    runtime.now.at = load(runtime, game_id).row.due_at
    assert due_games.play_for_absent(runtime, game_id) == 1, "Cy's deadline is over, and nobody else's"
    assert load(runtime, game_id).game.to_act == (DI,)
    assert load(runtime, game_id).row.due_at > runtime.now()
