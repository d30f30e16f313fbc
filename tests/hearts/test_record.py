"""The form of a game record: JSON, fields, types, card codes, rules that fit together."""

import json
import random

import pytest

from hearts.check import record_turns
from hearts.deal import deal
from hearts.record import NotARecord, parse_record, record_of, record_text
from hearts.seats import Seat
from hearts.turns import Moon, MoonChoice
from tests.hearts.builders import random_games, rules_of

RULES = rules_of(passing="left", target=50)
CAST = ("Ann", "Bo", "Cy", "Di")


def fresh():
    """The record of one dealt hand, as a mapping for tests to damage."""
    return json.loads(record_text(record_of(RULES, CAST, [deal(RULES, Seat(3), random.Random(1))])))


def test_a_record_has_its_fields_in_a_fixed_order():
    turns = [turn for _, turn, _ in random_games(RULES, random.Random(1), 1)]
    mapping = json.loads(record_text(record_of(RULES, CAST, [*turns, Moon(Seat(0), MoonChoice.ADD)])))
    assert list(mapping) == ["format", "version", "rules", "players", "hands"]
    assert (mapping["format"], mapping["version"]) == ("hearts-record", 1)
    assert mapping["rules"] == {"preset": "classic", "players": 4, "target": 50, "passing": "left"}
    assert mapping["players"] == list(CAST)
    assert list(mapping["hands"][0]) == ["dealer", "deal", "kitty", "passes", "plays", "moon"]
    assert len(mapping["hands"][0]["plays"].split()) == 52


def test_passes_and_moon_are_omitted_where_there_are_none():
    assert list(fresh()["hands"][0]) == ["dealer", "deal", "kitty", "plays"]


def test_a_seat_that_has_not_passed_is_null():
    steps = list(random_games(RULES, random.Random(1), 1))[:3]
    record = record_of(RULES, CAST, [turn for _, turn, _ in steps])
    passes = json.loads(record_text(record))["hands"][0]["passes"]
    assert [cards is None for cards in passes].count(True) == 2


@pytest.mark.parametrize("names", [CAST, ("Ann", "Bø", "Česká", "迪"), ("", " ", '"', "\n")])
def test_writing_reading_and_writing_gives_the_same_bytes(names):
    turns = [turn for _, turn, _ in random_games(RULES, random.Random(2), 3)]
    for upto in (0, 1, 3, 30, len(turns)):
        text = record_text(record_of(RULES, names, turns[:upto]))
        assert record_text(parse_record(text)) == text


def test_cards_may_be_in_any_order_and_keep_it():
    mapping = fresh()
    cards = mapping["hands"][0]["deal"][0].split()
    mapping["hands"][0]["deal"][0] = " ".join(reversed(cards))
    record = parse_record(json.dumps(mapping))
    assert json.loads(record_text(record)) == mapping
    assert record_turns(record) == record_turns(parse_record(json.dumps(fresh())))


def test_without_a_preset_the_rules_are_classic():
    mapping = fresh()
    mapping["rules"] = {"target": 77}
    assert parse_record(json.dumps(mapping)).rules == rules_of(target=77, passing="left-right-across-keep")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "not a game record: Expecting value"),
        ("{", "not a game record"),
        ("[" * 100_000, "not a game record"),
        ('{"format": "hearts-record", "format": "hearts-record"}', "the field 'format' is there twice"),
        ('{"version": NaN}', "NaN is no number of JSON"),
        ("\ufeff{}", "not a game record"),
        ('{"version": 1' + "0" * 5000 + "}", "not a game record"),
        ("[]", "the record must be an object"),
        ("null", "the record must be an object"),
        ("{}", "the record lacks the field 'format'"),
    ],
)
def test_a_text_that_is_no_json_object_is_rejected(text, sentence):
    with pytest.raises(NotARecord, match=sentence):
        parse_record(text)


FAULTS = [
    ("format", "chess", "format must be 'hearts-record'"),
    ("format", None, "format must be"),
    ("version", 4, "version must be 1, 2 or 3"),
    ("version", 2, "the record lacks the field 'at_once'"),
    ("at_once", 1, "the record has a field 'at_once', which no record has"),
    ("version", "1", "version must be 1"),
    ("version", True, "version must be 1"),
    ("version", 1.0, "version must be 1"),
    ("rules", "classic", "rules must be an object"),
    ("rules", {"preset": "chess"}, "rules: preset must be classic"),
    ("rules", {"preset": None}, "rules: preset must be classic"),
    ("rules", {"players": "4"}, "rules: players must be a whole number"),
    ("rules", {"players": 8}, "rules: 8 players need two packs"),
    ("rules", {"partnership": 1}, "rules: partnership must be false or true"),
    ("rules", {"target": 100.0}, "rules: target must be a whole number"),
    ("rules", {"house": "yes"}, "rules: there is no option 'house'"),
    ("rules", {"preset": "cancellation"}, "rules: the preset cancellation must be told how many play"),
    ("players", "Ann", "players must be a list"),
    ("players", ["Ann", "Bo", "Cy"], "players must be 4 names"),
    ("players", ["Ann", "Bo", "Cy", 4], "each of players must be a name"),
    ("players", ["Ann", "Bo", "Cy", "\ud800"], "half a character"),
    ("hands", {}, "hands must be a list"),
    ("hands", None, "hands must be a list"),
    ("hands", [[]], "hand 1 must be an object"),
    ("hands", [{}], "hand 1 lacks the field 'dealer'"),
    ("event", "a Friday", "the record has a field 'event', which no record has"),
]


@pytest.mark.parametrize(("field", "value", "sentence"), FAULTS)
def test_an_error_of_form_is_rejected(field, value, sentence):
    with pytest.raises(NotARecord, match=sentence):
        parse_record(json.dumps({**fresh(), field: value}))


@pytest.mark.parametrize("field", ["format", "version", "rules", "players", "hands"])
def test_a_record_with_a_missing_field_is_rejected(field):
    mapping = fresh()
    del mapping[field]
    with pytest.raises(NotARecord, match=f"the record lacks the field '{field}'"):
        parse_record(json.dumps(mapping))


HAND_FAULTS = [
    ("dealer", "3", "hand 1: dealer must be a whole number"),
    ("dealer", True, "hand 1: dealer must be a whole number"),
    ("dealer", 3.0, "hand 1: dealer must be a whole number"),
    ("dealer", None, "hand 1: dealer must be a whole number"),
    ("deal", "2C", "hand 1: deal must be a list"),
    ("deal", ["2C", None, "", ""], "hand 1: deal must be a text of card codes"),
    ("deal", [["2C"], "", "", ""], "hand 1: deal must be a text of card codes"),
    ("deal", ["10C", "", "", ""], "hand 1: deal: '10C' is not a card"),
    ("deal", ["2c", "", "", ""], "hand 1: deal: '2c' is not a card"),
    ("deal", ["2♣", "", "", ""], "hand 1: deal: '2♣' is not a card"),
    ("kitty", None, "hand 1: kitty must be a text of card codes"),
    ("kitty", "joker", "hand 1: kitty: 'joker' is not a card"),
    ("passes", "AS", "hand 1: passes must be a list"),
    ("passes", None, "hand 1: passes must be a list"),
    ("passes", [3, None, None, None], "hand 1: passes must be a text of card codes"),
    ("passes", ["AS KS Q", None, None, None], "hand 1: passes: 'Q' is not a card"),
    ("plays", ["2C"], "hand 1: plays must be a text of card codes"),
    ("plays", "2C,3C", "hand 1: plays: '2C,3C' is not a card"),
    ("plays", None, "hand 1: plays must be a text of card codes"),
    ("moon", "smart", "hand 1: moon must be add or subtract"),
    ("moon", None, "hand 1: moon must be add or subtract"),
    ("moon", [], "hand 1: moon must be add or subtract"),
    ("note", "", "hand 1 has a field 'note', which no record has"),
]


@pytest.mark.parametrize(("field", "value", "sentence"), HAND_FAULTS)
def test_an_error_of_form_in_a_hand_is_rejected(field, value, sentence):
    mapping = fresh()
    mapping["hands"][0][field] = value
    with pytest.raises(NotARecord, match=sentence):
        parse_record(json.dumps(mapping))


@pytest.mark.parametrize("field", ["dealer", "deal", "kitty", "plays"])
def test_a_hand_with_a_missing_field_is_rejected(field):
    mapping = fresh()
    del mapping["hands"][0][field]
    with pytest.raises(NotARecord, match=f"hand 1 lacks the field '{field}'"):
        parse_record(json.dumps(mapping))
