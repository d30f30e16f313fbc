"""A recurring banner of a gateway, in no known form: it stands above the answers of several players."""

import pytest

from tests.answers import answer, answered, mail, question, typed_pass, typed_turns
from tests.cast import start_game
from webapp.inbox.finding import recurring_lines
from webapp.models import InboundRow
from worker import postman

BANNER = "~ Bitte prüfen: Post von draußen ~"


@pytest.fixture
def table(runtime):
    made = start_game(runtime)
    postman.deliver(runtime)
    return made


def send(table, name, seat, above=BANNER):
    return answer(table.runtime, question(table.runtime, name), mail(name, f"{above}\n\n{typed_pass(table, seat)}\n"))


def test_what_stands_above_the_answers_of_two_others_is_dropped(runtime, table):
    taken = [send(table, name, seat).taken_for for seat, name in enumerate(("Ann", "Bo", "Cy"))]
    assert taken == ["garbage", "garbage", "pass"]
    (record,) = typed_turns(table)
    assert record.turn.seat == 2
    assert answered(runtime) == ["unclear", "unclear"]


def test_what_one_player_types_twice_is_no_banner(runtime, table):
    for above in (BANNER, BANNER, "Something else"):
        answer(runtime, question(runtime, "Ann"), mail("Ann", f"{above}\n\n{typed_pass(table)}"))
    assert send(table, "Bo", 1).taken_for == "garbage"


def test_words_of_players_drop_nothing_without_an_answer_below(runtime, table):
    for name in ("Ann", "Bo"):
        answer(runtime, question(runtime, name), mail(name, f"{BANNER}\n\nWhat is void?"))
    assert send(table, "Cy", 2).taken_for == "garbage"


def test_mails_whose_text_is_forgotten_are_not_compared(runtime, table):
    for seat, name in enumerate(("Ann", "Bo")):
        row = send(table, name, seat)
        with runtime.database.writing() as session:
            session.get_one(InboundRow, row.id).raw = None
    with runtime.database.reading() as session:
        assert recurring_lines(session, InboundRow(player_id=99)) == frozenset()
