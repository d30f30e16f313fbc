"""The context of a question: links for the choices, its deadline, the goal of the game."""

import pytest

from hearts.cards import card_text
from hearts.game import Stage, legal
from hearts.seats import Seat
from tests.answers import answer, mail, question
from tests.cast import letters, start_game
from tests.runtimes import make_runtime
from tests.samples.games import CLASSIC, first_game
from tests.samples.mails import mails
from tests.samples.rendering import environment
from tests.samples.sheets import sheet_of
from webapp.games.asked.due import due_of
from webapp.models import LetterKind, PlayerRow
from webapp.presentation.house_rules import goal_text
from webapp.replies.grammar import parse_answer
from worker.mail import compose
from worker.mails.turns import goal_with, question_context


@pytest.fixture
def runtime(tmp_path):
    made = make_runtime(tmp_path / "var")
    yield made
    made.database.engine.dispose()


@pytest.fixture
def table(runtime):
    """A game in which everybody has still to pass."""
    return start_game(runtime)


def context(table, seat):
    """The context of what the seat is asked for."""
    stored = table.stored
    with table.runtime.database.reading() as session:
        player = session.get_one(PlayerRow, stored.seats[seat].player_id)
    return question_context(table.runtime, stored, seat, due_of(stored.game, seat), player)


def at_turn(table):
    """The seat that plays now."""
    (seat,) = table.game.to_act
    return seat


def test_a_turn_has_its_deadline_and_every_legal_cards_link(runtime, table):
    table.pass_all()
    while len(legal(table.game, at_turn(table))) == 13:
        table.play_first()
    seat = at_turn(table)
    found = context(table, seat)
    assert list(found["card_links"]) == [card_text(card) for card in legal(table.game, seat)]
    assert found["deadline"] is not None


def test_the_last_call_names_spare_days_first():
    samples = [mails()["turn-spared"], mails()["last-call-spared"]]
    told = [environment().get_template(f"mail/{kind}/body.txt").render(sample) for kind, sample in samples]
    assert ["spare days" in text for text in told] == [False, True]


@pytest.mark.parametrize(("sample", "stage"), [("pass-classic", Stage.PASS), ("turn-following", Stage.PLAY)])
@pytest.mark.parametrize("part", ["body.txt", "body.html"])
def test_only_a_mail_with_a_ten_explains_it(sample, stage, part):
    kind, context = mails()[sample]
    template = environment().get_template(f"mail/{kind}/{part}")
    for offers in (False, True):
        game = first_game(CLASSIC, lambda game, offers=offers: game.stage is stage and offers_ten(game) == offers)
        text = template.render({**context, "first": {**context["first"], "sheet": sheet_of(game)}})
        assert ("T is a ten; you may type 10, too." in " ".join(text.split())) == offers


def offers_ten(game):
    """Whether the player at turn may choose a ten."""
    seat = game.to_act[0]
    cards = game.held[seat] if game.stage is Stage.PASS else legal(game, seat)
    return any(card_text(card)[0] == "T" for card in cards)


def goal_for(table, seat):
    """The goal of the game, as a mail with the question of the seat says it."""
    stored = table.stored
    with table.runtime.database.reading() as session:
        return goal_with(session, stored, seat, due_of(stored.game, seat))


def test_a_first_pass_states_the_goal_and_shared_mailboxes(runtime, table):
    goal = goal_text(table.game.rules)
    assert goal_for(table, Seat(0)) == goal
    with runtime.database.writing() as session:
        session.get_one(PlayerRow, table.seats[1].player_id).address = "ann+bo@example.org"
    assert goal_for(table, Seat(0)) == f"{goal} Ann and Bo share a mailbox."
    table.pass_all()
    assert goal_for(table, at_turn(table)) == ""


@pytest.mark.parametrize("kind", [LetterKind.TURNS, LetterKind.ANSWER])
def test_without_pages_a_mail_shows_the_cards_of_every_hand(tmp_path, kind):
    own = {"base_url": "none", "smtp_url": "smtp://localhost:9", "reply_mailbox": "hearts@example.org"}
    runtime = make_runtime(tmp_path / "var", **own)
    game = start_game(runtime, at_once=4).stored
    letter = question(runtime, "Ann")
    if kind is LetterKind.ANSWER:
        answer(runtime, letter, mail("Ann", "Hm?"))
        (letter,) = letters(runtime, kind)
    with runtime.database.writing() as session:
        text = compose(runtime, session, letter).get_body(("plain",)).get_content()
    for hand in (1, 2, 3):
        assert all(card_text(card) in text for card in game.at(hand).game.held[0]), hand
    assert [f'"hand {hand}"' in text for hand in (1, 2, 3, 4)] == [False, True, True, False]
    assert [line for line in text.splitlines() if parse_answer(line)] == []
    runtime.database.engine.dispose()
