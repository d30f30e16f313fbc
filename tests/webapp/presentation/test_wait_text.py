"""How long we wait for a player, and what we played for them, in words."""

from types import SimpleNamespace

from hearts.cards import Cards, parse_code
from hearts.seats import Seat
from hearts.turns import Deal, Play
from webapp.games.asked.whose_turn import HARDLY
from webapp.games.record.records import Record, numbered
from webapp.games.record.store import TableGame
from webapp.models import Grounds, TurnSource, Wait
from webapp.presentation.faces import face
from webapp.presentation.wait_text import (
    LABELS,
    LINES,
    played_for,
    played_since_asked,
    wait_options,
    wait_sentence,
)

CARD = Play(Seat(0), parse_code("9S"))
NINE = face(CARD.card).text


def test_each_wait_has_words():
    assert [*LABELS] == [*LINES] == [*Wait]
    assert len({wait_sentence(wait) for wait in Wait}) == len(Wait)


def test_the_present_wait_is_chosen():
    for wait in Wait:
        assert [one.value for one in wait_options(wait) if one.is_chosen] == [wait]
    assert [one.value for one in wait_options(None) if one.is_chosen] == ["full"]


def test_a_mail_tells_all_plays_since_its_readers_last_choice():
    """A card that they had to play is no choice of theirs."""
    deal = Record(Deal(Seat(0), (), Cards()), TurnSource.FORCED)
    ways = [TurnSource.WAIT, TurnSource.PAGE, TurnSource.WAIT, TurnSource.FORCED, TurnSource.WAIT]
    mine = [Record(CARD, way, Grounds(by=HARDLY)) for way in ways]
    others = Record(Play(Seat(1), CARD.card), TurnSource.WAIT, Grounds(by=HARDLY))
    stored = in_play([deal, *mine, others])
    told = played_since_asked(stored, Seat(0))
    assert [sentence.partition(":")[0] for sentence in told] == ["Trick 3", "Trick 5"]
    assert len(played_for(stored, Seat(0))) == 3
    assert played_for(in_play([deal, *mine, others, deal]), Seat(0)) == []


def in_play(records: list[Record]) -> TableGame:
    """A game with these records, about its last hand."""
    kept = numbered(records)
    return TableGame(None, None, [], kept, None, SimpleNamespace(hand=kept[-1].hand))
