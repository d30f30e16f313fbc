"""Lets a player choose their plan: for a table, from its pages and mails, or as the default for all of theirs.

A mailed link only opens the page; the button on it changes the plan.
"""

from dataclasses import dataclass

from flask import Blueprint, redirect, request
from werkzeug.wrappers import Response

from hearts.plans import Plan, parse_plan
from hearts.rules import Rules
from hearts.seats import Seat
from webapp.core.tokens import PlayLink, PreferencesLink, SeatLink
from webapp.forms.plans import TRICKS, PlanForm, plan_form, read_plan_form
from webapp.games.links import check_player
from webapp.games.planning import first_asked, plan_of
from webapp.games.rows import table_rules
from webapp.games.store import Stored, load_newest
from webapp.models import GameState, PlayerRow, TableRow
from webapp.pages.common import page, reading, runtime
from webapp.players import plans
from webapp.presentation.plan_text import LIMITS, WAKES, orders_for, plan_options, played_by_plan
from webapp.tables import seating

blueprint = Blueprint("plans", __name__)
ADDRESS = "/<any(play, seat, preferences):link>/<token>/plan"  # from a game, from a mail, from the preferences
Answer = Response | str | tuple[str, int]


@dataclass(frozen=True, slots=True)
class _Owner:
    """Whose plan it is, and where; without a table, it is the player's default."""

    player_id: int
    plan: Plan
    guards: bool
    back: str  # the path of the page to go back to
    saved: str  # the path of the page that follows a change
    table_id: int | None = None
    table_name: str = ""
    rules: Rules | None = None
    hand: int | None = None  # the hand that is played
    hands: int = 0  # as many as are played side by side
    is_robot: bool = False  # a robot plays that hand
    played: tuple[str, ...] = ()  # what the plan has played in it


@blueprint.get(ADDRESS)
def show(link: str, token: str) -> str:
    owner = _owner(link, token)
    form = plan_form(owner.plan, is_robot=owner.is_robot, asking=request.args.get("asking", ""))
    return _plan_page(owner, form)


@blueprint.post(ADDRESS)
def change(link: str, token: str) -> Answer:
    owner = _owner(link, token)
    orders, wakes = request.form.getlist("order"), request.form.getlist("wake")
    form = read_plan_form(request.form, orders, wakes, owner.plan, may_hand_over=owner.hand is not None)
    now = runtime().now()
    if form.is_robot and owner.table_id is not None and owner.hand is not None:
        plans.hand_over_hand(runtime(), owner.player_id, owner.table_id, owner.hand, now)
    elif form.plan is None:
        return _plan_page(owner, form), 400
    else:
        table_id = None if form.is_everywhere else owner.table_id
        plans.change_plan(runtime(), owner.player_id, form.plan, now, table_id)
    return redirect(owner.saved, 303)


def _owner(link: str, token: str) -> _Owner:
    """Whose plan the page shows that lies below a link of this kind. Raises what reading the link raises."""
    match link:
        case "play":
            return _at_table(runtime().signer.read(PlayLink, token), f"/play/{token}")
        case "seat":
            return _at_table(runtime().signer.read(SeatLink, token), f"/seat/{token}")
        case _:
            return _default(token)


def _at_table(link: PlayLink | SeatLink, back: str) -> _Owner:
    """The owner of the seat of the link. Raises SeatLost if another player has it, LinkExpired if they ended it."""
    with reading() as session:
        seat = seating.own_seat(session, link)
        table = session.get_one(TableRow, link.table_id)
        newest = load_newest(session, link.table_id)
        stored = newest if newest and newest.row.state is GameState.PLAYING else None
        stored = stored and first_asked(stored, Seat(seat.seat))
    assert seat.player_id is not None
    hand = stored.game.hand if stored else None
    return _Owner(
        seat.player_id,
        plan_of(table, seat),
        table.guards,
        back,
        back,
        table.id,
        f"Table {table.code}",
        table_rules(table),
        hand,
        stored.row.at_once if stored else 0,
        is_robot=stored is not None and stored.has_handed_over(seat),
        played=_played(stored, Seat(seat.seat)),
    )


def _played(stored: Stored | None, seat: Seat) -> tuple[str, ...]:
    return tuple(played_by_plan(stored, seat)) if stored else ()


def _default(token: str) -> _Owner:
    """The owner of the preferences. Raises LinkInvalid, or LinkExpired if the player has ended the link."""
    link = runtime().signer.read(PreferencesLink, token)
    with reading() as session:
        player = check_player(link, session.get(PlayerRow, link.player_id))
    plan = parse_plan(player.plan) if player.plan else Plan()
    return _Owner(
        link.player_id, plan, guards=True, back=f"/preferences/{token}", saved=f"/preferences/{token}?done=plan"
    )


def _plan_page(owner: _Owner, form: PlanForm) -> str:
    return page(
        "plan",
        reader=owner.player_id,
        owner=owner,
        form=form,
        shown=form.plan or owner.plan,
        options=plan_options(guards=owner.guards, hands=owner.hands),
        limits=LIMITS,
        orders=orders_for(owner.rules).items(),
        wakes=WAKES.items(),
        tricks=TRICKS,
        action=request.path,
    )
