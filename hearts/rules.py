"""The options of a table: `Rules`, which are validated when they are made, and the presets to start from.

`deal`, `play` and `score` implement the options.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from functools import cache
from typing import Any, Final, get_type_hints

from hearts.cards import HEARTS, NONE, QUEENS_OF_SPADES, Cards
from hearts.words import Sentence, later


class BadRules(ValueError):
    """Options are unknown or invalid, or contradict each other; the sentence says what to change.

    `option` is the one that contradicts the others; None if a name or a value is invalid.
    """

    def __init__(self, sentence: str, option: str | None = None) -> None:
        super().__init__(sentence)
        self.option = option


class Preset(StrEnum):
    CLASSIC = "classic"
    TRADITIONAL = "traditional"
    RULEBOOK = "rulebook"
    QUICK = "quick"
    CLUB = "club"
    PARTNERS = "partners"
    OMNIBUS = "omnibus"
    KITTY = "kitty"
    CANCELLATION = "cancellation"


class Passing(StrEnum):
    LEFT_RIGHT_ACROSS_KEEP = "left-right-across-keep"
    LEFT_RIGHT_ACROSS = "left-right-across"
    LEFT_RIGHT_KEEP = "left-right-keep"
    LEFT_RIGHT = "left-right"
    LEFT = "left"
    RIGHT = "right"
    NONE = "none"


class Opening(StrEnum):
    LOW_CLUB = "low-club"
    ANY_CLUB = "any-club"
    ELDEST = "eldest"


class OpeningBan(StrEnum):
    POINTS = "points"
    HEARTS = "hearts"


class When(StrEnum):
    """When a card may be led or discarded."""

    AFTER_BROKEN = "after-broken"
    ANYTIME = "anytime"


class QueenBreaks(StrEnum):
    NO = "no"
    LED = "led"
    PLAYED = "played"


class MoonScoring(StrEnum):
    ADD = "add"
    SUBTRACT = "subtract"
    SMART = "smart"
    CHOICE = "choice"


class Kitty(StrEnum):
    OFF = "off"
    FIRST_POINTS = "first-points"
    FIRST_HEART = "first-heart"
    FIRST_TRICK = "first-trick"
    LAST_TRICK = "last-trick"


class Cancellation(StrEnum):
    TWO_PAIRS_VOID = "two-pairs-void"
    PAIRS = "pairs"


class TieBreak(StrEnum):
    SHARED = "shared"
    EXTRA_HAND = "extra-hand"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """All options of a table. Raises BadRules if they contradict each other."""

    preset: Preset = Preset.CLASSIC
    players: int = 4
    packs: int = 1
    partnership: bool = False
    target: int = 100
    hands: int = 0
    """The game ends after that many hands at the latest; 0: their number has no limit."""
    passing: Passing = Passing.LEFT_RIGHT_ACROSS_KEEP
    pass_count: int = 3
    opening: Opening = Opening.LOW_CLUB
    opening_ban: OpeningBan = OpeningBan.POINTS
    first_trick_points: bool = False
    hearts_lead: When = When.AFTER_BROKEN
    queen_breaks: QueenBreaks = QueenBreaks.NO
    queen_lead: When = When.ANYTIME
    queen_discard: When = When.ANYTIME
    queen_points: int = 13
    jack_points: int = 0
    moon: MoonScoring = MoonScoring.ADD
    sun: bool = False
    no_tricks_bonus: int = 0
    fifty_bonus: bool = False
    kitty: Kitty = Kitty.OFF
    cancellation: Cancellation = Cancellation.TWO_PAIRS_VOID
    tie_break: TieBreak = TieBreak.SHARED

    def __post_init__(self) -> None:
        for name in OPTIONS:
            _check_value(name, getattr(self, name))
        _check_fit(self)

    @property
    def sides(self) -> int:
        """The number of sides that are scored: the players, or two teams."""
        return 2 if self.partnership else self.players

    @property
    def penalty_cards(self) -> Cards:
        """The hearts, and the queens of spades if they count; each twice, so that it works for one pack and for two."""
        return HEARTS + (QUEENS_OF_SPADES if self.queen_points else NONE)

    @property
    def pack_total(self) -> int:
        """The points of all penalty cards in the game."""
        return self.packs * (13 + self.queen_points)

    def moon_points(self, *, sun: bool) -> int:
        """The points that a moon, or a sun, gives every other side or takes off the shooter's."""
        return self.pack_total * (2 if sun else 1)

    @property
    def may_reach_target(self) -> bool:
        """Whether a total may reach the target before the last of `hands`; always, if their number has no limit."""
        return not self.hands or (self.hands - 1) * self.moon_points(sun=self.sun) >= self.target


_TYPES: Final[Mapping[str, Any]] = get_type_hints(Rules)
_DEFAULTS: Final[Mapping[str, Any]] = {field.name: field.default for field in fields(Rules)}
_RANGES: Final[Mapping[str, range]] = {
    "players": range(3, 12),
    "packs": range(1, 3),
    "target": range(10, 501),
    "hands": range(41),
    "pass_count": range(1, 6),
}
_POINTS: Final[Mapping[str, tuple[int, ...]]] = {
    "queen_points": (13, 0),
    "jack_points": (0, -5, -10),
    "no_tricks_bonus": (0, -5),
}
OPTIONS: Final = tuple(_DEFAULTS)
"""The names of all options, `preset` first, in the order of the fields of `Rules`."""


@cache
def choices(option: str) -> tuple[Any, ...]:
    """All values of an option, the default first, except in ranges."""
    if kind := _RANGES.get(option) or _POINTS.get(option):
        return tuple(kind)
    words = (False, True) if _TYPES[option] is bool else tuple(_TYPES[option])
    default = _DEFAULTS[option]
    return (default, *(word for word in words if word != default))


def _check_value(option: str, value: object) -> None:
    kind = _TYPES[option]
    if type(value) is not kind or value not in choices(option):
        raise BadRules(_what_it_may_be(option))


def _what_it_may_be(option: str) -> str:
    if span := _RANGES.get(option):
        return f"{option} must be a whole number from {span[0]} to {span[-1]}"
    words = [str(value).lower() if isinstance(value, bool) else str(value) for value in choices(option)]
    return f"{option} must be {', '.join(words[:-1])} or {words[-1]}"


def _check_fit(rules: Rules) -> None:
    if rules.packs == 1 and rules.players > 7:
        raise BadRules(f"{rules.players} players need two packs: set packs to 2, or seat 7 players at most", "packs")
    if rules.packs == 2 and rules.players < 6:
        raise BadRules(f"{rules.players} players play with one pack: set packs to 1, or seat 6 to 11 players", "packs")
    if rules.partnership and rules.players != 4:
        sentence = "a partnership is for four players: set players to 4, or partnership to false"
        raise BadRules(sentence, "partnership")
    if rules.packs == 2 and rules.kitty is not Kitty.OFF:
        raise BadRules("a kitty is for one pack: set kitty to off, or packs to 1", "kitty")
    if rules.packs == 2 and rules.opening is not Opening.ELDEST:
        sentence = f"with two packs no single player holds the lowest club: set opening to eldest, not {rules.opening}"
        raise BadRules(sentence, "opening")


@dataclass(frozen=True, slots=True)
class PresetLine:
    """How a form presents a preset: its name, a line that describes it, the possible numbers of players."""

    label: Sentence
    line: Sentence
    players: tuple[int, ...]


_RULEBOOK: Final[Mapping[str, Any]] = {
    "passing": Passing.NONE,
    "queen_breaks": QueenBreaks.LED,
    "tie_break": TieBreak.EXTRA_HAND,
}
_CLUB: Final[Mapping[str, Any]] = {
    "queen_breaks": QueenBreaks.PLAYED,
    "queen_lead": When.AFTER_BROKEN,
    "moon": MoonScoring.SMART,
}
_OPTIONS_OF: Final[Mapping[Preset, Mapping[str, Any]]] = {
    Preset.CLASSIC: {},
    Preset.TRADITIONAL: {
        "passing": Passing.LEFT_RIGHT_ACROSS,
        "opening": Opening.ELDEST,
        "opening_ban": OpeningBan.HEARTS,
        "first_trick_points": True,
        "hearts_lead": When.ANYTIME,
    },
    Preset.RULEBOOK: _RULEBOOK,
    Preset.QUICK: {"target": 50},
    Preset.CLUB: _CLUB,
    Preset.PARTNERS: {**_CLUB, "partnership": True},
    Preset.OMNIBUS: {**_RULEBOOK, "jack_points": -10, "passing": Passing.LEFT_RIGHT_ACROSS_KEEP},
    Preset.KITTY: {**_RULEBOOK, "kitty": Kitty.FIRST_POINTS},
    Preset.CANCELLATION: {
        **_RULEBOOK,
        "packs": 2,
        "passing": Passing.LEFT_RIGHT,
        "opening": Opening.ELDEST,
        "opening_ban": OpeningBan.POINTS,
        "target": 150,
    },
}
_PASSING_WHEN_NOT_FOUR: Final[Mapping[Preset, Passing]] = {
    Preset.TRADITIONAL: Passing.LEFT_RIGHT_KEEP,
    Preset.OMNIBUS: Passing.LEFT_RIGHT,
}

PRESETS: Final[Mapping[Preset, PresetLine]] = {
    Preset.CLASSIC: PresetLine(
        later("Classic"),
        later("The two of clubs leads, no points on the first trick, hearts must be broken."),
        (3, 4, 5, 6, 7),
    ),
    Preset.TRADITIONAL: PresetLine(
        later("Traditional"),
        later("The player left of the dealer leads, and hearts may be led and discarded at any time."),
        (3, 4, 5),
    ),
    Preset.RULEBOOK: PresetLine(
        later("Rule book"),
        later("No passing; leading the queen of spades breaks hearts, and a tie is played off."),
        (3, 4, 5, 6, 7),
    ),
    Preset.QUICK: PresetLine(
        later("Quick"),
        later("Classic rules, but the game ends at 50."),
        (4,),
    ),
    Preset.CLUB: PresetLine(
        later("Club"),
        later(
            "The queen of spades breaks hearts, and nobody leads her before; the moon counts the way that helps most."
        ),
        (3, 4),
    ),
    Preset.PARTNERS: PresetLine(
        later("Partners"),
        later("Club rules for two teams; partners sit across from each other."),
        (4,),
    ),
    Preset.OMNIBUS: PresetLine(
        later("Omnibus"),
        later("The jack of diamonds takes ten points off."),
        (3, 4, 5, 6, 7),
    ),
    Preset.KITTY: PresetLine(
        later("Kitty"),
        later("A few cards lie face down and go to the player who takes the first points."),
        (3, 4, 5, 6, 7),
    ),
    Preset.CANCELLATION: PresetLine(
        later("Cancellation"),
        later("Two packs for a big table; two equal cards in a trick cancel each other."),
        (6, 7, 8, 9, 10, 11),
    ),
}


def preset_rules(preset: Preset | str, **options: Any) -> Rules:
    """The rules of a preset, overridden by `options`; their values may be those of the game record.

    Raises BadRules for an unknown preset or option, an invalid value, and options that contradict each other.
    """
    chosen = _option("preset", preset)
    for name in options:
        if name not in OPTIONS:
            raise BadRules(f"there is no option {name!r}: the options are {', '.join(OPTIONS[1:])}")
    given = {name: _option(name, value) for name, value in options.items()}
    if chosen is Preset.CANCELLATION and "players" not in given:
        raise BadRules("the preset cancellation must be told how many play: set players to a number from 6 to 11")
    return Rules(**{**_base(chosen, given.get("players", 4)), **given})


def parse_rules(mapping: Mapping[str, object]) -> Rules:
    """The rules in a game record: a preset, by default `classic`, and options. Raises BadRules."""
    options = dict(mapping)
    return preset_rules(_option("preset", options.pop("preset", Preset.CLASSIC)), **options)


def rules_mapping(rules: Rules) -> dict[str, Any]:
    """The preset, the players, and the options that differ from the preset, as JSON; `parse_rules` reads it back."""
    base = _base(rules.preset, rules.players)
    kept = {name: getattr(rules, name) for name in OPTIONS}
    return {
        name: str(value) if isinstance(value, StrEnum) else value
        for name, value in kept.items()
        if name in ("preset", "players") or value != base[name]
    }


def _option(name: str, value: object) -> Any:
    """The value of an option; a string is converted to a member of its enumeration. Raises BadRules."""
    kind = _TYPES[name]
    if isinstance(value, str) and issubclass(kind, StrEnum) and value in tuple(kind):
        value = kind(value)
    _check_value(name, value)
    return value


def _base(preset: Preset, players: int) -> dict[str, Any]:
    """All options of the preset for that number of players. Not checked: whether they contradict each other."""
    passing = _PASSING_WHEN_NOT_FOUR.get(preset) if players != 4 else None
    changes = {"passing": passing} if passing else {}
    return {**_DEFAULTS, **_OPTIONS_OF[preset], "preset": preset, "players": players, **changes}
