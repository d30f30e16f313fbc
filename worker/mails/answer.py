"""Our answer to a player's mail, by its reason (`webapp.inbox.answering`).

An answer repeats nothing that the player typed but the cards.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from sqlmodel import Session

from hearts.cards import NONE, Cards, parse_card, parse_code
from hearts.game import Game, Stage
from hearts.seats import Seat
from hearts.turns import Pass, Play
from hearts.view import view
from webapp.core.say import later, say, say_many, spoken
from webapp.games.asked.due import Due, answer_to, due_of
from webapp.games.asked.whose_turn import ahead_of, asked_of, first_asked
from webapp.games.fair import receipt
from webapp.games.record.rows import table_seats
from webapp.games.record.seats import own_name, table_name
from webapp.games.record.store import TableGame
from webapp.inbox.answering import CHANGES, Reason, is_last_of_day
from webapp.models import AddressChangeRow, InboundRow, LetterKind, LetterRow, SeatRow, Talk
from webapp.models.mail import KINDS
from webapp.outbox.letters import stop_link
from webapp.outbox.turn_mail import waiting_for
from webapp.presentation.faces import face, held_by_suit
from webapp.presentation.phrasing import Timestamp, day_text, some_cards
from webapp.presentation.present import TurnSheet
from webapp.presentation.sheets import standings_of
from webapp.presentation.turn_text import (
    awaited_at_table,
    barred_sentence,
    points_sentence,
    refusal_sentence,
    turn_sentence,
)
from webapp.replies.grammar import code_to_teach
from worker.mails.mail import Mail, MailContext, game_of, has_left, in_game
from worker.mails.turns import NamedQuestion, other_hands, question_context

AWAY = later("From now on a robot plays your turns at once.")
COME_BACK = later('Whenever you want to play again, answer "back" to any of our emails.')
STILL_AWAY = later(
    'You are away, so a robot plays for you at once. Answer "back" to this email to play yourself again.'
)
ENDED = (
    later("The links in your older emails have ended, and so have answers to those emails. Nothing was played."),
    later("Please answer this email, or the newest one about the game."),
)
LENT = later('To play yourself again, answer "back" to this email.')
LAST_TODAY = later(
    "We have answered ten of your emails within a day, so we answer no more today. Your cards still count."
)
BY_SYMBOL = later("Write the card with its symbol in the first line, such as Q♠, or by its name.")
NOT_ALL = later("Not all of your answers count")
DROPPED = later("If the trick gets points before, or the rules forbid the card then, we ask you instead.")
NOT_KEPT = later("The trick has gone on without your card, or you took it back.")
EVENING = (
    later(
        "The evening on which you had agreed does not take place: evenings together can't be arranged here any more."
    ),
    later("Your calendar may still show it: please delete it there."),
    later(
        "You can still play live. Whenever all of you have the page of the game open, it asks whether to play on live."
    ),
)
FULL_TIME = later("Each question waits its full time for you: there is nothing to choose.")
WORDS = (later("Nobody at the table sees the words below your answer."), later("We say this once a game."))
STOPPED = (
    later("You won't get any more mail about it. The seat stays yours."),
    later('If that was a mistake, answer "back" to this email.'),
)
SURE = later('If it was you, answer "yes" to this email. If not, do nothing: then nothing changes.')
ACCEPTED = (later("Your seat is yours."), later("Your cards come by email as soon as it is time to play."))
WOKEN = (later("The game goes on, for everybody at the table."), later("Each player has the full time again."))
TO_GO_ON = later('To set the game going by mail, write "back" in the first line, and nothing else.')
DECLINED = (later("You won't play there. We tell the host."),)
BY_LINK = (
    later("Nothing was changed: that email can't be answered by mail."),
    later("Please open it and tap its links."),
)
NO_MORE = later('To end that, answer "no" to the email that asked you.')
YES_OR_NO = (
    later("Nothing was changed."),
    later('To answer that email, write "yes" or "no" in the first line, and nothing else.'),
)
UNADDRESSED = later("Which email do you answer?")
CANNOT_TELL = later("You have written to us, and we can't tell which of our emails you mean. Nothing was done.")
ANSWER_THIS = later("Please answer this email, or the latest one of your table.")
NOTHING_WAITS = later("Nothing waits for you just now. Your next turn comes by email: please answer that one.")
STOP_TOO = later('If you want no more of them, answer "stop" to it.')


@dataclass(frozen=True, slots=True)
class AnswerText:
    """The heading, which is the subject as well, and the sentences below it."""

    heading: str
    sentences: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerMail(MailContext):
    heading: str
    sentences: Sequence[str]
    awaited: str | None = None
    sheet: TurnSheet | None = None  # of the question that waits for the reader
    link: str | None = None
    card_links: Mapping[str, str] = field(default_factory=dict)
    deadline: Timestamp | None = None
    confirm_link: str | None = None  # of the page that does what was asked for
    also: Sequence[NamedQuestion] = ()  # where there are no pages: the other hands that wait for the reader
    may_talk: bool = False  # the reader's words belong on the table's page
    is_help: bool = False  # lists the words that a reply may contain


def context(mail: Mail) -> AnswerMail | None:
    """The context, with the question that waits for the reader; None if the answer is of no use any more."""
    last = [say(LAST_TODAY)] if is_last_of_day(mail.session, mail.letter) else []
    if mail.letter.game_id is None:
        answer = _without_game(mail.session, mail.letter)
        made = AnswerMail(you=mail.player.name, heading=answer.heading, sentences=[*answer.sentences, *last])
        # As in other mails to an address that is not proved, there is no link to the preferences.
        made = replace(made, **mail.foot()) if mail.letter.address is None else made
        return replace(made, confirm_link=_confirm_link(mail, made.table_link))
    stored, seat = game_of(mail), mail.letter.of_seat
    if stored is None:
        return None
    answer, awaited = _in_game(mail.session, mail.letter, stored), awaited_at_table(stored, seat)
    made = AnswerMail(
        **in_game(mail, stored),
        heading=answer.heading,
        sentences=[*answer.sentences, *last],
        awaited=awaited,
        may_talk=mail.letter.reason == Reason.WORDS and stored.table.talk is not Talk.NONE,
        is_help=mail.letter.reason == Reason.HELP,
    )
    if mail.letter.reason == Reason.SURE:
        return replace(made, awaited=None, confirm_link=_confirm_link(mail, made.table_link))
    if has_left(mail, stored):
        return made
    asked = asked_of(stored, seat)
    made = replace(made, also=other_hands(mail.runtime, stored, seat, asked, mail.player))
    if asked is None:
        return made
    question = question_context(mail.runtime, stored, seat, asked, mail.player)
    return replace(
        made,
        sentences=[*made.sentences, *_more_sentence(mail)],
        sheet=question["sheet"],
        link=question["link"],
        card_links=question["card_links"],
        deadline=question["deadline"],
    )


def _more_sentence(mail: Mail) -> Sequence[str]:
    """How many other choices wait for a reader who has answered no mail of ours; empty if none does, or without pages
    that show them, and in any other answer.
    """
    more = len(waiting_for(mail.session, mail.player)) - 1 if mail.letter.reason == Reason.UNADDRESSED else 0
    if more < 1 or not mail.runtime.settings.has_pages:
        return ()
    return (
        say_many(
            more,
            "1 more choice waits; the page leads on to it.",
            "{number} more choices wait; the page leads on to them.",
        ),
    )


def _in_game(session: Session, letter: LetterRow, stored: TableGame) -> AnswerText:
    """The text of the answer `letter`; `stored` is the game as it stood when the answer was queued."""
    assert letter.reason is not None
    reason, rest = Reason(letter.reason), letter.about or ""
    seat, table = letter.of_seat, table_name(stored.seats)
    match reason:
        case Reason.ILLEGAL:
            answer = _illegal(stored.game, seat, rest.split())
        case Reason.DOUBTFUL:
            answer = _doubtful(rest.split())
        case Reason.SEVERAL:
            answer = AnswerText(say(NOT_ALL), (session.get_one(InboundRow, int(rest)).outcome or "").splitlines())
        case Reason.AHEAD:
            answer = _kept(stored, seat)
        case Reason.CANNOT:
            why = barred_sentence(parse_code(rest))
            answer = AnswerText(say("That can't be your answer"), [why, say("Nothing was changed.")])
        case Reason.HAS_COME:
            why = points_sentence(parse_code(rest))
            answer = AnswerText(say("Please choose again"), [why, say("Nothing was played: choose again.")])
        case Reason.LENT:
            who = own_name(stored.seats[seat])
            answer = AnswerText(
                say("{name} plays for you", name=who),
                [say("{name} plays your seat, so nothing was played.", name=who), say(LENT)],
            )
        case Reason.WORDS:
            answer = AnswerText(say("Your answer counts"), [*map(say, WORDS)])
        case Reason.OVER:
            answer = _over(session, stored, seat, Due(letter.of_hand, rest))
        case Reason.AWAY:
            answer = AnswerText(say("You are away from {table}", table=table), [_away_sentence(rest), say(COME_BACK)])
        case Reason.BACK:
            answer = AnswerText(
                say("You are back at {table}", table=table), [say("Welcome back. Your turns come to you again.")]
            )
        case Reason.SURE:
            answer = _sure(rest, table)
        case Reason.WAIT:
            answer = AnswerText(say("We wait the full time for you"), [say(FULL_TIME)])
        case Reason.STOPPED:
            answer = AnswerText(say("No more mail about {table}", table=table), [*map(say, STOPPED)])
        case Reason.ENDED:
            answer = AnswerText(say("You can't answer that email any more"), [*map(say, ENDED)])
        case Reason.UNADDRESSED:
            answer = AnswerText(say(UNADDRESSED), [say(CANNOT_TELL), say(ANSWER_THIS)])
        case Reason.EVENING:
            answer = AnswerText(say("The evening together at {table} is off", table=table), [*map(say, EVENING)])
        case Reason.HELP:
            answer = AnswerText(say("How to answer by mail"), [_wanted(stored, seat)])
        case Reason.CARDS:
            answer = AnswerText(say("Your cards at {table}", table=table), _cards(stored, seat))
        case Reason.SCORE:
            answer = AnswerText(say("The score at {table}", table=table), _score(stored))
        case Reason.UNCLEAR:
            answer = AnswerText(
                say("We couldn't read your answer"), [say("Nothing was played."), _wanted(stored, seat)]
            )
    away = [say(STILL_AWAY)] if stored.seats[seat].away and reason not in (*CHANGES, Reason.SURE) else []
    return AnswerText(answer.heading, [*answer.sentences, *away])


def _without_game(session: Session, letter: LetterRow) -> AnswerText:
    """The text of the answer `letter` to an answer to a mail that is about no game."""
    assert letter.reason is not None
    table = table_name(table_seats(session, letter.table_id)) if letter.table_id else say("your tables")
    match Reason(letter.reason):
        case Reason.ACCEPTED:
            seat = session.get_one(SeatRow, (letter.table_id, letter.seat))
            # Their words for the shuffle, if they have written any behind the yes, are acknowledged.
            words = receipt(session, seat, letter.about) if letter.about and seat.player_id == letter.player_id else ()
            answer = AnswerText(say("You play at {table}", table=table), [*map(say, ACCEPTED), *words])
        case Reason.DECLINED:
            answer = AnswerText(say("You don't play at {table}", table=table), [*map(say, DECLINED)])
        case Reason.WOKEN:
            answer = AnswerText(say("{table} goes on", table=table), [*map(say, WOKEN)])
        case Reason.STOPPED:
            answer = AnswerText(say("No more of these emails"), (say("You won't get any more of them."),))
        case Reason.SURE:
            answer = _sure(letter.about or "", table)
        case Reason.ENDED:
            answer = AnswerText(say("You can't answer that email any more"), [*map(say, ENDED)])
        case Reason.UNADDRESSED:
            answer = AnswerText(say(UNADDRESSED), (say(CANNOT_TELL), say(NOTHING_WAITS)))
        case Reason.COUNTS:
            other = session.get_one(AddressChangeRow, letter.change_id).new_address
            count = say("Answers from {address} count as yours now.", address=other)
            answer = AnswerText(say("Answers from there count"), [count, say(NO_MORE)])
        case Reason.COUNTS_NOT:
            other = session.get_one(AddressChangeRow, letter.change_id).new_address
            nothing = say("Answers from {address} do nothing now.", address=other)
            answer = AnswerText(say("Answers from there do nothing"), [nothing])
        case _ if letter.about in (LetterKind.INVITATION, LetterKind.ANSWERED_FROM):
            answer = AnswerText(say("We couldn't read your answer"), [*map(say, YES_OR_NO)])
        case _ if letter.about == LetterKind.RESTING:
            answer = AnswerText(say("We couldn't read your answer"), (say("Nothing was changed."), say(TO_GO_ON)))
        case _:
            may_stop = letter.about is not None and KINDS[LetterKind(letter.about)].has_stop
            answer = AnswerText(
                say("Please use the links in our email"), [*map(say, BY_LINK), *([say(STOP_TOO)] if may_stop else [])]
            )
    return answer


def _sure(command: str, table: str) -> AnswerText:
    """Asks whether it was the reader who has sent the command; a mail that others have forged looks alike."""
    match command.split():
        case ["away", last]:
            day = date.fromisoformat(last)
            until = day_text(day, day)
            asked = say(
                "You, or somebody in your name, asked us to set you as away from {table}, to the end of {day}.",
                table=table,
                day=until,
            )
        case ["away"]:
            asked = say("You, or somebody in your name, asked us to set you as away from {table}.", table=table)
        case _:
            asked = say("You, or somebody in your name, asked us for no more mail about {table}.", table=table)
    return AnswerText(say("Was that you?"), [asked, say(SURE)])


def _confirm_link(mail: Mail, table_link: str | None) -> str | None:
    """The page on which the reader does what they have asked for, if the mail asks back; else None."""
    command = (mail.letter.about or "").partition(" ")[0]
    if mail.letter.reason != Reason.SURE:
        return None
    return mail.url(stop_link(mail.letter, mail.player)) if command == "stop" else f"{table_link}/{command}"


def _away_sentence(until: str) -> str:
    """Says who plays for an absent reader; `until` is their last day away, in ISO format, or empty."""
    if not until:
        return say(AWAY)
    last = date.fromisoformat(until)
    return say("A robot plays your turns at once, until the end of {day}.", day=day_text(last, last))


def _wanted(stored: TableGame, seat: Seat) -> str:
    """A sentence that says what the first line of the player's mail must be."""
    game = stored.game
    if game.stage in (Stage.OVER, Stage.DEAL):  # its host may have ended it between two hands
        return say("There is nothing left to play.")
    if due_of(stored.game, seat) is None:
        other = first_asked(stored, seat).game
        if due_of(other, seat) is not None:
            return say('Hand {hand} waits for you. Begin the first line with "hand {hand}".', hand=other.hand)
        return say("No turn of yours waits just now. Your next turn comes by mail.")
    match game.stage:
        case Stage.PASS:
            cards = some_cards(game.rules.pass_count)
            return say("Write {cards} to pass in the first line, and nothing else.", cards=cards)
        case Stage.MOON:
            return say('Write "add" or "subtract" in the first line, and nothing else.')
        case _:
            return say("Write one card in the first line, and nothing else.")


def _cards(stored: TableGame, seat: Seat) -> Sequence[str]:
    """Lists what the player holds in each open hand, a line for each suit."""
    lines = []
    for hand in stored.open_hands():
        if len(stored.cycle.open_hands) > 1:
            lines.append(say("Hand {number}:", number=hand.game.hand))
        rows = held_by_suit(view(hand.game, seat).held, NONE, {}, NONE)
        held = ((row.heading, ", ".join(held.face.text for held in row.cards)) for row in rows)
        lines.extend(say("{suit}: {cards}", suit=suit, cards=cards) for suit, cards in held)
    return lines or [say("You hold no cards just now.")]


def _score(stored: TableGame) -> Sequence[str]:
    """Everybody's points in the finished hands, the best first."""
    score = standings_of(stored)
    sides = ((side.place, side.name, side.total) for side in score.standings)
    lines = [say("{place}. {name}: {total}", place=place, name=name, total=total) for place, name, total in sides]
    return [score.sentence, *lines]


def _kept(stored: TableGame, seat: Seat) -> AnswerText:
    """Says which card is kept until the turn, or that it has become a card on the table."""
    kept = ahead_of(stored, seat)
    if kept is None:
        return AnswerText(say("No card is chosen"), [say(NOT_KEPT)])
    plays = say("{card} plays at your turn. Nobody else sees it.", card=face(kept.card).text)
    return AnswerText(
        say("Your card is chosen"), [plays, say(DROPPED), say("You can change it until then: answer this email.")]
    )


def _illegal(game: Game, seat: Seat, codes: Sequence[str]) -> AnswerText:
    """Says why the rules refuse the card, or the cards of a pass."""
    cards = [parse_card(code) for code in codes]
    turn = Pass(seat, Cards.of(cards)) if game.stage is Stage.PASS else Play(seat, cards[0])
    why = refusal_sentence(game, turn)
    shown = " ".join(face(card).text for card in cards)
    if isinstance(turn, Pass):
        heading = say("{cards} may not be passed now", cards=shown)
    else:
        heading = say("{card} may not be played now", card=shown)
    return AnswerText(heading, [why, say("Nothing was played.")])


def _doubtful(codes: Sequence[str]) -> AnswerText:
    """Asks whether a card was meant by what may be a word, or which one by letters that may mean these."""
    texts = [face(parse_code(code)).text for code in codes]
    if len(codes) > 1:
        several = say(
            "The letters that you wrote name different cards in different languages: {cards}. Nothing was played.",
            cards=", ".join(texts),
        )
        return AnswerText(say("Which card did you mean?"), [several, say(BY_SYMBOL)])
    card, taught = texts[0], code_to_teach(codes[0], spoken())
    if taught != codes[0]:
        to_play = say('Nothing was played. To play {card}, write "{code}" in the first line.', card=card, code=taught)
    else:
        to_play = say(
            'Nothing was played. To play {card}, write "{code}" in the first line, in capitals.', card=card, code=taught
        )
    return AnswerText(say("Did you mean {card}?", card=card), [to_play])


def _over(session: Session, stored: TableGame, seat: Seat, due: Due) -> AnswerText:
    """Says that the turn was over when the player's mail came, and what was played."""
    record = answer_to(stored.records, seat, due)
    how = [turn_sentence(record)] if record else []
    return AnswerText(
        say("That turn was over"), [say("Your answer came after that turn, so nothing was changed."), *how]
    )
