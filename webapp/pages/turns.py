"""The page of one decision: pass, play, or what a moon is worth. GET shows it; POST plays, by `service.take_turn`."""

from collections.abc import Sequence

from flask import Blueprint, redirect, request
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from hearts.cards import Card, Cards, NotACard, parse_card
from hearts.game import IllegalTurn
from hearts.seats import Seat
from hearts.turns import Moon, MoonChoice, Pass, Play
from webapp import service, store
from webapp.due import Decision, Due, answer_to, due_of, turn_link
from webapp.forms import BadField
from webapp.models import Way
from webapp.pages.common import page, parts
from webapp.post import questions, wishes
from webapp.sheets import turn_sheet_of, zone_of
from webapp.store import Record, Stored
from webapp.suggestions import ASKED, robot_help
from webapp.telling.told import how_it_was_played, what_was_played, who_is_awaited, why_refused
from webapp.tokens import LinkInvalid, SeatLink, TurnLink

blueprint = Blueprint("turns", __name__)
HEADINGS = {
    Way.TIMEOUT: "We played for you",
    Way.ORDER: "We played for you",
    Way.FORCED: "It played itself",
    Way.CLAIM: "It played itself",
}
PAGES = {"pass": "pass", "moon": "moon"}  # everything else is a trick


@blueprint.get("/turn/<token>")
def show(token: str) -> str:
    link = parts().signer.read(TurnLink, token)
    stored = _stored(link)
    if due_of(stored.game, Seat(link.seat)) == _due(link):
        return _question_page(link, stored, chosen=request.args.getlist("card"), error=None)
    return _over_page(link, stored, answer_to(stored.records, Seat(link.seat), _due(link)))


@blueprint.post("/turn/<token>")
def play(token: str) -> Response | str | tuple[str, int]:
    link = parts().signer.read(TurnLink, token)
    way = Way.LINK if request.form.get("way") == "link" else Way.PAGE
    try:
        turn = read_turn(Seat(link.seat), link.due, request.form)
        stored = service.take_turn(
            parts(), link.game_id, _due(link), turn, way, parts().now(), player_id=link.player_id or None
        )
    except LookupError:
        raise LinkInvalid from None
    except BadField as error:
        return _refusal(link, str(error))
    except IllegalTurn as error:
        return _refusal(link, why_refused(_stored(link).game, turn) or str(error))
    except service.TurnOver as over:
        _note_back(link)
        if over.answer and over.answer.turn == turn:
            return redirect(request.path, 303)
        return _over_page(link, _stored(link), over.answer), 409
    return redirect(_next_page(link, stored), 303)


@blueprint.post("/turn/<token>/back")
def come_back(token: str) -> Response:
    """Whoever is away says that she is back; what she is asked now, if anything, comes next."""
    link = parts().signer.read(TurnLink, token)
    _stored(link)
    _note_back(link)
    return redirect(_next_page(link, _stored(link), otherwise=f"/turn/{token}"), 303)


@blueprint.post("/turn/<token>/again")
def mail_again(token: str) -> Response | tuple[str, int]:
    """Has the turn mailed once more."""
    link = parts().signer.read(TurnLink, token)
    try:
        wishes.mail_again(parts(), link.game_id, Seat(link.seat), _due(link), parts().now())
    except LookupError:
        raise LinkInvalid from None
    except service.TurnOver as over:
        return _over_page(link, _stored(link), over.answer), 409
    except BadField as error:
        return _question_page(link, _stored(link), chosen=[], error=str(error)), 409
    except questions.TooSoon:
        sentence = "We have just written to you about this turn. If nothing has come in ten minutes, try again."
        return _question_page(link, _stored(link), chosen=[], error=sentence), 429
    return redirect(f"/turn/{token}?mailed=yes", 303)


def _due(link: TurnLink) -> Due:
    return Due(link.hand, link.due)


def _stored(link: TurnLink) -> Stored:
    """The game. Raises LinkInvalid where there is none, or the chair is somebody else's by now."""
    try:
        with parts().database.reading() as rows:
            stored = store.load(rows, link.game_id)
    except LookupError:
        raise LinkInvalid from None
    if link.player_id not in (0, stored.seats[link.seat].player_id):
        raise LinkInvalid
    return stored


def read_turn(seat: Seat, due: str, form: MultiDict[str, str]) -> Decision:
    """What the form asks to play, in form only: whether it may be played is for the rules. Raises BadField."""
    if due == "moon":
        try:
            return Moon(seat, MoonChoice(form.get("moon", "")))
        except ValueError:
            raise BadField("Please choose what the moon shall be worth.") from None
    try:
        cards = [parse_card(text) for text in form.getlist("card")]
    except NotACard:
        raise BadField("That is not a card.") from None
    if due == "pass":
        return Pass(seat, _passed(cards))
    if len(cards) != 1:
        raise BadField("Please choose one card to play.")
    return Play(seat, cards[0])


def _passed(cards: Sequence[Card]) -> Cards:
    try:
        return Cards.of(cards)
    except ValueError:
        raise BadField("One card cannot be passed so often.") from None


def _note_back(link: TurnLink) -> None:
    """Whoever does something here is not away."""
    seat = _stored(link).seats[link.seat]
    if seat.away:
        wishes.set_away(parts(), seat.table_id, seat.seat, away=False, now=parts().now())


def _next_page(link: TurnLink, stored: Stored, otherwise: str = "") -> str:
    """After a turn: the player's next decision if she is awaited at once, else what she has just done."""
    due = due_of(stored.game, Seat(link.seat))
    if due is None:
        return otherwise or request.path
    return parts().signer.local_url(turn_link(stored, Seat(link.seat), due))


def _refusal(link: TurnLink, sentence: str) -> tuple[str, int]:
    stored = _stored(link)
    if due_of(stored.game, Seat(link.seat)) != _due(link):
        return _over_page(link, stored, answer_to(stored.records, Seat(link.seat), _due(link))), 409
    return _question_page(link, stored, chosen=request.form.getlist("card"), error=sentence), 400


def _question_page(link: TurnLink, stored: Stored, *, chosen: Sequence[str], error: str | None) -> str:
    with parts().database.reading() as rows:
        zone = zone_of(rows, stored.seats[link.seat])
    return page(
        PAGES.get(link.due, "turn"),
        sheet=turn_sheet_of(stored, Seat(link.seat), zone, parts().now()),
        chosen=list(chosen),
        way=Way.LINK if chosen and not error else Way.PAGE,
        error=error,
        robot=robot_help(stored, Seat(link.seat), asked=request.args.get(ASKED) == "1", chosen=chosen),
        table_link=_table_link(link, stored),
        again_action=f"{_path()}/again" if stored.seats[link.seat].mails else None,
        mailed="mailed" in request.args,
    )


def _over_page(link: TurnLink, stored: Stored, answer: Record | None) -> str:
    """What was played when this was asked, and who is awaited now."""
    heading, sentences = "It is not your turn", []
    if answer is not None:
        heading = HEADINGS.get(answer.way, f"You {what_was_played(answer.turn)}")
        sentences = [how_it_was_played(answer)]
    return page(
        "turn_over",
        heading=heading,
        sentences=[*sentences, who_is_awaited(stored.game, stored.names, Seat(link.seat))],
        table_link=_table_link(link, stored),
        back_action=f"{_path()}/back" if stored.seats[link.seat].away else None,
    )


def _path() -> str:
    """The address of the turn's own page, whichever of its buttons was pressed."""
    return f"/turn/{(request.view_args or {})['token']}"


def _table_link(link: TurnLink, stored: Stored) -> str | None:
    seat = stored.seats[link.seat]
    if seat.player_id is None:
        return None
    return parts().signer.local_url(SeatLink(seat.table_id, seat.seat, seat.player_id))
