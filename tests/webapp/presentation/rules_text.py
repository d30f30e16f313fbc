"""How we play, under rules that a test names."""

from hearts.rules import preset_rules
from webapp.presentation.house_rules import how_we_play


def texts_of(preset="classic", **options):
    """The text under each heading."""
    return {section.heading: section.text for section in how_we_play(preset_rules(preset, **options))}
