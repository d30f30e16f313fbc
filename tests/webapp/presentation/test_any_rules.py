"""How we play, for any combination of rules: it reads as if written by hand, and says what the rules do."""

import re

from hypothesis import given, settings

from tests.hearts.strategies import any_rules
from webapp.presentation.house_rules import how_we_play

WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"]
# By players: cards each, and the cards that are removed from one pack.
ONE_PACK = {
    3: (17, "without the two of diamonds,"),
    4: (13, None),
    5: (10, "without the two of clubs and the two of diamonds,"),
    6: (8, "without the three of clubs, the four of clubs, the two of diamonds and the three of diamonds,"),
    7: (7, "without the three of clubs, the two of diamonds and the three of diamonds,"),
}
KITTY = {3: (17, 1), 4: (12, 4), 5: (10, 2), 6: (8, 4), 7: (7, 3)}
TWO_PACKS = {6: (17, 2), 7: (14, 6), 8: (13, 0), 9: (11, 5), 10: (10, 4), 11: (9, 5)}


@settings(max_examples=200)
@given(any_rules())
def test_the_text_of_any_rules_consists_of_well_formed_sentences(rules):
    for section in how_we_play(rules):
        assert section.heading == section.heading.strip()
        for sentence in section.sentences:
            assert re.fullmatch(r"[A-Z].*[.]", sentence)
            assert not re.search(r"None|True|False|[{}<>_\\]|  | [.,:;]|[.]{2}|,,|\b1 (cards|points)\b|-\d", sentence)
            assert not re.search(r"\b(one|1) (cards|players|points)\b|\b(two|three|four|five) card\b", sentence)
        assert len(set(section.sentences)) == len(section.sentences)


@settings(max_examples=200)
@given(any_rules())
def test_the_text_agrees_with_the_rules(rules):
    """Counted again from the tables above."""
    text = {section.heading: section.text for section in how_we_play(rules)}
    check_cards(rules, text["Cards and seats"])
    check_passing(rules, text["Passing"])
    total = (13 + rules.queen_points) * rules.packs
    assert f"That makes {total} points in every hand." in text["Points"]
    worth = {total, 2 * total} if rules.sun else {total}
    assert set(map(int, re.findall(r"(\d+) points", text["Shooting the moon"]))) == worth
    assert (f"reaches {rules.target} points" in text["The end"]) == rules.may_reach_target
    assert ("The game ends after the hand" in text["The end"]) == (rules.hands == 0)
    assert ("Bonuses" in text) == bool(rules.jack_points or rules.no_tricks_bonus or rules.fifty_bonus)
    assert ("The kitty" in text) == (rules.kitty != "off")
    assert ("team" in text["The end"]) == rules.partnership
    assert ("broken" in str(text)) == ("after-broken" in (rules.hearts_lead, rules.queen_lead, rules.queen_discard))


def check_cards(rules, text):
    if rules.packs == 2:
        (each, over), removed = TWO_PACKS[rules.players], None
    elif rules.kitty != "off":
        (each, over), removed = KITTY[rules.players], None
    else:
        (each, removed), over = ONE_PACK[rules.players], 0
    assert f"ach of the {WORDS[rules.players]} players is dealt {each}" in text
    assert (f"the {WORDS[over]} left over" in text) if over else ("left over" not in text)
    assert (removed in text) if removed else ("without the" not in text)
    assert ("Two packs" in text) == (rules.packs == 2)


def check_passing(rules, text):
    if rules.passing == "none":
        assert "pass" in text
        assert "left" not in text
        return
    words = str(rules.passing).split("-")
    if rules.players % 2:
        words = [word for word in words if word != "across"]
    spelled_out = {"left": "to your left", "right": "to your right", "across": "across the table"}
    spelled_out["keep"] = "nothing is passed"
    found = re.findall("to your left|to your right|across the table|nothing is passed", text)
    assert found == [spelled_out[word] for word in words]
    assert f"pass {WORDS[rules.pass_count]} card" in text
