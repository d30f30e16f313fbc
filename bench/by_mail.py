"""Plays rounds through the path of a turn with people who act only when a mail about turns lies unread: python -m bench.by_mail

As bench.pace, but the mails are the prototype's: composed, kept for /mailbox, and read by an act. `skip`: the chance that
a person looks at nothing on a day. `reply`: they answer by mail, the first decision of each, six at most at a sitting.
"""

import random
import sys
import tempfile
from datetime import timedelta
from pathlib import Path
from statistics import fmean

from sqlmodel import select

from bench.pace import DAY, ROUND, ZONES, Looks, share_by_people
from hearts.cards import card_text
from hearts.game import Stage
from hearts.robot import choose
from hearts.seats import every_seat
from hearts.view import view
from tests.answers import mail
from tests.cast import NAMES, load, start_game
from tests.runtimes import make_runtime
from webapp.core.addresses import Purpose
from webapp.games.asked.due import due_of
from webapp.games.asked.whose_turn import awaited
from webapp.games.clock.presence import note_seen
from webapp.games.record import store
from webapp.inbox.acting import process_inbound
from webapp.inbox.receiving import receive
from webapp.models import (
    Frequency,
    GameRow,
    GameState,
    LetterKind,
    LetterRow,
    PlayerRow,
    SeatRow,
    TableRow,
    TurnRow,
    TurnSource,
    Wait,
)
from webapp.outbox import turn_mail
from webapp.play import due_games, taking
from worker import postman


def table(runtime, frequency):
    game_id = start_game(runtime, pace=DAY, rules=ROUND, at_once=4)
    with runtime.database.writing() as session:
        row = session.get_one(TableRow, session.get_one(GameRow, game_id).table_id)
        row.wait, row.asks_ahead = Wait.FULL, False
        for seat in session.exec(select(SeatRow).where(SeatRow.table_id == row.id)):
            player = session.get_one(PlayerRow, seat.player_id)
            player.frequency, player.time_zone = (
                frequency,
                f"Etc/GMT{-ZONES[seat.seat]:+d}" if ZONES[seat.seat] else "UTC",
            )
    return game_id


def turn_for(runtime, hand, seat, rng):
    return choose(view(hand.game, seat), rng)


def answer_page(runtime, game_id, seat, rng):
    n = 0
    while asked := [hand for hand in load(runtime, game_id).open_hands() if seat in awaited(hand)]:
        taking.take_turn(
            runtime,
            game_id,
            due_of(asked[0].game, seat),
            turn_for(runtime, asked[0], seat, rng),
            TurnSource.PAGE,
            runtime.now(),
        )
        due_games.play_for_absent(runtime, game_id)
        n += 1
    return n


def answer_mail(runtime, game_id, seat, rng, most=6):
    for n in range(most):
        letter = newest(runtime, game_id, seat)
        hand = load(runtime, game_id).at(letter.hand)
        if seat not in awaited(hand) or hand.game.hand != letter.hand:
            return n
        runtime.now.at += timedelta(minutes=1)
        turn = turn_for(runtime, hand, seat, rng)
        typed = " ".join(map(card_text, turn.cards if hand.game.stage is Stage.PASS else [turn.card]))
        receive(runtime, "x@example.org", runtime.postmark.address(Purpose.REPLY, letter.id), mail(NAMES[seat], typed))
        process_inbound(runtime)
        due_games.play_for_absent(runtime, game_id)
        runtime.now.at += timedelta(minutes=1)
        postman.deliver(runtime)
        if newest(runtime, game_id, seat).id == letter.id:
            return n + 1
    return most


def newest(runtime, game_id, seat):
    with runtime.database.reading() as session:
        who = load(runtime, game_id).seats[seat].player_id
        return session.exec(
            select(LetterRow)
            .where(LetterRow.player_id == who, LetterRow.kind == LetterKind.TURNS)
            .order_by(LetterRow.id.desc())
        ).first()


def is_unread(runtime, game_id, seat):
    with runtime.database.reading() as session:
        player = session.get_one(PlayerRow, load(runtime, game_id).seats[seat].player_id)
        return turn_mail.is_unread(player, turn_mail.mailed_to(session, player.id, runtime.now()))


def play_game(runtime, game_id, looks, rng, skip, reply):
    began, skipped = runtime.now(), {}
    at = {seat: looks.next(seat, began) for seat in every_seat(4)}
    while True:
        due_games.play_for_absent(runtime, game_id)
        postman.deliver(runtime)
        stored = load(runtime, game_id)
        if stored.row.state is GameState.OVER or stored.table.resting_at or runtime.now() - began > 60 * DAY:
            break
        with runtime.database.reading() as session:
            plans = [one for one in session.exec(select(PlayerRow.turns_at).where(PlayerRow.turns_at.is_not(None)))]
        seat = min(at, key=lambda one: at[one])
        times = [at[seat], *plans, *([stored.row.wake_at] if stored.row.wake_at else [])]
        runtime.now.at = max(min(times), runtime.now())
        if runtime.now() < at[seat]:
            continue
        day = (seat, (at[seat] + timedelta(hours=ZONES[seat])).date())
        if day not in skipped:
            skipped[day] = rng.random() < skip
        if not skipped[day] and is_unread(runtime, game_id, seat):
            if reply:
                answer_mail(runtime, game_id, seat, rng)
            else:
                with runtime.database.writing() as session:
                    note_seen(session, stored.seats[seat].player_id, runtime.now())
                answer_page(runtime, game_id, seat, rng)
        at[seat] = looks.next(seat, max(at[seat], runtime.now()))
    with runtime.database.reading() as session:
        rows = session.exec(
            select(LetterRow).where(LetterRow.kind == LetterKind.TURNS, LetterRow.created_at >= began)
        ).all()
        late = session.exec(
            select(TurnRow).where(TurnRow.game_id == game_id, TurnRow.source == TurnSource.TIMEOUT)
        ).all()
    days, shown, blind, least = (runtime.now() - began) / DAY, {}, 0, 99.0
    for row in sorted(rows, key=lambda one: one.id):
        for one in row.asked or ():
            if row.sent_at:
                shown.setdefault(tuple(one), row.sent_at)
    stored = load(runtime, game_id)
    for row in late:
        with runtime.database.reading() as session:
            then = store.load(session, game_id, hand=row.hand, turns=row.number - 1)
        due = due_of(then.game, row.turn.seat)
        at = shown.get((game_id, int(row.turn.seat), due.hand, due.what))
        blind += at is None or at > row.at
        least = min(least, (row.at - at).total_seconds() / 3600) if at else least
    most = max(
        (
            sum(one.sent_at <= two.sent_at < one.sent_at + DAY for two in rows if two.player_id == one.player_id)
            for one in rows
            if one.sent_at
        ),
        default=0,
    )
    return (
        days,
        share_by_people(stored),
        len([one for one in rows if one.sent_at]) / 4 / days,
        len(late),
        blind,
        least,
        most,
        bool(stored.table.resting_at),
    )


def main():
    games = int((sys.argv[1:] or ["2"])[0])
    print("case | K | days | by people | mails a player and day | missed, blind, least hours shown | most in 24 h")
    only = sys.argv[2:]
    for name, looks, more in (
        ("page", 2, {}),
        ("page", 4, {}),
        ("page", 8, {}),
        ("page, skip 30 %", 4, {"skip": 0.3}),
        ("reply", 4, {"reply": True}),
        ("only before a deadline", 4, {"frequency": Frequency.LAST}),
        ("once a day", 4, {"frequency": Frequency.DAILY}),
    ):
        if only and f"{name} {looks}" not in only:
            continue
        rng, found = random.Random(7), []
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            runtime = make_runtime(Path(folder))
            for _ in range(games):
                found.append(
                    play_game(
                        runtime,
                        table(runtime, more.get("frequency", Frequency.EVERY)),
                        Looks(looks, rng),
                        rng,
                        more.get("skip", 0),
                        more.get("reply", False),
                    )
                )
            runtime.database.engine.dispose()
        mean = [fmean(one[i] for one in found) for i in range(4)]
        print(
            f"{name} | {looks} | {mean[0]:.1f} | {mean[1]:.0%} | {mean[2]:.1f} | {sum(one[3] for one in found)}, {sum(one[4] for one in found)}, {min(one[5] for one in found):.1f} | {max(one[6] for one in found)} {'rests' if any(one[7] for one in found) else ''}",
            flush=True,
        )


if __name__ == "__main__":
    main()
