"""Turns that the cast plays or misses, and what was written of them."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime, timedelta

from sqlmodel import col, select, update

from hearts.cards import Card, Cards, card_text, suit
from hearts.game import Game, Stage, legal
from hearts.rules import preset_rules
from hearts.seats import Seat
from hearts.turns import Moon, MoonChoice, Pass, Play
from tests.cast import load, start_game
from tests.copying import copied
from webapp.core.runtime import Runtime
from webapp.games.asked.due import Decision, Due, due_of
from webapp.games.clock.arriving import note_presence
from webapp.games.clock.presence import note_turn
from webapp.games.record import changing, store
from webapp.games.record.store import Record, TableGame
from webapp.models import GameRow, LetterRow, LetterState, PlayerRow, TurnRow, TurnSource
from webapp.outbox import turn_mail
from webapp.play import advancing, due_games, taking

QUICK = preset_rules("quick", target=30)  # more than a hand has points, so that there are two hands
BO = 1


def play_first(runtime: Runtime, game_id: int, way: TurnSource = TurnSource.PAGE) -> TableGame:
    """The game after one more decision: the first awaited player passes or plays their first cards."""
    stored = load(runtime, game_id)
    seat = stored.game.to_act[0]
    due = due_of(stored.game, seat)
    assert due is not None
    if stored.game.stage is Stage.PASS:
        turn: Decision = Pass(seat, Cards.of(list(stored.game.held[seat])[: stored.game.rules.pass_count]))
    elif stored.game.stage is Stage.MOON:
        turn = Moon(seat, MoonChoice.ADD)
    else:
        turn = Play(seat, next(iter(legal(stored.game, seat))))
    return taking.take_turn(runtime, game_id, due, turn, way, runtime.now())


def play_hand(runtime: Runtime, game_id: int) -> None:
    """Plays until the current hand is scored, asking nobody between its first tricks and its last two."""
    stored = load(runtime, game_id)
    scored = len(stored.game.scores)
    while stored.game.stage is Stage.PASS or len(stored.game.plays) < stored.game.rules.players:
        stored = play_first(runtime, game_id)
    if len(stored.game.scores) == scored:
        leap(runtime, game_id, lambda game: max(map(len, game.held)) <= 2 and not game.on_table)
    while len(load(runtime, game_id).game.scores) == scored:
        play_first(runtime, game_id)


def leap(runtime: Runtime, game_id: int, is_far_enough: Callable[[Game], bool]) -> None:
    """Plays on within a hand in one transaction, as one turn does with all its consequences."""
    with changing.game(runtime, game_id, runtime.now()) as game:
        before = game.stored
        while not is_far_enough(game.stored.game):
            (seat,) = game.stored.game.to_act
            game.append(Record(Play(seat, next(iter(legal(game.stored.game, seat)))), TurnSource.PAGE))
        for seat in map(Seat, range(before.game.rules.players)):
            note_turn(game.session, game.stored, seat, TurnSource.PAGE, game.now, was_live=False)
        advancing.advance(game, before)


def ask_all(runtime: Runtime) -> None:
    """Marks letters as if workers had sent them, so that everybody has been asked."""
    now = runtime.now()
    with runtime.database.writing() as session:
        for player in session.exec(select(PlayerRow)):
            if any(one.shown_at is None for one in turn_mail.waiting_for(session, player)):
                turn_mail.mail_now(session, runtime, player, now)
    send = update(LetterRow).where(col(LetterRow.state) == LetterState.QUEUED, col(LetterRow.next_at) <= now)
    with runtime.database.writing() as session:
        session.exec(send.values(state=LetterState.SENT, next_at=None, sent_at=now))


def miss_deadline(runtime: Runtime, game_id: int) -> int:
    """Asks all awaited players and lets their deadline pass. Returns how many turns were played for them."""
    ask_all(runtime)
    runtime.now.at = max(runtime.now(), load(runtime, game_id).row.due_at or runtime.now())
    return due_games.play_for_absent(runtime, game_id)


def pass_lowest(runtime: Runtime, game_id: int, seat: int, way: TurnSource = TurnSource.PAGE) -> TableGame:
    held = load(runtime, game_id).game.held[seat]
    turn = Pass(Seat(seat), Cards.of(list(held)[:3]))
    return taking.take_turn(runtime, game_id, Due(1, "pass"), turn, way, runtime.now())


def pass_all(runtime: Runtime, game_id: int, seats: Iterable[int] = range(4)) -> None:
    for seat in seats:
        pass_lowest(runtime, game_id, seat)


def awaited(runtime: Runtime, game_id: int) -> int:
    """The one seat that is to act."""
    (seat,) = load(runtime, game_id).game.to_act
    return seat


def beat(
    runtime: Runtime,
    game_id: int,
    seat: int = BO,
    *,
    here: bool = True,
    idle: timedelta | None = timedelta(),
    player_id: int | None = None,
) -> None:
    """A heartbeat of the player's page, who last did something there `idle` ago, or (not `here`) its report that they
    leave it.
    """
    row = load(runtime, game_id).seats[seat]
    note_presence(runtime, row.table_id, seat, player_id or row.player_id or 0, runtime.now(), here=here, idle=idle)


def records(runtime: Runtime, game_id: int) -> list[TurnRow]:
    with runtime.database.reading() as session:
        found = session.exec(select(TurnRow).where(TurnRow.game_id == game_id).order_by(TurnRow.number))
        return list(found)


def codes(cards: Iterable[Card]) -> list[str]:
    return [card_text(card) for card in cards]


@copied
def waiting_game(runtime: Runtime) -> int:
    """A game in which Bo has led, Cy is to play, and everybody can follow with a choice of cards."""
    made = start_game(runtime)
    while not _bo_has_led(load(runtime, made).game):
        play_first(runtime, made)
    return made


def _bo_has_led(game: Game) -> bool:
    if game.stage is not Stage.PLAY or len(game.on_table) != 1 or game.leader != BO:
        return False
    led = suit(game.on_table[0])
    return all(sum(suit(card) is led for card in held) > 1 for seat, held in enumerate(game.held) if seat != BO)


def following_cards(runtime: Runtime, game_id: int, seat: int) -> list[Card]:
    """The cards with which the seat can follow suit."""
    game = load(runtime, game_id).game
    led = suit(game.on_table[0])
    return [card for card in game.held[seat] if suit(card) is led]


def set_due(runtime: Runtime, game_id: int, at: datetime | None) -> None:
    """Tells the players of the game's hands that deadline, whatever they were granted; None: none."""
    with runtime.database.writing() as session:
        row = session.get_one(GameRow, game_id)
        row.due_at = at
        row.clocks = {hand: replace(clock, due_at=at, first_due_at=at) for hand, clock in (row.clocks or {}).items()}


def due_at(runtime: Runtime, game_id: int) -> datetime | None:
    """The deadline of the game's first question."""
    return load(runtime, game_id).row.due_at


def in_play(runtime: Runtime, game_id: int) -> TableGame:
    """The game as a page loads it."""
    with runtime.database.reading() as session:
        return store.load(session, game_id)
