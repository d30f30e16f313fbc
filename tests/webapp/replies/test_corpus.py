"""The corpus: mails as they come in from people, programs and servers, each with its classification."""

import json
from pathlib import Path

from tests.every import of_every
from webapp.replies.reading import Asked, Classification, Envelope, read

CORPUS = Path(__file__).parent / "corpus"
TABLE = json.loads((CORPUS / "readings.json").read_text(encoding="utf-8"))
MAILS = TABLE["mails"]
OWN_HOST = "mx.hearts.example"
every_mail = of_every(MAILS)


def asked(name):
    words = TABLE["asked"][name]
    return Asked(**{**words, "addresses": frozenset(words["addresses"]), "legal": tuple(words["legal"])})


def answered(name):
    return (CORPUS / "answered" / f"{name}.eml").read_bytes().decode()


def reading(name, *, answered):
    entry = MAILS[name]
    envelope = Envelope(entry["sender"], "r-token@in.hearts.example")
    return read((CORPUS / f"{name}.eml").read_bytes(), envelope, asked(entry["asked"]), answered, OWN_HOST)


@every_mail
def test_each_mail_is_classified_correctly(name):
    said = reading(name, answered=answered(MAILS[name]["asked"])).mapping()
    assert {key: said.get(key) for key in MAILS[name]["expected"]} == MAILS[name]["expected"], said["why"]
    assert (said["seat"], said["turn"]["hand"]) == (1, 2)


@every_mail
def test_without_the_answered_mails_text_nothing_more_is_played(name):
    """Bodies are kept for thirty days, and clients quote what they like."""
    expected = MAILS[name]["expected"]
    for other in (None, answered("moon" if MAILS[name]["asked"] != "moon" else "turn")):
        said = reading(name, answered=other).mapping()
        if said["class"] in (Classification.MOVE, Classification.PASS, Classification.COMMAND):
            assert {key: said[key] for key in expected} == expected
        elif expected["class"] in (Classification.BOUNCE, Classification.SPOOF):
            assert said["class"] == expected["class"]


@every_mail
def test_the_reason_reveals_nothing_of_the_mail(name):
    said = reading(name, answered=None)
    for secret in ("@", "http", "Bo", "555", "void"):
        assert secret not in said.why


def test_every_mail_in_the_folder_is_listed_in_the_table():
    assert sorted(path.stem for path in CORPUS.glob("*.eml")) == sorted(MAILS)


def test_the_corpus_covers_every_kind_of_mail():
    """At least as many mails, programs and languages as specified, and each class of them."""
    assert len(MAILS) >= 65
    assert len({entry["client"] for entry in MAILS.values()}) >= 10
    assert len({entry["language"] for entry in MAILS.values()}) >= 5
    assert {entry["expected"]["class"] for entry in MAILS.values()} == set(Classification)
