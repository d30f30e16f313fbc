"""The rules of a table as sections of plain sentences, in the order in which a player needs them.

Every sentence follows from `Rules` alone; those that do not apply are left out. `webapp.forms.options` has the texts of
the form in which a host chooses the rules.
"""

from dataclasses import dataclass

from hearts.cards import FACES, Card, Cards
from hearts.deal import Direction, cards_each, direction, kitty_size, one_round, pack
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
from webapp.presentation.faces import face
from webapp.presentation.phrasing import by_number, counted, listed, number_word, some_cards

_LEFT, _RIGHT, _ACROSS, _KEEP = Direction.LEFT, Direction.RIGHT, Direction.ACROSS, Direction.KEEP
_PASSED = {
    (_LEFT,): ("Before every hand, you pass {cards} to your left.",),
    (_RIGHT,): ("Before every hand, you pass {cards} to your right.",),
    (_LEFT, _RIGHT): (
        "Before every hand, you pass {cards}: in the first hand to your left, in the second to your right, and so on by"
        " turns.",
    ),
    (_LEFT, _RIGHT, _KEEP): (
        "Before a hand, you pass {cards}: in the first hand to your left and in the second to your right.",
        "In the third nothing is passed; then it starts over.",
    ),
    (_LEFT, _RIGHT, _ACROSS): (
        "Before every hand, you pass {cards}: in the first hand to your left, in the second to your right and in the"
        " third across the table.",
        "Then it starts over.",
    ),
    (_LEFT, _RIGHT, _ACROSS, _KEEP): (
        "Before a hand, you pass {cards}: in the first hand to your left, in the second to your right and in the third"
        " across the table.",
        "In the fourth nothing is passed; then it starts over.",
    ),
}
"""By the directions of the pass, hand by hand, until they repeat."""
_PASSED_TO_PARTNERS = {
    (_LEFT, _RIGHT, _ACROSS): (
        "Before every hand, you pass {cards}: in the first hand to your left, in the second to your right and in the"
        " third across the table to your partner.",
        "Then it starts over.",
    ),
    (_LEFT, _RIGHT, _ACROSS, _KEEP): (
        "Before a hand, you pass {cards}: in the first hand to your left, in the second to your right and in the third"
        " across the table to your partner.",
        "In the fourth nothing is passed; then it starts over.",
    ),
}
_UNSEEN = "You choose before you see what you get."


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
    label, players, length = PRESETS[rules.preset].label, number_word(rules.players), length_text(rules)
    if has_house_rules(rules):
        return f"{label} for {players} players, {length}, with house rules."
    return f"{label} for {players} players, {length}."


def goal_text(rules: Rules) -> str:
    """Says in one sentence what the game is about.

    >>> goal_text(Rules())
    'The lowest score wins: each heart you take costs a point, the queen of spades thirteen.'
    """
    match rules.partnership, rules.queen_points > 0:
        case False, True:
            return "The lowest score wins: each heart you take costs a point, the queen of spades thirteen."
        case False, False:
            return "The lowest score wins: each heart you take costs a point."
        case True, True:
            return "The team with the lower score wins: each heart costs a point, the queen of spades thirteen."
        case _:
            return "The team with the lower score wins: each heart costs a point."


def length_text(rules: Rules) -> str:
    """How long a game is: "to 100 points", "one round of four hands" or "six hands"."""
    if not rules.hands:
        return f"to {rules.target} points"
    hands = by_number(rules.hands, "one hand", f"{number_word(rules.hands)} hands")
    return f"one round of {hands}" if rules.hands == one_round(rules) else hands


def has_house_rules(rules: Rules) -> bool:
    """Whether anything except the length of the game differs from the preset."""
    return bool(rules_mapping(rules).keys() - {"preset", "players", "target", "hands"})


def _aim(rules: Rules) -> list[str]:
    cards = _penalties(rules)
    if rules.partnership:
        return [
            "You play in two teams of two; partners sit across from each other.",
            f"Try not to take {cards}, for they cost points: when the game ends, the team with the lower total wins.",
        ]
    return [
        "Everybody plays alone.",
        f"Try not to take {cards}, for they cost points: when the game ends, the lowest total wins.",
    ]


def _cards(rules: Rules) -> list[str]:
    return [*_dealt(rules), "The list of players goes clockwise: the player after you in it sits to your left."]


def _dealt(rules: Rules) -> list[str]:
    players, each, size = number_word(rules.players), cards_each(rules), len(pack(rules))
    over, removed = kitty_size(rules), Cards.of(FACES) - pack(rules)
    if rules.packs == 2:
        return ["Two packs are shuffled together, so every card is there twice.", _dealt_from_two(players, rules)]
    if over:
        one_over = (
            f"Each of the {players} players is dealt {each}; the one left over lies face down and is called the kitty."
        )
        many_over = (
            f"Each of the {players} players is dealt {each}; the {number_word(over)} left over lie face down and are"
            " called the kitty."
        )
        return [f"There is one pack of {size} cards.", by_number(over, one_over, many_over)]
    if removed:
        return [
            f"There is one pack without {_named(removed)}, and each of the {players} players is dealt {each} of its"
            f" {size} cards."
        ]
    return [f"There is one pack of {size} cards, and each of the {players} players is dealt {each}."]


def _dealt_from_two(players: str, rules: Rules) -> str:
    each, size, over = cards_each(rules), len(pack(rules)), number_word(kitty_size(rules))
    if kitty_size(rules):
        return f"Each of the {players} players is dealt {each} of the {size} cards; the {over} left over lie face down."
    return f"Each of the {players} players is dealt {each} of the {size} cards."


def _named(cards: Cards) -> str:
    """Cards by name: "the three of clubs and the two of diamonds"."""
    return listed([f"the {face(card).name}" for card in cards])


def _passing(rules: Rules) -> list[str]:
    if rules.passing is Passing.NONE:
        return ["No cards are passed: you play what you are dealt."]
    cards, ways = some_cards(rules.pass_count), tuple(_ways(rules))
    sentences = _PASSED_TO_PARTNERS.get(ways) if rules.partnership else None
    return [*(sentence.format(cards=cards) for sentence in sentences or _PASSED[ways]), _UNSEEN]


def _ways(rules: Rules) -> list[Direction]:
    """The directions of the pass, hand by hand, until they repeat."""
    length = next(length for length in (1, 2, 3, 4) if all(_repeats(rules, hand, length) for hand in range(1, 13)))
    return [direction(rules, hand) for hand in range(1, length + 1)]


def _repeats(rules: Rules, hand: int, length: int) -> bool:
    return direction(rules, hand) is direction(rules, hand + length)


def _first_lead(rules: Rules) -> list[str]:
    if rules.opening is Opening.ELDEST:
        return [
            f"The player to the dealer's left leads to the first trick: any card but {_opening_ban(rules)},"
            " or any card at all if there is nothing else to lead.",
            "The deal moves one seat to the left with every hand.",
        ]
    lead = _lead_of_the_holder(rules, f"the {face(_lowest_club(rules)).name}")
    if rules.kitty is Kitty.OFF:
        return [lead]
    return [lead, "If it lies in the kitty, the lowest club that was dealt to anybody stands in for it."]


def _lead_of_the_holder(rules: Rules, low: str) -> str:
    """Says which card the player with the lowest club leads; `low` names that club."""
    if rules.passing is Passing.NONE:
        if rules.opening is Opening.LOW_CLUB:
            return f"The player with {low} leads it to the first trick."
        return f"The player with {low} leads to the first trick: that card or any other club."
    if rules.opening is Opening.LOW_CLUB:
        return f"After the pass, the player with {low} leads it to the first trick."
    return f"After the pass, the player with {low} leads to the first trick: that card or any other club."


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
    free = (
        []
        if queen
        else [
            _queen_sentence(
                rules, "The queen of spades may be led at any time.", "Queens of spades may be led at any time."
            )
        ]
    )
    return [next_lead, bar, _breaking(rules), *free]


def _breaking(rules: Rules) -> str:
    match rules.queen_breaks:
        case QueenBreaks.NO:
            return "Hearts are broken, for the rest of the hand, once somebody has played a heart."
        case QueenBreaks.LED:
            return (
                "Hearts are broken, for the rest of the hand, once somebody has played a heart or led"
                f" {_the_queen(rules)}."
            )
        case QueenBreaks.PLAYED:
            return (
                f"Hearts are broken, for the rest of the hand, once somebody has played a heart or {_the_queen(rules)}."
            )


def _following(rules: Rules) -> list[str]:
    sentences = [
        "Everybody plays one card to a trick, clockwise from the leader.",
        "Follow the suit that was led if you can.",
    ]
    if rules.first_trick_points:
        sentences.append("If you cannot, you may discard what you like, even on the first trick.")
    else:
        sentences += [
            "If you cannot, you may discard what you like.",
            f"On the first trick, however, you may not discard {_penalty(rules)}, unless you hold nothing else.",
        ]
    if rules.queen_discard is When.AFTER_BROKEN:
        sentences += _queen_discards(rules)
    return sentences


def _queen_discards(rules: Rules) -> list[str]:
    barred = _queen_sentence(
        rules,
        "The queen of spades may not be discarded until hearts are broken, unless there is nothing else that you may"
        " play.",
        "Queens of spades may not be discarded until hearts are broken, unless there is nothing else that you may"
        " play.",
    )
    broken = [] if When.AFTER_BROKEN in (rules.hearts_lead, rules.queen_lead) else [_breaking(rules)]
    return [barred, *broken, "The queen is free as soon as they are broken, even in the same trick."]


def _tricks(rules: Rules) -> list[str]:
    ranks = "Aces are high, twos are low, and there are no trumps."
    if rules.packs == 1:
        return ["The highest card of the suit led wins the trick.", ranks]
    cancel = "Two equal cards in a trick cancel each other, and neither can win."
    void = (
        "Nobody wins if every card of the suit led is cancelled, or if two or more pairs of equal cards lie in the"
        " trick, in whatever suits."
        if rules.cancellation is Cancellation.TWO_PAIRS_VOID
        else "Nobody wins if every card of the suit led is cancelled."
    )
    return [
        cancel,
        "The highest card of the suit led that is not cancelled wins the trick.",
        ranks,
        void,
        "Then the cards are set aside, the same player leads again, and the winner of the next trick takes them too.",
        "What is still set aside after the last trick counts for nobody.",
    ]


def _left_over(rules: Rules) -> list[str]:
    over = kitty_size(rules)
    if not over:
        return []
    if rules.packs == 2:
        return [
            f"The {number_word(over)} cards left over go to the first player who wins a trick, and only that player"
            " sees them."
        ]
    counts = by_number(
        over,
        "Its card counts like any other that you take, and only the winner sees it.",
        "Its cards count like any others that you take, and only the winner sees them.",
    )
    return [_kitty_trick(rules), counts]


def _kitty_trick(rules: Rules) -> str:
    match rules.kitty:
        case Kitty.FIRST_POINTS:
            return f"The kitty goes to the winner of the first trick with {_penalty(rules)} in it."
        case Kitty.FIRST_HEART:
            return "The kitty goes to the winner of the first trick with a heart in it."
        case Kitty.LAST_TRICK:
            return "The kitty goes to the winner of the last trick."
        case _:
            return "The kitty goes to the winner of the first trick."


def _points(rules: Rules) -> list[str]:
    added = ["What two partners take is added together."] if rules.partnership else []
    return [_cost(rules), f"That makes {rules.pack_total} points in every hand.", *added]


def _cost(rules: Rules) -> str:
    queen = rules.queen_points
    if not queen:
        return _queen_sentence(
            rules,
            "Every heart that you take costs 1 point; the queen of spades costs nothing.",
            "Every heart that you take costs 1 point; the queens of spades cost nothing.",
        )
    return _queen_sentence(
        rules,
        f"Every heart that you take costs 1 point, and the queen of spades {queen}.",
        f"Every heart that you take costs 1 point, and each queen of spades {queen}.",
    )


def _moon(rules: Rules) -> list[str]:
    cards = _moon_cards(rules)
    shot = (
        f"The team that takes {cards} in one hand has shot the moon."
        if rules.partnership
        else f"A player who takes {cards} in one hand has shot the moon."
    )
    counts = _team_moon(rules) if rules.partnership else _players_moon(rules)
    return [shot, *counts, *_moon_left_over(rules), *_sun(rules)]


def _moon_left_over(rules: Rules) -> list[str]:
    if not kitty_size(rules):
        return []
    return ["A moon includes the cards in the kitty." if rules.packs == 1 else "A moon includes the cards left over."]


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
    worth = 2 * rules.pack_total
    shot = (
        f"If the two partners also win every trick between them, they have shot the sun, and it counts double: {worth}"
        " points."
        if rules.partnership
        else f"A shooter who also wins every trick has shot the sun, and it counts double: {worth} points."
    )
    return [shot, "A trick that nobody wins spoils it."] if rules.packs == 2 else [shot]


def _bonuses(rules: Rules) -> list[str]:
    sentences = []
    if rules.jack_points:
        off = counted(-rules.jack_points, "point")
        sentences.append(
            f"Each jack of diamonds gives {off} off to the player who takes it, moon or no moon."
            if rules.packs == 2
            else f"The jack of diamonds gives {off} off to the player who takes it, moon or no moon."
        )
    if rules.no_tricks_bonus:
        off = counted(-rules.no_tricks_bonus, "point")
        sentences.append(
            f"A player who wins no trick in a hand gets {off} off for the team, unless somebody shoots the moon."
            if rules.partnership
            else f"A player who wins no trick in a hand gets {off} off, unless somebody shoots the moon."
        )
    if rules.fifty_bonus:
        sentences.append(
            "A total that stands at exactly 50, 100, 150 and so on after a hand drops by 50, even if that hand left it"
            " unchanged."
        )
    return sentences


def _end(rules: Rules) -> list[str]:
    end = _after_hands(rules) if rules.hands else [_at_target(rules)]
    if rules.tie_break is TieBreak.SHARED:
        return [
            *end,
            "If both teams are level, they share the win."
            if rules.partnership
            else "Players who tie for the lowest total share the win.",
        ]
    tie = (
        "If both teams are level, further hands are played until one is lower."
        if rules.partnership
        else "If players tie for the lowest total, further hands are played until somebody is lowest alone."
    )
    return [*end, tie, *_back_below(rules)]


def _at_target(rules: Rules) -> str:
    if rules.partnership:
        return (
            f"The game ends after the hand in which a team's total reaches {rules.target} points; the lower total wins."
        )
    return (
        f"The game ends after the hand in which somebody's total reaches {rules.target} points; the lowest total wins."
    )


def _after_hands(rules: Rules) -> list[str]:
    """The end of a game that has a fixed number of hands."""
    hands = by_number(rules.hands, "one hand", f"{number_word(rules.hands)} hands")
    if rules.partnership:
        end = f"The game ends after {hands}; the lower total wins."
        early = f"It ends earlier if a team's total reaches {rules.target} points after a hand."
    else:
        end = f"The game ends after {hands}; the lowest total wins."
        early = f"It ends earlier if somebody's total reaches {rules.target} points after a hand."
    return [end, early] if rules.may_reach_target else [end]


def _back_below(rules: Rules) -> list[str]:
    """Says what happens if totals fall during the hands that break a tie."""
    if not rules.may_reach_target:
        return []
    may_fall = rules.jack_points or rules.no_tricks_bonus or rules.fifty_bonus or rules.moon is not MoonScoring.ADD
    if not may_fall:
        return []
    return [f"Should every total drop below {rules.target} again by then, the game simply goes on."]


def _penalties(rules: Rules) -> str:
    """All penalty cards."""
    if not rules.queen_points:
        return "hearts"
    return "hearts or the queen of spades" if rules.packs == 1 else "hearts or queens of spades"


def _penalty(rules: Rules) -> str:
    """Any one of the penalty cards."""
    if not rules.queen_points:
        return "a heart"
    return "a heart or the queen of spades" if rules.packs == 1 else "a heart or a queen of spades"


def _opening_ban(rules: Rules) -> str:
    """Any one of the cards that may not be led to the first trick."""
    return "a heart" if rules.opening_ban is OpeningBan.HEARTS else _penalty(rules)


def _moon_cards(rules: Rules) -> str:
    """All cards that a moon takes."""
    if not rules.queen_points:
        return f"all {13 * rules.packs} hearts"
    return "all 13 hearts and the queen of spades" if rules.packs == 1 else "all 26 hearts and both queens of spades"


def _the_queen(rules: Rules) -> str:
    return "the queen of spades" if rules.packs == 1 else "a queen of spades"


def _queen_sentence(rules: Rules, one: str, two: str) -> str:
    """The first sentence for one pack, which has one queen of spades; the second for two."""
    return by_number(rules.packs, one, two)
