"""Games whose players have waits, and what is left to the players themselves."""

from tests.cast import give_waits, letters, load, seats, start_game
from tests.playing import pass_all, play_first
from webapp.games.asked.whose_turn import awaited
from webapp.games.record import changing
from webapp.models import LetterKind
from webapp.play import course, due_games


def started(runtime, *chosen):
    """A game of four people with these waits, after the pass."""
    game_id = start_game(runtime)
    give_waits(runtime, game_id, *chosen)
    pass_all(runtime, game_id)
    return game_id


def set_going(runtime, game_id, *chosen):
    """Gives the players these waits, and sets the game going as it is."""
    give_waits(runtime, game_id, *chosen)
    with changing.game(runtime, game_id, runtime.now()) as game:
        course.go_on(game)
    due_games.play_for_absent(runtime, game_id)


def player_of(runtime, game_id, seat):
    return seats(runtime, load(runtime, game_id).row.table_id)[seat].player_id


def play_hand_by_hand(runtime, game_id):
    """Answers what is left to the players, until the hand is scored. Returns how often somebody was waited for."""
    waits = 0
    while not load(runtime, game_id).game.scores:
        due_games.play_for_absent(runtime, game_id)
        stored = load(runtime, game_id)
        if stored.game.scores:
            break
        assert awaited(stored) == stored.game.to_act
        play_first(runtime, game_id)
        waits += 1
    return waits


def questions(runtime):
    return [letter for letter in letters(runtime) if letter.kind is LetterKind.TURNS and letter.hand == 1]
