"""Positions as JSON, which `python -m hearts choose` reads, one object per line."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from hearts.cards import NONE, Cards, NotACard, card_text, parse_code
from hearts.deal import Direction, pack
from hearts.game import Stage
from hearts.robot.bits import SEAT
from hearts.robot.engine import legal_mask
from hearts.robot.reading import Position, replayed, table_numbers
from hearts.rules import BadRules, Rules, parse_rules, rules_mapping
from hearts.seats import Seat


class NotAPosition(ValueError):
    """The mapping is no position, or an impossible one; the sentence says why."""


def position_mapping(position: Position) -> dict[str, Any]:
    """The position as a JSON mapping; `parse_position` reads it back."""
    return {
        "rules": rules_mapping(position.rules),
        "hand": position.hand,
        "dealer": position.dealer,
        "seat": position.seat,
        "totals": list(position.totals),
        "stage": str(position.stage),
        "pass": str(position.direction),
        "given": None if position.given is None else str(position.given),
        "received": None if position.received is None else str(position.received),
        "held": str(position.held),
        "leader": position.leader,
        "plays": " ".join(map(card_text, position.plays)),
        "kitty": None if position.kitty is None else str(position.kitty),
        "legal": str(position.legal),
    }


_OPTIONAL: Final = {"given": None, "received": None, "leader": None, "plays": "", "kitty": None, "legal": None}
_NEEDED: Final = ("rules", "hand", "dealer", "seat", "totals", "stage", "pass", "held")


def parse_position(mapping: object) -> Position:
    """The position in a mapping of the form that `position_mapping` writes. Raises NotAPosition.

    `legal` may be left out; if given, it must match the rules. Not checked: how many cards the seat holds; the others
    are assumed to hold as many.
    """
    if not isinstance(mapping, Mapping):
        raise NotAPosition("a position is a JSON object")
    if missing := [name for name in _NEEDED if name not in mapping]:
        raise NotAPosition(f"{missing[0]} is missing")
    if unknown := [name for name in mapping if name not in _OPTIONAL and name not in _NEEDED]:
        raise NotAPosition(f"there is no field {unknown[0]!r}")
    try:
        return _checked(_parsed({**_OPTIONAL, **mapping}), mapping.get("legal"))
    except (BadRules, NotACard) as error:
        raise NotAPosition(str(error)) from error


def _parsed(fields: Mapping[str, Any]) -> Position:
    if not isinstance(fields["rules"], Mapping):
        raise NotAPosition("rules is not an object")
    rules = parse_rules(fields["rules"])
    plays = fields["plays"] or ""
    if not isinstance(plays, str):
        raise NotAPosition("plays is not a text of cards")
    return Position(
        rules=rules,
        hand=_whole(fields["hand"], "hand", 1, 10**6),
        dealer=Seat(_whole(fields["dealer"], "dealer", 0, rules.players - 1)),
        seat=Seat(_whole(fields["seat"], "seat", 0, rules.players - 1)),
        totals=_totals(fields["totals"], rules),
        stage=_stage(fields["stage"]),
        direction=_direction(fields["pass"]),
        given=_cards(fields["given"], "given"),
        received=_cards(fields["received"], "received"),
        held=_cards(fields["held"], "held") or NONE,
        leader=None if fields["leader"] is None else Seat(_whole(fields["leader"], "leader", 0, rules.players - 1)),
        plays=tuple(parse_code(code) for code in plays.split()),
        kitty=_cards(fields["kitty"], "kitty"),
        legal=NONE,
    )


def _whole(number: object, name: str, least: int, most: int) -> int:
    if type(number) is not int or not least <= number <= most:
        raise NotAPosition(f"{name} must be a whole number from {least} to {most}")
    return number


def _totals(numbers: object, rules: Rules) -> tuple[int, ...]:
    if not isinstance(numbers, list) or len(numbers) != rules.sides:
        raise NotAPosition(f"totals must be a list of {rules.sides} whole numbers")
    return tuple(_whole(number, "each total", -(10**5), 10**5) for number in numbers)


def _stage(word: object) -> Stage:
    if word not in (Stage.PASS, Stage.PLAY, Stage.MOON):
        raise NotAPosition("stage must be pass, play or moon")
    return Stage(str(word))


def _direction(word: object) -> Direction:
    if word not in tuple(Direction):
        raise NotAPosition("pass must be left, right, across or keep")
    return Direction(str(word))


def _cards(text: object, name: str) -> Cards | None:
    if text is None:
        return None
    if not isinstance(text, str):
        raise NotAPosition(f"{name} is not a text of cards")
    try:
        return Cards.parse(text)
    except ValueError as error:
        raise NotAPosition(f"{name}: {error}") from error


def _checked(position: Position, legal: object) -> Position:
    """The position with its legal cards. Raises NotAPosition if its cards are impossible."""
    given = _cards(legal, "legal")
    if not position.plays and position.leader is not None:
        raise NotAPosition("leader is given, but nothing was played: then the leader is at turn")
    if position.stage is Stage.PASS:
        if position.plays:
            raise NotAPosition("plays are given, but nothing is played before all have passed")
        if len(position.held.faces()) < position.rules.pass_count:
            raise NotAPosition(f"held has fewer than the {position.rules.pass_count} cards to pass")
        if strange := position.held - pack(position.rules):
            raise NotAPosition(f"{strange} in held is more than the pack has")
        return position
    if position.plays and position.leader is None:
        raise NotAPosition("leader is missing: somebody led the first trick")
    _check_cards(position)
    if position.stage is Stage.MOON:
        return position
    if not position.held:
        raise NotAPosition("held is empty: there is nothing to play")
    allowed = _legal(position)
    if given is not None and given != allowed:
        raise NotAPosition(f"legal must be {allowed} here, or be left out")
    return replace(position, legal=allowed)


def _check_cards(position: Position) -> None:
    try:
        seen = position.held + Cards.of(position.plays) + (position.kitty or NONE)
    except ValueError as error:
        raise NotAPosition(f"held, plays and kitty: {error}") from error
    if strange := seen - pack(position.rules):
        raise NotAPosition(f"{strange} in held, plays and kitty is more than the pack has")


def _legal(position: Position) -> Cards:
    """The cards that the seat may play. Raises NotAPosition if it is not its turn."""
    rules = table_numbers(position)
    state = replayed(position, rules)
    if state[SEAT] != position.seat:
        raise NotAPosition(f"seat {state[SEAT]} plays now, not seat {position.seat}")
    return Cards(legal_mask(state, rules))
