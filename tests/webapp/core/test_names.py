"""Names: which are accepted, and which are rejected with a message at every field for a name.

Names are in subjects and texts of mails to strangers, and mail programs make a link of any text that looks like
one.
"""

import pytest
from bs4 import BeautifulSoup

from tests.cast import NAMES, dump, open_table, opened, seat_link, seats, start_game
from tests.every import of_every
from tests.submitting import FORM
from tests.webapp.accounts.signed_in import let_in
from tests.webapp.tables import open_seats
from tests.webapp.tables.open_seats import PIP, join_path
from webapp.core.names import bare
from webapp.core.say import Refused
from webapp.core.tokens import HostLink, InvitationLink
from webapp.forms.fields import BadField, read_name
from webapp.forms.opening import OPEN_SEAT
from webapp.presentation.faces import avatars
from webapp.presentation.phrasing import shortened
from webapp.tables import lobby
from webapp.tables.seating import check_name
from worker.mail import empty_message, unencoded

NO_ADDRESS = "A name can't look like a web address, an email address or a phone number. Leave a space after a dot."
SEEN = "A name needs letters that can be seen."


@of_every(
    [
        *(
            "Ann",
            "Zoë",
            "O'Neil",
            "Ann-Kathrin",
            "Ann & Bo",
            "Ann/Bo",
            "Ann (mum)",
            "Bo, the elder",
            "Ann: the host",
            "Hope for All",
        ),
        *("St. John", "J.R.", "J. R. R. Tolkien", "J.R.R.", "Mr. Com", "Dr. Bo Ph.D.", "Bo jr.", "Bo Jr., MD", "A.-K."),
        *("Bo...", "...", "Bo.", ".de", "No. 10", "v1.25", "Awww.", "3.14", "B.o.", "M.C. Escher's", "J.R.'s Bo"),
        *("Ann2", "Ann1987", "Bo 123456", "Agent 007", "Ⅳ", "④"),
        *("Дмитрий", "美咲", "محمد", "שרה", "देवी", "สมชาย", "김민준", "Nguyễn Thị", "Ольга П.", "முருகன்", "佐藤。"),
        *("Zoe\u0308", "मि\u200dत्र", "می\u200cخواهم", "🙂", "👩\u200d🚀", "♠ Ann ♠", "\U0001d53e\U0001d560"),
        *(
            "Httpd",
            "Atsushi",
            "Wwwilma",
            "Colon : Ann",
            "Youri",
            "Robotka",
            "Pro Bot",
            "Queenie",
            "<b>Ann</b>",
            "{{ 7 * 7 }}",
        ),
    ]
)
def test_a_name_that_people_have_is_accepted_unchanged(name):
    assert bare(read_name(name)) == name


@of_every(
    [
        *("https://evil.example", "HTTP://x", "see ftp://x", "x://", "www.evil", "WWW.x", "Ann www. x", "www2.x"),
        *("evil.com", "Ann evil.com", "EVIL.COM/x", "win at bit.ly/x", "t.me/x", "a.b.co", "Ann.Club", "Mr.Com"),
        *("free-chips.xyz today", "(evil.app)", "evil.com.", "evil.museum", "пример.рф", "उदाहरण.भारत", "例子.公司"),
        *("x.xn--p1ai", "１．evil．ｃｏｍ", "evil․com", "ｗｗｗ．x", "x：／／y", "Anna.Maria", "Bo,evil.net,Cy"),
        *("ann@example.org", "Ann @ home", "@ann", "ann＠example", "Ann﹫home"),
        *("=?utf-8?q?evil=2Ecom?=", "=?utf-8?b?AGV2aWw=?="),
        *("+1 900 555 01 23", "call 0900-123456 7", "1234567", "٠١٢٣٤٥٦٧"),
    ]
)
def test_a_name_that_a_mail_program_would_link_is_refused(name):
    with pytest.raises(BadField) as refusal:
        read_name(name)
    assert str(refusal.value) == NO_ADDRESS


@pytest.mark.parametrize(
    "name",
    [
        *("\u3164", "\u115f", "\u1160", "\uffa0", "\u2800", "\u3164 \u2800", "\U0001d159"),
        *("\u0301", "\u0301\u0308", "\u20dd", "\ufe0f", "\u034f", "\u180b", "\U000e0100", "\u17b4", "\u200d\u0301"),
        *("\u200b", "\u00ad", "\u2060", "\ufeff", "\u2065", "\U000e0041"),
        *("Ann\u3164", "An\u2800n", "\u115fAnn", "Ann\u200b", "A\u00adnn"),
    ],
    ids=ascii,
)
def test_a_name_with_invisible_letters_is_refused(name):
    with pytest.raises(BadField) as refusal:
        read_name(name)
    assert str(refusal.value) == SEEN


def test_a_name_of_joiners_alone_is_none():
    with pytest.raises(BadField, match="Enter a name"):
        read_name("\u200d\u200c")


@of_every(
    [
        *("You", " YOU ", "Y\u200dou", "Y\u043eu", "Hearts by Mail", "Cy (winning)", "Ann (host)"),
        *("a robot, Pip", "R0b0t Pip", "Pip - a r.o.b.o.t", "The Host!", "Cy (you)", "Ann, Hearts by Mail"),
        *("QS", "q♠", "Q\u0405", "Jack of Hearts", "٦♣", "🃖", "sei di fiori", "Ah", "hand 2 QS", "Hello, 6C"),
        *("away", "AWAY!", "Stop.", "ok", "back", "Away for 2 weeks", "wait none", "\u0430way"),
    ]
)
def test_a_name_that_is_ours_or_answers_is_refused(name):
    with pytest.raises(BadField, match="something that we say about players"):
        read_name(name)


@pytest.mark.parametrize("name", ["\u0412\u043e", "B\u200do", "B\u03bf", "BO"], ids=ascii)
def test_a_look_alike_of_another_players_name_is_refused(runtime, name):
    table_id = open_table(runtime)
    with pytest.raises(Refused, match="has this name already"):
        check_name(read_name(name), seats(runtime, table_id))


def test_a_name_from_right_to_left_turns_nothing_round(runtime):
    name = read_name("\u05d3\u05df")
    assert name == "\u2068\u05d3\u05df\u2069"
    assert read_name(name) == name, "as a form gives it back"
    assert shortened(name * 20).count("\u2069") == shortened(name * 20).count("\u2068") == 1
    assert avatars([name])[0].letter == "\u05d3"


@pytest.mark.parametrize("name", ["=?utf-8?q?https=3A//evil.example?=", "=?utf-8?q?=00?=", "a\0b"])
def test_a_header_spells_no_encoded_word_out(name):
    message = empty_message("ann@example.org")
    message["Subject"] = unencoded(f"{name} leads")
    assert not [part for part in ("=?", "\0", "https://") if part in str(message["Subject"])]


def test_talk_cannot_consist_of_invisible_letters(runtime):
    from webapp.games import talk
    from webapp.models import Talk

    with pytest.raises(Refused, match="write what you want to say"):
        talk._read_line("\u3164 \u2800", Talk.TEXT, ())


def opening(runtime):
    return "/tables/new", {**FORM, "host_name": "evil.com"}


def opening_for_a_guest(runtime):
    return "/tables/new", {**FORM, "seat_1_name": "evil.com"}


def accepting(runtime):
    table_id = open_table(runtime, NAMES[:2], robots=2)
    link = InvitationLink(table_id, 1, seats(runtime, table_id)[1].player_id)
    return runtime.signer.local_url(link), {"answer": "accept", "name": "evil.com"}


def giving_a_declined_seat(runtime):
    table_id = open_table(runtime, NAMES[:2], robots=2)
    form = {"seat": "1", "kind": "player", "name": "evil.com", "address": "cy@example.org"}
    return f"{runtime.signer.local_url(seat_link(runtime, table_id, 0))}/fill", form


def giving_a_seat_in_a_game(runtime):
    stored = start_game(runtime).stored
    link = HostLink(stored.row.table_id, stored.seats[0].player_id)
    return f"{runtime.signer.local_url(link)}/fill", {
        "seat": "1",
        "kind": "player",
        "name": "evil.com",
        "address": "cy@example.org",
    }


def asking_for_an_open_seat(runtime):
    table_id = open_seats.open_table(runtime, OPEN_SEAT, PIP)
    return f"/lobby/{open_seats.code(runtime, table_id)}", {**open_seats.ASKING, "name": "evil.com"}


def taking_an_open_seat(runtime):
    table_id = open_seats.open_table(runtime, OPEN_SEAT, PIP)
    lobby.ask_for_seat(runtime, table_id, "Eve", "eve@example.org", "UTC", runtime.now())
    return join_path(runtime), {"name": "evil.com"}


@pytest.mark.parametrize(
    "form",
    [
        *(opening, opening_for_a_guest, accepting, giving_a_declined_seat, giving_a_seat_in_a_game),
        *(asking_for_an_open_seat, taking_an_open_seat),
    ],
)
def test_every_form_rejects_such_a_name_and_keeps_its_values(runtime, client, form):
    path, typed = form(runtime)
    if form is giving_a_seat_in_a_game:
        let_in(client, runtime, opened(runtime, HostLink, path).player_id)
    before = dump(runtime)
    response = client.post(path, data=typed)
    assert response.status_code == 400
    page = BeautifulSoup(response.data, "lxml")
    assert NO_ADDRESS in page.get_text(" ", strip=True)
    assert page.find("input", value="evil.com")
    assert dump(runtime) == before
