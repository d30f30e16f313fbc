"""The game record: a whole game as JSON text, to keep, send, replay and check.

See docs/hearts.md, "Records". This module checks the form: fields, types, card codes, consistent rules. `check` says
whether the rules of play allow the turns.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar, assert_never

from hearts.cards import Card, Cards, NotACard, card_text, parse_code
from hearts.deal import hands_at_once
from hearts.fair import DIGEST, ERAS, HANDS, STEPS, VERSION, Part, Proof
from hearts.rules import BadRules, Rules, parse_rules, rules_mapping
from hearts.seats import Seat
from hearts.turns import Deal, Moon, MoonChoice, Pass, Play, Turn

FORMAT: Final = "hearts-record"
VERSIONS: Final = (1, 2, 3)
"""Version 2 says how many hands are played at once; in version 1 it is one. Version 3 also proves its deals."""

_DIGITS: Final = re.compile(f"[0-9a-f]{{{2 * DIGEST}}}")
_T = TypeVar("_T")
_CardList = tuple[Card, ...]


class NotARecord(ValueError):
    """The text is no game record; the sentence says where and why."""


@dataclass(frozen=True, slots=True)
class FairHand:
    """The proof of the deal of a hand."""

    proof: Proof
    parts: tuple[Part, ...] | None = None
    """By seat, if they are others than in the hand before."""


@dataclass(frozen=True, slots=True)
class FairGame:
    """The seal of a game, and by seat the parts of its first hand."""

    seal: bytes
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class RecordedHand:
    """One hand of a record, with its cards in the record's order."""

    dealer: int
    deal: tuple[_CardList, ...]
    """By seat, before passing."""
    kitty: _CardList
    passes: tuple[_CardList | None, ...] | None
    """By seat, the cards that it passed, or None if it has not chosen yet; None if no seat has passed anything."""
    plays: _CardList
    moon: MoonChoice | None
    """The shooter's choice; None if there was none."""
    fair: FairHand | None = None
    """None if the game has no seal, or the hand's secret is not open."""


@dataclass(frozen=True, slots=True)
class Record:
    rules: Rules
    players: tuple[str, ...]
    """The players' names by seat."""
    hands: tuple[RecordedHand, ...]
    at_once: int = 1
    """How many hands are played at once."""
    fair: FairGame | None = None
    """None if nothing proves the deals."""


def record_of(rules: Rules, players: Sequence[str], turns: Iterable[Turn], at_once: int = 1) -> Record:
    """The record of a game with these turns, finished or not. Not checked: whether they are legal.

    With several hands `at_once`, the turns come hand by hand.
    """
    hands: list[RecordedHand] = []
    for turn in turns:
        if isinstance(turn, Deal):
            hands.append(_dealt(turn))
        else:
            hands[-1] = _with_turn(hands[-1], turn, rules.players)
    return Record(rules, tuple(players), tuple(hands), at_once)


def _dealt(turn: Deal) -> RecordedHand:
    return RecordedHand(turn.dealer, tuple(map(tuple, turn.held)), tuple(turn.kitty), None, (), None)


def _with_turn(hand: RecordedHand, turn: Pass | Play | Moon, players: int) -> RecordedHand:
    match turn:
        case Pass():
            passes = hand.passes or (None,) * players
            return replace(hand, passes=(*passes[: turn.seat], tuple(turn.cards), *passes[turn.seat + 1 :]))
        case Play():
            return replace(hand, plays=(*hand.plays, turn.card))
        case Moon():
            return replace(hand, moon=turn.choice)
        case _:
            assert_never(turn)


def deal_turn(hand: RecordedHand) -> Deal:
    """The turn that dealt a hand. Raises ValueError if a seat has a card three times."""
    return Deal(Seat(hand.dealer), tuple(map(Cards.of, hand.deal)), Cards.of(hand.kitty))


def with_proofs(record: Record, seal: bytes, proofs: Mapping[int, tuple[Proof, tuple[Part, ...]]]) -> Record:
    """The record with proofs of its hands, and the parts that were stirred into each; by number, in order."""
    before = first = next((parts for _, parts in proofs.values()), (None,) * record.rules.players)
    hands = list(record.hands)
    for number, (proof, parts) in proofs.items():
        hands[number - 1] = replace(hands[number - 1], fair=FairHand(proof, None if parts == before else parts))
        before = parts
    return replace(record, hands=tuple(hands), fair=FairGame(seal, first))


def record_text(record: Record) -> str:
    """The record as JSON text with a final line break; `parse_record` reads it back."""
    return json.dumps(record_mapping(record), ensure_ascii=False, indent=1) + "\n"


def record_mapping(record: Record) -> dict[str, Any]:
    """The record as a JSON mapping."""
    version = 3 if record.fair else 1 if record.at_once == 1 else 2
    return {
        "format": FORMAT,
        "version": version,
        "rules": rules_mapping(record.rules),
        "players": list(record.players),
        **({} if version == 1 else {"at_once": record.at_once}),
        **({} if record.fair is None else {"fair": _fair_mapping(record.fair)}),
        "hands": [_hand_mapping(hand) for hand in record.hands],
    }


def _hand_mapping(hand: RecordedHand) -> dict[str, Any]:
    mapping: dict[str, Any] = {
        "dealer": hand.dealer,
        "deal": list(map(cards_text, hand.deal)),
        "kitty": cards_text(hand.kitty),
    }
    if hand.passes is not None:
        mapping["passes"] = [None if cards is None else cards_text(cards) for cards in hand.passes]
    mapping["plays"] = cards_text(hand.plays)
    if hand.moon is not None:
        mapping["moon"] = str(hand.moon)
    if hand.fair is not None:
        proof = hand.fair.proof
        path = [step.hex() for step in proof.path]
        mapping["fair"] = {"leaf": proof.leaf, "secret": proof.secret.hex(), "path": path}
        if hand.fair.parts is not None:
            mapping["fair"]["parts"] = _parts_list(hand.fair.parts)
    return mapping


def _fair_mapping(fair: FairGame) -> dict[str, Any]:
    return {"version": VERSION, "root": fair.seal.hex(), "parts": _parts_list(fair.parts)}


def _parts_list(parts: Iterable[Part]) -> list[str | None]:
    return [None if part is None else part.hex() for part in parts]


def cards_text(cards: Iterable[Card]) -> str:
    """The codes of the cards, in their order: `QS 2C`."""
    return " ".join(map(card_text, cards))


def parse_record(text: str) -> Record:
    """The record in `text`. Raises NotARecord at the first fault of form; nothing is guessed or ignored."""
    whole = _typed(_parse_json(text), dict, "the record", "an object")
    version = whole.get("version")
    added = ("at_once", "fair") if version == 3 else ("at_once",) if version == 2 else ()
    _check_fields(whole, "the record", ("format", "version", "rules", "players", *added, "hands"))
    if whole["format"] != FORMAT:
        raise NotARecord(f"format must be {FORMAT!r}")
    if type(whole["version"]) is not int or whole["version"] not in VERSIONS:
        raise NotARecord("version must be 1, 2 or 3")
    rules = _parse_rules(whole["rules"])
    at_once = _parse_at_once(whole.get("at_once", 1), rules)
    players = _parse_players(whole["players"], rules)
    hands = _typed(whole["hands"], list, "hands", "a list")
    fair = _parse_fair(whole["fair"], rules.players) if "fair" in whole else None
    parsed = tuple(_parse_hand(hand, f"hand {number}", rules, fair is not None) for number, hand in enumerate(hands, 1))
    return Record(rules, players, parsed, at_once, fair)


def _parse_json(text: str) -> object:
    try:
        return json.loads(text, object_pairs_hook=_once_each, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise NotARecord(f"not a game record: {error}") from error


def _once_each(pairs: list[tuple[str, object]]) -> dict[str, object]:
    mapping = dict(pairs)
    if len(mapping) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the field {twice!r} is there twice")
    return mapping


def _refuse_constant(constant: str) -> object:
    raise ValueError(f"{constant} is no number of JSON")


def _typed(value: object, kind: type[_T], where: str, words: str) -> _T:
    """`value`, if its type is exactly `kind` (so that true is no number). Raises NotARecord."""
    if type(value) is not kind:
        raise NotARecord(f"{where} must be {words}")
    return value


def _check_fields(
    mapping: Mapping[str, object], where: str, needed: Sequence[str], optional: Sequence[str] = ()
) -> None:
    for name in needed:
        if name not in mapping:
            raise NotARecord(f"{where} lacks the field {name!r}")
    for name in mapping:
        if name not in needed and name not in optional:
            raise NotARecord(f"{where} has a field {name!r}, which no record has")


def _parse_rules(value: object) -> Rules:
    try:
        return parse_rules(_typed(value, dict, "rules", "an object"))
    except BadRules as error:
        raise NotARecord(f"rules: {error}") from error


def _parse_at_once(value: object, rules: Rules) -> int:
    allowed = hands_at_once(rules)
    if type(value) is not int or value not in allowed:
        raise NotARecord(f"at_once must be {' or '.join(map(str, allowed))} under these rules")
    return value


def _parse_players(value: object, rules: Rules) -> tuple[str, ...]:
    names = tuple(_typed(name, str, "each of players", "a name") for name in _typed(value, list, "players", "a list"))
    if len(names) != rules.players:
        raise NotARecord(f"players must be {rules.players} names, as the rules say, not {len(names)}")
    if any("\ud800" <= letter <= "\udfff" for name in names for letter in name):
        raise NotARecord("players must be names that can be written: one holds half a character")
    return names


def _parse_fair(value: object, players: int) -> FairGame:
    fair = _typed(value, dict, "fair", "an object")
    _check_fields(fair, "fair", ("version", "root", "parts"))
    if type(fair["version"]) is not int or fair["version"] != VERSION:
        raise NotARecord(f"fair: version must be {VERSION}")
    return FairGame(_parse_digest(fair["root"], "fair: root"), _parse_parts(fair["parts"], "fair: parts", players))


def _parse_fair_hand(value: object, where: str, players: int) -> FairHand:
    fair = _typed(value, dict, where, "an object")
    _check_fields(fair, where, ("leaf", "secret", "path"), ("parts",))
    leaf = _typed(fair["leaf"], int, f"{where}: leaf", "a whole number")
    if not 0 <= leaf < HANDS * ERAS:
        raise NotARecord(f"{where}: leaf must be a whole number from 0 to {HANDS * ERAS - 1}")
    path = _typed(fair["path"], list, f"{where}: path", "a list")
    if len(path) != STEPS:
        raise NotARecord(f"{where}: path must have {STEPS} steps")
    steps = tuple(_parse_digest(step, f"{where}: path") for step in path)
    parts = _parse_parts(fair["parts"], f"{where}: parts", players) if "parts" in fair else None
    return FairHand(Proof(leaf, _parse_digest(fair["secret"], f"{where}: secret"), steps), parts)


def _parse_parts(value: object, where: str, players: int) -> tuple[Part, ...]:
    parts = _typed(value, list, where, "a list")
    if len(parts) != players:
        raise NotARecord(f"{where} must be a list of {players}")
    return tuple(None if part is None else _parse_digest(part, where) for part in parts)


def _parse_digest(value: object, where: str) -> bytes:
    if type(value) is not str or not _DIGITS.fullmatch(value):
        raise NotARecord(f"{where} must be {2 * DIGEST} digits of lower-case hex")
    return bytes.fromhex(value)


def _parse_hand(value: object, where: str, rules: Rules, proves: bool) -> RecordedHand:
    hand = _typed(value, dict, where, "an object")
    _check_fields(
        hand, where, ("dealer", "deal", "kitty", "plays"), ("passes", "moon", "fair") if proves else ("passes", "moon")
    )
    deal = _typed(hand["deal"], list, f"{where}: deal", "a list")
    parsed = RecordedHand(
        dealer=_typed(hand["dealer"], int, f"{where}: dealer", "a whole number"),
        deal=tuple(_parse_cards(cards, f"{where}: deal") for cards in deal),
        kitty=_parse_cards(hand["kitty"], f"{where}: kitty"),
        passes=_parse_passes(hand["passes"], f"{where}: passes") if "passes" in hand else None,
        plays=_parse_cards(hand["plays"], f"{where}: plays"),
        moon=_parse_moon(hand["moon"], f"{where}: moon") if "moon" in hand else None,
        fair=_parse_fair_hand(hand["fair"], f"{where}: fair", rules.players) if "fair" in hand else None,
    )
    if proves and [*deal, hand["kitty"]] != list(map(cards_text, (*parsed.deal, parsed.kitty))):
        raise NotARecord(f"{where}: one blank must stand between two cards")
    return parsed


def _parse_cards(value: object, where: str) -> _CardList:
    try:
        return tuple(map(parse_code, _typed(value, str, where, "a text of card codes").split()))
    except NotACard as error:
        raise NotARecord(f"{where}: {error}") from error


def _parse_passes(value: object, where: str) -> tuple[_CardList | None, ...]:
    passes = _typed(value, list, where, "a list")
    return tuple(None if cards is None else _parse_cards(cards, where) for cards in passes)


def _parse_moon(value: object, where: str) -> MoonChoice:
    if type(value) is str and value in tuple(MoonChoice):
        return MoonChoice(value)
    raise NotARecord(f"{where} must be add or subtract")
