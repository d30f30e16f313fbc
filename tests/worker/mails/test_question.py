"""The context of a question: links for the choices, its deadline, the goal of the game."""

import pytest

from hearts.cards import card_text
from hearts.game import Stage, legal
from hearts.seats import Seat
from tests.answers import answer, mail, question
from tests.cast import letters, load, start_game
from tests.playing import pass_all, play_first
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
def game_id(runtime):
    """A game in which everybody has still to pass."""
    return start_game(runtime)


def context(runtime, game_id, seat):
    """The context of what the seat is asked for."""
    stored = load(runtime, game_id)
    with runtime.database.reading() as session:
        player = session.get_one(PlayerRow, stored.seats[seat].player_id)
    return question_context(runtime, stored, seat, due_of(stored.game, seat), player)


def at_turn(runtime, game_id):
    """The seat that plays now."""
    (seat,) = load(runtime, game_id).game.to_act
    return seat


def test_a_turn_has_its_deadline_and_every_legal_cards_link(runtime, game_id):
    pass_all(runtime, game_id)
    while len(legal(load(runtime, game_id).game, at_turn(runtime, game_id))) == 13:
        play_first(runtime, game_id)
    seat = at_turn(runtime, game_id)
    found = context(runtime, game_id, seat)
    assert list(found["card_links"]) == [card_text(card) for card in legal(load(runtime, game_id).game, seat)]
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


def goal_for(runtime, game_id, seat):
    """The goal of the game, as a mail with the question of the seat says it."""
    stored = load(runtime, game_id)
    with runtime.database.reading() as session:
        return goal_with(session, stored, seat, due_of(stored.game, seat))


def test_a_first_pass_states_the_goal_and_shared_mailboxes(runtime, game_id):
    goal = goal_text(load(runtime, game_id).game.rules)
    assert goal_for(runtime, game_id, Seat(0)) == goal
    with runtime.database.writing() as session:
        session.get_one(PlayerRow, load(runtime, game_id).seats[1].player_id).address = "ann+bo@example.org"
    assert goal_for(runtime, game_id, Seat(0)) == f"{goal} Ann and Bo share a mailbox."
    pass_all(runtime, game_id)
    assert goal_for(runtime, game_id, at_turn(runtime, game_id)) == ""


@pytest.mark.parametrize("kind", [LetterKind.TURNS, LetterKind.ANSWER])
def test_without_pages_a_mail_shows_the_cards_of_every_hand(tmp_path, kind):
    own = {"base_url": "none", "smtp_url": "smtp://localhost:9", "reply_mailbox": "hearts@example.org"}
    runtime = make_runtime(tmp_path / "var", **own)
    game = load(runtime, start_game(runtime, at_once=4))
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
