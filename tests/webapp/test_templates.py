"""The templates of every page and mail, rendered in every state: what must hold for each of them."""

import re
from typing import Any

from bs4 import BeautifulSoup, Tag
from lxml.html import HtmlElement, tostring

from tests.every import of_every
from tests.samples.cast import CROWD, NASTY
from tests.samples.rendering import environment
from tests.webapp.rendered import MAILS, PAGES, mail, mail_tree, page, page_tree

CARD = re.compile(r"(10|[2-9JQKA])([♣♦♠♥])")
CODE = re.compile(r"\b([2-9TJQKA][CDSH])\b")
BLAME = re.compile(r"cost about|too dear|robot would have|robot's opinion|Its advice", re.IGNORECASE)
ADDRESSED = {
    "cost about": r"(?:Your|Passing) [^.;]* cost about \d+ points? \(only you are told\)",
    "too dear": r": you (?:played|passed|chose)[^:]* too dear",
    "robot's opinion": r"robot's opinion\s+only you see it\s+You (?:played|passed|chose)",
}
LARGEST_MAIL = 40_000  # mail programs cut longer ones off
WORDS = "//text()[not(parent::script or parent::style)]"
NAMES = {*CROWD, *(f"{name}'s table" for name in CROWD)}
# What programs may translate: all but the words of a player, and a heading that may be a name or a sentence.
TRANSLATED = "//body//text()[not(ancestor::*[@translate='no' or self::bdi or @dir or self::h1[@tabindex]])]"
REPLY = re.compile(r"“(yes|no|back|stop|away|cards|score|help|wait \w+|hand 2)\b")
NO_LINKS = "telephone=no, date=no, address=no, email=no"


def soup(html: str) -> BeautifulSoup:
    return BeautifulSoup(html, "lxml")


def shown_cards(text: str) -> set[tuple[str, ...]]:
    return set(CARD.findall(text))


def words(tree: HtmlElement) -> str:
    return " ".join(tree.xpath(WORDS))


def check_no_program_changes_it(tree: HtmlElement) -> None:
    """No program translates what is only a card or a name."""
    said = {text.strip(" \n.,:;()“”") for text in tree.xpath(TRANSLATED)}
    assert not {text for text in said if text in NAMES or CARD.fullmatch(text) or CODE.fullmatch(text)}


# pages


@of_every(PAGES)
def test_no_program_translates_a_pages_cards_and_names(name: str) -> None:
    check_no_program_changes_it(page_tree(name))


@of_every(PAGES)
def test_a_page_obeys_its_content_security_policy(name: str) -> None:
    """Nothing inline, nothing from elsewhere: the policy sent with the page would block that."""
    tree = page_tree(name)
    assert not tree.xpath("//style | //@style | //@*[starts-with(name(), 'on')]")
    scripts = tree.xpath("//script")
    assert all(script.get("src", "").startswith("/static/") and not script.text for script in scripts)
    assert all(source.startswith(("/static/", "about:blank")) for source in tree.xpath("//@src"))
    assert all(link.attrib["href"].startswith(("/static/", "/manifest.webmanifest?")) for link in tree.xpath("//link"))


@of_every(PAGES)
def test_a_page_has_a_title_one_heading_and_unique_ids(name: str) -> None:
    tree = page_tree(name)
    assert len(tree.xpath("//h1")) == 1
    assert len(tree.findtext(".//title")) > len(" · Hearts by Mail")
    ids = tree.xpath("//@id")
    assert len(ids) == len(set(ids))


@of_every(PAGES)
def test_every_field_of_a_page_has_a_label(name: str) -> None:
    tree = page_tree(name)
    labelled = set(tree.xpath("//label/@for"))
    for field in tree.xpath("(//input | //select)[not(@type = 'hidden' or ancestor::label)]"):
        assert field.get("id") in labelled, tostring(field)


@of_every(PAGES)
def test_every_description_that_a_field_names_exists(name: str) -> None:
    tree = page_tree(name)
    ids = set(tree.xpath("//@id"))
    assert all(ids.issuperset(described.split()) for described in tree.xpath("//@aria-describedby"))


@of_every([name for name, (template, _) in PAGES.items() if template == "turn"])
def test_a_turn_page_offers_only_the_legal_cards(name: str) -> None:
    _, context = PAGES[name]
    found = soup(page(name))
    offered = found.find_all("input", attrs={"name": "card"})
    assert {one["type"] for one in offered} == {"radio"}
    assert {one["value"] for one in offered} == {face.code for face in context["sheet"].legal_faces}
    assert {one["value"] for one in offered if one.has_attr("checked")} == set(context["chosen"])
    assert [one["value"] for one in found.find_all("input", attrs={"name": "way"})] == ["page"]
    assert [button.select_one(".plays").text for button in found.form.find_all("button")] == ["Play a card"]


@of_every([name for name, (template, _) in PAGES.items() if template == "turn"])
def test_an_illegal_card_says_why(name: str) -> None:
    _, context = PAGES[name]
    spoken = {tag.text for tag in soup(page(name)).select("form .dead .spoken")}
    barred = {held.spoken for row in context["sheet"].suits for held in row.cards if not held.legal}
    assert spoken == barred
    assert all(". Not now: " in words for words in barred)


@of_every([name for name, (template, _) in PAGES.items() if template == "pass"])
def test_a_pass_page_offers_every_held_card(name: str) -> None:
    _, context = PAGES[name]
    offered = soup(page(name)).find_all("input", attrs={"name": "card", "type": "checkbox"})
    held = [one.face.code for row in context["sheet"].suits for one in row.cards]
    assert [one["value"] for one in offered] == held
    assert sorted(one["value"] for one in offered if one.has_attr("checked")) == sorted(context["chosen"])


def test_as_many_equal_cards_are_chosen_as_before() -> None:
    template, context = PAGES["pass-eleven"]
    twins = next(one for row in context["sheet"].suits for one in row.cards if one.copies == 2)
    for chosen in ([twins.face.code], [twins.face.code] * 2):
        html = environment().get_template(f"pages/{template}.html").render({**context, "chosen": chosen})
        boxes = soup(html).find_all("input", attrs={"value": twins.face.code})
        assert sum(box.has_attr("checked") for box in boxes) == len(chosen)


def test_a_moon_page_offers_both_choices() -> None:
    offered = soup(page("moon")).find_all("input", attrs={"name": "moon"})
    assert [one["value"] for one in offered] == ["add", "subtract"]
    assert [one.has_attr("checked") for one in offered] == [True, False]


def test_an_error_is_shown_above_the_form_and_its_field() -> None:
    _, context = PAGES["open-table-errors"]
    found = soup(page("open-table-errors"))
    alarm = found.find(role="alert")
    assert isinstance(alarm, Tag)
    for name, sentence in context["form"].errors.items():
        link = alarm.find("a", href=f"#{name}")
        field = found.find(id=name)
        assert isinstance(link, Tag)
        assert isinstance(field, Tag)
        assert link.text == sentence
        assert found.text.count(sentence) == 2


def test_the_table_form_shows_the_previous_choice() -> None:
    found = soup(page("open-table-errors"))
    checked = {(one["name"], one["value"]) for one in found.find_all("input", checked=True)}
    assert checked == {("preset", "classic"), ("by", "names"), ("when", "mail"), ("length", "round")}
    selected = {one.find_parent("select")["name"]: one["value"] for one in found.find_all("option", selected=True)}
    chosen = {name: value for name, value in selected.items() if value}
    kinds = {f"seat_{number}_kind": kind for number, kind in enumerate(("player", "player", "robot", "none"), start=1)}
    assert chosen == {**kinds, "time_zone": "UTC", "pass_time": "86400", "play_time": "43200", "live_time": "30"}


def test_a_mailbox_page_frames_html_without_letting_it_run() -> None:
    frame = soup(page("mailbox-letter-html")).find("iframe")
    assert isinstance(frame, Tag)
    assert "allow-scripts" not in frame["sandbox"]
    assert "allow-forms" not in frame["sandbox"]


@of_every([name for name in PAGES if "nasty" in name])
def test_a_name_is_always_escaped(name: str) -> None:
    assert "<b>" not in page(name)
    assert "49" not in soup(page(name)).get_text()


@of_every([name for name in PAGES if name.startswith("shared")])
def test_a_public_page_names_no_culprit_address_or_seat_link(name: str) -> None:
    assert not BLAME.search(soup(page(name)).get_text(" "))
    assert "@" not in page(name)
    assert not re.search("/(seat|play|turn|relive|again|host)/", page(name))


@of_every([name for name in PAGES if name.startswith("shared") and name != "shared-hand"])
def test_tags_for_other_sites_have_absolute_addresses_and_equal_words(name: str) -> None:
    tags = {tag.get("property") or tag.get("name"): tag["content"] for tag in soup(page(name)).select("meta[content]")}
    assert all(tags[key].startswith("https://hearts.example/shared/") for key in ("og:url", "og:image"))
    assert tags["og:title"] == tags["twitter:title"] == PAGES[name][1]["result"].headline
    assert tags["og:description"] == PAGES[name][1]["result"].description
    assert tags["robots"] == "noindex"


@of_every(PAGES)
def test_a_turns_cost_is_addressed_to_the_pages_reader(name: str) -> None:
    check_blame(words(page_tree(name)))


def check_blame(text: str) -> None:
    """Whether all that blames somebody speaks to its reader, and says that nobody else is told."""
    for blame, whole in ADDRESSED.items():
        assert len(re.findall(blame, text)) == len(re.findall(whole, text)), blame


# mails


@of_every(MAILS)
def test_no_program_translates_a_mails_cards_names_and_words(name: str) -> None:
    check_no_program_changes_it(mail_tree(name))
    assert not [text for text in mail_tree(name).xpath(TRANSLATED) if REPLY.search(text)]


@of_every(MAILS)
def test_no_mail_program_makes_links_of_a_mails_numbers(name: str) -> None:
    assert mail_tree(name).xpath("//meta[@name='format-detection']/@content") == [NO_LINKS]


@of_every(MAILS)
def test_a_turns_cost_is_addressed_to_the_mails_reader(name: str) -> None:
    check_blame(words(mail_tree(name)))
    check_blame(mail(name, "body.txt"))


@of_every(MAILS)
def test_text_and_html_of_a_mail_name_the_same_cards(name: str) -> None:
    assert shown_cards(words(mail_tree(name))) == shown_cards(mail(name, "body.txt"))


@of_every(MAILS)
def test_text_and_html_of_a_mail_have_the_same_links(name: str) -> None:
    links = {tag.attrib["href"] for tag in mail_tree(name).xpath("//a")}
    text = mail(name, "body.txt")
    in_text = {*re.findall(r"https://\S+", text), *(f"mailto:{one}" for one in re.findall(r"^r-\S+$", text, re.M))}
    assert links == in_text
    assert links


@of_every(MAILS)
def test_text_and_html_of_a_mail_name_the_same_deadline(name: str) -> None:
    deadline = MAILS[name][1].get("deadline")
    for part in ("body.txt", "body.html"):
        assert deadline is None or deadline.text in mail(name, part)
        assert deadline is None or deadline.relative not in mail(name, part), "it may be read much later"


@of_every(MAILS)
def test_the_subject_of_a_mail_is_one_short_line(name: str) -> None:
    subject = mail(name, "subject.txt")
    assert subject == subject.strip()
    assert "\n" not in subject
    assert 10 < len(subject) <= 90


@of_every(MAILS)
def test_html_of_a_mail_is_small_and_loads_nothing(name: str) -> None:
    written, tree = mail(name, "body.html"), mail_tree(name)
    assert len(written.encode()) <= LARGEST_MAIL
    assert not tree.xpath("//script | //link | //iframe | //form")
    for picture in tree.xpath("//img"):
        assert picture.attrib["src"].startswith("cid:"), "it comes with the mail"
        assert picture.get("alt")
        assert picture.get("width")
        assert picture.get("height")
    assert "url(" not in written
    assert tree.xpath("//meta[@name = 'color-scheme']")
    assert tree.find_class("preheader")[0].text_content().strip()


@of_every(MAILS)
def test_a_mails_lines_are_short_and_never_only_a_card(name: str) -> None:
    for line in mail(name, "body.txt").splitlines():
        assert not CODE.fullmatch(line.strip())
        assert not CARD.fullmatch(line.strip().replace("\ufe0e", ""))
        assert len(line.encode()) <= 998


@of_every(MAILS)
def test_a_link_in_a_mails_text_stands_apart(name: str) -> None:
    assert not re.findall(r"\S+https?://", mail(name, "body.txt"))


@of_every(MAILS)
def test_a_mails_text_has_no_gaps(name: str) -> None:
    assert "\n\n\n" not in mail(name, "body.txt").strip()


@of_every([name for name, (kind, _) in MAILS.items() if kind == "turns" and name.startswith("turn-")])
def test_each_legal_card_of_a_turn_mail_is_a_link(name: str) -> None:
    links: dict[str, Any] = MAILS[name][1]["first"]["card_links"]
    tapped = {tag.find(class_="code").text: tag["href"] for tag in soup(mail(name, "body.html")).select("a.card")}
    typed = dict(re.findall(r"^  (\w\w) \S+  (https://\S+)$", mail(name, "body.txt"), re.MULTILINE))
    assert tapped == typed == links


@of_every([name for name in MAILS if "nasty" in name])
def test_a_name_in_a_mail_is_always_escaped(name: str) -> None:
    assert not soup(mail(name, "body.html")).find_all("b"), "within quotes, as in an alternative text, it does no harm"
    text = mail(name, "body.txt")
    assert any(name in text for name in NASTY)
    assert not re.search("&(amp|lt|gt|quot|#)", text)
