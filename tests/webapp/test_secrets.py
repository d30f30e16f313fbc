"""Secrets: nothing that is shown at a seat depends on cards that its player could not know at a table."""

import re

from sqlmodel import select

from hearts.seats import Seat
from tests.answers import answer, mail, question
from tests.cast import dump, leave, letters, seat_link, start_game
from tests.deals import change_deal, unseen_pairs
from tests.sites import site_of
from webapp.core.tokens import PlayLink
from webapp.models import LetterRow
from webapp.outbox import turn_mail
from worker.mail import compose

ME = Seat(0)
LINKS = "turn|play|host|seat|leave|confirm|invitation|preferences|unsubscribe|again|relive|shared"
OURS = r"http://127\.0\.0\.1:8000"


def _queue_mails(runtime):
    """Nobody is on our pages, and the mails about turns are on their way."""
    leave(runtime)
    turn_mail.queue_due(runtime, runtime.now())


def everything_shown(table):
    """Every page and mail for my seat, less the tokens."""
    _queue_mails(table.runtime)
    site = site_of(table.runtime).test_client()
    stored = table.stored
    pages = [table.runtime.signer.local_url(seat_link(table.runtime, stored.row.table_id, ME))]
    if ME in stored.game.to_act:
        pages.append(table.runtime.signer.local_url(table.turn_link(ME)))
        pages.append(f"{pages[-1]}?card=QS")
    play = table.runtime.signer.local_url(PlayLink(stored.row.table_id, ME, stored.seats[ME].player_id))
    pages += [play, f"{play}/now", f"{pages[0]}/now"]
    shown = [site.get(page).get_data(as_text=True) for page in pages]
    shown.append(site.get(f"{pages[0]}/record.json").get_data(as_text=True))
    with table.runtime.database.reading() as session:
        for letter in session.exec(select(LetterRow).where(LetterRow.seat == ME)):
            mail = compose(table.runtime, session, letter)
            if mail is not None:
                shown += [f"{name}: {value}" for name, value in mail.items() if name != "Content-Type"]
                shown += [mail.get_body((kind,)).get_content() for kind in ("plain", "html")]
    return re.sub(rf"/({LINKS})/[\w.-]+", r"/\1/TOKEN", "\n".join(shown))


def test_deals_differing_in_unseen_cards_give_equal_pages_and_mails(runtime):
    table = start_game(runtime)
    answer(
        runtime, question(runtime, "Ann"), mail("Ann", "Which three?")
    )  # so that one of our answers is among the mails
    compared = 0
    while table.game.hand == 1:
        pair = next(unseen_pairs(table.game), None)
        if pair is not None:
            before = everything_shown(table)
            change_deal(table, *pair)
            assert everything_shown(table) == before
            change_deal(table, *pair)
            compared += 1
        for _ in range(5):
            if table.game.hand == 1:
                table.play_first()
    assert compared > 4


def test_the_comparison_notices_a_visible_card(runtime):
    table = start_game(runtime)
    game = table.game
    mine, theirs = next(iter(game.held[0])), next(iter(game.held[1]))
    before = everything_shown(table)
    change_deal(table, mine, theirs)
    assert everything_shown(table) != before


def test_opening_every_link_of_every_mail_changes_no_row(runtime):
    """Mail scanners open every link, and more than once."""
    table = start_game(runtime)
    table.pass_all()
    table.play_hand()
    _queue_mails(runtime)
    found = set()
    with runtime.database.reading() as session:
        for letter in letters(runtime):
            mail = compose(runtime, session, letter)
            if mail is not None:
                text = mail.get_body(("plain",)).get_content() + mail.get_body(("html",)).get_content()
                found |= {url.replace("&amp;", "&") for url in re.findall(rf"{OURS}(/[^\s\"<>]*)", text)}
    assert {url.split("/")[1] for url in found} >= {"turn", "seat", "confirm"}
    before = dump(runtime)
    client = site_of(runtime).test_client()
    for open_it in (client.head, client.get, client.get):
        for url in sorted(found):
            assert open_it(url).status_code == 200, url
    assert dump(runtime) == before
