"""Players who go away from a table until they are back, and who mute it, by the numbers of their seats."""

from tests.cast import seats
from webapp.core.runtime import Runtime
from webapp.players import preferences
from webapp.players.away import come_back, go_away


def set_away(runtime: Runtime, table_id: int, seat: int, *, away: bool) -> None:
    """Sets the player of the seat as away, so that a robot plays for them at once; or as back."""
    player_id = seats(runtime, table_id)[seat].player_id
    assert player_id is not None
    if away:
        go_away(runtime, player_id, {table_id}, None, runtime.now())
    else:
        come_back(runtime, player_id, runtime.now(), table_id)


def set_mails(runtime: Runtime, table_id: int, seat: int, *, mails: bool) -> None:
    """Sets whether the player of the seat gets the mails of the table."""
    player_id = seats(runtime, table_id)[seat].player_id
    assert player_id is not None
    preferences.set_mails(runtime, player_id, table_id, mails=mails, now=runtime.now())
