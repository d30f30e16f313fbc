"""The commands `doctor` and `stats`, as an operator types them."""

from tests.cast import start_game
from tests.playing import play_first
from webapp.models import TurnSource
from worker import postman


def test_the_doctor_ends_with_status_one_if_something_is_wrong(runtime, run):
    start_game(runtime)
    postman.deliver(runtime)
    healthy = run("doctor")
    assert healthy.exit_code == 0
    assert {line.split()[0] for line in healthy.stdout.splitlines()} == {"ok"}
    run("mail", "hold")
    ill = run("doctor")
    assert ill.exit_code == 1
    assert "missing   sending: an operator holds it" in ill.stdout


def test_the_figures_say_how_much_is_going_on(runtime, run):
    play_first(runtime, start_game(runtime), TurnSource.REPLY)
    said = {
        name.strip(): int(number) for number, name in (line.split(None, 1) for line in run("stats").stdout.splitlines())
    }
    assert (said["players"], said["games being played"], said["turns within a day"]) == (4, 1, 2)
    assert (said["of these turns: forced"], said["of these turns: reply"]) == (1, 1)
    assert any(name.startswith("waiting: letters, the oldest for") for name in said)
