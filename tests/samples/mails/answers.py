"""Our answers to replies, by reason."""

from typing import Any

from hearts.cards import parse_code
from tests.samples.games import moon_game
from tests.samples.links import FOOT, TABLE_LINK
from tests.samples.mails.frames import IN_GAME, frame_of
from tests.samples.mails.turns import card_question, question
from tests.samples.rendering import MailSample
from tests.samples.sheets import pass_sheets, sheet_of, sheets
from tests.samples.shuffles import RECEIVED
from webapp.core.say import say
from webapp.presentation.turn_text import barred_sentence, points_sentence
from worker.mails.answer import (
    ACCEPTED,
    ANSWER_THIS,
    AWAY,
    BY_LINK,
    BY_SYMBOL,
    CANNOT_TELL,
    COME_BACK,
    DECLINED,
    DROPPED,
    ENDED,
    EVENING,
    FULL_TIME,
    LENT,
    NO_MORE,
    NOT_ALL,
    NOT_KEPT,
    NOTHING_WAITS,
    STOP_TOO,
    STOPPED,
    SURE,
    UNADDRESSED,
    WOKEN,
    WORDS,
    YES_OR_NO,
    AnswerMail,
)

NINE = parse_code("9S")
COULD_NOT, NONE = "We couldn't read your answer", "Nothing was played."
ASKED = ("sheet", "link", "card_links", "deadline")  # of a question, as an answer shows it


def mails() -> dict[str, MailSample]:
    return {**_unread(), **_refused(), **_read()}


def _unread() -> dict[str, MailSample]:
    """Replies that we could not read: each asks once more."""
    first_line = "Write one card in the first line, and nothing else."
    return {
        "answer-unclear": _asking(sheets()["following"], COULD_NOT, NONE, first_line),
        "answer-nasty": _asking(sheets()["nasty"], COULD_NOT, NONE, frame=frame_of("nasty")),
        "answer-eleven": _asking(sheets()["eleven"], COULD_NOT, NONE),
        "answer-pass": _asking(pass_sheets()["classic"], COULD_NOT, NONE),
        "answer-moon": _asking(sheet_of(moon_game()), COULD_NOT, NONE),
    }


def _refused() -> dict[str, MailSample]:
    """Replies that we read, but that can't be: each asks once more."""
    return {
        "answer-illegal": _asking(
            sheets()["void"],
            "Q♠\ufe0e may not be played now",
            "You can't play Q♠\ufe0e now. You must follow clubs.",
            NONE,
        ),
        "answer-doubtful": _asking(
            sheets()["void"],
            "Did you mean A♥\ufe0e?",
            'Nothing was played. To play A♥\ufe0e, write "AH" in the first line, in capitals.',
        ),
        "answer-which": _asking(
            sheets()["void"],
            "Which card did you mean?",
            "The letters that you wrote name different cards in different languages: 7♣\ufe0e, 7♥\ufe0e. "
            "Nothing was played.",
            BY_SYMBOL,
        ),
        "answer-several": _asking(
            pass_sheets()["classic"],
            NOT_ALL,
            "You passed 4♥\ufe0e 6♥\ufe0e 9♥\ufe0e in hand 1.",
            "Hand 2: You can't pass these. 9♦\ufe0e is not in your hand.",
            "Hand 3: We couldn't read this: you sent 2 cards, and we need 3.",
        ),
        "answer-cannot": _asking(
            sheets()["following"], "That can't be your answer", barred_sentence(NINE), "Nothing was changed."
        ),
        "answer-has-come": _asking(
            sheets()["following"],
            "Please choose again",
            points_sentence(NINE),
            "Nothing was played: choose again.",
        ),
        "answer-unaddressed": _asking(sheets()["following"], UNADDRESSED, CANNOT_TELL, ANSWER_THIS),
        "answer-ended": _asking(sheets()["following"], "You can't answer that email any more", *ENDED),
    }


def _asking(sheet: Any, heading: str, *sentences: str, frame: Any = IN_GAME) -> MailSample:
    made = card_question(sheet) if sheet.stage == "play" else question(sheet)
    asked = {name: made[name] for name in ASKED}
    return "answer", AnswerMail(
        **frame, **asked, awaited="It is your turn.", heading=say(heading), sentences=[say(one) for one in sentences]
    )


def _read() -> dict[str, MailSample]:
    """Replies that ask for nothing more."""
    over = "Your answer came after that turn, so nothing was changed."
    return {
        **_kept(),
        "answer-words": _saying("Your answer counts", *WORDS, may_talk=True),
        "answer-over": _saying("That turn was over", over, "You played 7♦\ufe0e."),
        "answer-help": _saying(
            "How to answer by mail", "No turn of yours waits just now. Your next turn comes by mail.", is_help=True
        ),
        "answer-cards": _saying(
            "Your cards at Ann's table", "Clubs: 2♣\ufe0e, 9♣\ufe0e", "Spades: Q♠\ufe0e", "Hearts: 3♥\ufe0e, K♥\ufe0e"
        ),
        "answer-score": _saying("The score at Ann's table", "Ann leads with 3 points.", "1. Ann: 3", "2. Di: 23"),
        "answer-woken": _saying("Ann's table goes on", *WOKEN),
        "answer-away": _saying("You are away from Ann's table", AWAY, COME_BACK),
        "answer-sure": (
            "answer",
            AnswerMail(
                **IN_GAME,
                heading="Was that you?",
                sentences=["You, or somebody in your name, asked us to set you as away from Ann's table.", SURE],
                confirm_link=f"{TABLE_LINK}/away",
            ),
        ),
        "answer-lent": _saying("Eve plays for you", "Eve plays your seat, so nothing was played.", LENT),
        "answer-back": _saying("You are back at Ann's table", "Welcome back. Your turns come to you again."),
        "answer-wait": _saying("We wait the full time for you", FULL_TIME),
        "answer-stopped": _saying("No more mail about Ann's table", *STOPPED),
        "answer-evening": _saying("The evening together at Ann's table is off", *EVENING),
        "answer-counts": _without_game(
            "Answers from there count", "Answers from di@example.com count as yours now.", NO_MORE
        ),
        "answer-counts-not": _without_game(
            "Answers from there do nothing", "Answers from di@example.com do nothing now."
        ),
        "answer-accepted": _without_game("You play at Ann's table", *ACCEPTED),
        "answer-accepted-words": _without_game("You play at Ann's table", *ACCEPTED, *RECEIVED),
        "answer-declined": _without_game("You don't play at Ann's table", *DECLINED),
        "answer-unaddressed-none": _without_game(UNADDRESSED, CANNOT_TELL, NOTHING_WAITS),
        "answer-yes-or-no": _without_game("We couldn't read your answer", *YES_OR_NO),
        "answer-by-link": _without_game("Please use the links in our email", *BY_LINK, STOP_TOO),
    }


def _without_game(heading: str, *sentences: str) -> MailSample:
    """An answer to an answer to a mail about no game."""
    foot = {**FOOT, "unsubscribe_link": None}
    return "answer", AnswerMail(you="Di", **foot, heading=say(heading), sentences=[say(one) for one in sentences])


def _kept() -> dict[str, MailSample]:
    """A card that is kept until the turn, or is already played."""
    plays, change = (
        "9♠\ufe0e plays at your turn. Nobody else sees it.",
        "You can change it until then: answer this email.",
    )
    return {
        "answer-ahead": _saying("Your card is chosen", plays, DROPPED, change),
        "answer-ahead-played": _saying("No card is chosen", NOT_KEPT, awaited="Hand 2 is over."),
    }


def _saying(heading: str, *sentences: str, awaited: str = "The table waits for Bo.", **said: bool) -> MailSample:
    return "answer", AnswerMail(
        **IN_GAME, heading=say(heading), sentences=[say(one) for one in sentences], awaited=awaited, **said
    )
