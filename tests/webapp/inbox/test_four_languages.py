"""Four people play a game by mail to its end, each in a language of their own."""

from dataclasses import replace
from datetime import timedelta
from email import message_from_string, policy

from sqlmodel import col, select

from hearts.game import Stage, legal
from hearts.rules import Rules
from hearts.seats import Seat
from tests.answers import answer, mail
from tests.cast import NAMES, letters, start_game
from tests.mailing import player_id
from tests.table import Table
from webapp.core.say import say, speaking
from webapp.games.asked.due import due_of
from webapp.games.asked.whose_turn import awaited
from webapp.models import GameState, LetterKind, LetterRow, PlayerRow, TurnSource
from webapp.presentation.faces import face
from worker import postman

SPOKEN = ("de", "fr", "ja", "ar")


def text_of(letter: LetterRow) -> str:
    body = message_from_string(letter.message or "", policy=policy.default).get_body(("plain",))
    return body.get_content() if body else ""


def next_letter(table: Table, seat: Seat) -> LetterRow:
    """The mail that asks the player of the seat, once it has gone."""
    due = due_of(table.game, seat)
    assert due
    while True:
        postman.deliver(table.runtime)
        mine = [
            one
            for one in letters(table.runtime, LetterKind.TURNS)
            if one.player_id == player_id(table.runtime, NAMES[seat])
        ]
        if asking := [
            one for one in mine if [table.game_id, seat, due.hand, due.what] in (one.asked or []) and one.sent_at
        ]:
            return asking[-1]
        with table.runtime.database.reading() as session:
            planned = session.exec(select(PlayerRow.turns_at).where(col(PlayerRow.turns_at).is_not(None))).all()
        table.runtime.now.at = max(table.runtime.now() + timedelta(seconds=1), min(planned))


def test_four_people_play_in_four_languages_to_the_end(runtime):
    table = start_game(runtime, rules=replace(Rules(), hands=1))
    with runtime.database.writing() as session:
        for name, language in zip(NAMES, SPOKEN, strict=True):
            session.get_one(PlayerRow, player_id(runtime, name)).language = language
    typed = 0
    while (stored := table.stored).row.state is GameState.PLAYING:
        (seat, *_) = awaited(stored)
        letter = next_letter(table, seat)
        is_pass = stored.game.stage is Stage.PASS
        cards = list(stored.game.held[seat] if is_pass else legal(stored.game, seat))[: 3 if is_pass else 1]
        with speaking(SPOKEN[seat]):
            assert say("What we keep, and for how long:") in text_of(letter)
            said = [face(card).name if typed % 2 else face(card).text for card in cards]
        row = answer(runtime, letter, mail(NAMES[seat], ", ".join(said)))
        mine = [one for one in table.records if one.source is TurnSource.REPLY]
        assert mine[-1].turn.seat == seat, (said, row.outcome)
        played = mine[-1].turn
        assert (played.seat, list(played.cards) if is_pass else [played.card]) == (seat, cards)
        typed += 1
    assert typed > 30
    runtime.now.pass_by(timedelta(days=1))  # by then it has been day for everybody
    postman.deliver(runtime)
    sheets = {one.player_id: one for one in letters(runtime, LetterKind.FINAL_SHEET)}
    for name, language in zip(NAMES, SPOKEN, strict=True):
        sheet = sheets[player_id(runtime, name)]
        with speaking(language):
            assert say("Thank you for playing, {you}.", you=name) in text_of(sheet)
        assert f"Content-Language: {language}\n" in sheet.message
