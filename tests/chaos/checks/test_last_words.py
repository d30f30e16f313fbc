"""The last words of players: what is played instead of them is found."""

from datetime import timedelta

from tests.cast import start_game
from tests.chaos.checks import last_words
from tests.chaos.checks.answers import chosen_by
from tests.chaos.checks.planted import form, left_by
from tests.chaos.notes import Notes
from tests.chaos.relay import MoodyRelay
from webapp.core.runtime import Runtime

OTHER = ("2C", "3C", "4C")
MINUTE = timedelta(minutes=1)


def faults(runtime: Runtime, relay: MoodyRelay, *order: str, answer: int = 303) -> list[str]:
    """Returns the faults if Ann says the `order` of words, "played" or "other", a minute each, before her pass."""
    table = start_game(runtime)
    path, at = runtime.signer.local_url(table.turn_link(0)), runtime.now()
    runtime.now.pass_by(5 * MINUTE)
    (played,) = [chosen_by(one.turn) for one in table.play_first().records[1:]]
    said = {"played": played, "other": OTHER}
    notes = Notes([form("Ann", path, *said[word], at=at + n * MINUTE, answer=answer) for n, word in enumerate(order)])
    return list(last_words.check(left_by(runtime, relay, notes)))


def test_an_earlier_word_that_wins_is_found(runtime: Runtime, relay: MoodyRelay) -> None:
    (fault,) = faults(runtime, relay, "played", "other")
    assert "their last word was 2C 3C 4C" in fault


def test_a_later_word_may_win(runtime: Runtime, relay: MoodyRelay) -> None:
    assert faults(runtime, relay, "other", "played") == []


def test_a_word_that_nobody_has_accepted_need_not_win(runtime: Runtime, relay: MoodyRelay) -> None:
    assert faults(runtime, relay, "played", "other", answer=409) == []
