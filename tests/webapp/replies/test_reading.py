"""How an email is classified, by the question, its sender, and the typed text."""

from dataclasses import replace

import pytest

from webapp.replies.reading import Asked, Classification, Envelope, read

ENVELOPE = Envelope("bo@example.org", "r-x@in.hearts.example")
TURN = Asked(1, 2, "trick 5", frozenset({"bo@example.org", "bo@work.example"}), ("KD", "5D"))
FORCED = replace(TURN, legal=("KD",))
PASS = replace(TURN, what="pass", legal=())
MOON = replace(TURN, what="moon", legal=())
SHEET = replace(TURN, what="sheet", legal=())
HOST = "mx.hearts.example"


def reading(text, asked=TURN, head="From: Bo <bo@example.org>", own_host=None):
    head += "\r\nContent-Type: text/plain; charset=utf-8"
    return read(f"{head}\r\nTo: x@in.hearts.example\r\n\r\n{text}\r\n".encode(), ENVELOPE, asked, None, own_host)


@pytest.mark.parametrize(
    ("text", "asked", "taken", "cards", "word"),
    [
        pytest.param("KD", TURN, "move", "KD", None, id="a card"),
        pytest.param("qs", TURN, "move", "QS", None, id="whether it may be played is not checked"),
        pytest.param("KD K♦", TURN, "move", "KD", None, id="the same card twice"),
        pytest.param("KD\nkd\n", TURN, "move", "KD", None, id="the same card on two lines"),
        pytest.param("KD\nthanks!\n", TURN, "move", "KD", None, id="a card, and thanks"),
        pytest.param("KD\nQS\n", TURN, "garbage", "", None, id="two cards"),
        pytest.param("pass KD", TURN, "garbage", "", None, id="to pass a card to a trick"),
        pytest.param("AS KS QS", PASS, "pass", "AS KS QS", None, id="three cards"),
        pytest.param("AS\nKS\nQS", PASS, "pass", "AS KS QS", None, id="three lines"),
        pytest.param("AS KS\nQS\nCheers", PASS, "pass", "AS KS QS", None, id="two lines"),
        pytest.param("AS KS\nor\nQS", PASS, "garbage", "", None, id="a word between"),
        pytest.param("AS KS", PASS, "garbage", "", None, id="too few"),
        pytest.param("AS KS QS JS", PASS, "garbage", "", None, id="too many"),
        pytest.param("play AS KS QS", PASS, "garbage", "", None, id="to play a pass"),
        pytest.param("QS QS AS", PASS, "pass", "QS QS AS", None, id="two packs"),
        pytest.param("AS", replace(PASS, pass_count=1), "pass", "AS", None, id="one card to pass"),
        pytest.param("AS\nKS QS\n2C 2D", replace(PASS, pass_count=5), "pass", "AS KS QS 2C 2D", None, id="five"),
        pytest.param("KD", SHEET, "garbage", "", None, id="a card to an email that asks nothing"),
        pytest.param("KD", MOON, "garbage", "", None, id="a card to a moon"),
        pytest.param("add", MOON, "command", "", "add", id="add"),
        pytest.param("subtract", MOON, "command", "", "subtract", id="subtract"),
        pytest.param("add", PASS, "garbage", "", None, id="add to a pass"),
        pytest.param("ok", FORCED, "command", "KD", "ok", id="ok, and one card"),
        pytest.param("yes", FORCED, "command", "KD", "ok", id="yes, and one card"),
        pytest.param("ok", TURN, "garbage", "", None, id="ok, and two cards"),
        pytest.param("ok", replace(TURN, legal=()), "command", "", "ok", id="ok, to an unknown question"),
        pytest.param("ok", PASS, "garbage", "", None, id="ok to a pass"),
        pytest.param("ok", SHEET, "garbage", "", None, id="ok to a sheet"),
        pytest.param("away", SHEET, "command", "", "away", id="away"),
        pytest.param("Back.", PASS, "command", "", "back", id="back"),
        pytest.param("UNSUBSCRIBE", MOON, "command", "", "stop", id="unsubscribe"),
        pytest.param("help\nKD", TURN, "command", "", "help", id="help comes first"),
        pytest.param("no idea\nKD", TURN, "garbage", "", None, id="the first line counts"),
        pytest.param("Hi,\n\nKD", TURN, "move", "KD", None, id="a greeting above"),
        pytest.param("Hallo Ann,\nguten Abend!\nKD\nBo", TURN, "move", "KD", None, id="two greetings"),
        pytest.param("Hello!", TURN, "garbage", "", None, id="a greeting alone"),
        pytest.param("Ah!", TURN, "garbage", "", None, id="an exclamation"),
        pytest.param("Ah!\nah", TURN, "garbage", "", None, id="two exclamations"),
        pytest.param("as\nKS QS", PASS, "pass", "AS KS QS", None, id="an ace in small letters beside others"),
        pytest.param("as\nah\nac", PASS, "pass", "AS AH AC", None, id="three aces in small letters"),
        pytest.param("as", replace(PASS, pass_count=1), "garbage", "", None, id="an ace in small letters alone"),
        pytest.param("", TURN, "empty", "", None, id="nothing"),
        pytest.param("> x", TURN, "quoted-only", "", None, id="a quotation"),
        pytest.param("KD", None, "move", "KD", None, id="a card, to an unknown question"),
        pytest.param("AS KS QS", None, "pass", "AS KS QS", None, id="three cards, to an unknown question"),
        pytest.param("add", None, "command", "", "add", id="add, to an unknown question"),
    ],
)
def test_typed_text_is_interpreted_by_the_question(text, asked, taken, cards, word):
    said = reading(text, asked)
    assert (said.classification, " ".join(said.cards), said.word) == (taken, cards, word)


@pytest.mark.parametrize(
    ("head", "taken"),
    [
        pytest.param("From: bo@example.org", "move", id="an address alone"),
        pytest.param("From: BO@Work.Example", "move", id="another of the player's addresses, in capitals"),
        pytest.param("From: =?utf-8?b?Qm8=?= <bo@example.org>", "move", id="a name in other letters"),
        pytest.param("Sender: eve@example.org\r\nFrom: bo@example.org", "move", id="Sender is not asked"),
        pytest.param("From: eve@example.org", "spoof", id="somebody else"),
        pytest.param("From: bo@example.org\r\nFROM: bo@example.org", "spoof", id="From twice"),
        pytest.param("From: bo@example.org, ann@example.org", "spoof", id="two writers"),
        pytest.param("From: Bo", "spoof", id="no address"),
        pytest.param("Subject: x", "spoof", id="no From"),
        pytest.param("From: bo@example.org.evil.example", "spoof", id="an address that goes on"),
        pytest.param("From: notbo@example.org", "spoof", id="an address that begins before"),
    ],
)
def test_only_the_player_of_the_seat_is_obeyed(head, taken):
    assert reading("KD", head=head).classification == taken


@pytest.mark.parametrize(
    ("verdicts", "taken"),
    [
        pytest.param(["mx.hearts.example; dmarc=fail"], "spoof", id="fail"),
        pytest.param(["MX.Hearts.Example 1; spf=pass; DMARC = FAIL (p=reject)"], "spoof", id="fail, written otherwise"),
        pytest.param(["mx.hearts.example; dmarc=pass"], "move", id="pass"),
        pytest.param(["mx.hearts.example; dmarc=none"], "move", id="none"),
        pytest.param(["mx.hearts.example; none"], "move", id="no verdict"),
        pytest.param(["mx.elsewhere.example; dmarc=fail"], "move", id="of another server"),
        pytest.param(["mx.hearts.example.evil.example; dmarc=fail"], "move", id="of a server named alike"),
        pytest.param(
            ["mx.hearts.example; dmarc=pass", "mx.hearts.example; dmarc=fail"], "spoof", id="of two of our programs"
        ),
        pytest.param(["mx.hearts.example; dmarc=fail", "mx.hearts.example; dmarc=pass"], "spoof", id="pass below"),
        pytest.param(["mx.hearts.example (x; y) ; dmarc=fail"], "spoof", id="a comment behind the name"),
        pytest.param(["mx.hearts.example; spf=pass (; dmarc=fail)"], "move", id="fail in a comment"),
        pytest.param(['mx.hearts.example; spf=pass reason="; dmarc=fail"'], "move", id="fail in quotes"),
        pytest.param(["mx.hearts.example/4C1D; dmarc=fail"], "spoof", id="with the number of a job"),
        pytest.param(["mx.a.example; none", "mx.hearts.example; dmarc=fail"], "move", id="below another server's"),
        pytest.param(["", "mx.hearts.example; dmarc=fail"], "move", id="an empty one on top"),
    ],
)
def test_the_topmost_verdict_of_our_own_server_counts(verdicts, taken):
    head = "".join(f"Authentication-Results: {verdict}\r\n" for verdict in verdicts) + "From: bo@example.org"
    assert reading("KD", head=head, own_host=HOST).classification == taken
    assert reading("KD", head=head).classification is Classification.MOVE


def test_machines_are_recognized_before_their_sender_is_checked():
    assert (
        reading("KD", head="From: eve@example.org\r\nAuto-Submitted: auto-replied").classification
        is Classification.AUTOREPLY
    )


def test_a_reading_has_the_documented_json_form():
    assert reading("kd").mapping() == {
        "class": "move",
        "cards": ["KD"],
        "seat": 1,
        "turn": {"hand": 2, "what": "trick 5"},
        "word": None,
        "why": "KD was typed",
    }
    assert reading("x", None).mapping()["turn"] is None


def test_the_classifications_have_the_documented_names():
    assert " ".join(Classification) == "move pass command autoreply bounce empty quoted-only garbage spoof"


@pytest.mark.parametrize(
    ("own", "sender", "is_played"),
    [
        pytest.param("bo@example.org", "Bo <BO+phone@example.org>", True, id="a plus address"),
        pytest.param("bo.jansen@gmail.com", "bojansen@googlemail.com", True, id="Gmail's other spelling"),
        pytest.param("bo@exämple.org", "bo@xn--exmple-cua.org", True, id="the domain in ASCII"),
        pytest.param("bo@xn--exmple-cua.org", "bo@exämple.org", True, id="the domain in letters"),
        pytest.param("bo@example.org", "eve+bo@example.org", False, id="another name"),
    ],
)
def test_an_answer_from_another_spelling_of_the_address_is_read(own, sender, is_played):
    asked = Asked(1, 2, "trick 5", frozenset({own}))
    raw = f"From: {sender}\nSubject: Re: Your turn\n\nKD\n".encode()
    found = read(raw, Envelope("bo@example.org", "r-x@in.hearts.example"), asked, None).classification
    assert (found is Classification.MOVE) is is_played


HANDS = replace(PASS, hand=1, others=(replace(PASS, hand=2), replace(PASS, hand=3), replace(TURN, hand=4)))


@pytest.mark.parametrize(
    ("text", "hands"),
    [
        pytest.param("4H 6H 9H\nhand 2 8H TH QH\nhand 3 9S TH AH", ["4H 6H 9H", "2 8H TH QH", "3 9S TH AH"], id="all"),
        pytest.param("Hi,\n4H 6H 9H\nHand 2: 8H TH QH.\n", ["4H 6H 9H", "2 8H TH QH"], id="below a greeting"),
        pytest.param("4H\n6H\n9H\nhand 2\n8H\nTH\nQH", ["4H 6H 9H", "2 8H TH QH"], id="a card a line"),
        pytest.param("4H 6H 9H, hand 2 8H TH QH hand 4 as", ["4H 6H 9H", "2 8H TH QH", "4 AS"], id="on one line"),
        pytest.param("hand 2 8H TH QH\nhand 1 4H 6H 9H", ["2 8H TH QH", "4H 6H 9H"], id="in any order"),
        pytest.param("4H 6H\nhand 2 8H TH QH", ["", "2 8H TH QH"], id="too few cards in the first"),
        pytest.param("4H 6H 99\nhand 2 8H TH QH\nhand 3 AS?", ["", "2 8H TH QH", "3"], id="unclear ones"),
        pytest.param("4H 6H 9H\nhand 5 QS", ["4H 6H 9H", "5"], id="a hand that asks nothing"),
        pytest.param("4H 6H 9H\nhand 2 8H TH QH\nhand 2 8H TH AH", ["4H 6H 9H", "2", "2"], id="two for one hand"),
        pytest.param("4H 6H 9H\nhand 2 away", ["4H 6H 9H", "2"], id="a command below"),
        pytest.param("away\nhand 2 8H TH QH", ["away"], id="a command first"),
        pytest.param("4H 6H 9H\nhand 5 was fun", ["4H 6H 9H"], id="words about a hand"),
        pytest.param("4H 6H 9H\nI like my hand 2\nhand 2 8H TH QH", ["4H 6H 9H", "2 8H TH QH"], id="words between"),
        pytest.param("What would you do?\nhand 2 8H TH QH", [""], id="words first"),
        pytest.param("4H 6H 9H\n\n> hand 2 8H TH QH\n", ["4H 6H 9H"], id="a quoted answer"),
    ],
)
def test_each_line_answers_the_hand_that_it_names(text, hands):
    said = reading(text, HANDS)
    read_as = [
        " ".join([*([str(one.hand)] if one.hand else []), *(one.cards or [one.word or ""])]).strip()
        for one in (said, *said.more)
    ]
    assert read_as == hands


@pytest.mark.parametrize(
    ("language", "text", "asked", "cards", "several"),
    [
        ("fr", "7C", TURN, "", "7C 7H"),
        ("fr", "D♠", TURN, "QS", ""),
        ("fr", "AS\nKS\n7C", PASS, "", "7C 7H"),
        ("de", "PD", TURN, "", "QC QS"),
        ("nl", "schoppenvrouw\n> KD", TURN, "QS", ""),
        ("ja", "ラウンド2 ♠Q♥10♦A", PASS, "QS TH AD", ""),
        ("en", "7C", TURN, "7C", ""),
    ],
)
def test_cards_are_read_in_the_language_of_their_player(language, text, asked, cards, several):
    said = reading(text, replace(asked, language=language))
    assert (" ".join(said.cards), " ".join(said.choices)) == (cards, several)


@pytest.mark.parametrize("text", ["yes: a line", "Sí: a line", "oui : a line", "はい：a line"])
def test_words_for_the_shuffle_stand_behind_any_yes(text):
    said = reading(text, replace(TURN, what="invitation"))
    assert (said.word, said.shuffle) == ("ok", "a line")


def test_hours_and_days_are_no_cards_outside_english():
    assert (reading("8h", replace(TURN, language="fr")).doubtful, reading("8h").cards) == ("8H", ("8H",))
