"""Replies of players: how they arrive, and how they are processed."""

from email.message import EmailMessage

from sqlmodel import select

from hearts.cards import card_text
from hearts.game import Stage, legal
from hearts.seats import Seat
from tests.cast import NAMES, address, letters, start_game
from tests.mailing import mailed
from tests.table import Table
from webapp.core.addresses import Purpose
from webapp.core.runtime import Runtime
from webapp.games.record.store import Record
from webapp.inbox.acting import process_inbound
from webapp.inbox.receiving import receive
from webapp.models import InboundRow, LetterKind, LetterRow, PlayerRow, TurnSource
from worker.mail import compose


def mail(name: str, typed: str, **headers: str) -> bytes:
    """An email as the player's program sends it; `headers` replace or add to its own, `_` for `-`."""
    message = EmailMessage()
    own = {"From": f"{name} <{address(name)}>", "Subject": "Re: Your turn"}
    for header, value in {**own, **{key.replace("_", "-"): value for key, value in headers.items()}}.items():
        message[header] = value
    message.set_content(typed)
    return message.as_bytes()


def send(
    runtime: Runtime,
    letter: LetterRow,
    raw: bytes,
    sender: str = "somebody@example.org",
    to: str = "r",
    verdict: str | None = None,
) -> int:
    """Delivers an email to the reply address of the letter, or to `to`, with the verdict of our own mail server, if it
    has one. Returns the id of its row.
    """
    assert letter.id is not None
    if verdict is not None:
        raw = f"Authentication-Results: {runtime.settings.verdict_authority}; {verdict}\n".encode() + raw
    return receive(runtime, sender, runtime.postmark.address(Purpose(to), letter.id), raw)


def answer(
    runtime: Runtime,
    letter: LetterRow,
    raw: bytes,
    sender: str = "somebody@example.org",
    verdict: str | None = "dmarc=pass",
) -> InboundRow:
    """Sends a reply to the letter, which our mail server takes for genuine, and processes it. Returns its row."""
    inbound_id = send(runtime, letter, raw, sender, verdict=verdict)
    process_inbound(runtime)
    return inbound(runtime, inbound_id)


def inbound(runtime: Runtime, inbound_id: int) -> InboundRow:
    with runtime.database.reading() as session:
        return session.get_one(InboundRow, inbound_id)


def inbound_rows(runtime: Runtime) -> list[InboundRow]:
    """All incoming mails that are stored."""
    with runtime.database.reading() as session:
        return list(session.exec(select(InboundRow)))


def player(runtime: Runtime, name: str) -> PlayerRow:
    with runtime.database.reading() as session:
        return session.exec(select(PlayerRow).where(PlayerRow.address == address(name))).one()


def question(runtime: Runtime, name: str) -> LetterRow:
    """A mail that has asked the player for all that waits for them, just now."""
    return mailed(runtime, player(runtime, name).id)


def answered(runtime: Runtime) -> list[str]:
    """The reason and the subject of each answer of ours, in the order in which they were queued."""
    given = letters(runtime, LetterKind.ANSWER)
    return [" ".join(filter(None, [letter.reason, letter.about])) for letter in given]


def said(runtime: Runtime) -> tuple[str, str]:
    """Subject and text of our only answer."""
    (ours,) = letters(runtime, LetterKind.ANSWER)
    with runtime.database.reading() as session:
        composed = compose(runtime, session, ours)
    text = composed.get_body(("plain",))
    assert text is not None
    return composed["Subject"], text.get_content()


def typed_turns(table: Table) -> list[Record]:
    """The turns that were played by mailed replies."""
    return [record for record in table.records if record.source is TurnSource.REPLY]


def first_cards(table: Table, seat: int) -> list[int]:
    return list(table.game.held[seat])[:3]


def typed_pass(table: Table, seat: int = 0) -> str:
    return " ".join(card_text(card) for card in first_cards(table, seat))


def codes(table: Table) -> list[str]:
    """The legal cards of the player who is asked for one, as they are typed."""
    game = table.game
    return [card_text(card) for card in legal(game, game.to_act[0])]


def leader_after_pass(table: Table) -> Seat:
    """Passes on the web for every player who is still asked to. Returns the seat that leads."""
    game = table.game
    while game.stage is Stage.PASS:
        game = table.play_first().game
    (leader,) = game.to_act
    return leader


def choosing(runtime: Runtime) -> tuple[int, str, LetterRow, list[str]]:
    """A game in which a player must choose a card: its id, their name, the letter to them, and their legal cards."""
    table = start_game(runtime)
    name = NAMES[leader_after_pass(table)]
    return table, name, question(runtime, name), codes(table)
