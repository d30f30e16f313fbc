"""Tables that ask all who follow at once, and answers to them before their turn."""

from tests.cast import load, play_link
from webapp.games.asked.due import Due
from webapp.models import TableRow
from webapp.players import ahead
from webapp.players.ahead import AnswerAhead


def set_table(runtime, game_id, **columns):
    with runtime.database.writing() as session:
        row = session.get_one(TableRow, load(runtime, game_id).row.table_id)
        for name, value in columns.items():
            setattr(row, name, value)


def due(runtime, game_id):
    game = load(runtime, game_id).game
    return Due(game.hand, f"trick {game.trick}")


def answer(runtime, game_id, seat, card, what=None, **more):
    what, given = what or due(runtime, game_id), AnswerAhead(card=card, **{"unless": frozenset(), **more})
    return ahead.answer(runtime, play_link(runtime, game_id, seat), what, given, runtime.now())
