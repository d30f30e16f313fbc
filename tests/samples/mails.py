"""Every mail in every state worth looking at, as kind and context."""

from dataclasses import replace
from datetime import timedelta
from functools import cache
from typing import Any

from hearts.rules import Rules, preset_rules
from tests.samples.evenings import evening_mails
from tests.samples.hands import (
    ADDRESS_LINK,
    AGAIN_LINK,
    CAST,
    CLASSIC,
    CROWD,
    ELEVEN,
    FOOT,
    GAMES_LINK,
    LINK,
    NASTY,
    NEW_TABLE_LINK,
    NOW,
    RELIVE_LINK,
    RULES_LINK,
    TABLE_LINK,
    Sample,
    finished_game,
    first_score,
    moon_game,
    open_table,
    pass_sheets,
    score_with_stories,
    scores,
    sheet_ahead,
    sheet_of,
    sheets,
    summary,
    talk,
)
from tests.samples.plans import plan_mails
from webapp.forms.fields import BANKS
from webapp.outbox.digests import Why
from webapp.outbox.letters import OfferOver
from webapp.pictures.race import png
from webapp.presentation.ahead_text import ASKED
from webapp.presentation.bank_text import bank_sentence
from webapp.presentation.chart import race
from webapp.presentation.numbers import numbers
from webapp.presentation.scoresheet import score_sheet
from webapp.presentation.timestamps import timestamp
from webapp.tables.offers import Offer
from worker.answers import ENDED
from worker.attachments import Picture
from worker.questions import PlanText
from worker.scores import STORIES_AT_MOST, latest

BY_PLAN = "The deadline was over. Your plan played 9♠, your highest card that did not win."


@cache
def mails() -> dict[str, Sample]:
    """By name of the picture: the kind, and its context."""
    links = {"table_link": TABLE_LINK, "rules_link": RULES_LINK, "is_answered": True, "said": (), **FOOT}
    frame = {"you": "Di", "table": summary(CLASSIC), **links}
    nasty = {"you": NASTY[0], "table": summary(CLASSIC, NASTY), **links}
    invited = {**frame, "table": summary(CLASSIC, states=("host", "invited", "invited", "robot"))}
    inviting = {"host_name": "Ann", "link": LINK, "is_reminder": False, "who_again": None, "is_played": False}
    inviting |= {"stand_in_for": None}
    offered = {**frame, **inviting, "is_played": True, "you": "Cy", "table_link": None}
    missed = {
        "what": "The deadline was over. We played Q♠ for you.",
        "is_live": False,
        "is_by_plan": False,
        "back_link": LINK,
        "sheet": None,
    }
    left = {"left": "You have two vacation days left in this game.", "no_vacation_link": f"{LINK}/no-vacation"}
    made: dict[str, Sample] = {
        "confirm": ("confirm", {**invited, "link": LINK}),
        "invitation": ("invitation", {**invited, **inviting}),
        "invitation-reminder": ("invitation", {**invited, **inviting, "is_reminder": True}),
        "invitation-again": ("invitation", {**invited, **inviting, "who_again": "Ann and Cy want to play again"}),
        "invitation-nasty": ("invitation", {**nasty, **inviting, "host_name": NASTY[0]}),
        "trial": ("trial", {"address": "https://hearts.example", "sender": "play@hearts.example"}),
        "invitation-offer": ("invitation", offered),
        "invitation-offer-reminder": ("invitation", {**offered, "is_reminder": True}),
        "declined": (
            "declined",
            {**invited, "who": "Bo", "may_fill_seat": True, "is_played": False, "is_stand_in": False},
        ),
        "declined-offer": (
            "declined",
            {**invited, "who": "Bo", "may_fill_seat": True, "is_played": True, "is_stand_in": False},
        ),
        "declined-by-host": (
            "declined",
            {**invited, "who": "Ann", "may_fill_seat": False, "is_played": False, "is_stand_in": False},
        ),
        **_hosted(frame, nasty),
        **evening_mails(frame, nasty),
        **_stood_in(frame, nasty, {**offered, "you": "Eve", "stand_in_for": "Di"}),
        "join": ("join", joining("Ann")),
        "join-nasty": ("join", {**joining(NASTY[0]), "you": NASTY[0]}),
        "confirm-open": ("confirm", {**frame, "table": open_table(CAST, "Ann").summary, "link": LINK}),
        "sign-in": ("sign_in", {"you": "Di", "link": LINK}),
        "forget": ("forget", {"you": "Di", "link": LINK, "within": "24 hours"}),
        "played-for-you-bare": ("played_for_you", {**frame, **missed, "is_away": False}),
        "played-for-you-plan": (
            "played_for_you",
            {**frame, **missed, "is_away": False, "is_by_plan": True, "what": BY_PLAN},
        ),
        "played-for-you-away": ("played_for_you", {**frame, **missed, "is_away": True}),
        "played-for-you-live": ("played_for_you", {**frame, **missed, "is_away": False, "is_live": True}),
        "played-for-you-away-live": ("played_for_you", {**frame, **missed, "is_away": True, "is_live": True}),
        **moves(),
    }
    for name, sheet in sheets().items():
        people = nasty if name == "nasty" else frame
        cards = {face.code: f"{LINK}?card={face.code}" for face in sheet.legal_faces}
        asked = {**people, "sheet": sheet, "link": LINK, "card_links": cards, "deadline": sheet.deadline, "plan": None}
        made[f"turn-{name}"] = ("turn", asked)
        made[f"reminder-{name}"] = ("reminder", {**asked, "is_nudge": False})
        made[f"vacation-{name}"] = ("vacation", {**asked, **left})
        made[f"played-for-you-{name}"] = ("played_for_you", {**people, **missed, "is_away": False, "sheet": sheet})
    for name, sheet in pass_sheets().items():
        people = nasty if name == "nasty" else frame
        made[f"pass-{name}"] = (
            "pass",
            {**people, "sheet": sheet, "link": LINK, "card_links": {}, "deadline": sheet.deadline, "plan": None},
        )
    made |= plan_mails(made["turn-following"][1], made["pass-classic"][1])
    spared = made["turn-following"][1] | {"deadline": replace(made["turn-following"][1]["deadline"], is_spared=True)}
    made |= {"turn-spared": ("turn", spared), "reminder-spared": ("reminder", {**spared, "is_nudge": False})}
    bank = "As we write, you have 2 days 4 hours in your time bank."
    banked = made["turn-following"][1] | {"deadline": replace(made["turn-following"][1]["deadline"], bank=bank)}
    made["turn-bank"] = ("turn", banked)
    agreed = replace(invited["table"], bank=bank_sentence(BANKS["usual"]))
    made["confirm-bank"] = ("confirm", {**invited, "table": agreed, "link": LINK})
    moon = sheet_of(moon_game())
    made["moon"] = ("moon", {**frame, "sheet": moon, "link": LINK, "card_links": {}, "deadline": moon.deadline})
    passes = pass_sheets()
    for name, asked in (("pass", passes["classic"]), ("pass-seventeen", passes["seventeen"]), ("moon", moon)):
        words = {"sheet": asked, "link": LINK, "card_links": {}, "deadline": asked.deadline}
        made[f"reminder-{name}"] = ("reminder", {**frame, **words, "is_nudge": name == "pass"})
        made[f"vacation-{name}"] = ("vacation", {**frame, **words, **left})
    for name, words in _digests(moon).items():
        frame_of_all = {"you": "Di", "games_link": GAMES_LINK, "more": 0, "plan": None, **FOOT}
        frame_of_all["unsubscribe_text"] = "Mute all tables"
        made[f"digest-{name}"] = ("digest", {**frame_of_all, **words})
    for name, said in _answers(moon).items():
        people = nasty if name == "nasty" else frame
        made[f"answer-{name}"] = ("answer", {**people, **said})
    for name, (score, names, rules) in scores().items():
        seated = {"you": names[0], "table": summary(rules, names), **links, "score": score}
        made[f"score-sheet-{name}"] = ("score_sheet", {**seated, **hand_sheet_words(score)})
        made[f"final-sheet-{name}"] = ("final_sheet", {**seated, **final_sheet_words(score, names, rules)})
    long_rules = preset_rules("cancellation", players=11, target=500)
    long = score_with_stories(long_rules, CROWD)
    seated = {"you": "Ann", "table": summary(long_rules, CROWD), **links, "score": latest(long)}
    made["score-sheet-cycle"] = ("score_sheet", {**seated, **hand_sheet_words(long, hands=4)})
    made["score-sheet-long"] = ("score_sheet", {**seated, **hand_sheet_words(long)})
    made["final-sheet-long"] = ("final_sheet", {**seated, **final_sheet_words(long, CROWD, long_rules)})
    made |= talked(made)
    made["score-sheet-left"] = ("score_sheet", {**made["score-sheet-classic"][1], "table_link": None})
    first = first_score()
    made["score-sheet-first"] = ("score_sheet", {**frame, "score": first, **hand_sheet_words(first)})
    return made


def moves() -> dict[str, Sample]:
    """The mails of a move: to the new address, and to the old one."""
    until = timestamp(NOW + timedelta(days=7), NOW, "Europe/Berlin")
    move = {"you": "Di", "link": ADDRESS_LINK, "new_address": "di@example.com", "masked": "d***@example.com"}
    move |= {"until": until, "is_agreed": False, "is_reminder": False}
    move |= {"proved_within": "2 days", "undone_within": "14 days"}
    return {
        "new-address": ("new_address", move),
        "new-address-agreed": ("new_address", {**move, "is_agreed": True}),
        "address-asked": ("address_asked", move),
        "address-asked-reminder": ("address_asked", {**move, "is_reminder": True}),
        "address-changed": ("address_changed", move),
        "address-changed-first-version": ("address_changed", {**move, "masked": None}),
        "address-moved": ("address_moved", {**move, **FOOT, "unsubscribe_link": None}),
    }


def joining(host_name: str) -> dict[str, Any]:
    """A mail to somebody who asked for an open seat. We know only what they typed."""
    table = open_table((host_name, *CAST[1:]), host_name)
    words = {"you": "Eve", "host_name": host_name, "table": table.summary, "rules_link": RULES_LINK, "link": LINK}
    return words | FOOT | {"unsubscribe_link": None}


def talked(made: dict[str, Sample]) -> dict[str, Sample]:
    """Mails that quote the talk; some of it looks like an answer, and some like a page."""
    long = "Well played, Di. Back in an hour " + "or so " * 20
    said = talk("", "QS", long, "stop", "Play the queen of spades, please", now=None)
    nasty = talk("", "<b>QS</b>", "{{ 7 * 7 }} & " + "QS " * 80, "x" * 280, "-- ", "> 7D", names=NASTY, now=None)
    names = ("turn-following", "pass-classic", "moon", "score-sheet-classic", "final-sheet-long", "turn-nasty")
    talks = {name: nasty if "nasty" in name else said for name in names}
    return {f"{name}-talk": (made[name][0], {**made[name][1], "said": lines[1:]}) for name, lines in talks.items()}


def _hosted(frame: dict[str, Any], nasty: dict[str, Any]) -> dict[str, Sample]:
    """The changes of a host."""
    lost = {"table_link": None, "host_name": "Ann", "new_table_link": NEW_TABLE_LINK, "why": None}
    early = score_sheet(CLASSIC, CAST, finished_game(CLASSIC).scores[:2], is_ended=True)
    crowd = score_sheet(ELEVEN, CROWD, finished_game(ELEVEN).scores[:3], is_ended=True)
    none = score_sheet(CLASSIC, NASTY, (), is_ended=True)
    over = {**frame, **lost, "you": "Eve"}
    asked = Offer("Eve", "Ann", is_accepted=False, is_released=False)
    return {
        "replaced": ("replaced", {**frame, **lost, "new_occupant": "Eve"}),
        "replaced-robot": ("replaced", {**frame, **lost, "new_occupant": "a robot, Pip"}),
        "replaced-nasty": ("replaced", {**nasty, **lost, "host_name": NASTY[1], "new_occupant": NASTY[2]}),
        "offered": ("offered", {**frame, "link": LINK, "offer": asked}),
        "offered-accepted": ("offered", {**frame, "link": LINK, "offer": replace(asked, is_accepted=True)}),
        "offered-nasty": (
            "offered",
            {**nasty, "link": LINK, "offer": replace(asked, newcomer=NASTY[2], host=NASTY[1])},
        ),
        **{f"offer-over-{why}": ("offer_over", {**over, "why": why.value}) for why in OfferOver},
        "offer-over-nasty": ("offer_over", {**nasty, **lost, "host_name": NASTY[1], "why": "withdrawn"}),
        "ended": ("ended", {**frame, "host_name": "Ann", "score": early, "by_operator": False}),
        "ended-by-operator": ("ended", {**frame, "host_name": "Ann", "score": early, "by_operator": True}),
        "ended-nasty": ("ended", {**nasty, "host_name": NASTY[1], "score": none, "by_operator": False}),
        "ended-eleven": (
            "ended",
            {**frame, "table": summary(ELEVEN, CROWD), "host_name": "Ann", "score": crowd, "by_operator": False},
        ),
    }


def _stood_in(frame: dict[str, Any], nasty: dict[str, Any], asked: dict[str, Any]) -> dict[str, Sample]:
    """A friend who plays for a player who is away; `asked` is the invitation."""
    words = {"new_occupant": "Eve for Di", "new_table_link": NEW_TABLE_LINK, "host_name": "Ann"}
    ended = {**frame, **words, "you": "Eve", "who": "Di", "table_link": None}
    declined = {"who": "Eve", "may_fill_seat": False, "is_played": True, "is_stand_in": True}
    return {
        "invitation-stand-in": ("invitation", asked),
        "invitation-stand-in-reminder": ("invitation", {**asked, "is_reminder": True}),
        "invitation-stand-in-nasty": ("invitation", {**asked, "you": NASTY[1], "stand_in_for": NASTY[0]}),
        "declined-stand-in": ("declined", {**frame, **declined}),
        "declined-stand-in-nasty": ("declined", {**nasty, **declined, "who": NASTY[1]}),
        "replaced-lent": ("replaced", {**frame, **words, "why": "lent", "who": "Eve"}),
        "replaced-lent-nasty": ("replaced", {**nasty, **words, "why": "lent", "who": NASTY[1]}),
        **{f"replaced-{why}": ("replaced", {**ended, "why": why}) for why in ("owner_back", "missed", "over")},
    }


def _digests(moon: Any) -> dict[str, dict[str, Any]]:
    """Several turns in one mail, and the news since the last."""

    def asking(table: str, sheet: Any, *, few: bool = False) -> dict[str, Any]:
        cards = {face.code: f"{LINK}?card={face.code}" for face in sheet.legal_faces} if few else {}
        asked = {"table_name": table, "sheet": sheet, "link": LINK, "card_links": cards, "deadline": sheet.deadline}
        return {**asked, "answer_address": "r-aaaaaabkvw2zj4b7lhqf6d3p@in.hearts.example"}

    def news(table: str, text: str, more: str = "Score sheet and table") -> dict[str, Any]:
        return {"table_name": table, "text": text, "link": TABLE_LINK, "link_text": more}

    new_plan = PlanText("Ask me when it matters", LINK, LINK, is_new=True, played=())
    playing = sheets()
    three = [
        asking("Table 7F3K", playing["following"], few=True),
        asking("Table Q2ZZ", pass_sheets()["classic"]),
        asking("Table M4RX", moon),
    ]
    ahead = {**asking("Table 7F3K", sheet_ahead(), few=True), "why": "", "before": (f"Cy plays before you. {ASKED}",)}
    items = [
        news("Table 7F3K", "Hand 3 is over. Bo leads with 22 points; the lowest total wins."),
        news("Table Q2ZZ", "The deadline was over. We played Q♠ for you."),
        news("Table M4RX", "Hand 2 is over. Cy leads with 7 points; the lowest total wins.", "Relive hand 2"),
    ]
    subject = "3 turns wait for you, the first until Tue 3 March, 18:00 (Europe/Berlin)"
    nasty = [asking("Table 7F3K", playing["nasty"], few=True)]
    many = [asking("Table 7F3K", playing["eleven"])] * 12
    made: dict[str, dict[str, Any]] = {
        "three": {"subject": subject, "asked": three, "news": items},
        "limit": {"subject": subject, "asked": three, "news": items, "why": Why.LIMIT},
        "together": {"subject": subject, "asked": three, "news": [], "why": Why.TOGETHER, "plan": new_plan},
        "nasty": {"subject": "1 turn waits for you", "asked": nasty, "news": [news("Table 7F3K", NASTY[0])]},
        "many": {"subject": subject, "asked": many, "news": items * 6, "more": 3},
        "ahead": {"subject": "2 turns wait for you", "asked": [ahead, three[1]], "news": []},
        "news": {"subject": "News from your tables", "asked": [], "news": items},
    }
    return {name: {"why": None, **words} for name, words in made.items()}


def picture_of(score: Any) -> Picture:
    chart = race(score)
    assert chart is not None
    return Picture("race@hearts.example", chart.alt, png(chart))


def hand_sheet_words(score: Any, hands: int = 1) -> dict[str, Any]:
    claimed = "From trick 9 on every trick had to go to Bo, so the rest played itself."
    claim_text = claimed if len(score.hands) > 9 else None
    shown = score.hands[-hands:]
    return {
        "hands": shown,
        "claimed": {hand.number: claim_text for hand in shown},
        "relive_links": [(hand.number, f"{RELIVE_LINK}{hand.number}") for hand in shown],
        "picture": picture_of(score),
    }


def final_sheet_words(score: Any, names: tuple[str, ...], rules: Rules) -> dict[str, Any]:
    return {
        "stories": score.hands if len(score.hands) <= STORIES_AT_MOST else (),
        "numbers": numbers(rules, names, finished_game(rules).scores),
        "again_link": AGAIN_LINK,
        "relive_links": [(line.number, f"{RELIVE_LINK}{line.number}") for line in latest(score).hands],
        "share_link": f"{TABLE_LINK}/share?game=1",
        "record_link": f"{TABLE_LINK}/record.json?game=1",
        "record_name": "hearts-7F3K-1.json",
        "sheet_name": "hearts-7F3K-1.csv",
        "picture": picture_of(score),
    }


def _answers(moon: Any) -> dict[str, dict[str, Any]]:
    """Our answers to replies, by reason."""

    def asking(sheet: Any, heading: str, *sentences: str) -> dict[str, Any]:
        cards = {face.code: f"{LINK}?card={face.code}" for face in sheet.legal_faces}
        asked = {"sheet": sheet, "link": LINK, "card_links": cards, "deadline": sheet.deadline}
        return {"heading": heading, "sentences": sentences, "awaited": "It is your turn.", **asked}

    def context_of(heading: str, *sentences: str) -> dict[str, Any]:
        return {"heading": heading, "sentences": sentences, "awaited": "The table waits for Bo.", "sheet": None}

    playing = sheets()
    could_not, none = "We couldn't read your answer", "Nothing was played."
    over = "Your answer came when that turn was over, so nothing was changed."
    return {
        "unclear": asking(
            playing["following"],
            could_not,
            none,
            "The first line that you write must be one card, and nothing else.",
        ),
        "illegal": asking(
            playing["void"],
            "Q♠\ufe0e may not be played now",
            "You can't play Q♠\ufe0e now. You can follow clubs.",
            none,
        ),
        "nasty": asking(playing["nasty"], could_not, none),
        "eleven": asking(playing["eleven"], could_not, none),
        "pass": asking(pass_sheets()["classic"], could_not, none),
        "moon": asking(moon, could_not, none),
        "kept": context_of(
            "Your answer is kept",
            "Your answer is 9♠\ufe0e. Nobody else knows it.",
            "You are asked again if the queen of spades falls.",
            "You can change it until your turn: answer this mail.",
        ),
        "cannot": asking(
            sheet_ahead(), "That can't be your answer", "You don't have 4♦\ufe0e.", "Nothing was changed."
        ),
        "over": context_of("That turn was over", over, "You played 7♦\ufe0e."),
        "ended": asking(playing["following"], "That email can't be answered any more", *ENDED),
        "away": context_of(
            "You are away from Table 7F3K",
            "From now on a robot plays your turns at once.",
            'Whenever you want to play again, answer "back" to any of our mails.',
        ),
    }
