"""The players of a table and its settings, as text."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from hearts.rules import PRESETS, Rules
from hearts.seats import Seat, across
from webapp.core.say import later, say, say_as, say_many
from webapp.games.clock.hours import today_of
from webapp.games.clock.pace import is_live
from webapp.games.clock.vacation import vacation_until
from webapp.games.record.seats import is_lent, is_offered_by_host, is_stand_in_asked, own_name, owner_name
from webapp.models import Frequency, PlayerRow, SeatRow, TableRow, TableState, Talk
from webapp.presentation.clock_text import days_of, live_length_of, why_at_once
from webapp.presentation.faces import said
from webapp.presentation.house_rules import goal_text, has_house_rules, length_text
from webapp.presentation.phrasing import day_text, hour_text, listed, number_word, shortened, span

RAN_OUT = "ran_out"  # nobody has answered the invitation to the seat, which is free
BY_LINK = "link"  # the seat is for whoever opens the link that the host sends
MAY_ASK = later("Players may ask the robot what it would play.")
EACH_ON_A_PHONE = later("Everybody plays at the same time, each on their own phone.")
NAMED_AT_MOST = 4  # the most names of other players in a sentence
LONGEST_HOST = 20  # letters of the host's name in a subject
BY_MAIL = later("When it's your turn, an email brings your cards and a link: two taps, whenever it suits you.")
NOTHING_ELSE = later("There is nothing to install, and no password.")
MAY_SAY = {
    Talk.NONE: "",
    Talk.PHRASES: later("Players may say a few set phrases to each other."),
    Talk.TEXT: later("Players may talk to each other."),
}


@dataclass(frozen=True, slots=True)
class SeatLine:
    """A seat and its player. `state` is host, accepted, invited, declined, RAN_OUT, open, BY_LINK or robot."""

    name: str
    state: str
    partner: str | None = None
    is_away: bool = False
    joins: str | None = None  # the newcomer who gets the seat once this hand is over
    owner: str | None = None  # the player for whom somebody plays
    vacation: str = ""  # how many vacation days the player has left, if they have taken any

    @property
    def state_text(self) -> str:
        text = say_as("a seat", "away, a robot plays") if self.is_away else state_text(self.state)
        if self.joins:
            text = say("{state}, {name} joins after this hand", state=text, name=self.joins)
        return say("{state}, {note}", state=text, note=self.vacation) if self.vacation else text


def state_text(state: str) -> str:
    """A state of a `SeatLine` in words."""
    if state == RAN_OUT:
        return say_as("a seat", "the invitation ran out")
    if state == BY_LINK:
        return say_as("a seat", "for a friend with the link")
    match state:
        case "host":
            return say_as("a seat", "host")
        case "accepted":
            return say_as("a seat", "plays")
        case "invited":
            return say_as("a seat", "no answer yet")
        case "declined":
            return say_as("a seat", "declined")
        case "open":
            return say_as("a seat", "anybody may sit here")
        case _:
            return say_as("a seat", "robot")


@dataclass(frozen=True, slots=True)
class TableSummary:
    name: str
    seats: tuple[SeatLine, ...]  # clockwise
    game_text: str  # "Classic, 4 players, to 100 points"
    pass_time: str  # "1 day"
    play_time: str
    rules_path: str = ""  # of the page "How we play"; empty if there is none
    suggestions: str = ""  # a sentence that players may ask the robot; empty if they may not
    talk: str = ""  # a sentence on what players may say to each other; empty if nothing
    is_live: bool = False  # everybody plays at the same time
    vacation: str = ""  # a sentence on the vacation days of each player; empty if they have none
    goal: str = ""  # what a player tries to do, in one sentence
    how_long: str = ""  # how long a game takes, and how much of a player's day
    at_once: str = ""  # why several hands are dealt at once; empty if one is played after the other
    words: str = ""  # a line of the host's to the people they invite; empty if there is none
    has_guests: bool = False  # somebody sits there who came by the host's link
    waits_for_host: bool = False  # everybody is there, and the host deals
    shares: str = ""  # a sentence on players who read one mailbox; empty if each has their own

    @property
    def host(self) -> str:
        """The name of the host, who has the first seat."""
        return self.seats[0].owner or self.seats[0].name

    @property
    def hosts(self) -> str:
        """The table's name in a subject: "Ann's table"."""
        return self.name.replace(self.host, shortened(self.host, LONGEST_HOST), 1)

    def company_of(self, number: int) -> str:
        """Names the others for the player of that seat: "You play with Ann, Cy and Pip (robot). One seat is free."."""
        others = [seat for other, seat in enumerate(self.seats) if other != number]
        people = [seat.name for seat in others if seat.state in ("host", "accepted", "invited")]
        names = people + [say("{name} (robot)", name=seat.name) for seat in others if seat.state == "robot"]
        free = say_many(len(others) - len(names), "One seat is free.", "{number} seats are free.")
        notes = ([self.shares] if self.shares else []) + ([free] if len(names) < len(others) else [])
        if len(names) > NAMED_AT_MOST:
            shown, more = names[: NAMED_AT_MOST - 1], len(names) - NAMED_AT_MOST + 1
            names = [*shown, say_many(more, "{number} other", "{number} others")]
        return " ".join([say("You play with {names}.", names=listed(names)), *notes])

    @property
    def how_it_is_played(self) -> str:
        """How a guest will play here: all at once, or by mail."""
        if self.is_live:
            return f"{self.pace_sentence} {say(NOTHING_ELSE)}"
        return f"{say(BY_MAIL)} {say(NOTHING_ELSE)}"

    def who_deals(self, *, to_host: bool = False) -> str:
        """Says in one sentence who deals the first hand and when, to the table's host or to anybody else."""
        if not (self.has_guests or self.link_seats):
            return say("We deal the first hand as soon as every seat is taken.")
        host = self.seats[0].name
        if self.waits_for_host:
            return say("You deal the first hand.") if to_host else say("{name} deals the first hand.", name=host)
        if to_host:
            return say("You deal the first hand once every seat is taken.")
        return say("{name} deals the first hand once every seat is taken.", name=host)

    def how_it_begins(self, *, to_host: bool = False) -> str:
        """How the first hand reaches a player who has a seat."""
        then = say("Be there then: it is played live.") if self.is_live else say("Your cards then come by mail.")
        return f"{self.who_deals(to_host=to_host)} {then}"

    @property
    def waiting(self) -> tuple[str, ...]:
        """The names of those who have not answered their invitation."""
        return tuple(seat.name for seat in self.seats if seat.state == "invited")

    @property
    def declined(self) -> tuple[str, ...]:
        return tuple(seat.name for seat in self.seats if seat.state == "declined")

    @property
    def open_seats(self) -> int:
        """How many seats are open to anybody."""
        return sum(seat.state == "open" for seat in self.seats)

    @property
    def link_seats(self) -> int:
        """How many seats are for whoever opens the host's link."""
        return sum(seat.state == BY_LINK for seat in self.seats)

    @property
    def open_seats_sentence(self) -> str:
        free, seats = self.open_seats, len(self.seats)
        return say_many(free, "{number} of {seats} seats is free.", "{number} of {seats} seats are free.", seats=seats)

    @property
    def looks_for(self) -> str:
        """Says how many players the table still looks for: "Ann looks for two players"."""
        return say_many(
            self.open_seats,
            "{name} looks for one player",
            "{name} looks for {word} players",
            name=self.host,
            word=number_word(self.open_seats),
        )

    @property
    def once_confirmed(self) -> str:
        """A sentence or two on what happens when the host confirms the table."""
        if self.link_seats:
            return " ".join([say("One tap, and you get a link to send to your friends."), *self._goes_out])
        number, word = self.open_seats, number_word(self.open_seats)
        if self.waiting and number:
            return say_many(
                number,
                "One tap, and the invitations go out and the lobby shows that you look for one player.",
                "One tap, and the invitations go out and the lobby shows that you look for {word} players.",
                word=word,
            )
        if self.waiting:
            return say("One tap, and the invitations go out.")
        if number:
            return say_many(
                number,
                "One tap, and the lobby shows that you look for one player.",
                "One tap, and the lobby shows that you look for {word} players.",
                word=word,
            )
        return say("One tap, and the first hand is dealt.")

    @property
    def _goes_out(self) -> list[str]:
        """Sentences on what happens besides the host's link."""
        invited = [say("The invitations go out at the same time.")] if self.waiting else []
        lobby = say_many(
            self.open_seats,
            "The lobby shows that you look for one player.",
            "The lobby shows that you look for {word} players.",
            word=number_word(self.open_seats),
        )
        return [*invited, lobby] if self.open_seats else invited

    @property
    def confirm_label(self) -> str:
        """The label of the button that confirms the table."""
        if self.waiting:
            return say("Confirm and invite")
        if self.open_seats:
            return say("Confirm and look for players")
        return say("Confirm and get the link") if self.link_seats else say("Confirm and deal")

    @property
    def waiting_sentence(self) -> str:
        """A sentence on what the first deal waits for; empty once every seat is taken and the host need not deal."""
        if self.waits_for_host:
            return say("Everybody is here.")
        sentences = []
        if self.waiting:
            sentences.append(
                say_many(
                    len(self.waiting),
                    "We have invited {names}, and wait for an answer.",
                    "We have invited {names}, and wait for their answers.",
                    names=listed(self.waiting),
                )
            )
        if self.open_seats:
            sentences.append(
                say_many(
                    self.open_seats,
                    "In the lobby, the table looks for one player.",
                    "In the lobby, the table looks for {word} players.",
                    word=number_word(self.open_seats),
                )
            )
        if self.link_seats:
            sentences.append(
                say_many(
                    self.link_seats,
                    "One seat is free for a friend with the link.",
                    "{number} seats are free for friends with the link.",
                )
            )
        if self.declined:
            sentences.append(
                say_many(
                    len(self.declined),
                    "{names} can't play, so the host fills a seat.",
                    "{names} can't play, so the host fills a seat.",
                    names=listed(self.declined),
                )
            )
        if any(seat.state == RAN_OUT for seat in self.seats):
            sentences.append(say("An invitation ran out, so the host fills a seat."))
        return " ".join(sentences)

    @property
    def pace_sentence(self) -> str:
        if self.pass_time == self.play_time:
            return say("You have {time} per turn.", time=self.play_time)
        return say("You have {pass_time} to pass and {time} per card.", pass_time=self.pass_time, time=self.play_time)


def table_summary(
    name: str,
    rules: Rules,
    seats: Sequence[SeatLine],
    pass_time: timedelta,
    play_time: timedelta,
    rules_path: str = "",
    *,
    suggestions: bool = False,
    talk: Talk = Talk.NONE,
    at_once: int = 1,  # how many hands are dealt at once
    vacation: str = "",
    words: str = "",
    has_guests: bool = False,
    waits_for_host: bool = False,
    shares: str = "",
) -> TableSummary:
    """The summary of a table; `seats` are clockwise. It fills in the partners if the table plays in teams."""
    people = tuple(seats)
    if rules.partnership:
        partners = [seats[across(Seat(number), len(seats))] for number in range(len(seats))]
        people = tuple(replace(seat, partner=partner.name) for seat, partner in zip(seats, partners, strict=True))
    spans = (span(pass_time), span(play_time))
    asking = say(MAY_ASK) if suggestions else ""
    plays_live = is_live(pass_time) or is_live(play_time)
    agreed = (asking, say(MAY_SAY[talk]) if MAY_SAY[talk] else "")
    at_once = 1 if plays_live else at_once
    if plays_live:
        how_long = f"{say('The game takes {time}.', time=live_length_of(rules))} {say(EACH_ON_A_PHONE)}"
    else:
        how_long = say("The game takes {time}, two minutes a day.", time=days_of(rules, at_once))
    at_a_glance = (goal_text(rules), how_long, why_at_once(at_once), words)
    return TableSummary(
        *(name, people, game_text(rules), *spans, rules_path, *agreed, plays_live, vacation, *at_a_glance),
        has_guests=has_guests,
        waits_for_host=waits_for_host,
        shares=shares,
    )


def game_text(rules: Rules) -> str:
    """Names the rules of a game: "Classic, 4 players, to 100 points"."""
    label, length = said(PRESETS[rules.preset].label), length_text(rules)
    if has_house_rules(rules):
        return say_many(
            rules.players,
            "{game}, {number} player, {length}, with house rules",
            "{game}, {number} players, {length}, with house rules",
            game=label,
            length=length,
        )
    return say_many(
        rules.players,
        "{game}, {number} player, {length}",
        "{game}, {number} players, {length}",
        game=label,
        length=length,
    )


# A player who is away, in sentences to themselves: who plays for them, and what is special at a table.

A_MOMENT = timedelta(seconds=1)
NOT_BEGUN = later("Not begun yet: if the game begins, a robot plays for you.")


def absence_sentence(seat: SeatRow, player: PlayerRow, now: datetime) -> str:
    """Says who plays for the player, who has or has lent this seat, and until when; empty if they are not away."""
    end = ""
    if seat.away_until is not None:
        last = (seat.away_until - A_MOMENT).astimezone(ZoneInfo(player.time_zone)).date()
        end = day_text(last, today_of(player, now))
    if seat.player_id != player.id:
        name = own_name(seat)
        if end:
            return say("{name} plays for you until the end of {day}.", name=name, day=end)
        return say("{name} plays for you until you are back.", name=name)
    if seat.away and is_stand_in_asked(seat):
        return say(
            "A robot plays for you until {name} says yes: you have asked them to play for you.", name=seat.offered_name
        )
    if seat.away and end:
        return say("A robot plays for you until the end of {day}.", day=end)
    if seat.away:
        return say("A robot plays for you until you are back.")
    if until := vacation_until(seat, player, now):
        return say("The table waits for you until the end of {day}.", day=day_text(until, today_of(player, now)))
    return ""


def note_sentence(table: TableRow, seat: SeatRow) -> str:
    """Says what is special at the table if the player of the seat goes away; mostly empty."""
    if is_lent(seat):
        return say("You play for {name} here: the seat goes back to them.", name=owner_name(seat))
    if table.state is not TableState.PLAYING:
        return say(NOT_BEGUN)
    if is_offered_by_host(seat):
        return say("The host has offered your seat to {name}, so no friend can play here.", name=seat.offered_name)
    return ""


# The setting for mail about turns, in words: when we email a player about theirs.


def mail_setting(player: PlayerRow) -> str:
    """Says to the player when we email them about their turns."""
    if player.push_only:
        return say("While a device tells you, no email asks for your turns.")
    match player.frequency:
        case Frequency.EVERY:
            return say("We email you when it's your turn.")
        case Frequency.DAILY:
            return say("We email you once a day, at {hour}.", hour=hour_text(player.daily_at))
        case Frequency.LAST:
            return say("We email you only before a deadline.")
