"""Links for the samples, as long as real ones."""

LINK = "https://hearts.example/turn/eyJnYW1lIjo3LCJzZWF0IjoyfQ.aZxY81.k3Jd0sPq7mN2vB5cX9zL4wT6rH8"
TABLE_LINK = "https://hearts.example/seat/eyJ0YWJsZSI6N30.aZxY81.p0Oi9uY7tR5eW3qA1sD"
RELIVE_LINK = "https://hearts.example/relive/WzEsNywxXQ.aZxY81.m4Lk7jH2gF9dS5aP0o"
AGAIN_LINK = "https://hearts.example/again/WzEsNywyLDUsMV0.aZxY81.q8We3rT6yU1iO4pA7s"
ADDRESS_LINK = "https://hearts.example/address/WzEsMywiZGkiXQ.aZxY81.n5Bv4cX3zA2sD1fG0h"
GAMES_LINK = "https://hearts.example/games"
NEW_TABLE_LINK = "https://hearts.example/tables/new"
PREFERENCES_LINK = "https://hearts.example/preferences/WzEsM10.aZxY81.t6Yh5gT4rF3eD2wS1q"
RULES_LINK = "https://hearts.example/how-we-play/7F3K"
FOOT = {
    "preferences_link": PREFERENCES_LINK,
    "unsubscribe_link": "https://hearts.example/unsubscribe/WzEsNywyLDNd.aZxY81.u7Jm6nH5bG4vF3cD2x",
    "unsubscribe_text": "Mute this table",
}
