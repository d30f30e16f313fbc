"""Opens a table: shows the form, and the page on which the host confirms it by a link in their inbox."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from flask import Blueprint, redirect, request
from flask import session as cookie

from hearts.rules import PRESETS, BadRules, Preset, PresetLine, Rules, preset_rules
from webapp.core.say import say, say_as, say_many
from webapp.core.tokens import ConfirmLink
from webapp.forms.fields import TIME_ZONES, Form, live_paces, mail_paces
from webapp.forms.opening import (
    FILLED,
    SEAT_PREFIXES,
    By,
    OpenForm,
    blank_open_form,
    read_open_form,
    remembered_fields,
)
from webapp.forms.options import NAMES, OptionGroup, option_groups
from webapp.forms.terms import USUAL_PACE, Length, When, length_labels, length_lines, with_length
from webapp.games.fair import Shuffle, shuffle_of
from webapp.games.record import links
from webapp.games.record.rows import table_seats
from webapp.models import SeatRow, TableRow, TableState
from webapp.pages import limits, ways_in
from webapp.pages.common import CheckInbox, PageContext, page, reading, runtime
from webapp.pages.guest_list import GuestList, PlayNow, guest_list, play_now_line
from webapp.pages.host import TableChoices
from webapp.pages.limits import Answer, TooMuchMail
from webapp.presentation.clock_text import live_length_of
from webapp.presentation.faces import said
from webapp.presentation.phrasing import number_word
from webapp.presentation.sheets import summary_of
from webapp.presentation.summary import TableSummary
from webapp.tables import offers, seating

blueprint = Blueprint("opening", __name__)
SENT_TO = "sent_to"  # key in the session cookie: the address to which the last form made us write
LAST_TABLE = "last_table"  # key in the session cookie: what the host chose in that form, without the guests
FRIENDS = tuple(f"{seat}_{field}" for seat in SEAT_PREFIXES[:3] for field in ("name", "address"))
ASKED = ("host_name", "host_address", "by", "when", "length", *FRIENDS)  # the fields of the three questions


def bys() -> list[tuple[str, str, str]]:
    """The value, the label and a line of each way to reach one's friends."""
    return [
        (By.NAMES.value, say("Friends by name"), say("We invite them by mail. Robots take the seats left empty.")),
        (By.LINK.value, say("Friends with your link"), say("You send it by any messenger.")),
    ]


def kinds() -> list[tuple[str, str]]:
    """The values and labels of who may get a seat."""
    return [
        ("player", say_as("who gets a seat", "A friend")),
        ("robot", say_as("who gets a seat", "A robot")),
        ("open", say_as("who gets a seat", "Anybody")),
        ("none", say_as("who gets a seat", "Nobody")),
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTablePage(TableChoices):
    form: Form
    refusal: str | None = None
    seats: Sequence[str] = SEAT_PREFIXES
    bys: Sequence[tuple[str, str, str]] = field(default_factory=bys)
    kinds: Sequence[tuple[str, str]] = field(default_factory=kinds)
    asked: Sequence[str] = ASKED
    has_pages: bool  # for others than the host
    choices: str  # the unusual ones in the fold; empty if there are none
    presets: Sequence[tuple[str, str, str]]
    option_groups: Sequence[OptionGroup] = field(default_factory=option_groups)
    time_zones: Sequence[str] = TIME_ZONES
    whens: Sequence[tuple[str, str, str]]
    lengths: Sequence[tuple[str, str, str]]
    live_paces: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirm(PageContext):
    table: TableSummary
    action: str
    shuffle: Shuffle | None = None
    goes_on: bool = False
    refusal: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmed(PageContext):
    table: TableSummary
    action: str
    guests: GuestList | None
    play_now: PlayNow | None
    table_link: str


@blueprint.get("/tables/new")
def form() -> str:
    return _form_page(blank_open_form(cookie.get(LAST_TABLE)))


@blueprint.post("/tables/new")
def open_table() -> Answer:
    form = read_open_form(request.form, runtime().settings.shortest_pace_seconds)
    if form.table is None:
        return _form_page(form), 400
    try:
        with limits.counted(*limits.table_opened(form.table.host_address)):
            table = seating.open_table(runtime(), form.table, runtime().now())
    except TooMuchMail as error:
        return limits.refused(_form_page(form, refusal=str(error)), error)
    except seating.NotInvitable as error:
        filled = [seat for seat in SEAT_PREFIXES if form.values.get(f"{seat}_kind") in FILLED]
        form.errors[f"{filled[error.seat - 1]}_address"] = str(error)
        return _form_page(form), 400
    limits.note_asked(limits.table(table.id))
    cookie[SENT_TO] = form.table.host_address
    cookie[LAST_TABLE] = remembered_fields(form)
    cookie.permanent = True
    return redirect("/tables/opened", 303)


@blueprint.get("/tables/opened")
def opened() -> str:
    return page(CheckInbox(about="table", address=cookie.get(SENT_TO)))


@blueprint.get("/confirm/<token>")
def ask_to_confirm(token: str) -> str:
    link = runtime().signer.read(ConfirmLink, token)
    table, seats = _table(link)
    if table.state is TableState.UNCONFIRMED:
        return _question_page(table, seats, goes_on=limits.is_asked(limits.table(table.id)))
    with reading() as session:
        play_now = play_now_line(session, table, seats, seats[0], request.path)
    return page(
        Confirmed(
            table=summary_of(table, seats),
            action=request.path,
            guests=guest_list(table, seats, seats[0], request.path),
            play_now=play_now,
            table_link=runtime().signer.local_url(links.seat_link(seats[0])),
        )
    )


@blueprint.post("/confirm/<token>")
def confirm(token: str) -> Answer:
    link = runtime().signer.read(ConfirmLink, token)
    with reading() as session:
        host_id, invited = offers.invited_by_confirming(session, link.table_id)
    try:
        with limits.counted(*limits.invited(host_id, invited)):
            seating.confirm(runtime(), link, runtime().now(), request.form.get("shuffle", ""))
    except TooMuchMail as error:
        return limits.refused(_question_page(*_table(link), refusal=str(error)), error)
    _, seats = _table(link)
    return redirect(ways_in.to_cards(link.table_id, may_enter=True) or ways_in.enter(seats[0]) or request.path, 303)


def _form_page(form: OpenForm, refusal: str | None = None) -> str:
    # The unusual choices in the fold: "Club · 6 hours per turn · to 60 points".
    preset, pace, target, hands = (form.values.get(name, "") for name in ("preset", "play_time", "target", "hands"))
    shown = {value: label for value, label in mail_paces(None) if value != USUAL_PACE}
    parts = [said(PRESETS[Preset(preset)].label)] if preset in PRESETS and preset != Preset.CLASSIC else []
    parts += [say("{time} per turn", time=shown[pace])] if pace in shown else []
    parts += [say("to {target} points", target=target)] if target.isdecimal() else []
    parts += [say_many(int(hands), "{number} hand", "{number} hands")] if hands.isdecimal() else []
    parts += [say_as("a choice", "house rules")] if any(form.values.get(name) for name in NAMES) else []
    return page(
        OpenTablePage(
            form=form,
            refusal=refusal,
            has_pages=runtime().settings.has_pages,
            kinds=[kind for kind in kinds() if runtime().settings.has_pages or kind[0] != "open"],
            choices=" · ".join(parts),
            presets=[
                (name.value, said(line.label), f"{said(line.line)} {_for_whom(line)}") for name, line in PRESETS.items()
            ],
            whens=when_answers(form),
            lengths=length_answers(form),
            live_paces=live_paces(),
            paces=mail_paces(runtime().settings.shortest_pace_seconds),
        )
    )


def when_answers(form: OpenForm) -> list[tuple[str, str, str]]:
    """The value, the label and a line of each answer to "By mail or live?"."""
    time = dict(live_paces()).get(form.values.get("live_time", ""))
    live = say("Everybody now, {time} a card.", time=time) if time else say("Everybody now, a few seconds a card.")
    a_round, a_game = (live_length_of(with_length(Rules(), length)) for length in (Length.ROUND, Length.HUNDRED))
    how_long = say("A round of four hands takes {round}, a game to 100 points {game}.", round=a_round, game=a_game)
    return [
        (When.MAIL.value, say_as("a way to play", "By mail"), say("About two minutes a day.")),
        (When.NOW.value, say_as("a way to play", "Live"), f"{live} {how_long}"),
    ]


def length_answers(form: OpenForm) -> list[tuple[str, str, str]]:
    """The value, the label and a line of each answer to "How long?"."""
    # The rules as far as the form has them: a round has as many hands as they say.
    players = 1 + sum(form.values.get(f"{seat}_kind") in FILLED for seat in SEAT_PREFIXES)
    passing = {"passing": form.values["passing"]} if form.values.get("passing") else {}
    try:
        rules = preset_rules(form.values.get("preset", ""), players=players, **passing)
    except BadRules:
        rules = Rules()
    lines = length_lines()
    return [(length.value, label, lines[length]) for length, label in length_labels(rules).items()]


def _for_whom(line: PresetLine) -> str:
    """The usual numbers of players of a preset, as a sentence; its rules may allow others."""
    first, *others = map(number_word, line.players)
    match others:
        case []:
            return say("For {first} players.", first=first)
        case [last]:
            return say("For {first} or {last} players.", first=first, last=last)
        case _:
            return say("For {first} to {last} players.", first=first, last=others[-1])


def _question_page(table: TableRow, seats: list[SeatRow], refusal: str | None = None, *, goes_on: bool = False) -> str:
    with reading() as session:
        shuffle = shuffle_of(session, seats, 0, seats[0].player_id, request.form.get("shuffle", ""))
    confirm = Confirm(table=summary_of(table, seats), action=request.path, shuffle=shuffle, refusal=refusal)
    return page(replace(confirm, goes_on=goes_on))


def _table(link: ConfirmLink) -> tuple[TableRow, list[SeatRow]]:
    with reading() as session:
        return links.check_confirm(session, link), list(table_seats(session, link.table_id))
