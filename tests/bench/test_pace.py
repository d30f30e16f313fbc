"""What `make pace` counts."""

from bench.pace import Row, play
from hearts.plans import Asking, Plan


def test_each_pass_is_one_wait_of_its_own_hand():
    """The players pass in three of four hands, and answer nothing else. One may end a hand and pass at once."""
    row = Row("orders alone", Plan(asking=Asking.MATTERS), guards=False)
    assert sum(play(row, looks=2, hands=9, seed=1).waits[:8]) == 6
