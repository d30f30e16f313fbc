"""Hidden speed: at a table that hides it, a card lies face down, and is then played once, whatever happens."""

import random
from datetime import timedelta

import pytest

from hearts.cards import Cards
from hearts.game import IllegalTurn, Stage, legal
from hearts.plans import ASK, Asking, Plan
from hearts.seats import Seat
from hearts.turns import Pass, Play
from tests.cast import PACE, ask_all, give_plans, letters, load, play_link, start_game
from tests.playing import following_cards, hide_speed, pass_all, records, show_cards, waiting_game
from tests.races import at_once, check_replays
from tests.reminding import reminder_times
from tests.side_by_side import hand
from tests.together import agree, beats, sweep
from webapp import due_games, service
from webapp.core.tokens import HostLink
from webapp.games import deadlines, face_down, store
from webapp.games.clock import Bank
from webapp.games.due import due_of
from webapp.games.pace import bank_mapping
from webapp.games.planning import awaited, pending, seen_awaited
from webapp.games.records import Record
from webapp.games.store import Stored
from webapp.games.trick_sheet import asked_before_turn
from webapp.models import LetterKind, LetterState, SeatState, TurnSource
from webapp.outbox import reminders
from webapp.outbox.nudges import NUDGE
from webapp.players import ahead, nudging
from webapp.robots import thinking
from webapp.seat_transfer import Occupant, transfer_seat
from webapp.tables import hosting

ANN, BO, CY, DI = map(Seat, range(4))
MATTERS = Plan(asking=Asking.MATTERS)


@pytest.fixture
def game_id(runtime):
    """Bo has led, and Cy is to play; the table hides how fast cards are played."""
    made = waiting_game(runtime)
    hide_speed(runtime, made)
    return made


def choose(stored):
    """What every player plays in these tests: the highest legal card, or the lowest in every other trick."""
    (seat,) = stored.game.to_act
    return Play(seat, (max if stored.game.trick % 2 else min)(legal(stored.game, seat)))


def play(runtime, stored, turn=None, source=TurnSource.PAGE):
    turn = turn or choose(stored)
    return service.take_turn(runtime, stored.id, due_of(stored.game, turn.seat), turn, source, runtime.now())


def host_link(stored):
    return HostLink(stored.table.id, stored.table.host_id)


def test_a_card_lies_face_down_and_is_then_the_next_record_of_its_game_once(runtime, game_id):
    before = load(runtime, game_id)
    turn = choose(before)
    play(runtime, before)
    laid = load(runtime, game_id)
    assert (laid.records, face_down.lying(laid).turn, awaited(laid)) == (before.records, turn, ())
    assert due_games.play_for_absent(runtime, game_id) == 0
    assert show_cards(runtime, game_id) == 1
    after = load(runtime, game_id)
    assert [(one.turn, one.source) for one in after.records[before.row.turns :]] == [(turn, TurnSource.PAGE)]
    assert after.row.face_down is None
    assert awaited(after) == (DI,)
    assert due_games.play_for_absent(runtime, game_id) == 0


def test_a_card_that_lies_cannot_be_taken_back_and_a_second_answer_learns_of_it(runtime, game_id):
    before = load(runtime, game_id)
    low, *_, high = following_cards(runtime, game_id, CY)
    play(runtime, before, Play(CY, low))
    with pytest.raises(service.TurnOver) as over:
        play(runtime, before, Play(CY, high), TurnSource.REPLY)
    assert over.value.answer.turn == Play(CY, low)
    show_cards(runtime, game_id)
    assert load(runtime, game_id).records[-1].turn == Play(CY, low)


def test_a_card_that_the_rules_refuse_is_refused_at_once(runtime, game_id):
    before = load(runtime, game_id)
    barred = next(card for card in before.game.held[CY] if card not in legal(before.game, CY))
    with pytest.raises(IllegalTurn):
        play(runtime, before, Play(CY, barred))
    assert load(runtime, game_id).row.face_down is None


def test_a_card_laid_just_before_the_deadline_is_shown_at_it_and_no_robot_plays(runtime, game_id):
    ask_all(runtime)
    before = load(runtime, game_id)
    runtime.now.at = before.row.due_at - timedelta(seconds=20)
    play(runtime, before)
    assert load(runtime, game_id).row.wake_at == before.row.due_at
    runtime.now.at = before.row.due_at
    due_games.play_for_absent(runtime, game_id)
    after = load(runtime, game_id)
    assert after.records[before.row.turns][:4] == (choose(before), TurnSource.PAGE, None, before.game.hand)
    assert after.seats[CY].missed == 0


def test_who_has_laid_a_card_gets_no_question_and_no_reminder_of_it(runtime, game_id):
    before = load(runtime, game_id)
    theirs = [one.id for one in letters(runtime) if (one.seat, one.about) == (CY, f"trick {before.game.trick}")]
    assert theirs
    assert reminder_times(runtime, game_id, CY)
    play(runtime, before)
    states = {one.id: one.state for one in letters(runtime)}
    assert {states[one] for one in theirs} == {LetterState.SUPERSEDED}
    with runtime.database.writing() as session:
        stored = store.load(session, game_id, lock=True)
        reminders.queue_due(session, runtime, stored, stored.row.due_at)
    assert letters(runtime, LetterKind.REMINDER) == []


def test_others_may_have_a_player_reminded_whose_card_lies_and_nothing_is_sent(runtime, game_id):
    runtime.now.pass_by(PACE / 3)
    play(runtime, load(runtime, game_id))
    nudging.nudge(runtime, play_link(runtime, game_id, DI), runtime.now())
    (letter,) = [one for one in letters(runtime) if one.reason == NUDGE]
    assert (letter.seat, letter.state) == (CY, LetterState.SUPERSEDED)


@pytest.mark.parametrize("what", ["plan", "guard", "ahead"])
def test_a_card_that_nobody_is_asked_for_lies_too_and_the_deadline_is_as_if_its_player_were_asked(
    runtime, what, monkeypatch
):
    monkeypatch.setattr(thinking.secrets, "randbits", lambda _: 7)  # the guard looks in the same way in every run
    game_id = waiting_game(runtime)
    hide_speed(runtime, game_id)
    plan = ASK if what == "ahead" else Plan(asking=Asking.MATTERS, limit=2.0)
    give_plans(runtime, game_id, ASK, ASK, ASK, plan, guards=what == "guard")
    if what == "ahead":
        card = following_cards(runtime, game_id, DI)[0]
        ahead.choose_ahead(runtime, play_link(runtime, game_id, DI), card, frozenset(), None, runtime.now())
    play(runtime, load(runtime, game_id))
    show_cards(runtime, game_id)
    after = load(runtime, game_id)
    assert face_down.lying(after).turn.seat == DI
    assert (awaited(after), seen_awaited(after)) == ((), (DI,))
    assert after.row.due_at == runtime.now() + PACE
    assert not [one for one in letters(runtime) if (one.seat, one.about) == (DI, f"trick {after.game.trick}")]


def test_a_guard_that_leaves_the_card_to_its_player_at_once_moves_no_deadline(runtime, game_id):
    """The others would see by it that a guard has looked; a moment is all that the player loses."""
    give_plans(runtime, game_id, ASK, ASK, ASK, MATTERS)
    with runtime.database.writing() as session:
        before, now = store.load(session, game_id, lock=True), runtime.now()
        after = store.append(session, before, Record(choose(before), TurnSource.PAGE), now)
        stored = service.advance(session, runtime, before, after, now)
        assert pending(stored).seat == DI
        due_at, stored.clock.guard_asked = stored.clock.due_at, stored.last_turn
        deadlines.for_seats(session, stored, [DI], now + timedelta(seconds=2))
        assert stored.clock.due_at == due_at == now + PACE
        deadlines.for_seats(session, stored, [DI], now + timedelta(minutes=2))
        assert stored.clock.due_at == due_at + timedelta(minutes=2), "no worker was free: the player has the full time"


def test_who_follows_is_asked_before_their_turn_as_if_the_table_waited_for_a_player(runtime, game_id):
    with runtime.database.writing() as session:
        store.load(session, game_id).table.asks_ahead = True
    give_plans(runtime, game_id, ASK, ASK, ASK, MATTERS, guards=False)
    play(runtime, load(runtime, game_id))
    show_cards(runtime, game_id)
    after = load(runtime, game_id)
    assert face_down.lying(after).turn.seat == DI
    assert asked_before_turn(after, ANN)


def test_a_bank_stands_still_while_the_card_lies_and_grows_when_it_is_shown(runtime, game_id):
    bank = Bank(timedelta(days=3), timedelta(hours=12), timedelta(days=5))
    with runtime.database.writing() as session:
        stored = store.load(session, game_id, lock=True)
        stored.table.bank = bank_mapping(bank)
        service.clock_changed(session, runtime, stored, runtime.now())
    runtime.now.pass_by(timedelta(hours=5))
    play(runtime, load(runtime, game_id))
    laid = load(runtime, game_id).seats[CY].bank
    assert laid == {"left": (bank.start - timedelta(hours=5)).total_seconds(), "since": None}
    show_cards(runtime, game_id)
    left = timedelta(seconds=load(runtime, game_id).seats[CY].bank["left"])
    assert left == bank.start - timedelta(hours=5) + bank.increment


def test_in_a_paused_game_a_card_lies_no_longer_and_is_shown_in_time(runtime, game_id):
    play(runtime, load(runtime, game_id))
    hosting.pause(runtime, host_link(load(runtime, game_id)), paused=True, now=runtime.now())
    paused = load(runtime, game_id)
    assert (paused.row.due_at, paused.row.wake_at) == (None, face_down.lies_until(paused, runtime.now()))
    assert show_cards(runtime, game_id) == 1


def test_a_host_who_wants_no_hiding_any_more_shows_at_once_what_lies(runtime, game_id):
    play(runtime, load(runtime, game_id))
    laid = load(runtime, game_id)
    table = laid.table
    options = hosting.TableOptions(table.talk, table.suggestions, table.robots, table.guards, is_side_by_side=False)
    hosting.change_options(runtime, host_link(laid), options, runtime.now())
    assert load(runtime, game_id).row.wake_at == runtime.now()
    due_games.play_for_absent(runtime, game_id)
    assert load(runtime, game_id).row.turns == laid.row.turns + 1


def test_an_evening_together_shows_at_once_what_lies(runtime, game_id):
    runtime.now.at = agree(runtime, game_id)
    play(runtime, load(runtime, game_id))
    beats(runtime, game_id)
    sweep(runtime)
    laid = load(runtime, game_id)
    assert laid.table.is_together
    assert laid.row.wake_at == runtime.now()
    due_games.play_for_absent(runtime, game_id)
    assert load(runtime, game_id).row.turns == laid.row.turns + 1


def test_a_game_that_its_host_ends_meanwhile_is_over_and_nothing_lies(runtime, game_id):
    play(runtime, load(runtime, game_id))
    hosting.end_game(runtime, host_link(load(runtime, game_id)), runtime.now())
    assert load(runtime, game_id).row.face_down is None
    assert show_cards(runtime, game_id) == 0


def test_a_card_is_its_players_also_if_the_seat_is_another_ones_when_it_is_shown(runtime, game_id):
    before = load(runtime, game_id)
    play(runtime, before)
    with runtime.database.writing() as session:
        stored = store.load(session, game_id, lock=True)
        transfer_seat(session, runtime, stored.seats[CY], Occupant(None, "Pip", SeatState.ROBOT), stored, runtime.now())
        service.preferences_changed(session, runtime, stored.row, CY, was_away=True, now=runtime.now())
    assert due_games.play_for_absent(runtime, game_id) == 0, "no robot plays what is played"
    show_cards(runtime, game_id)
    after = load(runtime, game_id)
    assert after.records[before.row.turns][:2] == (choose(before), TurnSource.PAGE)
    assert not after.has_chosen(CY, before.row.turns + 1)


def test_in_hands_side_by_side_a_card_that_lies_in_one_stops_no_other(runtime):
    game_id = start_game(runtime, at_once=4)
    hide_speed(runtime, game_id)
    for number in (1, 2):
        play_until_cards_are_chosen(runtime, game_id, number)
    first, second = hand(runtime, game_id, 1), hand(runtime, game_id, 2)
    play(runtime, first)
    play(runtime, second)
    assert set(load(runtime, game_id).row.face_down) == {"1", "2"}
    assert awaited(hand(runtime, game_id, 3)), "its pass"
    show_cards(runtime, game_id)
    for before in (first, second):
        after = hand(runtime, game_id, before.game.hand)
        assert after.of_hand(before.game.hand)[-1].turn == choose(before)


def play_until_cards_are_chosen(runtime, game_id, number):
    """Everybody passes in that hand, and what plays itself is shown."""
    while (stored := hand(runtime, game_id, number)).game.stage is Stage.PASS:
        play_pass(runtime, stored)
    while not awaited(hand(runtime, game_id, number)):
        show_cards(runtime, game_id)


def play_pass(runtime, stored):
    seat = stored.game.to_act[0]
    turn = Pass(seat, Cards.of(sorted(stored.game.held[seat])[:3]))
    service.take_turn(runtime, stored.id, due_of(stored.game, seat), turn, TurnSource.PAGE, runtime.now())


@pytest.mark.parametrize("seed", range(2))
def test_whatever_happens_between_each_card_is_played_once_as_it_was_laid_and_the_hand_is_the_same(runtime, seed):
    """Two games of the same deal: one hides how fast cards are played, and much happens while they lie."""
    open_game, hiding = (begin(runtime, hidden=hidden) for hidden in (False, True))
    while load(runtime, open_game).game.stage is Stage.PLAY:
        play(runtime, load(runtime, open_game))
    rng, laid, steps = random.Random(seed), {}, 0
    while len((stored := load(runtime, hiding)).cycle.scores) == 0:
        check_laid(stored, laid)
        rng.choice(EVENTS)(runtime, stored)
        steps += 1
        assert steps < 2000
    scored = load(runtime, open_game).of_hand(1)
    played = load(runtime, hiding).of_hand(1)
    assert [one[:2] for one in played] == [one[:2] for one in scored]
    assert {(one.turn.seat, one.turn.card) for one in scored if isinstance(one.turn, Play)} >= set(laid.values())
    assert TurnSource.FORCED in {load(runtime, hiding).records[number - 1].source for number in laid}
    check_replays(runtime, hiding)


def begin(runtime, *, hidden):
    """A game whose players have passed; two such games have the same deal."""
    runtime.chance.seed("the same deal")
    game_id = start_game(runtime)
    hide_speed(runtime, game_id, hidden=hidden)
    pass_all(runtime, game_id)
    return game_id


def check_laid(stored, laid):
    """A card that lies stays the same until it is the record of its number; `laid` are those seen so far."""
    for number, (seat, card) in laid.items():
        if number <= stored.row.turns:
            assert stored.records[number - 1].turn == Play(seat, card)
    if record := face_down.lying(stored):
        lies = (record.turn.seat, record.turn.card)
        assert laid.setdefault(stored.row.turns + 1, lies) == lies


def somebody_plays(runtime, stored):
    if awaited(stored):
        play(runtime, stored)


def somebody_answers_again(runtime, stored):
    if face_down.lying(stored):
        with pytest.raises(service.TurnOver):
            play(runtime, stored)


def time_passes(runtime, stored):
    runtime.now.pass_by(timedelta(minutes=4))
    due_games.play_for_absent(runtime, stored.id)


def the_host_pauses_or_goes_on(runtime, stored):
    hosting.pause(runtime, host_link(stored), paused=stored.table.paused_at is None, now=runtime.now())


def the_host_changes_the_setting(runtime, stored):
    hide_speed(runtime, stored.id, hidden=not stored.table.hides_speed)
    if not load(runtime, stored.id).table.hides_speed:
        due_games.play_for_absent(runtime, stored.id)
        hide_speed(runtime, stored.id)


EVENTS = [
    *(4 * [somebody_plays]),
    *(4 * [time_passes]),
    somebody_answers_again,
    the_host_pauses_or_goes_on,
    the_host_changes_the_setting,
]


def test_sweeps_a_second_answer_and_a_pause_at_the_same_moment_show_the_card_once(either_runtime):
    runtime = either_runtime
    game_id = waiting_game(runtime)
    hide_speed(runtime, game_id)
    before = load(runtime, game_id)
    low, *_, high = following_cards(runtime, game_id, CY)
    play(runtime, before, Play(CY, low))
    runtime.now.pass_by(face_down.LONGEST)
    *swept, second, paused = at_once(
        lambda: due_games.play_for_absent(runtime, game_id),
        lambda: due_games.play_for_absent(runtime, game_id),
        lambda: play(runtime, before, Play(CY, high), TurnSource.LINK),
        lambda: hosting.pause(runtime, host_link(before), paused=True, now=runtime.now()),
    )
    assert sum(swept) == 1
    assert isinstance(second, service.TurnOver)
    assert paused is None
    check_replays(runtime, game_id)
    after = load(runtime, game_id)
    assert [one.turn for one in after.records[before.row.turns :]] == [Play(CY, low)]
    assert after.row.face_down is None


def test_two_answers_the_end_of_the_time_and_the_end_of_the_game_at_the_same_moment(either_runtime):
    runtime = either_runtime
    game_id = waiting_game(runtime)
    hide_speed(runtime, game_id)
    ask_all(runtime)
    before = load(runtime, game_id)
    low, *_, high = following_cards(runtime, game_id, CY)
    runtime.now.at = before.row.due_at
    *answers, swept, ended = at_once(
        lambda: play(runtime, before, Play(CY, low)),
        lambda: play(runtime, before, Play(CY, high), TurnSource.LINK),
        lambda: due_games.play_for_absent(runtime, game_id),
        lambda: hosting.end_game(runtime, host_link(before), runtime.now()),
    )
    assert sum(isinstance(one, Stored) for one in answers) <= 1
    assert all(isinstance(one, Stored | service.TurnOver) for one in answers)
    assert (isinstance(swept, int), ended) == (True, None)
    over = load(runtime, game_id)
    assert over.row.face_down is None
    assert len(records(runtime, game_id)) == over.row.turns <= before.row.turns + 1
