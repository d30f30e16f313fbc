"""No shape of a mail costs seconds: neither what the library parses slowly, nor our own patterns."""

from bench.shapes import SHAPES, measured
from tests.every import of_every

MOST = 1.0  # seconds of a processor: five times what is promised, as tests run on slow and busy machines


@of_every(SHAPES)
def test_no_shape_of_a_mail_costs_seconds(name):
    _, whole = measured(name)
    assert whole < MOST
