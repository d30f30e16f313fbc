"""The mail about a new device that gets the player's notifications."""

from dataclasses import dataclass

from webapp.accounts.devices import kind_of
from webapp.core.tokens import DeviceLink
from webapp.models import DeviceRow
from worker.mails.mail import Mail, MailContext


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceMail(MailContext):
    device: str
    asks: bool  # whether it is theirs
    link: str


def context(mail: Mail) -> DeviceMail | None:
    """The context; None if the device is forgotten already."""
    player, device = mail.player, mail.session.get(DeviceRow, int(mail.letter.about or 0))
    if device is None or device.player_id != player.id:
        return None
    link = mail.page("/signed-in")
    if asks := not device.is_confirmed:
        link = mail.url(DeviceLink(player.id, device.id, player.generation))
    return DeviceMail(you=player.name, device=kind_of(device.endpoint), asks=asks, link=link, **mail.foot())
