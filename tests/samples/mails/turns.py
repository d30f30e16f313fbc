"""The mail about turns: one decision or several, at one table or two, after a missed deadline, and as a last call."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from hearts.cards import parse_code
from hearts.rules import Rules
from tests.samples.cast import NASTY
from tests.samples.games import moon_game
from tests.samples.links import GAMES_LINK, LINK
from tests.samples.mails.frames import frame_of
from tests.samples.rendering import MailSample
from tests.samples.sheets import pass_sheets, sheet_of, sheets
from tests.samples.shuffles import TOLD
from tests.samples.tables import talk
from webapp.presentation.clock_text import taken_sentence
from webapp.presentation.happened import TalkLine, Told, Weight
from webapp.presentation.house_rules import goal_text
from webapp.presentation.turn_text import points_sentence
from worker.mails.turns import NamedQuestion, TablePart, TurnsMail

REPLY = "r-aaaaaabkvw2zj4b7lhqf6d3p@in.hearts.example"
LATE = "The deadline was over. We played Q♠ for you. Nobody else can win this trick."
TRICKS = (
    Told(Weight.TRICK, "You won it with K♦: no points.", "Trick 3"),
    Told(Weight.POINTS, "Bo won it with A♠: 14 points.", "Trick 4", points=14),
)
FOR_YOU = Told(Weight.FOR_YOU, LATE, "Trick 4")
SPARED = Told(Weight.FOR_YOU, taken_sentence(2))
DROPPED = Told(Weight.FOR_YOU, points_sentence(parse_code("5D")))
IN_HANDS = (
    Told(Weight.FOR_YOU, "The deadlines were over. We played 9♠ and K♥ for you.", "Hand 3"),
    Told(Weight.POINTS, "Hand 1 is over: Di 0, Ann +4, Cy +9 and Bo +13."),
    Told(Weight.POINTS, "Bo won it with A♠: 14 points.", "Hand 2, trick 4", points=14),
)


def mails() -> dict[str, MailSample]:
    found = {**_cards(), **_passes(), **_several(), **_missed(), **_talked()}
    return {name: ("turns", context) for name, context in found.items()}


def question(sheet: Any, hand: int = 0) -> NamedQuestion:
    """A question about one of several hands, or (0) the only one; without links of its own for what may be chosen."""
    return {
        "sheet": sheet,
        "link": LINK,
        "card_links": {},
        "deadline": sheet.deadline,
        "hand": hand or 1,
        "place": f"Hand {hand}" if hand else "",
    }


def card_question(sheet: Any, hand: int = 0) -> NamedQuestion:
    """The same with a link for each card that may be played."""
    return {
        **question(sheet, hand),
        "card_links": {face.code: f"{LINK}?card={face.code}" for face in sheet.legal_faces},
    }


def turn(name: str, asked: NamedQuestion, *more: NamedQuestion, **changed: Any) -> TurnsMail:
    """The mail about one table, in the sample of that name."""
    mail = TurnsMail(
        **{**frame_of(name), "said": ()},
        subject=f"Ann's table: {asked['sheet'].mail_subject}",
        preheader=asked["sheet"].preheader,
        is_call=False,
        first=asked,
        goal="",
        first_hands="",
        tables=[TablePart("Ann's table", (), [asked, *more])],
        more=0,
        games_link=GAMES_LINK,
        setting="We email you when it's your turn.",
    )
    return replace(mail, **changed)


def since(mail: TurnsMail, *lines: Told) -> TurnsMail:
    """The mail with what happened at its first table."""
    first, *more = mail.tables
    return replace(mail, tables=[replace(first, told=lines), *more])


def _cards() -> dict[str, TurnsMail]:
    made = {f"turn-{name}": turn(name, card_question(sheet)) for name, sheet in sheets().items()}
    following = made["turn-following"]
    asked = card_question(sheets()["following"])
    deadline = asked["deadline"]
    assert deadline is not None
    spared = turn("following", {**asked, "deadline": replace(deadline, is_spared=True)})
    call: dict[str, Any] = {"is_call": True, "subject": f"Last call: {following.subject}"}
    return made | {
        "turn-since": since(following, *TRICKS),
        "turn-dropped": since(following, DROPPED),
        "turn-spared": spared,
        "turn-daily": replace(following, setting="We email you once a day, at 08:00."),
        "nudge": replace(following, subject=f"Reminder: {following.subject}"),
        "last-call": replace(following, **call, preheader=f"After {deadline.text}, a robot plays for you."),
        "last-call-spared": replace(spared, **call, preheader=f"After {deadline.text}, we use one of your spare days."),
    }


def _passes() -> dict[str, TurnsMail]:
    made = {f"pass-{name}": turn(name, question(sheet)) for name, sheet in pass_sheets().items()}
    call: dict[str, Any] = {"is_call": True, "subject": f"Last call: {made['pass-classic'].subject}"}
    return made | {
        "pass-first": replace(made["pass-classic"], goal=goal_text(Rules()), dealt=TOLD),
        "moon": turn("moon", question(sheet_of(moon_game()))),
        "last-call-pass": replace(made["pass-classic"], **call),
        "last-call-moon": replace(turn("moon", question(sheet_of(moon_game()))), is_call=True),
    }


def _several() -> dict[str, TurnsMail]:
    following, leading = card_question(sheets()["following"], 1), card_question(sheets()["leading"], 3)
    void, passing = card_question(sheets()["void"], 2), question(pass_sheets()["classic"], 4)
    four = turn("following", following, void, leading, passing)
    four = replace(four, subject=f"{four.subject} (hand 1), and 3 more choices")
    at_bo = [question(pass_sheets()["classic"])]
    two = _tables(
        four, TablePart("Bo's table", (Told(Weight.POINTS, "Cy won it with Q♥: 2 points.", "Trick 6"),), at_bo)
    )
    passes = [question(pass_sheets()["classic"], hand) for hand in range(1, 5)]
    crowd = [question(sheets()["eleven"], hand) for hand in range(1, 13)]
    return {
        "turns-hands": since(four, *IN_HANDS),
        "turns-tables": two,
        "turns-moon-first": turn("moon", question(sheet_of(moon_game()), 2), void, passing),
        "turns-first-hands": turn(
            "following",
            *passes,
            subject="Ann's table: your first hands",
            first_hands="You play four hands at once.",
            goal=goal_text(Rules()),
        ),
        "turns-many": turn("following", *crowd, more=3),
        "turns-nasty": _tables(
            since(
                turn("nasty", card_question(sheets()["nasty"])), Told(Weight.POINTS, f"Hand 1 is over: {NASTY[0]} +13.")
            ),
            TablePart(NASTY[1], (), [question(pass_sheets()["nasty"])]),
        ),
    }


def _tables(mail: TurnsMail, *more: TablePart) -> TurnsMail:
    """The mail with more tables."""
    return replace(mail, tables=[*mail.tables, *more], unsubscribe_text="Mute all tables")


def _missed() -> dict[str, TurnsMail]:
    late = since(turn("following", card_question(sheets()["following"])), FOR_YOU, *TRICKS)
    late = replace(late, subject=f"We played for you: {late.subject}", preheader=LATE)
    away = TablePart("Ann's table", (FOR_YOU,), (), back_link=LINK)
    gone = replace(late, first=None, subject="We played for you at Ann's table", tables=[away])
    spared = replace(since(late, SPARED), subject="A spare day for you: Ann's table: Your turn, trick 5")
    return {
        "missed": late,
        "missed-spared": replace(spared, preheader=SPARED.sentence),
        "missed-bare": replace(gone, tables=[replace(away, back_link=None)]),
        "missed-away": gone,
        "missed-away-live": replace(gone, tables=[replace(away, is_live=True)]),
        "missed-away-elsewhere": _tables(turn("following", card_question(sheets()["following"])), away),
    }


def _talked() -> dict[str, TurnsMail]:
    """Mails with talk; some of it looks like an answer, and some like a page."""
    long = "Well played, Di. Back in an hour " + "or so " * 20
    said = talk("", "QS", long, "stop", "Play the queen of spades, please", now=None)[1:]
    nasty = talk("", "<b>QS</b>", "{{ 7 * 7 }} & " + "QS " * 80, "x" * 280, "-- ", "> 7D", names=NASTY, now=None)[1:]
    return {
        "turn-following-talk": since(turn("following", card_question(sheets()["following"])), *_lines(said)),
        "turn-nasty-talk": since(turn("nasty", card_question(sheets()["nasty"])), *_lines(nasty)),
        "pass-classic-talk": since(turn("classic", question(pass_sheets()["classic"])), *_lines(said)),
    }


def _lines(said: Sequence[TalkLine]) -> list[Told]:
    return [Told(Weight.TALK, said=line) for line in said]
