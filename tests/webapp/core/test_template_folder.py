"""The folder of templates of a checkout; `tests/deploy/test_wheel.py` reads that of an installed program."""

from scripts.run import CHECKOUT
from webapp.core.template_folder import TEMPLATES


def test_a_checkout_reads_the_templates_at_its_top():
    assert TEMPLATES == CHECKOUT / "templates"
