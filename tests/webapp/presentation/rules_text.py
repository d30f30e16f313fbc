"""How we play, under rules that a test names."""

from hearts.rules import Rules, preset_rules
from webapp.presentation.house_rules import how_we_play


def texts_of(preset="classic", **options):
    """The text under each heading."""
    return {section.heading: section.text for section in how_we_play(preset_rules(preset, **options))}


def whole_text(rules: Rules) -> str:
    """All sections as plain text."""
    return "\n\n".join(f"{section.heading}\n{section.text}" for section in how_we_play(rules))
