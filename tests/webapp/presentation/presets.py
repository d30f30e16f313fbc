"""Finished games of several kinds: their rules, and the names of those who played them."""

import pytest

from hearts.rules import preset_rules
from tests.samples.cast import CAST, CROWD
from tests.samples.games import CLASSIC, ELEVEN, KITTY, PARTNERS

PRESETS = [
    pytest.param(CLASSIC, CAST, id="classic"),
    pytest.param(KITTY, CAST[:3], id="kitty, three players"),
    pytest.param(PARTNERS, CAST, id="partners"),
    pytest.param(ELEVEN, CROWD, id="two packs, eleven players"),
    pytest.param(preset_rules("rulebook", moon="choice", sun=True), CAST, id="a moon to be counted"),
]
