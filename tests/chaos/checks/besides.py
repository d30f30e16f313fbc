"""Players' other doings: talk, devices, moves to other addresses, and shared results."""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from urllib.parse import urlsplit

from hearts.cards import Card
from hearts.turns import Play
from tests.chaos.checks.aftermath import Aftermath, called
from tests.chaos.checks.contents import named_in
from webapp.accounts.address_changes import BESIDE
from webapp.core.tokens import NewAddressLink, SharedLink, TurnLink
from webapp.games.record.store import TableGame
from webapp.models import AddressChangeRow, ChangeState, LetterKind, LetterRow, ShareRow
from webapp.models.mail import KINDS


def check(left: Aftermath) -> Iterator[str]:
    yield from _talk(left)
    yield from _devices(left)
    yield from _moves(left)
    yield from _shares(left)


def _talk(left: Aftermath) -> Iterator[str]:
    """A line that was acknowledged is stored once; nobody knows of one without an answer, but it is not there twice."""
    stored = Counter(row.text for row in left.talk)
    for deed in left.notes.deeds:
        if deed.place == "play/talk":
            times = stored[deed.chosen[0]]
            if times > 1 or (deed.is_acknowledged and times == 0):
                yield f"{deed.player} said {deed.chosen[0]!r} at {deed.at:%H:%M:%S}, and it is stored {times} times"


def _devices(left: Aftermath) -> Iterator[str]:
    """A notification names no cards but those that lay on the table by the trick that it asks for."""
    for player, device in left.notes.devices:
        for one in device.notifications:
            path = urlsplit(one.shown["url"]).path
            link = left.signer.read(TurnLink, path.split("/")[2], even_old=True)
            stored = left.games[link.game_id]
            if left.is_ended(stored):  # its last hand is not in the records
                continue
            if strange := named_in(f"{one.shown['title']} {one.shown['body']}") - _laid(stored, link):
                yield f"{called(stored, link.seat)}: a device of {player} was told {len(strange)} secret cards"


def _laid(stored: TableGame, link: TurnLink) -> set[Card]:
    """The cards that were played before the seat was asked for the trick of the link."""
    if link.due == "pass":
        return set()
    played = [record.turn for record in stored.records if record.hand == link.hand and isinstance(record.turn, Play)]
    trick = int(link.due.removeprefix("trick ")) if link.due.startswith("trick ") else len(played)
    before = played[: (trick - 1) * len(stored.seats)]
    now = played[(trick - 1) * len(stored.seats) : trick * len(stored.seats)]
    order = [turn.seat for turn in now]
    own = order.index(link.seat) if link.seat in order else len(now)
    return {turn.card for turn in (*before, *now[:own])}


def _moves(left: Aftermath) -> Iterator[str]:
    """Before a new address is proved, only the question whose it is goes there; afterwards all turns do."""
    deeds = [deed for deed in reversed(left.notes.deeds) if deed.place == "new-address"]
    read = left.signer.read
    proved = {read(NewAddressLink, deed.token, even_old=True).change_id: deed.at for deed in deeds}
    by_address: dict[str, list[AddressChangeRow]] = {}
    for change in (one for one in left.changes if one.state not in BESIDE):
        by_address.setdefault(change.new_address, []).append(change)
    for mail in left.relay.mails:
        letter, changes = left.by_message_id[str(mail.message["Message-ID"])], by_address.get(mail.to, [])
        if changes and letter.kind is not LetterKind.NEW_ADDRESS:
            since = min((proved[change.id] for change in changes if change.id in proved), default=None)
            if since is None or left.relay.came_at[letter.message_id, mail.to] < since - left.apart:
                yield f"letter {letter.id} ({letter.kind.value}) went to {mail.to}, which nobody had proved"
        if not changes and (since := _moved_at(left, letter)) and letter.created_at > since + left.apart:
            yield f"letter {letter.id} ({letter.kind.value}) went to {mail.to}, which its player has left"


def _moved_at(left: Aftermath, letter: LetterRow) -> datetime | None:
    """Since when the reader of a letter that asks has another address; None if they never moved, or it asks nothing."""
    if letter.address is not None or not KINDS[letter.kind].is_question:
        return None
    done = (one.ended_at for one in left.changes if one.player_id == letter.player_id and one.state is ChangeState.DONE)
    return max((at for at in done if at), default=None)


def _shares(left: Aftermath) -> Iterator[str]:
    """A shared page shows finished hands only."""
    with left.runtime.database.reading() as session:
        for one in left.notes.shown:
            _, _, token, _, hand = one.to.split("/")
            row = session.get_one(ShareRow, left.signer.read(SharedLink, token, even_old=True).share_id)
            stored = left.games[row.game_id]
            if one.status == 200 and not _was_over(left, stored, int(hand), one.ended):
                yield f"game {stored.id}: a shared page showed hand {hand}, which was not over"


def _was_over(left: Aftermath, stored: TableGame, hand: int, at: datetime) -> bool:
    if hand > len(stored.cycle.scores):
        return False
    last = max(record.number for record in stored.records if record.hand == hand)
    return left.turns[stored.id][last - 1].at <= at + left.apart
