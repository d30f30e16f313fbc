"""Shows a finished hand step by step to anybody who has the link. GET shows; a POST asks for the robot's opinion, or
says something about a trick.

The opinion is for the player whom the link names, and on their own turns; what was said is for that player, too. They
say something only in a browser in which they may play.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from flask import Blueprint, abort, redirect, request
from sqlmodel import Session
from werkzeug.wrappers import Response

from hearts.seats import Seat
from webapp.core.refusal import Refused
from webapp.core.tokens import LinkInvalid, ReliveLink
from webapp.forms.fields import LONGEST_ECHO
from webapp.games import talk
from webapp.games.record import store
from webapp.games.record.finished import FinishedHand, finished_hand
from webapp.games.record.links import play_link, still_names
from webapp.games.record.stand_in import table_name
from webapp.games.record.store import TableGame
from webapp.models import DealtRow, TalkRow
from webapp.pages import ways_in
from webapp.pages.common import PageContext, page, reading, runtime
from webapp.pages.limits import Answer
from webapp.presentation.relive import Scene, scene
from webapp.presentation.scoresheet import ScoreSheet
from webapp.presentation.sheets import score_sheet_of, trick_talk_of, zone_of
from webapp.presentation.steps import Step, end_of_trick, steps_of
from webapp.presentation.talk import TalkLine, TalkSheet, Unsaid, talk_lines
from webapp.robots import reviews

blueprint = Blueprint("relive", __name__)


@dataclass(frozen=True, slots=True)
class Remark:
    """A line about a trick of the hand, and the step that shows the trick's end."""

    step: int
    trick: int
    line: TalkLine


@dataclass(frozen=True, slots=True, kw_only=True)
class RelivePage(PageContext):
    scene: Scene
    score: ScoreSheet
    table_name: str
    may_ask: bool = False
    reviewed: bool = False  # by the robot, for the reader
    is_proved: bool = False  # a script can check the deal
    result_link: str | None = None  # where the result is shared
    hand_links: Sequence[tuple[int, str]] = ()  # the numbers of all its hands, each with its page
    talk: TalkSheet | None = None  # about the trick that is shown
    remarks: Sequence[Remark] = ()  # about any trick of the hand
    unsaid: Unsaid | None = None


@blueprint.get("/relive/<token>")
def show(token: str) -> str:
    return page(_relive_page(token))


def _relive_page(token: str, unsaid: Unsaid | None = None) -> RelivePage:
    link = runtime().signer.read(ReliveLink, token)
    with reading() as session:
        stored = load(session, link)
        hand = finished_hand(stored, link.hand)
        is_reader = _may_read(stored, link)
        found = reviews.reviews_for(session, stored, Seat(link.seat), link.player_id) if is_reader else {}
        opinions, steps = found.get(link.hand), steps_of(hand)
        shown = scene(hand, asked_step(steps), opinions or ())
        seat = stored.seats[link.seat]
        is_named = still_names(link, seat)
        said = talk.comments(session, stored.table, stored.row.number, link.hand) if is_named else ()
        zone = zone_of(session, seat)
        action = f"/relive/{token}/say?step={shown.step}" if is_named and ways_in.way_in(seat) else None
        is_proved = session.get(DealtRow, (stored.id, link.hand)) is not None
        trick = steps[shown.step - 1].trick
    now = runtime().now()
    return RelivePage(
        scene=shown,
        score=score_sheet_of(stored, hands=link.hand, opinions={link.hand: opinions or ()}),
        table_name=table_name(stored.seats),
        may_ask=is_reader and opinions is None,
        reviewed=opinions is not None,
        is_proved=is_proved,
        talk=trick_talk_of(said, stored.table, seat, zone, now, trick, action) if trick else None,
        remarks=_remarks(hand, said, talk_lines(said, link.player_id, zone, now)),
        unsaid=unsaid,
    )


def _remarks(hand: FinishedHand, said: Sequence[TalkRow], lines: Sequence[TalkLine]) -> list[Remark]:
    """The lines, by the order of their tricks."""
    steps = steps_of(hand)
    made = [
        Remark(end_of_trick(steps, row.trick), row.trick, line)
        for row, line in zip(said, lines, strict=True)
        if row.trick is not None
    ]
    return sorted(made, key=lambda one: one.trick)


@blueprint.post("/relive/<token>/say")
def say(token: str) -> Answer:
    """Says what was tapped or typed about the trick that the step shows."""
    link = runtime().signer.read(ReliveLink, token)
    with reading() as session:
        stored = load(session, link)
    steps, seat = steps_of(finished_hand(stored, link.hand)), stored.seats[link.seat]
    if not still_names(link, seat) or not ways_in.way_in(seat):
        abort(403)
    trick = steps[min(asked_step(), len(steps)) - 1].trick
    text = request.form.get("phrase") or request.form.get("text", "")
    about = talk.Trick(stored.row.number, link.hand, trick)
    try:
        talk.say(runtime(), play_link(seat), text, runtime().now(), about)
    except (Refused, talk.TalkLimitReached) as error:
        status = 429 if isinstance(error, talk.TalkLimitReached) else 400
        return page(_relive_page(token, Unsaid(text[:LONGEST_ECHO], str(error)))), status
    return redirect(f"/relive/{token}?step={asked_step()}#talk", 303)


@blueprint.post("/relive/<token>")
def ask(token: str) -> Response:
    """Has the robot review the hand, once for each hand, for the player whom the link names; shows the step again."""
    link = runtime().signer.read(ReliveLink, token)
    with reading() as session:
        stored = load(session, link)
        finished_hand(stored, link.hand)
        if not _may_read(stored, link):
            abort(403)
    reviews.review_of(runtime(), link.game_id, link.hand)
    return redirect(f"{request.path}?step={asked_step()}", 303)


def load(session: Session, link: ReliveLink) -> TableGame:
    """The game of the link. Raises LinkInvalid if it has no such hand, and there will never be one."""
    try:
        stored = store.load(session, link.game_id)
    except LookupError:
        raise LinkInvalid from None
    if link.hand < 1:
        raise LinkInvalid
    return stored


def _may_read(stored: TableGame, link: ReliveLink) -> bool:
    """Whether the link names a player who played this hand and may read what the robot thinks of it."""
    seat = Seat(link.seat)
    is_theirs = still_names(link, stored.seats[seat]) and stored.has_played(seat, link.hand)
    return is_theirs and reviews.may_read(stored, seat, link.player_id)


def asked_step(steps: Sequence[Step] = ()) -> int:
    """The step that the URL asks for, also as the end of a trick of `steps`; the first if it asks for none, or for no
    number.
    """
    trick = _asked("trick")
    if any(step.trick == trick for step in steps if trick):
        return end_of_trick(steps, trick)
    return _asked("step") or 1


def _asked(name: str) -> int:
    """The number of that name in the URL; 0 if there is none."""
    text = request.args.get(name, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 5 else 0
