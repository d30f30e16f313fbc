"""One reply that answers several hands: each line counts for its hand, and one answer says what does not count."""

import pytest

from hearts.cards import card_text
from hearts.seats import Seat
from tests.answers import answer, answered, inbound_rows, mail, question, said, typed_turns
from tests.cast import letters, start_game
from webapp.models import LetterKind
from worker import postman

ANN = Seat(0)


@pytest.fixture
def table(runtime):
    """A game of four hands at once, whose passes a mail asks Ann for."""
    made = start_game(runtime, at_once=4)
    postman.deliver(runtime)
    return made


def typed(table, hand, first=0):
    """Three of the cards that Ann holds in the hand."""
    cards = [card_text(card) for card in table.stored.at(hand).game.held[ANN]]
    return " ".join(cards[first : first + 3])


def first(runtime):
    return next(one for one in letters(runtime, LetterKind.TURNS) if (one.seat, one.hand) == (ANN, 1))


def test_each_line_of_a_reply_passes_in_its_hand(runtime, table):
    lines = [typed(table, 1), *(f"hand {hand} {typed(table, hand)}" for hand in (2, 3))]
    row = answer(runtime, first(runtime), mail("Ann", "\n".join(lines)))
    assert len(typed_turns(table)) == 3
    assert [line.rpartition(" in ")[2] for line in row.outcome.splitlines()] == [f"hand {n}." for n in (1, 2, 3)]
    assert answered(runtime) == [], "the next mail says it"


def test_one_answer_says_what_does_not_count_and_why(runtime, table):
    foreign = next(code for code in ("2C", "3C", "4C", "5C", "6C") if code not in typed_hand(table, 2))
    lines = [
        typed(table, 1),
        f"hand 2 {foreign} {typed(table, 2)[:5]}",
        f"hand 3 {typed(table, 3)[:5]}",
    ]
    row = answer(runtime, first(runtime), mail("Ann", "\n".join(lines)))
    assert len(typed_turns(table)) == 1
    assert answered(runtime) == [f"several {row.id}"]
    subject, text = said(runtime)
    assert subject == "Not all of your answers count"
    for sentence in (
        *("in hand 1.", "Hand 2: You can't pass these.", "is not in your hand."),
        "Hand 3: We couldn't read this: you sent 2 cards, and we need 3.",
    ):
        assert sentence in text
    assert typed_hand(table, 2)[0] in text, "it shows the cards of the first that is open"


def typed_hand(table, hand):
    return [card_text(card) for card in table.stored.at(hand).game.held[ANN]]


def test_the_answer_itself_answers_the_hands_that_are_left(runtime, table):
    answer(runtime, first(runtime), mail("Ann", f"{typed(table, 1)}\nhand 2 AS\nhand 3 AS"))
    (ours,) = letters(runtime, LetterKind.ANSWER)
    answer(runtime, ours, mail("Ann", f"{typed(table, 2)}\nhand 3 {typed(table, 3)}"))
    assert len(typed_turns(table)) == 3


def test_a_reply_repeated_by_a_worker_plays_nothing_twice(runtime, table, monkeypatch):
    from webapp.inbox import acting

    class Killed(BaseException):
        """No handler of ours catches it."""

    def die(*_):
        raise Killed

    lines = f"{typed(table, 1)}\nhand 2 {typed(table, 2)}"
    with monkeypatch.context() as patch:
        patch.setattr(acting, "_record", die)
        with pytest.raises(Killed):
            answer(runtime, first(runtime), mail("Ann", lines))
    runtime.now.pass_by(acting.receiving.LEASE)
    acting.process_inbound(runtime)
    assert len(typed_turns(table)) == 2
    (row,) = inbound_rows(runtime)
    assert row.outcome == "You had played it already."
    assert answered(runtime) == []


def test_what_stays_open_is_asked_on(runtime, table):
    answer(runtime, first(runtime), mail("Ann", f"{typed(table, 1)}\nhand 2 {typed(table, 2)}"))
    assert (question(runtime, "Ann").hand, question(runtime, "Ann").requested) == (3, True)
