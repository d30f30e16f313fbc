"""Everything that one player can come to see of a game: every page behind every link of theirs, and every email."""

import re
from io import BytesIO
from zipfile import ZipFile

from werkzeug.test import TestResponse

from hearts.cards import card_text
from tests.cast import letters
from tests.sites import site_of
from tests.table import Table
from tests.webapp.accounts.signed_in import browser_of
from webapp.core.tokens import (
    AgainLink,
    InvitationLink,
    Link,
    PlayLink,
    PreferencesLink,
    ReliveLink,
    SeatLink,
    TurnLink,
    UnsubscribeLink,
)
from webapp.games.asked.due import due_of
from worker.mail import compose

OURS = "http://127.0.0.1:8000"
# Pages that are the same for everybody, some of which show cards of no game; and the operator's own.
FOR_ALL = ("/static/", "/how-we-play/", "/practice", "/mailbox", "/lobby", "/tables/", "/sign-in", "/manifest")


def shown_to(table: Table, player_id: int, seat: int) -> dict[str, str]:
    """By address, every page that the player can open, signed in, and every email queued for them.

    That includes links for `seat` that the player was never sent.
    """
    seen = {"POST talk, here and away": _posted(table, player_id, seat)}
    mails = _mails(table.runtime, player_id)
    waiting = [table.runtime.signer.local_url(link) for link in _links(table, player_id, seat)]
    waiting += [f"{waiting[0]}/now", f"{waiting[1]}/now", f"{waiting[1]}/record.json", "/games", "/games?all=yes"]
    waiting += _found_in("\n".join(mails.values()))
    client = browser_of(table.runtime, player_id)
    while waiting:
        path = waiting.pop(0)
        if _is_for_all(path) or _named(path) in seen:
            continue
        page = client.get(path, headers={"Accept-Encoding": "identity"})
        status = page.status_code  # some of them are no page for this player
        text = re.sub(r'<form [^>]*action="[^"]*/cards".*?</form>', "", _text_of(page), flags=re.S)
        seen[_named(path)] = f"{status} {text}"
        waiting += _found_in(seen[_named(path)])
    return seen | mails


def _text_of(page: TestResponse) -> str:
    """The text of a page, or of all files in a ZIP file."""
    if page.mimetype != "application/zip":
        return page.get_data(as_text=True)
    with ZipFile(BytesIO(page.get_data())) as archive:
        return "\n".join(archive.read(name).decode() for name in archive.namelist())


def cards_in(shown: dict[str, str], cards) -> dict[str, list[str]]:
    """The places that show which of the cards."""
    codes = [card_text(card) for card in cards]
    found = {
        where: [code for code in codes if re.search(rf"(?<![\w/.-]){code}(?![\w.-])", text)]
        for where, text in shown.items()
    }
    return {where: some for where, some in found.items() if some}


def _links(table: Table, player_id: int, seat: int) -> list[Link]:
    stored = table.stored
    place = (stored.row.table_id, seat, player_id)
    due = due_of(stored.game, seat)
    dues = {"pass", "moon", *(f"trick {number}" for number in range(1, 14)), due.what if due else "pass"}
    hands = range(1, stored.game.hand + 2)
    return [
        PlayLink(*place),
        SeatLink(*place),
        InvitationLink(*place),
        AgainLink(*place, stored.row.number),
        UnsubscribeLink(*place),
        PreferencesLink(player_id),
        *(TurnLink(table.game_id, seat, stored.game.hand, what, player_id) for what in sorted(dues)),
        *(ReliveLink(table.game_id, hand) for hand in hands if hand > len(stored.game.scores)),
    ]


def _mails(runtime, player_id: int) -> dict[str, str]:
    """Every email to the player that is queued or was sent, as it would be composed now."""
    made = {}
    with runtime.database.reading() as session:
        for letter in letters(runtime):
            if letter.player_id == player_id and (mail := compose(runtime, session, letter)):
                made[f"mail {letter.id}, {letter.kind}"] = "\n".join(
                    [f"{mail['Subject']}", *(mail.get_body((kind,)).get_content() for kind in ("plain", "html"))]
                )
    return made


def _posted(table: Table, player_id: int, seat: int) -> str:
    client = site_of(table.runtime).test_client()
    play = table.runtime.signer.local_url(PlayLink(table.table_id, seat, player_id))
    forms = (("talk", {"text": "Hello"}), ("here", {}), ("back", {}))
    return "\n".join(client.post(f"{play}/{path}", data=form).get_data(as_text=True) for path, form in forms)


def _is_for_all(path: str) -> bool:
    return path == "/" or path.startswith(FOR_ALL) or path.endswith("/cards")


def _found_in(text: str) -> list[str]:
    """The addresses of our own pages in a page or an email."""
    found = re.findall(rf'(?:href="|action="|data-page="|{OURS})(/[^\s"<>]*)', text)
    return [path.replace("&amp;", "&") for path in found]


def _named(path: str) -> str:
    """The address without when it was signed, and the signature."""
    return re.sub(r"(/[\w-]+)\.[\w-]+\.[\w-]+", r"\1", path)
