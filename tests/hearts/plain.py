"""The rules of play once more, slowly, on lists of card codes: `hearts` is checked against them.

It shares nothing with `hearts`: cards are texts, options a dictionary of the words of the game record, and every
question is answered by looking at all cards again.
"""

from collections import Counter

RANKS = "23456789TJQKA"
REMOVED = {3: "2D", 4: "", 5: "2C 2D", 6: "2D 3D 3C 4C", 7: "2D 3D 3C"}
DEFAULTS = {
    "players": 4,
    "packs": 1,
    "partnership": False,
    "target": 100,
    "hands": 0,
    "passing": "left-right-across-keep",
    "pass_count": 3,
    "opening": "low-club",
    "opening_ban": "points",
    "first_trick_points": False,
    "hearts_lead": "after-broken",
    "queen_breaks": "no",
    "queen_lead": "anytime",
    "queen_discard": "anytime",
    "queen_points": 13,
    "jack_points": 0,
    "moon": "add",
    "sun": False,
    "no_tricks_bonus": 0,
    "fifty_bonus": False,
    "kitty": "off",
    "cancellation": "two-pairs-void",
    "tie_break": "shared",
}


def pack(options):
    cards = [rank + suit for suit in "CDSH" for rank in RANKS] * options["packs"]
    if options["packs"] == 1 and options["kitty"] == "off":
        cards = [card for card in cards if card not in REMOVED[options["players"]].split()]
    return cards


def passed_to(options, hand):
    """How many seats to the left the passed cards go in hand 1, 2, 3 …; 0 if they are kept."""
    players = options["players"]
    steps = {"left": 1, "right": players - 1, "across": players // 2, "keep": 0, "none": 0}
    words = [word for word in options["passing"].split("-") if word != "across" or players % 2 == 0]
    return steps[words[(hand - 1) % len(words)]]


def after_passing(options, hand, held, passes):
    """The hands by seat after everybody passed."""
    to = passed_to(options, hand)
    players = options["players"]
    new = []
    for seat in range(players):
        kept = list(held[seat])
        for card in passes[seat]:
            kept.remove(card)
        new.append(kept + list(passes[(seat - to) % players]))
    return new


def is_penalty(options, card):
    return card[1] == "H" or (card == "QS" and options["queen_points"] != 0)


class PlainHand:
    """One hand while it is played: `dealt` before and `held` after passing, by seat."""

    def __init__(self, options, dealer, dealt, held, number=1):
        self.number = number
        self.options = options
        self.players = options["players"]
        self.held = [list(cards) for cards in held]
        self.lowest = min(
            (card for cards in dealt for card in cards if card[1] == "C"), key=lambda c: RANKS.index(c[0])
        )
        self.tricks = []  # (leader, cards, winner)
        self.table = []
        self.broken = False
        if options["opening"] == "eldest":
            self.leader = (dealer + 1) % self.players
        else:
            self.leader = next(seat for seat in range(self.players) if self.lowest in self.held[seat])

    def copy(self):
        other = object.__new__(PlainHand)
        other.__dict__ = {
            **self.__dict__,
            "held": [*map(list, self.held)],
            "tricks": [*self.tricks],
            "table": [*self.table],
        }
        return other

    @property
    def seat(self):
        return (self.leader + len(self.table)) % self.players

    @property
    def done(self):
        return not any(self.held)

    def legal(self):
        options, held = self.options, self.held[self.seat]
        if not self.table and not self.tricks:
            if options["opening"] == "low-club":
                return {self.lowest}
            if options["opening"] == "any-club":
                return {card for card in held if card[1] == "C"}
            if options["opening_ban"] == "points":
                return {card for card in held if not is_penalty(options, card)} or set(held)
            return {card for card in held if card[1] != "H"} or set(held)
        if not self.table:
            barred = set()
            if not self.broken and options["hearts_lead"] == "after-broken":
                barred |= {card for card in held if card[1] == "H"}
            if not self.broken and options["queen_lead"] == "after-broken":
                barred.add("QS")
            return set(held) - barred or set(held)
        following = {card for card in held if card[1] == self.table[0][1]}
        if following:
            return following
        left = set(held)
        if not self.tricks and not options["first_trick_points"]:
            left = {card for card in left if not is_penalty(options, card)} or left
        if not self.broken and options["queen_discard"] == "after-broken":
            left = left - {"QS"} or left
        return left

    def play(self, card):
        leading = not self.table
        self.held[self.seat].remove(card)
        self.table.append(card)
        if card[1] == "H" or (
            card == "QS" and self.options["queen_breaks"] in (["led", "played"] if leading else ["played"])
        ):
            self.broken = True
        if len(self.table) == self.players:
            won_by = self.won_by()
            self.tricks.append((self.leader, self.table, won_by))
            self.table = []
            self.leader = self.leader if won_by is None else won_by

    def won_by(self):
        counts = Counter(self.table)
        pairs = [card for card in counts if counts[card] == 2]
        if self.options["packs"] == 2 and self.options["cancellation"] == "two-pairs-void" and len(pairs) >= 2:
            return None
        able = [card for card in self.table if card[1] == self.table[0][1] and card not in pairs]
        if not able:
            return None
        best = sorted(able, key=lambda card: RANKS.index(card[0]))[-1]
        return (self.leader + self.table.index(best)) % self.players

    def piles(self, kitty):
        """By seat, the cards it collected in the whole hand."""
        options = self.options
        piles = [[] for _ in range(self.players)]
        waiting = []
        kitty = list(kitty)
        for number, (_, cards, won_by) in enumerate(self.tricks):
            waiting += cards
            if won_by is None:
                continue
            piles[won_by] += waiting
            waiting = []
            due = (
                options["packs"] == 2
                or {
                    "off": False,
                    "first-trick": number == 0,
                    "last-trick": number == len(self.tricks) - 1,
                    "first-heart": any(card[1] == "H" for card in cards),
                    "first-points": any(is_penalty(options, card) for card in cards),
                }[options["kitty"]]
            )
            if due:
                piles[won_by] += kitty
                kitty = []
        return piles

    def scores(self, kitty, before, choice):
        """`taken` by seat, `moon`, `points` and `totals` by side, and whether the game is over."""
        options = self.options
        piles = self.piles(kitty)
        taken = [
            sum(1 if card[1] == "H" else options["queen_points"] * (card == "QS") for card in pile) for pile in piles
        ]
        sides = [[0, 2], [1, 3]] if options["partnership"] else [[seat] for seat in range(self.players)]
        everything = options["packs"] * (13 + options["queen_points"])
        moon = next((n for n, side in enumerate(sides) if sum(taken[seat] for seat in side) == everything), None)
        winners = [won_by for _, _, won_by in self.tricks]
        jacks = [options["jack_points"] * sum(piles[seat].count("JD") for seat in side) for side in sides]

        def ending(way):
            points = []
            for number, side in enumerate(sides):
                if moon is None:
                    tricks = [seat for seat in side if seat not in winners]
                    points.append(sum(taken[seat] for seat in side) + options["no_tricks_bonus"] * len(tricks))
                else:
                    double = options["sun"] and all(seat in sides[moon] for seat in winners)
                    total = everything * (2 if double else 1)
                    points.append(
                        {"add": 0, "subtract": -total}[way] if number == moon else {"add": total, "subtract": 0}[way]
                    )
            points = [a + b for a, b in zip(points, jacks, strict=True)]
            totals = [a + b for a, b in zip(before, points, strict=True)]
            if options["fifty_bonus"]:
                totals = [total - 50 if total in range(50, 5000, 50) else total for total in totals]
            over = max(totals) >= options["target"] or (options["hands"] > 0 and self.number >= options["hands"])
            if options["tie_break"] == "extra-hand" and totals.count(min(totals)) > 1:
                over = False
            return points, totals, over

        way = options["moon"]
        if way == "choice":
            way = choice
        if way == "smart":
            _, totals, over = ending("add") if moon is not None else (None, [0], False)
            way = "subtract" if over and any(total < totals[moon] for total in totals) else "add"
        points, totals, over = ending(way)
        return {"taken": taken, "moon": moon, "points": points, "totals": totals, "over": over}


def replayed(options, record):
    """For each hand of a finished game's record, the result of `PlainHand.scores`; fails if a card is not legal."""
    totals = [0] * (2 if options["partnership"] else options["players"])
    results = []
    for number, hand in enumerate(record["hands"], 1):
        play = opened(options, number, hand)
        for card in hand["plays"].split():
            assert card in play.legal()
            play.play(card)
        assert play.done
        results.append(play.scores(hand["kitty"].split(), totals, hand.get("moon")))
        totals = results[-1]["totals"]
    return results


def opened(options, number, hand):
    """The hand that a record holds, dealt and passed."""
    dealt = [cards.split() for cards in hand["deal"]]
    held = dealt
    if passed_to(options, number):
        held = after_passing(options, number, dealt, [cards.split() for cards in hand["passes"]])
    return PlainHand(options, hand["dealer"], dealt, held, number)


def counted(hand, depth):
    """How many ways there are to play 1, 2, … `depth` cards on."""
    counts = [0] * depth
    ways = hand.legal() if depth and not hand.done else ()
    for card in ways:
        after = hand.copy()
        after.play(card)
        deeper = counted(after, depth - 1)
        counts = [count + more for count, more in zip(counts, [1, *deeper], strict=True)]
    return counts
