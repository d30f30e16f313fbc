"""The rules of a table as sections of plain sentences, in the order in which a player needs them.

Source: the rules of play. Every sentence follows from `Rules` alone; those that do not apply are left out. The texts of
the form in which a host chooses the rules are in `webapp.forms.options`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from hearts.cards import FACES, Card, Cards
from hearts.deal import Direction, cards_each, direction, kitty_size, pack
from hearts.rules import (
    PRESETS,
    Cancellation,
    Kitty,
    MoonScoring,
    Opening,
    OpeningBan,
    Passing,
    QueenBreaks,
    Rules,
    TieBreak,
    When,
    rules_mapping,
)
from webapp.presentation.faces import Face, by_suit, face
from webapp.presentation.phrasing import counted, listed, number_word

_ORDINALS = ("first", "second", "third", "fourth")


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and the sentences under it."""

    heading: str
    sentences: tuple[str, ...]

    @property
    def text(self) -> str:
        return " ".join(self.sentences)


def how_we_play(rules: Rules) -> tuple[Section, ...]:
    """The complete rules, from the aim to the end of the game."""
    sections = (
        ("What you play for", _aim(rules)),
        ("Cards and seats", _cards(rules)),
        ("Passing", _passing(rules)),
        ("The first lead", _first_lead(rules)),
        ("Leading later", _leading(rules)),
        ("Following", _following(rules)),
        ("Winning a trick", _tricks(rules)),
        ("The kitty" if rules.packs == 1 else "The cards left over", _left_over(rules)),
        ("Points", _points(rules)),
        ("Shooting the moon", _moon(rules)),
        ("Bonuses", _bonuses(rules)),
        ("The end", _end(rules)),
    )
    return tuple(Section(heading, tuple(sentences)) for heading, sentences in sections if sentences)


def in_short(rules: Rules) -> str:
    """The rules in one sentence.

    >>> in_short(Rules(sun=True))
    'Classic for four players, to 100 points, with house rules.'
    """
    house = ", with house rules" if has_house_rules(rules) else ""
    label = PRESETS[rules.preset].label
    return f"{label} for {number_word(rules.players)} players, to {rules.target} points{house}."


def has_house_rules(rules: Rules) -> bool:
    """Whether anything except the target differs from the preset."""
    return bool(rules_mapping(rules).keys() - {"preset", "players", "target"})


def _aim(rules: Rules) -> list[str]:
    sides = (
        "You play in two teams of two; partners sit across from each other."
        if rules.partnership
        else "Everybody plays alone."
    )
    lowest = "the team with the lower total" if rules.partnership else "the lowest total"
    return [
        sides,
        f"Try not to take {_penalties(rules)}, for they cost points: when the game ends, {lowest} wins.",
    ]


def _cards(rules: Rules) -> list[str]:
    return [*_dealt(rules), "The list of players goes clockwise: whoever comes after you in it sits to your left."]


def _dealt(rules: Rules) -> list[str]:
    over, size = kitty_size(rules), len(pack(rules))
    each = f"each of the {number_word(rules.players)} players is dealt {cards_each(rules)}"
    lie = f"the {number_word(over)} left over {'lies' if over == 1 else 'lie'} face down"
    if rules.packs == 2:
        twice = "Two packs are shuffled together, so every card is there twice."
        return [twice, f"{_capital(each)} of the {size} cards{f'; {lie}' if over else ''}."]
    if over:
        called = f"and {'is' if over == 1 else 'are'} called the kitty"
        return [f"There is one pack of {size} cards. {_capital(each)}; {lie} {called}."]
    removed = Cards.of(FACES) - pack(rules)
    if not removed:
        return [f"There is one pack of {size} cards, and {each}."]
    are = "is" if len(removed) == 1 else "are"
    return [f"{_capital(_named(removed))} {are} taken out of the pack, and {each} of the other {size} cards."]


def _named(cards: Cards) -> str:
    """Cards by name: "the three of clubs and the two and three of diamonds"."""
    return listed([f"the {listed([_rank_word(one) for one in row.faces])} of {row.suit}" for row in by_suit(cards)])


def _rank_word(of: Face) -> str:
    return of.name.partition(" ")[0]


def _passing(rules: Rules) -> list[str]:
    if rules.passing is Passing.NONE:
        return ["No cards are passed: you play what you are dealt."]
    cards = f"{number_word(rules.pass_count)} {'card' if rules.pass_count == 1 else 'cards'}"
    return [*_when_and_where(rules, cards), "You choose before you see what you get."]


def _when_and_where(rules: Rules, cards: str) -> list[str]:
    ways = _ways(rules)
    passed = [way for way in ways if way is not Direction.KEEP]
    to = [f"in the {nth} {_where(rules, way)}" for nth, way in zip(_ORDINALS, passed, strict=False)]
    to[0] = to[0].replace("first", "first hand")
    if len(ways) == 1:
        return [f"Before every hand, you pass {cards} {_where(rules, ways[0])}."]
    if len(ways) == 2:
        return [f"Before every hand, you pass {cards}: {', '.join(to)}, and so on by turns."]
    if passed == ways:
        return [f"Before every hand, you pass {cards}: {listed(to)}.", "Then it starts over."]
    kept = f"In the {_ORDINALS[len(passed)]} nothing is passed; then it starts over."
    return [f"Before a hand, you pass {cards}: {listed(to)}.", kept]


def _ways(rules: Rules) -> list[Direction]:
    """The directions of the pass, hand by hand, until they repeat."""
    length = next(length for length in (1, 2, 3, 4) if all(_repeats(rules, hand, length) for hand in range(1, 13)))
    return [direction(rules, hand) for hand in range(1, length + 1)]


def _repeats(rules: Rules, hand: int, length: int) -> bool:
    return direction(rules, hand) is direction(rules, hand + length)


def _where(rules: Rules, way: Direction) -> str:
    if way is Direction.ACROSS:
        return f"across the table{' to your partner' if rules.partnership else ''}"
    return f"to your {way}"


def _first_lead(rules: Rules) -> list[str]:
    if rules.opening is Opening.ELDEST:
        banned = "a heart" if rules.opening_ban is OpeningBan.HEARTS else _penalties(rules, one=True)
        return [
            f"The player to the dealer's left leads to the first trick: any card but {banned},"
            " or any card at all if there is nothing else to lead.",
            "The deal moves one seat to the left with every hand.",
        ]
    low = f"the {face(_lowest_club(rules)).name}"
    holder = f"{'Whoever' if rules.passing is Passing.NONE else 'After the pass, whoever'} holds {low}"
    lead = (
        f"{holder} leads it to the first trick."
        if rules.opening is Opening.LOW_CLUB
        else f"{holder} leads to the first trick: that card or any other club."
    )
    if rules.kitty is Kitty.OFF:
        return [lead]
    return [lead, "If it lies in the kitty, the lowest club that was dealt to anybody stands in for it."]


def _lowest_club(rules: Rules) -> Card:
    return next(card for card in FACES if card in pack(rules))


def _leading(rules: Rules) -> list[str]:
    hearts, queen = rules.hearts_lead is When.AFTER_BROKEN, rules.queen_lead is When.AFTER_BROKEN
    next_lead = "The winner of a trick leads to the next one."
    if not hearts and not queen:
        return [next_lead, "You may lead any card, hearts included."]
    if hearts and queen:
        bar = f"You may not lead a heart or {_the_queen(rules)} until hearts are broken, unless you hold nothing else."
    elif hearts:
        bar = "You may not lead a heart until hearts are broken, unless you hold nothing else."
    else:
        bar = (
            f"You may lead a heart at any time, but not {_the_queen(rules)} until hearts are broken,"
            " unless you hold nothing else."
        )
    free = [f"{_queens(rules)} may be led at any time."] if not queen else []
    return [next_lead, bar, _breaking(rules), *free]


def _breaking(rules: Rules) -> str:
    also = {
        QueenBreaks.NO: "",
        QueenBreaks.LED: f" or led {_the_queen(rules)}",
        QueenBreaks.PLAYED: f" or {_the_queen(rules)}",
    }
    return f"Hearts are broken, for the rest of the hand, once somebody has played a heart{also[rules.queen_breaks]}."


def _following(rules: Rules) -> list[str]:
    even = ", even on the first trick" if rules.first_trick_points else ""
    sentences = [
        "Everybody plays one card to a trick, clockwise from whoever leads.",
        "Follow the suit that was led if you can.",
        f"If you cannot, you may discard what you like{even}.",
    ]
    if not rules.first_trick_points:
        barred = _penalties(rules, one=True)
        sentences.append(f"On the first trick, however, you may not discard {barred}, unless you hold nothing else.")
    if rules.queen_discard is When.AFTER_BROKEN:
        sentences.append(
            f"{_queens(rules)} may not be discarded until hearts are broken,"
            " unless there is nothing else that you may play."
        )
        if When.AFTER_BROKEN not in (rules.hearts_lead, rules.queen_lead):
            sentences.append(_breaking(rules))
        sentences.append("The queen is free as soon as they are broken, even in the same trick.")
    return sentences


def _tricks(rules: Rules) -> list[str]:
    ranks = "Aces are high, twos are low, and there are no trumps."
    if rules.packs == 1:
        return ["The highest card of the suit led wins the trick.", ranks]
    cancel = "Two equal cards in a trick cancel each other, and neither can win."
    none_left = "if every card of the suit led is cancelled"
    void = (
        f"Nobody wins {none_left}, or if two or more pairs of equal cards lie in the trick, in whatever suits."
        if rules.cancellation is Cancellation.TWO_PAIRS_VOID
        else f"Nobody wins {none_left}."
    )
    return [
        cancel,
        "The highest card of the suit led that is not cancelled wins the trick.",
        ranks,
        void,
        "Then the cards are set aside, the same player leads again, and whoever wins the next trick takes them too.",
        "What is still set aside after the last trick counts for nobody.",
    ]


def _left_over(rules: Rules) -> list[str]:
    over = kitty_size(rules)
    if not over:
        return []
    if rules.packs == 2:
        first = f"The {number_word(over)} cards left over go to the first player who wins a trick"
        return [f"{first}, and only that player sees them."]
    counts = (
        "Its card counts like any other that you take, and only the winner sees it."
        if over == 1
        else "Its cards count like any others that you take, and only the winner sees them."
    )
    return [f"The kitty goes to the winner of {_kitty_trick(rules)}.", counts]


def _kitty_trick(rules: Rules) -> str:
    match rules.kitty:
        case Kitty.FIRST_POINTS:
            return f"the first trick with {_penalties(rules, one=True)} in it"
        case Kitty.FIRST_HEART:
            return "the first trick with a heart in it"
        case Kitty.LAST_TRICK:
            return "the last trick"
        case _:
            return "the first trick"


def _points(rules: Rules) -> list[str]:
    queens = "each queen of spades" if rules.packs == 2 else "the queen of spades"
    free = "the queens of spades cost nothing" if rules.packs == 2 else "the queen of spades costs nothing"
    cost = (
        f"Every heart that you take costs 1 point, and {queens} {rules.queen_points}."
        if rules.queen_points
        else f"Every heart that you take costs 1 point; {free}."
    )
    added = ["What two partners take is added together."] if rules.partnership else []
    return [cost, f"That makes {rules.pack_total} points in every hand.", *added]


def _moon(rules: Rules) -> list[str]:
    hearts = f"all {13 * rules.packs} hearts"
    queens = f" and {'both queens' if rules.packs == 2 else 'the queen'} of spades" if rules.queen_points else ""
    over = kitty_size(rules)
    hidden = "" if not over else ", those in the kitty included," if rules.packs == 1 else ", those left over included,"
    who = "The team that" if rules.partnership else "Whoever"
    return [
        f"{who} takes {hearts}{queens} in one hand{hidden} has shot the moon.",
        *(_team_moon(rules) if rules.partnership else _players_moon(rules)),
        *_sun(rules),
    ]


def _players_moon(rules: Rules) -> list[str]:
    worth = rules.pack_total
    add = f"The shooter then scores nothing, and everybody else gets {worth} points."
    match rules.moon:
        case MoonScoring.ADD:
            return [add]
        case MoonScoring.SUBTRACT:
            return [f"The shooter then gets {worth} points off, and everybody else scores nothing."]
        case MoonScoring.SMART:
            return [
                add,
                f"If the shooter would lose the game by that, it is {worth} points off for the shooter instead,"
                " and nothing for the others.",
            ]
        case MoonScoring.CHOICE:
            return [
                f"The shooter then chooses: {worth} points for everybody else, or {worth} points off.",
                "If the choice is not made in time, everybody else gets the points, unless the shooter would lose the"
                " game by that.",
            ]


def _team_moon(rules: Rules) -> list[str]:
    worth = rules.pack_total
    add = f"It then scores nothing, and the other team gets {worth} points."
    match rules.moon:
        case MoonScoring.ADD:
            return [add]
        case MoonScoring.SUBTRACT:
            return [f"It then gets {worth} points off, and the other team scores nothing."]
        case MoonScoring.SMART:
            return [
                add,
                f"If it would lose the game by that, it gets {worth} points off instead, and the other team scores"
                " nothing.",
            ]
        case MoonScoring.CHOICE:
            return [
                f"The partner who was the last of the two to win a trick chooses: {worth} points for the other team,"
                f" or {worth} points off.",
                "If the choice is not made in time, the other team gets the points, unless the shooters would lose the"
                " game by that.",
            ]


def _sun(rules: Rules) -> list[str]:
    if not rules.sun:
        return []
    spoilt = ["A trick that nobody wins spoils it."] if rules.packs == 2 else []
    all_tricks = (
        "If the two partners also win every trick between them, they have"
        if rules.partnership
        else "A shooter who also wins every trick has"
    )
    return [f"{all_tricks} shot the sun, and it counts double: {2 * rules.pack_total} points.", *spoilt]


def _bonuses(rules: Rules) -> list[str]:
    sentences = []
    if rules.jack_points:
        off = counted(-rules.jack_points, "point")
        jack = "Each jack of diamonds gives" if rules.packs == 2 else "The jack of diamonds gives"
        sentences.append(f"{jack} {off} off to whoever takes it, moon or no moon.")
    if rules.no_tricks_bonus:
        team = " for the team" if rules.partnership else ""
        off = counted(-rules.no_tricks_bonus, "point")
        sentences.append(f"A player who wins no trick in a hand gets {off} off{team}, unless somebody shoots the moon.")
    if rules.fifty_bonus:
        sentences.append(
            "A total that stands at exactly 50, 100, 150 and so on after a hand drops by 50, even if that hand left it"
            " unchanged."
        )
    return sentences


def _end(rules: Rules) -> list[str]:
    whose, lower = ("a team's", "the lower") if rules.partnership else ("somebody's", "the lowest")
    end = f"The game ends after the hand in which {whose} total reaches {rules.target} points; {lower} total wins."
    if rules.tie_break is TieBreak.SHARED:
        tie = "If both teams are level, they" if rules.partnership else "Players who tie for the lowest total"
        return [end, f"{tie} share the win."]
    tie = (
        "If both teams are level, further hands are played until one is lower."
        if rules.partnership
        else "If players tie for the lowest total, further hands are played until somebody is lowest alone."
    )
    return [end, tie, *_back_below(rules)]


def _back_below(rules: Rules) -> list[str]:
    """What happens if totals fall during the hands that break a tie."""
    may_fall = rules.jack_points or rules.no_tricks_bonus or rules.fifty_bonus or rules.moon is not MoonScoring.ADD
    if not may_fall:
        return []
    return [f"Should every total drop below {rules.target} again by then, the game simply goes on."]


def _penalties(rules: Rules, *, one: bool = False) -> str:
    """The penalty cards: "hearts or the queen of spades"; with `one`, "a heart or the queen of spades"."""
    hearts = "a heart" if one else "hearts"
    if not rules.queen_points:
        return hearts
    queens = "the queen of spades" if rules.packs == 1 else "a queen of spades" if one else "queens of spades"
    return f"{hearts} or {queens}"


def _the_queen(rules: Rules) -> str:
    return "the queen of spades" if rules.packs == 1 else "a queen of spades"


def _queens(rules: Rules) -> str:
    return "The queen of spades" if rules.packs == 1 else "Queens of spades"


def _capital(sentence: str) -> str:
    return f"{sentence[0].upper()}{sentence[1:]}"


def whole_text(sections: Sequence[Section]) -> str:
    """All sections as plain text."""
    return "\n\n".join(f"{section.heading}\n{section.text}" for section in sections)
