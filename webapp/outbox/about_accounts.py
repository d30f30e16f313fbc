"""Queues the mails to a person rather than a seat: the links that prove an address, and changes of address."""

from datetime import UTC, datetime

from sqlmodel import Session, col, exists, select

from webapp.core.database import one_by_one
from webapp.core.runtime import Runtime
from webapp.games.record.rows import locked_player
from webapp.models import AddressChangeRow, BookRow, DeviceRow, GameRow, LetterKind, LetterRow, PlayerRow
from webapp.outbox.letters import SECOND, new_letter, queue_letter, queue_once, schedule

BY_LINK = "link "  # before its number, in the reason of a mail to somebody who asks for a seat


def queue_sign_in(
    session: Session, runtime: Runtime, player: PlayerRow, now: datetime, browser: str | None = None
) -> None:
    """Queues a mail with a sign-in link, and with a code for the `browser` that asked, if it has a field for one.

    The caller limits how many go to one address.
    """
    _queue_without_table(session, runtime, LetterKind.SIGN_IN, player, now, about=browser)


def queue_forget(session: Session, runtime: Runtime, player: PlayerRow, now: datetime) -> None:
    """Queues a mail with the link by which a player has everything of theirs deleted."""
    _queue_without_table(session, runtime, LetterKind.FORGET, player, now)


def queue_device_added(session: Session, runtime: Runtime, player: PlayerRow, device: DeviceRow, now: datetime) -> None:
    """Queues a mail that says that `device` gets notifications of the player's turns, or asks whether it may."""
    _queue_without_table(session, runtime, LetterKind.DEVICE_ADDED, player, now, about=str(device.id))


def queue_gone_away(session: Session, runtime: Runtime, player: PlayerRow, now: datetime) -> None:
    """Queues a mail that says that a link of the player's has set them as away; once an hour."""
    letter = new_letter(LetterKind.GONE_AWAY, player.id, now)
    # Whoever holds a forwarded mail could else fill its reader's inbox.
    queue_once(session, runtime, letter, f"{now:%Y-%m-%d %H}", now)


def queue_join(
    session: Session, runtime: Runtime, player: PlayerRow, table_id: int, name: str, now: datetime, *, by_link: int = 0
) -> None:
    """Queues a mail with the link by which a player who asked for an open seat takes it as `name`.

    `by_link` as in `JoinLink`.
    """
    letter = _queue_without_table(session, runtime, LetterKind.JOIN, player, now)
    letter.table_id, letter.about, letter.reason = table_id, name, f"{BY_LINK}{by_link}" if by_link else None


def link_number(letter: LetterRow) -> int:
    """The number of the host's link by which the reader of such a mail came; 0: they came from the lobby."""
    return int((letter.reason or "0").removeprefix(BY_LINK))


def queue_address_change(
    session: Session,
    runtime: Runtime,
    kind: LetterKind,
    change: AddressChangeRow,
    address: str,
    at: datetime,
    *,
    again: bool = False,
) -> None:
    """Queues a mail about a change of address, to the old or the new `address`, for the time `at`.

    With `again` it is the reminder.
    """
    letter = new_letter(kind, change.player_id, at, address=address, change_id=change.id, again=again)
    queue_letter(session, runtime, letter, f"{kind.replace('_', '-')} {f'{SECOND} ' if again else ''}{change.id}")


def queue_unread(session: Session, runtime: Runtime, operator: PlayerRow, since: datetime, now: datetime) -> None:
    """Queues a mail to an operator: answers cannot be read since then; once."""
    # By when it began: what is mended and breaks again is told again.
    letter = new_letter(LetterKind.UNREAD, operator.id, now, about=since.isoformat())
    queue_once(session, runtime, letter, since.isoformat(), now)


def queue_years(runtime: Runtime, now: datetime) -> None:
    """In January queues, once, a mail to each player about the year of their tables that is over.

    Players for whom no game of that year counts get none, nor those who want none.
    """
    if now.month != 1:
        return
    year = now.year - 1
    begins, ends = datetime(year, 1, 1, tzinfo=UTC), datetime(year + 1, 1, 1, tzinfo=UTC)
    ended = (col(GameRow.ended_at) >= begins, col(GameRow.ended_at) < ends)
    has_game = exists().where(col(BookRow.player_id) == PlayerRow.id, col(BookRow.counts), *ended)
    has_game = has_game.where(col(BookRow.game_id) == GameRow.id)
    of_year = (col(LetterRow.kind) == LetterKind.YEAR, col(LetterRow.about) == str(year))
    is_told = exists().where(col(LetterRow.player_id) == PlayerRow.id, *of_year)
    with runtime.database.reading() as session:
        players = session.exec(select(PlayerRow.id).where(col(PlayerRow.year_mail), has_game, ~is_told)).all()

    def queue(player_id: int) -> None:
        with runtime.database.writing() as session:
            player = locked_player(session, player_id)
            letter = new_letter(LetterKind.YEAR, player_id, now, about=str(year))
            schedule(session, letter, player, now)
            queue_once(session, runtime, letter, str(year), now)

    one_by_one("player", players, queue)


def queue_trial(session: Session, runtime: Runtime, player: PlayerRow, address: str, now: datetime) -> LetterRow:
    """Queues a mail by which an operator tests outgoing mail, and returns it."""
    return _queue_without_table(session, runtime, LetterKind.TRIAL, player, now, address=address)


def _queue_without_table(
    session: Session,
    runtime: Runtime,
    kind: LetterKind,
    player: PlayerRow,
    now: datetime,
    *,
    address: str | None = None,
    about: str | None = None,
) -> LetterRow:
    letter = new_letter(kind, player.id, now, address=address, about=about)
    dedupe = f"{kind.replace('_', '-')} {player.id} {now.isoformat()}"
    # Two mails of one moment may be about two things, such as two devices.
    queue_letter(session, runtime, letter, f"{dedupe} {about}" if about else dedupe)
    return letter
