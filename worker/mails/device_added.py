"""The mail about a new device that gets the player's notifications."""

from webapp.accounts.devices import kind_of
from webapp.core.tokens import DeviceLink
from webapp.models import DeviceRow
from worker.mails.mail import Context, Mail


def context(mail: Mail) -> Context | None:
    """The context; None if the device is forgotten already."""
    player, device = mail.player, mail.session.get(DeviceRow, int(mail.letter.about or 0))
    if device is None or device.player_id != player.id:
        return None
    link = mail.page("/signed-in")
    if asks := not device.is_confirmed:
        link = mail.url(DeviceLink(player.id, device.id, player.generation))
    return {"you": player.name, "device": kind_of(device.endpoint), "asks": asks, "link": link, **mail.foot()}
