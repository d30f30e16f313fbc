"""`verify`: which deals of a record are proved to whom, and each way to tamper is refused at its spot."""

import copy
import json

import pytest

from hearts.__main__ import main
from hearts.fair import Secrets, digest_of, part_of
from hearts.record import NotARecord, parse_record
from hearts.rules import preset_rules
from hearts.verify import BadMailbox, Mailbox, Refused, verify
from tests.hearts import second_checker as second
from tests.hearts.fair_games import CLASSIC, PARTS, SEAL, WORDS, fair_game

LATE = (PARTS[0], part_of(SEAL, 1, "late but here"), *PARTS[2:])  # from hand 5 on somebody else has seat 1
MOVED = (part_of(SEAL, 0, "a newcomer's"), *PARTS[1:])
ANN = Mailbox(SEAL, 0, WORDS[0])
LISTS = Mailbox(SEAL, 0, WORDS[0], lists={1: digest_of(PARTS), 5: digest_of(LATE)})
DI = Mailbox(SEAL, 3, WORDS[3])
OTHER = Secrets(bytes(32))
SEVEN = preset_rules("kitty", players=7)
OF_SEVEN = [part_of(SEAL, seat, "seven") for seat in range(7)]


def after_four(parts):
    return lambda hand: PARTS if hand < 5 else parts


GOOD = fair_game(8, after_four(LATE), at_once=4)
LEFT = fair_game(8, after_four(MOVED), at_once=4)
RESTORED = fair_game(8, era=lambda hand: int(hand > 4), at_once=4)
EXTRA = fair_game(5)
KITTY = fair_game(2, lambda hand: OF_SEVEN, rules=SEVEN)


def found(record, box=ANN):
    return verify(parse_record(record if isinstance(record, str) else json.dumps(record)), box)


@pytest.mark.parametrize(
    ("record", "box"),
    [
        pytest.param(GOOD, LISTS, id="four hands at once, a guest from hand 5 on"),
        pytest.param(GOOD, Mailbox(SEAL, 1, " late  but here", since=5), id="the guest"),
        pytest.param(LEFT, Mailbox(SEAL, 0, WORDS[0], until=4), id="who left after hand 4"),
        pytest.param(RESTORED, Mailbox(SEAL, 3, WORDS[3], restored=[5]), id="a restore that the player knows of"),
        pytest.param(EXTRA, DI, id="one hand after the other"),
        pytest.param(KITTY, Mailbox(SEAL, 6, "seven"), id="a kitty, seven players"),
    ],
)
def test_a_player_who_gave_words_has_a_proof(record, box):
    verdict = found(record, box)
    assert (verdict.hands, verdict.missing) == (len(record["hands"]), ())
    assert second.check(record) == len(record["hands"])


@pytest.mark.parametrize(
    ("record", "box", "why"),
    [
        (GOOD, Mailbox(), "the seal may be any"),
        (GOOD, Mailbox(SEAL), "without words of yours"),
        (GOOD, Mailbox(None, 0, WORDS[0]), "the seal may be any"),
        (GOOD, Mailbox(SEAL, 1, " ", until=4), "without words of yours"),
        ({**GOOD, "hands": GOOD["hands"][:4]}, Mailbox(SEAL, 1, "late but here", since=5), "no hand from 5 on"),
        ({**GOOD, "hands": GOOD["hands"][:4]}, LISTS, "the record ends before hand 5"),
        ({**GOOD, "hands": [], "at_once": 4}, DI, "no hand from 1 on"),
    ],
)
def test_without_seal_words_or_hands_nothing_is_proved(record, box, why):
    assert any(why in reason for reason in found(record, box).missing)


@pytest.mark.parametrize(
    ("box", "note"),
    [
        (Mailbox(SEAL, 3, WORDS[3], before=digest_of([*PARTS[:3], None])), "you gave words last"),
        (Mailbox(SEAL, 0, WORDS[0], before=digest_of([None] * 4)), "others gave words after you"),
    ],
)
def test_a_player_learns_whether_others_gave_words_after_them(box, note):
    assert any(note in one for one in found(EXTRA, box).notes)


def test_words_that_change_are_named():
    assert found(GOOD, LISTS).notes == ("seat 1 gives words from hand 5 on",)


def flipped(text):
    return text[:-1] + format(int(text[-1], 16) ^ 1, "x")


def swapped(hand, one, other):
    """The same hand, in which two of its holders have exchanged a card."""
    held = [*(cards.split() for cards in hand["deal"]), hand["kitty"].split()]
    held[one][0], held[other][0] = held[other][0], held[one][0]
    *deal, kitty = map(" ".join, held)
    return {**hand, "deal": deal, "kitty": kitty}


def with_hand(record, number, **changes):
    hands = copy.deepcopy(record["hands"])
    hands[number - 1].update(changes)
    return {**record, "hands": hands}


def with_proof(number, **changes):
    return with_hand(GOOD, number, fair={**GOOD["hands"][number - 1]["fair"], **changes})


def fair_of(number):
    return GOOD["hands"][number - 1]["fair"]


def without_proof(number):
    record = copy.deepcopy(GOOD)
    del record["hands"][number - 1]["fair"]
    return record


def reordered():
    one, two, three, *rest = GOOD["hands"]
    return {**GOOD, "hands": [one, three, two, *rest]}


def stripped():
    hands = [{name: hand[name] for name in hand if name != "fair"} for hand in GOOD["hands"]]
    return {**{name: GOOD[name] for name in GOOD if name != "fair"}, "version": 2, "hands": hands}


TAMPERED = {
    "two seats exchange a card": (with_hand(GOOD, 2, **swapped(GOOD["hands"][1], 0, 2)), "hand 2: seat 0 had to get"),
    "a card goes into the kitty": (
        with_hand(KITTY, 1, **swapped(KITTY["hands"][0], 0, 7)), "hand 1: seat 0 had to get", Mailbox(SEAL, 6, "seven"),
    ),
    "another kitty": (with_hand(KITTY, 1, kitty="AS"), "hand 1: .* had to be left over", Mailbox(SEAL, 6, "seven")),
    "two seats exchange all cards": (
        with_hand(GOOD, 3, deal=GOOD["hands"][2]["deal"][::-1]), "hand 3: seat 0 had to get",
    ),
    "another seat deals": (with_hand(GOOD, 2, dealer=GOOD["hands"][0]["dealer"]), "hand 2: seat . had to deal"),
    "a bit of a secret": (with_proof(4, secret=flipped(fair_of(4)["secret"])), "hand 4: its secret is not under"),
    "the secret of another hand": (with_proof(2, secret=fair_of(3)["secret"]), "hand 2: its secret is not under"),
    "the whole proof of another hand": (
        with_hand(GOOD, 2, fair=fair_of(3)), "hand 2 was dealt with the secret of hand 3",
    ),
    "two hands change places": (reordered(), "hand 2 was dealt with the secret of hand 3"),
    "a bit of a path": (
        with_proof(1, path=[*fair_of(1)["path"][:-1], flipped(fair_of(1)["path"][-1])]),
        "hand 1: its secret is not under",
    ),
    "a path backwards": (with_proof(1, path=fair_of(1)["path"][::-1]), "hand 1: its secret is not under"),
    "a bit of the seal": ({**GOOD, "fair": {**GOOD["fair"], "root": flipped(SEAL.hex())}}, "the seal is not the one"),
    "all anew under another seal": (fair_game(4, secrets=OTHER), "the seal is not the one"),
    "her words left out": (fair_game(4, lambda hand: (None, *PARTS[1:])), "hand 1: your words are not in it"),
    "her words replaced": (fair_game(4, lambda hand: MOVED), "hand 1: your words are not in it"),
    "somebody else's words later": (LEFT, "hand 5: your words are not in it"),
    "another's words altered": (fair_game(8, lambda hand: LATE, at_once=4), "hand 1: the parts are not those", LISTS),
    "a part taken out": (
        fair_game(8, after_four((*PARTS[:2], None, PARTS[3])), at_once=4), "hand 5: the part of seat 2 was taken out",
    ),
    "parts change among hands dealt together": (
        fair_game(4, lambda hand: PARTS if hand < 3 else LATE, at_once=4), "hand 3: the parts may not change",
    ),
    "dealt again, and called restored": (RESTORED, "hand 5 was dealt after restore 1, and you name 0"),
    "from secrets opened before a restore": (
        GOOD, "hand 5 was dealt after restore 0", Mailbox(SEAL, 0, WORDS[0], restored=[5]),
    ),
    "a hand without its proof": (without_proof(5), "hand 5 has no proof"),
    "all proofs left out": (stripped(), "the record has no proof of its deals"),
    "the first hand left out": ({**GOOD, "hands": GOOD["hands"][1:]}, "hand 1 was dealt with the secret of hand 2"),
    "another pack": ({**GOOD, "rules": {**GOOD["rules"], "kitty": "first-trick"}}, "hand 1: "),
}  # fmt: skip


@pytest.mark.parametrize("name", TAMPERED)
def test_each_way_to_tamper_is_refused_at_its_spot(name):
    record, spot, box = (*TAMPERED[name], ANN)[:3]
    with pytest.raises(Refused, match=spot):
        found(record, box)


SEEN_BY_BOTH = [name for name, (record, *_) in TAMPERED.items() if "fair" in record and "together" not in name][:15]


@pytest.mark.parametrize("name", SEEN_BY_BOTH)
def test_the_second_program_refuses_the_same(name):
    record, box = TAMPERED[name][0], (*TAMPERED[name], ANN)[2] if len(TAMPERED[name]) > 2 else ANN
    with pytest.raises(second.Wrong):
        second.check(record, SEAL.hex(), box.seat, box.words)


TEXT = json.dumps(GOOD)


@pytest.mark.parametrize(
    ("record", "why"),
    [
        ({**GOOD, "version": 2}, "a field 'fair'"),
        ({name: GOOD[name] for name in GOOD if name != "at_once"}, "lacks the field 'at_once'"),
        ({name: GOOD[name] for name in GOOD if name != "fair"}, "lacks the field 'fair'"),
        ({**GOOD, "fair": {**GOOD["fair"], "version": True}}, "fair: version must be 1"),
        ({**GOOD, "fair": {**GOOD["fair"], "parts": [None] * 5}}, "fair: parts must be a list of 4"),
        (with_proof(1, leaf=False), "hand 1: fair: leaf must be a whole number"),
        (with_proof(1, leaf=4096), "leaf must be a whole number from 0 to 4095"),
        (with_proof(1, secret=fair_of(1)["secret"].upper()), "64 digits of lower-case hex"),
        (with_proof(1, secret=fair_of(1)["secret"][:-2]), "64 digits"),
        (with_proof(1, path=fair_of(1)["path"][1:]), "path must have 12 steps"),
        (with_proof(1, note="trust me"), "has a field 'note'"),
        (with_hand(GOOD, 1, kitty=" "), "one blank must stand between two cards"),
        (TEXT.replace(" ", "\u00a0"), "not a game record"),
        (TEXT.replace('"leaf": 0,', '"leaf": 0.0,'), "leaf must be a whole number"),
        (TEXT.replace('"root": ', f'"root": "{OTHER.seal.hex()}", "root": '), "there twice"),
    ],
)
def test_a_proof_of_another_form_is_no_record(record, why):
    with pytest.raises(NotARecord, match=why):
        found(record)


@pytest.mark.parametrize(
    "box", [Mailbox(SEAL, 4, "x"), Mailbox(SEAL, 1), Mailbox(SEAL, words="x"), Mailbox(SEAL, 0, "x", since=3, until=2)]
)
def test_options_that_do_not_fit_are_refused(box):
    with pytest.raises(BadMailbox):
        found(GOOD, box)


def test_a_hand_beyond_those_sealed_is_not_proved():
    short = [{**hand, "plays": ""} for hand in GOOD["hands"]]
    many = {**GOOD, "hands": [*GOOD["hands"], *short * 31, {**short[0], "fair": fair_of(1)}]}
    many["hands"] = [
        *GOOD["hands"],
        *[{name: hand[name] for name in hand if name != "fair"} for hand in many["hands"][8:]],
    ]
    assert "hand 257 is beyond the 256 that were sealed" in found(many).missing


def options_of(box):
    return ["--root", box.seal.hex(), "--seat", str(box.seat), "--words", box.words]


@pytest.mark.parametrize(
    ("record", "options", "status", "lines"),
    [
        (EXTRA, options_of(ANN), 0, ["deals: proved, 5 agree", "turns: 2"]),
        (EXTRA, [], 3, ["deals: not proved; the seal may be any", "turns: 2"]),
        (
            TAMPERED["two seats exchange a card"][0],
            options_of(ANN),
            1,
            ["deals: refused: hand 2", "turns: refused: hand 2"],
        ),
        (with_hand(EXTRA, 2, plays="2C 2C"), options_of(ANN), 1, ["deals: proved", "turns: refused: hand 2, trick 1"]),
    ],
)
def test_verify_prints_a_line_for_deals_and_one_for_turns(tmp_path, capsys, record, options, status, lines):
    (tmp_path / "game.json").write_text(json.dumps(record))
    assert main(["verify", str(tmp_path / "game.json"), *options]) == status
    said = capsys.readouterr().out.splitlines()
    assert [line[: len(start)] for line, start in zip(said, lines, strict=True)] == lines


@pytest.mark.parametrize("options", [["--seat", "7", "--words", "x"], ["--seat", "1"]])
def test_options_that_do_not_fit_are_errors_of_form(tmp_path, capsys, options):
    (tmp_path / "game.json").write_text(TEXT)
    assert main(["verify", str(tmp_path / "game.json"), *options]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_an_older_record_is_valid_without_a_proof():
    assert found(stripped(), Mailbox()).missing == ("this game has no seal",)
    assert parse_record(json.dumps(stripped())).rules == CLASSIC
