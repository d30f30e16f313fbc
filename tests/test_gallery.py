"""The gallery shows every email and page, light and dark."""

from jinja2 import meta

from tests.gallery_site import app
from tests.samples.mails import mails
from tests.samples.pages import pages
from tests.samples.rendering import ROOT, environment
from webapp.inbox.answering import Reason
from webapp.models.mail import KINDS

client = app.test_client()


def test_the_gallery_lists_every_mail_and_page():
    index = client.get("/").text
    assert "mail-turn-following" in index
    assert "page-turn-following" in index


def test_the_gallery_writes_only_what_was_asked_for():
    index = client.get("/?with=turn-foll").text
    assert 'src="/mail-turn-following"' in index
    assert 'src="/mail-confirm"' not in index


def test_a_mail_and_a_page_are_rendered_dark_on_request():
    for name in ("mail-turn-following", "page-turn-following"):
        light, dark = client.get(f"/{name}").text, client.get(f"/{name}?dark=1").text
        assert light != dark
        assert "prefers-color-scheme" not in dark
    assert "@media all" in client.get("/dark/style.css").text


def test_a_mail_is_also_shown_as_plain_text():
    assert client.get("/mail-turn-following.txt").text.startswith("Subject: Ann's table: Your turn, trick 5")


def test_a_page_that_follows_a_game_hears_no_news():
    def asked(shown):
        return client.get("/play/x/now", headers={"Referer": f"http://localhost/{shown}"})

    news = asked("page-play-waiting")
    assert f'data-version="{news.json["version"]}"' in client.get("/page-play-waiting").text
    assert asked("page-home").status_code == 404


def test_an_unknown_name_is_not_found():
    assert client.get("/mail-nothing").status_code == client.get("/page-nothing").status_code == 404


def test_every_mail_and_every_reason_of_an_answer_has_samples():
    assert {kind for kind, _ in mails().values()} == {kind.value for kind in KINDS}
    assert {f"answer-{reason.replace('_', '-')}" for reason in Reason} - mails().keys() == set()


def test_every_page_template_has_a_sample_or_belongs_to_one():
    shown = {f"pages/{name}.html" for name, _ in pages().values()}
    open_ones = list(shown)
    while open_ones:
        source = (ROOT / "templates" / open_ones.pop()).read_text()
        parts = {part for part in meta.find_referenced_templates(environment().parse(source)) if part}
        open_ones += parts - shown
        shown |= parts
    assert {f"pages/{file.name}" for file in (ROOT / "templates" / "pages").iterdir()} - shown == set()
