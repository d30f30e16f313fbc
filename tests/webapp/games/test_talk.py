"""Talk at a table: which lines are taken from whom, and how many; a line has no other effect."""

import re
from datetime import timedelta
from functools import partial

import pytest

from tests.answers import player
from tests.cast import dump, seat_link, start_game
from tests.races import at_once
from tests.submitting import soup
from tests.webapp.games.talking import BO, CY, MINUTE, link, said, say, url
from webapp.core.say import Refused
from webapp.core.tokens import LinkInvalid, PlayLink
from webapp.games import talk
from webapp.models import SeatRow, TableRow, Talk


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        pytest.param("  See you\r\n at eight ", "See you at eight", id="on one line, without blanks around it"),
        pytest.param("a\u202eb\u2066c\u200fd", "abcd", id="without marks that turn a line round"),
        pytest.param("x\u0000\u001b[31my", "x[31my", id="without control characters"),
        pytest.param("a \u00ad b\u2028c\u0085d", "a b c d", id="without any kind of line break"),
        pytest.param("می\u200cخواهم", "می\u200cخواهم", id="joined as some scripts are"),
        pytest.param("\U0001f469\u200d\U0001f373", "\U0001f469\u200d\U0001f373", id="a picture of two"),
        pytest.param("x" * 280, "x" * 280, id="280 letters"),
    ],
)
def test_a_line_is_sent_as_its_visible_text(runtime, table, typed, line):
    say(table, BO, typed)
    assert said(runtime) == [line]


def test_no_phrase_mentions_cards():
    cards = r"card|suit|club|diamond|spade|heart|queen|king|jack|ace|trick|lead|pass|moon|shoot|point|high|low"
    assert not [phrase for phrase in talk.PHRASES if re.search(cards, phrase, re.IGNORECASE)]


def test_talking_counts_as_activity(runtime, table):
    runtime.now.pass_by(timedelta(hours=1))
    say(table, BO, "Ouch")
    assert player(runtime, "Bo").seen_at == runtime.now()


# players without a seat


def test_a_player_who_lost_the_seat_cannot_talk_from_it(runtime, client, table):
    old, page = link(table, BO), url(table, BO)
    with runtime.database.writing() as session:
        session.get_one(SeatRow, (old.table_id, BO)).player_id = None  # a robot has it
    before = dump(runtime)
    for stranger in (old, PlayLink(old.table_id, BO, 0), PlayLink(old.table_id, 9, old.player_id), PlayLink(99, BO, 1)):
        with pytest.raises(LinkInvalid):
            talk.add_line(runtime, stranger, "Ouch", runtime.now())
    assert client.post(f"{page}/talk", data={"text": "Ouch"}).status_code == 403
    assert dump(runtime) == before


def test_eve_cannot_say_anything(runtime, client, table):
    seat = runtime.signer.token(seat_link(runtime, table.table_id, BO))  # forwarded with a mail
    mine = runtime.signer.token(link(table, BO))
    for token in (seat, mine[:-1], f"{mine}x", "x"):
        assert client.post(f"/play/{token}/talk", data={"text": "Ouch"}).status_code == 403
    assert said(runtime) == []


# limits


def test_at_most_eight_lines_a_minute_are_accepted(runtime, client, table):
    page = url(table, BO)
    for number in range(8):
        assert client.post(f"{page}/talk", data={"text": f"line {number}"}).status_code == 303
    before = dump(runtime)
    ninth = client.post(f"{page}/talk", data={"text": "line 8"})
    assert ninth.status_code == 429
    assert "within a minute" in soup(ninth).select_one("#talk-error").text
    assert soup(ninth).select_one("#talk-text")["value"] == "line 8"
    assert dump(runtime) == before
    say(table, CY, "Ouch")  # another player may
    runtime.now.pass_by(MINUTE)
    assert client.post(f"{page}/talk", data={"text": "line 8"}).status_code == 303


def test_at_most_sixty_lines_an_hour_are_accepted(runtime, table):
    for number in range(60):
        say(table, BO, f"line {number}")
        runtime.now.pass_by(timedelta(seconds=10))
    with pytest.raises(talk.TalkLimitReached, match="within an hour"):
        say(table, BO, "line 60")
    runtime.now.pass_by(timedelta(minutes=50))
    say(table, BO, "line 60")
    assert len(said(runtime)) == 61


def test_a_double_click_sends_a_line_once(runtime, table):
    for seconds, count in ((0, 1), (9, 1), (10, 2), (0, 2)):
        runtime.now.pass_by(timedelta(seconds=seconds if count == 1 else 1 if seconds else 0))
        say(table, BO, "Ouch")
        assert len(said(runtime)) == count
    say(table, CY, "Ouch")
    assert len(said(runtime)) == 3, "two players may say the same"


@pytest.mark.parametrize(("texts", "kept"), [(["Ouch"] * 6, 1), ([f"line {number}" for number in range(16)], 8)])
def test_simultaneous_clicks_are_counted_one_by_one(either_runtime, texts, kept):
    table = start_game(either_runtime)
    bo = link(table, BO)
    outcomes = at_once(*(partial(talk.add_line, either_runtime, bo, text, either_runtime.now()) for text in texts))
    assert len(said(either_runtime)) == kept
    refused = [one for one in outcomes if isinstance(one, Exception)]
    assert all(isinstance(one, talk.TalkLimitReached) for one in refused)
    assert len(refused) == (0 if kept == 1 else len(texts) - kept)


def test_where_strangers_sit_no_link_can_be_said(runtime, table):
    say(table, 0, "see evil.example")
    with runtime.database.writing() as session:
        session.get_one(TableRow, table.table_id).has_strangers = True
    for text in ("see https://evil.example", "win.example", "ann@evil.example"):
        with pytest.raises(Refused, match="from the lobby"):
            say(table, 0, text)
    say(table, 0, "Well played. Bo leads")
    assert said(runtime) == ["see evil.example", "Well played. Bo leads"]


# about a trick


def tricks_over(table):
    return len(table.game.tricks)


def say_about(table, trick, hand=1, number=1, text="Ouch"):
    talk.add_line(table.runtime, link(table, BO), text, table.runtime.now(), talk.Trick(number, hand, trick))


def test_a_line_about_a_finished_trick_is_kept_with_it(runtime, table):
    while tricks_over(table) < 2:
        table.play_first()
    say_about(table, 1)
    say_about(table, 2)  # no double click: it is about another trick
    say_about(table, 2)
    say(table, CY, "Thank you")
    with runtime.database.reading() as session:
        found = table.stored.table
        rows = talk.comments(session, found, 1)
        assert [(row.name, row.text, row.hand, row.trick) for row in rows] == [
            ("Bo", "Ouch", 1, 1),
            ("Bo", "Ouch", 1, 2),
        ]
        assert talk.comments(session, found, 1, hand=2) == talk.comments(session, found, 2) == []
        assert len(talk.recent_lines(session, found, runtime.now())) == 3, "the table hears it as any line"


@pytest.mark.parametrize(
    ("trick", "hand", "number"),
    [
        pytest.param(2, 1, 1, id="the trick that is played"),
        pytest.param(13, 1, 1, id="one to come"),
        pytest.param(0, 1, 1, id="none"),
        pytest.param(-1, 1, 1, id="before the first"),
        pytest.param(1, 2, 1, id="a hand that is not dealt"),
        pytest.param(1, 0, 1, id="no hand"),
        pytest.param(1, 1, 2, id="another game"),
    ],
)
def test_nothing_can_be_said_about_an_unfinished_trick(runtime, table, trick, hand, number):
    while tricks_over(table) < 1:
        table.play_first()
    table.play_first()
    before = dump(runtime)
    with pytest.raises(Refused, match="not over yet"):
        say_about(table, trick, hand, number)
    assert dump(runtime) == before


def test_a_line_about_a_trick_is_limited_like_any_other(runtime, table):
    while tricks_over(table) < 1:
        table.play_first()
    for number in range(8):
        say_about(table, 1, text=f"line {number}")
    with pytest.raises(talk.TalkLimitReached):
        say_about(table, 1, text="line 8")
    with runtime.database.writing() as session:
        session.get_one(TableRow, table.table_id).talk = Talk.PHRASES
    with pytest.raises(Refused, match="only the phrases"):
        say_about(table, 1, text="That was a mistake")


def test_a_mail_tells_lines_that_its_reader_has_not_seen(runtime, table):
    say(table, CY, "before")
    since = runtime.now()
    runtime.now.pass_by(MINUTE)
    say(table, CY, "Ouch")
    assert told(table, since) == ["Ouch"]
    say(table, BO, "Sorry")
    say(table, CY, "Thank you")
    assert told(table, since) == ["Thank you"], "Bo saw the other when he spoke"
    talk.note_read(runtime, link(table, BO), 99)
    assert told(table, since) == []


def told(table, since):
    """The lines for a mail to Bo."""
    table_id = table.table_id
    with table.runtime.database.reading() as session:
        found, seat = session.get_one(TableRow, table_id), session.get_one(SeatRow, (table_id, BO))
        return [row.text for row in talk.said_since(session, found, seat, since, table.runtime.now())]
