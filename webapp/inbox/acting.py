"""Does what an inbound mail asks for, once, and by the same path as the button on the page.

A worker claims a mail, reads it, acts on it, and only then records it as handled. If the worker is killed in between,
the next one repeats the mail and finds the turn taken, because a seat is asked for each turn only once. Machines and
impostors are never answered.
"""

import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from hearts.ahead import has_points_since
from hearts.cards import card_text, parse_code
from hearts.game import IllegalTurn
from hearts.seats import Seat
from hearts.turns import Moon, MoonChoice, Pass, Play, Turn
from hearts.view import view
from webapp.accounts import address_changes
from webapp.core.addresses import AddressInvalid, Purpose
from webapp.core.database import one_by_one
from webapp.core.log import log_event
from webapp.core.runtime import Runtime
from webapp.core.say import if_offered, later, say, speaking
from webapp.core.tokens import LinkExpired, SeatLost
from webapp.forms.fields import BadField
from webapp.forms.preferences import last_day_typed
from webapp.forms.turns import read_turn
from webapp.games.asked.due import Decision, Due, answer_to, later_due
from webapp.games.asked.whose_turn import ahead_of
from webapp.games.clock.hours import today_of
from webapp.games.clock.presence import note_seen
from webapp.games.record import links, store
from webapp.inbox import answering, receiving, without_game
from webapp.inbox.answering import Outcome, Reason
from webapp.inbox.finding import Addressed, MailOfLostSeat, addressed_by, asks_back, recurring_lines
from webapp.models import InboundRow, SeatRow, TurnSource
from webapp.models.mail import KINDS
from webapp.outbox import bounces, turn_mail
from webapp.outbox.bounces import Proof, ReportOutcome
from webapp.outbox.letters import stop_link
from webapp.play import taking
from webapp.players import ahead, away, preferences
from webapp.presentation.faces import face
from webapp.presentation.turn_text import refusal_sentence
from webapp.replies.grammar import AWAY, WAIT
from webapp.replies.reading import PEOPLE, Asked, Classification, Envelope, Reading, read

log = logging.getLogger(__name__)

UNKNOWN = Outcome("We have no email any more that it answers.")
ENDED = later("It answers an email from before you ended all links.")
LOST = later("Somebody else has the seat that it is about, as you know.")
LENT = later("Somebody plays for you.")
UNREAD = (Classification.GARBAGE, Classification.QUOTED_ONLY)  # perhaps because of what a gateway has put on top
KEPT = later("Your card is kept until your turn.")
LASTING: Final = (AWAY, "stop")  # the first words of commands that stay in force beyond a turn
ASKS_BACK_FOR: Final = timedelta(days=3)
PLAYED_ALREADY = later("You had played it already.")


def process_inbound(runtime: Runtime) -> int:
    """Handles every waiting mail that no other worker has claimed. Returns how many it claimed.

    Raises DatabaseDown; the mails then wait until the database is back.
    """
    count = 0

    def act(inbound_id: int) -> None:
        nonlocal count
        count += 1
        _process_one(runtime, inbound_id)

    one_by_one("inbound", iter(partial(_claimed, runtime), None), act, partial(_postpone, runtime))
    return count


def _claimed(runtime: Runtime) -> int | None:
    with runtime.database.writing() as session:
        return receiving.claim(session, runtime.now())


def _postpone(runtime: Runtime, inbound_id: int) -> None:
    """Puts off a mail that failed, each time for as long as it has waited."""
    with runtime.database.writing() as session:
        row = session.get_one(InboundRow, inbound_id)
        row.next_at = runtime.now() + max(receiving.PUT_OFF, runtime.now() - row.received_at)


def _process_one(runtime: Runtime, inbound_id: int) -> None:
    with runtime.database.reading() as session:
        row = session.get_one(InboundRow, inbound_id)
        if row.handled_at is not None:
            return
        is_for_operators = runtime.postmark.is_role(row.recipient)
        to, reason, answered = None, UNKNOWN, None
        try:
            to = addressed_by(session, runtime, row.recipient)
            answered = to.letter.message
        except MailOfLostSeat:
            reason = Outcome(say(LOST))
        except (AddressInvalid, LookupError):
            pass
    if is_for_operators:
        count = without_game.follow_operators_mail(runtime, row)
        _record(runtime, inbound_id, None, None, _after_count(runtime, count))
        return
    if to is None or row.raw is None:
        _record(runtime, inbound_id, None, None, reason)
        return
    with speaking(if_offered(to.player.language)):
        _act_on(runtime, row, row.raw, to, answered)


def _act_on(runtime: Runtime, row: InboundRow, raw: bytes, to: Addressed, answered: str | None) -> None:
    """Does what an answer asks for, and says to its player what came of it."""
    envelope = Envelope(row.sender, row.recipient)
    reading = read(raw, envelope, to.asked, answered, runtime.settings.verdict_authority)
    if reading.classification in UNREAD and answered is not None:
        with runtime.database.reading() as session:
            recurring = recurring_lines(session, row)
        if recurring:
            reading = read(raw, envelope, to.asked, answered, runtime.settings.verdict_authority, recurring)
    answers = (reading, *reading.more)
    done: list[tuple[Addressed, Outcome]] = []
    for one in answers:  # each with the question of the hand that it names, if that asks anything
        due = None if one.hand is None else to.others.get(one.hand)
        of_hand = replace(to, due=due, asked=to.asked.in_hand(due.hand)) if due and to.asked else to
        done.append((of_hand, _act(runtime, of_hand, one, row)))
    if any(outcome.is_played for _, outcome in done):
        turn_mail.after_reply(runtime, to.letter.player_id, runtime.now())
    elif to.purpose is Purpose.REPLY and reading.classification in PEOPLE and not reading.other_sender:
        with runtime.database.writing() as session:  # they have read our mail, whatever came of their answer
            note_seen(session, to.letter.player_id, runtime.now())
    hands = [to.letter.hand if one.hand is None else one.hand for one in answers]
    to, outcome = _together(done, hands, row.id)
    _record(runtime, row.id, to, reading, outcome)


def _together(
    done: list[tuple[Addressed, Outcome]], hands: Sequence[int | None], inbound_id: int
) -> tuple[Addressed, Outcome]:
    """The outcome of a mail that answers several hands, and which of them its answer asks for again.

    If all answers count, there is one answer at most, as to a mail with one of them.
    """
    missed = [(to, outcome) for to, outcome in done if not outcome.counts]
    sentence = "\n".join(
        outcome.sentence if outcome.is_played else say("Hand {hand}: {sentence}", hand=hand, sentence=outcome.sentence)
        for hand, (_, outcome) in zip(hands, done, strict=True)
    )
    if len(done) == 1 or all(outcome == done[0][1] for _, outcome in done):
        return done[0]
    if not missed:
        to, told = next(((to, outcome) for to, outcome in done if outcome.reason), done[0])
        return to, replace(told, sentence=sentence)
    to = next((to for to, _ in missed if to.due), missed[0][0])
    return to, Outcome(sentence, Reason.SEVERAL, str(inbound_id))


def _record(runtime: Runtime, inbound_id: int, to: Addressed | None, reading: Reading | None, outcome: Outcome) -> None:
    """Records the mail as handled and how it was classified, and queues the answer to it."""
    now = runtime.now()
    with runtime.database.writing() as session:
        row = session.get_one(InboundRow, inbound_id, with_for_update=True)
        if row.handled_at is not None:
            return
        row.handled_at, row.next_at, row.outcome = now, None, outcome.sentence
        row.taken_for = reading.classification.value if reading else None
        is_answered = (
            to is not None
            and outcome.reason is not None
            and answering.queue(session, runtime, to, outcome.reason, outcome.about, outcome.sentence, inbound_id, now)
        )
    log_event("mail", taken_for=row.taken_for or "nothing", **({"letter": to.letter.id} if to else {}))
    if is_answered:
        runtime.bell.deliver()


def _act(runtime: Runtime, to: Addressed, reading: Reading, row: InboundRow) -> Outcome:
    """Does what the mail asks for; the address that it came to decides what it can ask for."""
    if to.is_ended:
        is_answer = to.purpose is Purpose.REPLY and reading.classification in PEOPLE
        return Outcome(say(ENDED), Reason.ENDED if is_answer else None)
    if reading.bounce or reading.is_complaint:
        if to.purpose is Purpose.QUOTED and reading.is_complaint:
            log.warning("somebody reports letter %d as unwanted, in a mail that anybody may have written", to.letter.id)
            return Outcome(say("Nothing was done: it only quotes an email of ours."))
        if to.purpose not in (Purpose.BOUNCE, Purpose.QUOTED):  # a forwarded mail shows its other addresses
            return Outcome(say("Nothing was done: a report counts only where the letter's envelope sends it."))
        if reading.bounce:
            at_bounce_address = Proof.ADDRESS if row.sender else Proof.SERVER
            proof = Proof.NONE if to.purpose is Purpose.QUOTED else at_bounce_address
            counted = bounces.act_on_bounce(runtime, to.letter.id, reading.bounce, runtime.now(), proof)
        else:
            counted = bounces.act_on_complaint(runtime, to.letter.id, runtime.now())
        return _after_count(runtime, counted)
    if reading.other_sender and to.purpose is Purpose.REPLY:
        address_changes.hear(runtime, to.player.id, reading.other_sender, runtime.now())
        return Outcome(say("Nothing was done: it came from another address."))
    if to.purpose is Purpose.UNSUBSCRIBE:  # the signed address is enough, as the link beside it in the mail is
        return Outcome(_stop(runtime, to).sentence)
    if to.purpose is Purpose.REPLY and to.asked and reading.classification in PEOPLE:
        if asks_back(to.letter) and reading.word in ("ok", "no"):
            reading = replace(reading, word=to.letter.about if reading.word == "ok" else None)
            if reading.word is None:
                return Outcome(say("You have said that it was not you."))
        if _lasts(to, reading.word) and not _is_proved(runtime, to, reading):
            command = reading.word or ""
            if command.startswith(AWAY) and (until := last_day_typed(command, today_of(to.player, runtime.now()))):
                command = f"{AWAY} {until.isoformat()}"  # a date, so that a late "yes" means the same
            return Outcome(say("We have asked you whether it was you."), Reason.SURE, command)
        if to.letter.game_id is None:
            is_stop = reading.word == "stop" and _lasts(to, reading.word)
            return _stop(runtime, to) if is_stop else without_game.follow(runtime, to, reading.word, reading.shuffle)
        return _follow_answer(runtime, to, to.asked, reading, row.received_at)
    return Outcome(say("Nothing was done: {reason}.", reason=reading.why))


def _lasts(to: Addressed, word: str | None) -> bool:
    """Whether the command stays in force beyond a turn: away, or no more mail."""
    if to.letter.game_id is None:
        return word == "stop" and (KINDS[to.letter.kind].has_stop or asks_back(to.letter))
    return word is not None and word.partition(" ")[0] in LASTING


def _is_proved(runtime: Runtime, to: Addressed, reading: Reading) -> bool:
    """Whether it is certain that the player has sent the mail: anybody can write their address into From, and may have
    an address of ours from a mail that was forwarded. What asks back went to the player alone, a moment ago.
    """
    is_genuine = reading.is_genuine and runtime.settings.proves_senders
    return is_genuine or (asks_back(to.letter) and to.letter.created_at > runtime.now() - ASKS_BACK_FOR)


def _follow_answer(runtime: Runtime, to: Addressed, asked: Asked, reading: Reading, came_at: datetime) -> Outcome:
    """Does what a player typed."""
    match reading.word:
        case "back":
            return _come_back(runtime, to)
        case str(word) if word.partition(" ")[0] == AWAY:
            return _go_away(runtime, to, word)
        case "stop":
            return _stop(runtime, to)
        case "help":
            return Outcome(say("You asked for help."), Reason.HELP)
        case "score":
            return Outcome(say("You asked for the score."), Reason.SCORE)
        case _ if to.is_lent:
            return Outcome(say(LENT), Reason.LENT)
        case "cards":
            return Outcome(say("You asked for your cards."), Reason.CARDS)
        case str(word) if word.startswith(WAIT):  # "wait none": the answer to an older mail that asked back
            return Outcome(say("Each question waits its full time."), Reason.WAIT)
    if to.due and reading.word == "ok" and not reading.cards:
        return _over(to.due)
    unread = say("We couldn't read this: {reason}.", reason=reading.why)
    if reading.doubtful:
        return Outcome(unread, Reason.DOUBTFUL, reading.doubtful)
    if reading.choices:
        return Outcome(unread, Reason.DOUBTFUL, " ".join(reading.choices))
    if to.due is None or (to.due.what != "moon" and not reading.cards):
        if reading.hand is not None and _was_played(runtime, to, reading.hand, reading.typed):
            return Outcome(say(PLAYED_ALREADY), counts=True)
        return Outcome(unread, Reason.UNCLEAR)
    try:
        turn = read_turn(Seat(asked.seat), to.due.what, reading.cards, reading.word or "")
    except BadField as error:
        return Outcome(str(error) if reading.cards else unread, Reason.UNCLEAR)
    with runtime.database.reading() as session:
        game = store.load(session, to.letter.of_game, hand=to.due.hand).game
    try:
        if later_due(game, to.letter.of_seat) == to.due:  # others play to the trick before the player
            return _choose_ahead(runtime, to, to.due, turn, reading, came_at)
        return _play(runtime, to, to.due, turn, reading, came_at)
    except ahead.ChosenSince:
        return _chosen_since(runtime, to, to.due)


def _choose_ahead(
    runtime: Runtime, to: Addressed, due: Due, turn: Decision, reading: Reading, came_at: datetime
) -> Outcome:
    """Keeps the card that the player typed until their turn, or plays it if that has come meanwhile.

    Raises ahead.ChosenSince: a card that they have chosen on a page since the mail came stays.
    """
    with runtime.database.reading() as session:
        stored = store.load(session, to.letter.of_game, hand=due.hand)
        shown = store.load(session, to.letter.of_game, hand=due.hand, turns=to.letter.turns).game
    # The cards that the answered mail has shown: those that have come since may have changed what to choose.
    seen = len(shown.on_table) if due.what == f"trick {shown.trick}" else 0
    card = parse_code(reading.cards[0])
    link = replace(links.play_link(stored.seats[to.letter.of_seat]), player_id=to.letter.player_id)
    try:
        is_kept = ahead.choose(
            runtime, link, due, card, runtime.now(), seen=seen, source=TurnSource.REPLY, chosen_at=came_at
        )
    except (SeatLost, LinkExpired):
        return _passed(runtime, to)
    except ahead.Barred as error:
        return Outcome(str(error), Reason.CANNOT, card_text(error.card))
    except ahead.HasPoints as error:
        return Outcome(say("The trick got points."), Reason.HAS_COME, card_text(error.card))
    except ahead.TooLate:  # they had played to the trick by then
        with runtime.database.reading() as session:
            records = store.load(session, to.letter.of_game, hand=due.hand).records
            played = answer_to(records, to.letter.of_seat, due)
        is_same = played is not None and isinstance(played.turn, Play) and played.turn.card == card
        return Outcome(say(PLAYED_ALREADY), counts=True) if is_same else _over(due)
    return Outcome(say(KEPT), Reason.AHEAD, due.what, counts=True) if is_kept else _played(turn, due, reading)


def _was_played(runtime: Runtime, to: Addressed, hand: int, codes: Sequence[str]) -> bool:
    """Whether these cards are what the player has played or passed last in the hand, by a reply."""
    with runtime.database.reading() as session:
        records = store.load(session, to.letter.of_game, hand=hand).of_hand(hand)
    last = next((one.turn for one in reversed(records) if getattr(one.turn, "seat", None) == to.letter.of_seat), None)
    match last:
        case Play(card=card):
            return list(codes) == [card_text(card)]
        case Pass(cards=cards):
            return Counter(codes) == Counter(map(card_text, cards))
    return False


def _chosen_since(runtime: Runtime, to: Addressed, due: Due) -> Outcome:
    """The outcome of an answer whose player has chosen another card since: it is kept, or they are asked again."""
    with runtime.database.reading() as session:
        stored = store.load(session, to.letter.of_game, hand=due.hand)
    seat, sentence = to.letter.of_seat, say("You have chosen another card since.")
    kept = ahead_of(stored, seat)
    if kept is None or later_due(stored.game, seat) == due:
        return Outcome(sentence, Reason.AHEAD, due.what)
    reason = Reason.HAS_COME if has_points_since(kept, view(stored.game, seat)) else Reason.CANNOT
    return Outcome(sentence, reason, card_text(kept.card))


def _play(runtime: Runtime, to: Addressed, due: Due, turn: Decision, reading: Reading, came_at: datetime) -> Outcome:
    """Takes the turn that the player typed. A player who has taken the very same turn before gets no answer.

    Raises ahead.ChosenSince if they chose a card on a page later, which was dropped.
    """
    with runtime.database.reading() as session:
        ahead.check_is_last(store.load(session, to.letter.of_game, hand=due.hand), to.letter.of_seat, came_at)
    try:
        taking.take_turn(
            runtime, to.letter.of_game, due, turn, TurnSource.REPLY, runtime.now(), player_id=to.letter.player_id
        )
    except LookupError:
        return _passed(runtime, to)
    except IllegalTurn:
        with runtime.database.reading() as session:
            why = refusal_sentence(store.load(session, to.letter.of_game, hand=due.hand).game, turn)
        return Outcome(why, Reason.ILLEGAL, " ".join(reading.cards))
    except taking.TurnOver as over:
        return Outcome(say(PLAYED_ALREADY), counts=True) if over.answer and over.answer.turn == turn else _over(due)
    return _played(turn, due, reading)


def _passed(runtime: Runtime, to: Addressed) -> Outcome:
    """The outcome of an answer whose player lost or lent the seat after `to` was looked up."""
    with runtime.database.reading() as session:
        seat = session.get_one(SeatRow, (to.letter.of_table, to.letter.of_seat))
        is_lent = seat.stands_in_for == to.player.id
        return Outcome(say(LENT), Reason.LENT) if is_lent else Outcome(say(LOST))


def _played(turn: Turn, due: Due, reading: Reading) -> Outcome:
    """The outcome of a mail whose answer was played. The mail of the next turn says so, unless more was typed."""
    hand = due.hand
    match turn:
        case Play(card=card):
            sentence = say("You played {card} in hand {hand}.", card=face(card).text, hand=hand)
        case Pass(cards=cards):
            passed = " ".join(face(card).text for card in cards)
            sentence = say("You passed {cards} in hand {hand}.", cards=passed, hand=hand)
        case Moon(choice=MoonChoice.ADD):
            sentence = say("You gave the points of the moon to everybody else in hand {hand}.", hand=hand)
        case _:
            sentence = say("You had the points of the moon taken off in hand {hand}.", hand=hand)
    # Words below a card reach nobody, and who typed them is to know.
    return Outcome(sentence, Reason.WORDS if reading.has_words else None, counts=True, is_played=True)


def _over(due: Due) -> Outcome:
    return Outcome(say("That turn was over."), Reason.OVER, due.what)


def _go_away(runtime: Runtime, to: Addressed, word: str) -> Outcome:
    """Sets the player as away, to the day that they typed or until they are back."""
    now, table_id = runtime.now(), to.letter.of_table
    until = last_day_typed(word, today_of(to.player, now))
    if until is not None and until < today_of(to.player, now):
        return Outcome(say("That day is over."))
    away.go_away(runtime, to.letter.player_id, {table_id}, until, now)
    return Outcome(say("You are away."), Reason.AWAY, until.isoformat() if until else None)


def _come_back(runtime: Runtime, to: Addressed) -> Outcome:
    """Sets the player as back; this also takes back what "stop" has done."""
    now, table_id, player_id = runtime.now(), to.letter.of_table, to.letter.player_id
    away.come_back(runtime, player_id, now, table_id)
    preferences.set_mails(runtime, player_id, table_id, mails=True, now=now)
    return Outcome(say("You are back."), Reason.BACK)


def _stop(runtime: Runtime, to: Addressed) -> Outcome:
    """Stops what the unsubscribe link in the same mail stops. One last mail may say more than an answer to this one."""
    stopped, is_asked = preferences.unsubscribe(runtime, stop_link(to.letter, to.player), runtime.now())
    says_more = is_asked or stopped is preferences.Stopped.YEAR
    return Outcome(say("No more mail comes ({what}).", what=stopped), None if says_more else Reason.STOPPED)


def _after_count(runtime: Runtime, counted: ReportOutcome) -> Outcome:
    if counted.silenced is not None:
        away.stop_waiting_for(runtime, counted.silenced, runtime.now())
    return Outcome(counted.sentence)
