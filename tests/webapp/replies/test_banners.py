"""Banners of gateways above answers are not read; other lines above an answer still are."""

import pytest

from tests.every import of_every
from webapp.replies.lines import plain_lines
from webapp.replies.typed import top_lines, without_banner

BANNERS = [
    "[EXTERNAL EMAIL]",
    "[EXTERNAL]",
    "[EXT]",
    "(External Sender)",
    "*** EXTERNAL EMAIL ***",
    "==== External Mail ====",
    "| EXTERNAL EMAIL |",
    "⚠ [EXTERNAL EMAIL] ⚠",
    "[EXTERN]",
    "[Externe E-Mail]",
    "[Correo externo]",
    "[E-MAIL ESTERNA]",
    "【外部邮件】",
    "【社外メール】",
    "[외부 메일]",
    "[ВНЕШНЯЯ ПОЧТА]",
    "CAUTION: This email originated from outside of the organization. Do not click links or open attachments "
    "unless you recognize the sender.",
    "CAUTION: This email originated from outside of the organization. Do not\nclick links or open attachments unless "
    "you recognize the sender and\nknow the content is safe.",
    "EXTERNAL EMAIL: Do not click any links or attachments.",
    "This message was sent from outside your organization.",
    "WARNING: external sender!\nDo not click on links.",
    "________________________________\nCAUTION: External email\n________________________________",
    "**********************\n*** EXTERNAL MAIL ***\n**********************",
    "ACHTUNG: Diese E-Mail stammt von einem externen Absender. Bitte keine Anhänge öffnen.",
    "ATTENTION : ce courriel provient de l'extérieur de l'organisation.",
    "PRECAUCIÓN: este correo viene de fuera de la organización.",
    "ATENÇÃO: e-mail de remetente externo.",
    "ATTENZIONE: e-mail esterna. Non cliccare i link.",
    "LET OP: deze e-mail komt van buiten de organisatie.",
    "UWAGA: wiadomość pochodzi spoza organizacji.",
    "ВНИМАНИЕ: внешнее письмо.",
    "VARNING: detta mejl kommer utanför organisationen.",
    "注意：此邮件来自外部。",
    "注意：社外からのメールです。",
    "You don't often get email from bo@example.org. Learn why: https://aka.ms/LearnAboutSenderIdentification",
    "ZjQcmQRYFpfptBannerStart\nThis Message Is From an External Sender\nThis message came from outside "
    "your organization.\nZjQcmQRYFpfptBannerEnd",
]


def texts(text, recurring=frozenset()):
    return [line.text for line in without_banner(plain_lines(text), recurring) if line.text]


@of_every([(banner, between) for banner in BANNERS for between in ("\n", "\n\n", "\n\n\n")])
def test_the_banner_of_a_gateway_is_not_read(case):
    banner, between = case
    assert texts(f"{banner}{between}KD\n\nCheers\n") == ["KD", "Cheers"]
    assert texts(f"{banner}{between}Hi,\nKD") == ["Hi,", "KD"]


def test_a_tag_may_stand_on_the_line_of_the_answer():
    assert texts("[EXTERNAL EMAIL] KD\nCheers") == ["KD", "Cheers"]
    assert texts("[EXT]: Hi Ann,\nKD") == ["Hi Ann,", "KD"]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("What would you play?\nKD", id="a question"),
        pytest.param("Caution, I have the queen.\nKD", id="a warning of a player"),
        pytest.param("KD\n[EXTERNAL EMAIL]", id="a banner below"),
        pytest.param("[KD]", id="a card in brackets"),
        pytest.param("________________\nFrom: Bo\nSent: Monday\nTo: Ann\n\nQS", id="a quotation behind a rule"),
        pytest.param("Ext is my name\nKD", id="a word of a banner"),
    ],
)
def test_what_is_no_banner_is_left(text):
    assert texts(text) == [line for line in text.splitlines() if line]


def test_a_line_that_recurs_is_dropped_with_its_border():
    text = "-=-=-=-=-=-=-\nPlease think before you trust this sender\n-=-=-=-=-=-=-\n\nKD"
    assert texts(text, {"Please think before you trust this sender"}) == ["KD"]
    assert texts(text)[0] != "KD"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("Scanned by example.org\n\nKD", ["Scanned by example.org"]),
        ("Scanned\nby us\nKD\nCheers", ["Scanned", "by us"]),
        ("KD\nCheers", []),
        ("Scanned by example.org\n\nWhat is void?", []),
        ("On Monday Ann wrote:\n-----Original Message-----\nFrom: Bo\nKD", []),
        ("> Scanned\nKD", []),
    ],
)
def test_lines_above_an_answer_may_be_those_of_a_gateway(text, lines):
    assert list(top_lines(plain_lines(text))) == lines
