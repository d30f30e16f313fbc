"""Changes the addresses and devices at which a player is reached, and says from which others their answers count."""

from dataclasses import dataclass

from flask import Blueprint, abort, request
from werkzeug.wrappers import Response as AnyResponse

from webapp.accounts import address_changes, changing_address, devices
from webapp.accounts.changing_address import AddressTaken
from webapp.core.say import Refused, later, say
from webapp.core.tokens import DeviceLink, NewAddressLink, OldAddressLink, OtherAddressLink, TakeBackLink
from webapp.forms.fields import BadField, read_address, read_number
from webapp.models import AddressChangeRow, ChangeState, PlayerRow
from webapp.pages import limits
from webapp.pages.common import PageContext, has_just_signed_in, page, reading, runtime, this_sign_in
from webapp.pages.limits import Answer
from webapp.pages.preferences import done_page, opened, preferences_page
from webapp.presentation.phrasing import Timestamp, timestamp

blueprint = Blueprint("addresses", __name__)


# Changes a player's address, and says from which others their answers count: the forms, and the pages to which the
# mails about an address lead.
# GET shows the state of the change; POST takes its next step. A page for the old address shows the new one masked.

ChangeLink = NewAddressLink | OldAddressLink | OtherAddressLink | TakeBackLink
YES_OR_NO = later("Please answer with yes or no.")


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressPage(PageContext):
    """A page about an address of a player."""

    name: str
    step: str  # the state of the change
    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NewAddress(AddressPage):
    """The page for the owner of the new address."""

    until: Timestamp
    is_agreed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherAddress(AddressPage):
    """The page on which a player says whether answers from another address count."""

    own_address: str
    error: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OldAddress(AddressPage):
    """The page for the owner of the old address, before the change is done."""

    masked: str
    until: Timestamp
    take_back_link: str | None
    says_no: bool
    error: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeBack(AddressPage):
    """The page for the owner of the old address after the change, where they take the games back."""

    masked: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressTakenPage(PageContext):
    address: str


@blueprint.post("/preferences/<token>/address")
def ask(token: str) -> Answer:
    link, found = opened(token), this_sign_in()
    typed = request.form.get("address", "")
    try:
        address = read_address(typed)
        with limits.counted(*limits.asked_for(address, link.player_id)):
            changing_address.request_change(runtime(), link, address, found.row.id if found else None, runtime().now())
    except Refused as error:
        return limits.refused(preferences_page(token, link, address=typed[:300], address_error=str(error)), error)
    return done_page(token, "sent")


@blueprint.post("/preferences/<token>/address/stop")
def withdraw(token: str) -> Answer:
    changing_address.withdraw(runtime(), opened(token), runtime().now())
    return done_page(token, "stays")


@blueprint.post("/preferences/<token>/address/uncount")
def uncount(token: str) -> Answer:
    """Answers from an address count no more."""
    address_changes.remove(runtime(), opened(token), request.form.get("address", ""), runtime().now())
    return done_page(token, "uncounted")


@blueprint.get("/other-address/<token>")
def show_other(token: str) -> str:
    return _other_page(_change(OtherAddressLink, token))


@blueprint.post("/other-address/<token>")
def decide_on_other(token: str) -> Answer:
    link, said = runtime().signer.read(OtherAddressLink, token), request.form.get("answer")
    if said in ("yes", "no"):
        return _other_page(address_changes.decide(runtime(), link, runtime().now(), counts=said == "yes"))
    return _other_page(_change(OtherAddressLink, token), error=say(YES_OR_NO)), 400


@blueprint.get("/new-address/<token>")
def show_new(token: str) -> str:
    return _new_page(_change(NewAddressLink, token))


@blueprint.post("/new-address/<token>")
def prove(token: str) -> Answer:
    link = runtime().signer.read(NewAddressLink, token)
    try:
        return _new_page(changing_address.prove(runtime(), link, runtime().now()))
    except AddressTaken:
        return _taken_page(_change(NewAddressLink, token).new_address)


@blueprint.get("/old-address/<token>")
def show_old(token: str) -> str:
    return _old_page(_change(OldAddressLink, token))


@blueprint.post("/old-address/<token>")
def answer(token: str) -> Answer:
    link = runtime().signer.read(OldAddressLink, token)
    match request.form.get("answer"):
        case "yes":
            return _old_page(changing_address.agree(runtime(), link, runtime().now()))
        case "no":
            return _old_page(changing_address.refuse(runtime(), link, runtime().now()))
        case _:
            return _old_page(_change(OldAddressLink, token), error=say(YES_OR_NO)), 400


@blueprint.get("/take-back/<token>")
def show_back(token: str) -> str:
    return _back_page(_change(TakeBackLink, token))


@blueprint.post("/take-back/<token>")
def take_back(token: str) -> Answer:
    link = runtime().signer.read(TakeBackLink, token)
    try:
        return _back_page(changing_address.take_back(runtime(), link, runtime().now()))
    except AddressTaken:
        return _taken_page(_change(TakeBackLink, token).old_address)


def _change(kind: type[ChangeLink], token: str) -> AddressChangeRow:
    """The change that the link of the token is about. Raises LinkInvalid or LinkExpired."""
    link = runtime().signer.read(kind, token)
    with reading() as session:
        return address_changes.change_of(session, link)


def _new_page(change: AddressChangeRow) -> str:
    if change.state is ChangeState.DONE:
        step = "done"
    elif not address_changes.is_under_way(change, runtime().now()):
        step = "stopped"
    else:
        step = "asks" if change.proved_at is None else "waits"
    player = _player(change)
    return page(
        NewAddress(
            name=player.name,
            step=step,
            address=change.new_address,
            until=_until(change, player),
            is_agreed=change.agreed_at is not None,
        )
    )


def _other_page(change: AddressChangeRow, error: str | None = None) -> str:
    player = _player(change)
    step = "counts" if change.state is ChangeState.COUNTS else "asks"
    step = step if address_changes.may_decide(change, player) else "stopped"
    own = player.address
    return page(OtherAddress(name=player.name, step=step, address=change.new_address, own_address=own, error=error))


def _old_page(change: AddressChangeRow, error: str | None = None) -> str:
    if change.state in (ChangeState.DONE, ChangeState.REFUSED):
        step = change.state.value
    elif not address_changes.is_under_way(change, runtime().now()):
        step = "stopped"
    else:
        step = "asks" if change.agreed_at is None else "agreed"
    may_be_taken_back, player = address_changes.may_be_taken_back(change, runtime().now()), _player(change)
    return page(
        OldAddress(
            name=player.name,
            step=step,
            address=change.old_address,
            masked=address_changes.masked(change.new_address),
            until=_until(change, player),
            take_back_link=runtime().signer.local_url(TakeBackLink(change.id)) if may_be_taken_back else None,
            says_no=request.args.get("answer") == "no",
            error=error,
        )
    )


def _back_page(change: AddressChangeRow) -> str:
    player = _player(change)
    step = "asks" if address_changes.may_be_taken_back(change, runtime().now()) else "stopped"
    if change.state is ChangeState.UNDONE and player.address == change.old_address:
        step = "done"
    masked = address_changes.masked(change.new_address)
    return page(TakeBack(name=player.name, step=step, address=change.old_address, masked=masked))


def _player(change: AddressChangeRow) -> PlayerRow:
    with reading() as session:
        return session.get_one(PlayerRow, change.player_id)


def _until(change: AddressChangeRow, player: PlayerRow) -> Timestamp:
    return timestamp(change.ready_at, runtime().now(), player.time_zone)


def _taken_page(address: str) -> tuple[str, int]:
    """The page that says that another player has the address. Only for visitors who have proved the address."""
    return page(AddressTakenPage(address=address)), 409


# Adds and deletes the devices that receive a player's notifications, on the page of their preferences.
# A link alone is not enough for this: people forward mails, and a device receives the links of all turns. So a player
# who has not just signed in is asked by mail first.

ALL = "all"  # in place of a device's number
NOT_OF_OURS = later("Please use the buttons on this page.")


@dataclass(frozen=True, slots=True, kw_only=True)
class DevicePage(PageContext):
    step: str
    device: str | None = None  # its kind; None: it was forgotten, or is not confirmed yet


@blueprint.post("/preferences/<token>/devices")
def add(token: str) -> Answer:
    link = opened(token)
    is_confirmed = has_just_signed_in(link.player_id)
    try:
        if runtime().push_key is None:
            raise BadField(say("We send no notifications from here."))
        subscription = devices.read_subscription(request.form, runtime().settings.push_services)
        with limits.counted(*([] if is_confirmed else [limits.to_player(link.player_id)])):
            devices.add_device(
                runtime(),
                link.player_id,
                subscription,
                runtime().now(),
                generation=link.generation,
                is_confirmed=is_confirmed,
            )
    except Refused as error:
        return limits.refused(preferences_page(token, link, error=str(error)), error)
    return done_page(token, "told" if is_confirmed else "asked")


@blueprint.get("/device/<token>")
def ask_to_confirm(token: str) -> str:
    runtime().signer.read(DeviceLink, token)
    return page(DevicePage(step="asks"))


@blueprint.post("/device/<token>")
def confirm(token: str) -> str:
    """Has the device told of its player's turns, which they have been asked by mail."""
    link = runtime().signer.read(DeviceLink, token)
    return page(DevicePage(step="done", device=devices.confirm_device(runtime(), link, runtime().now())))


@blueprint.post("/preferences/<token>/devices/forget")
def forget(token: str) -> AnyResponse | tuple[str, int]:
    link, which = opened(token), request.form.get("device", "")
    try:
        number = None if which == ALL else read_number(which)
    except BadField as error:
        return preferences_page(token, link, error=str(error)), 400
    devices.forget_devices(runtime(), link.player_id, number, runtime().now())
    return done_page(token, "forgotten")


@blueprint.post("/preferences/<token>/devices/mails")
def choose_mails(token: str) -> AnyResponse | tuple[str, int]:
    link = opened(token)
    wanted = request.form.get("want", "")
    if wanted not in ("push-only", "push-and-mail"):
        return preferences_page(token, link, error=say(NOT_OF_OURS)), 400
    devices.set_push_only(runtime(), link.player_id, push_only=wanted == "push-only", now=runtime().now())
    return done_page(token, wanted)


@blueprint.post("/devices/renewed")
def renew() -> tuple[str, int]:
    """Replaces a subscription for a service worker.

    A service worker has no link, but it proves by its secret that the old subscription is its own.
    """
    try:
        subscription = devices.read_subscription(request.form, runtime().settings.push_services)
    except Refused as error:
        return str(error), 400
    old, secret = request.form.get("old_endpoint", ""), request.form.get("old_auth", "")
    if not devices.renew_device(runtime(), old, secret, subscription):
        abort(404)
    return "", 204
