"""Judges what a mail server says about a mail that it did not deliver: the address is invalid, or something else.

A code in the server's own words outranks the status that another program has put beside them, and words about a full
mailbox, a limit, a policy or spam outrank both: servers put 5.1.1 on all of these. Source: RFC 3463 (status).
"""

import re
from typing import Final

NO_SUCH_USER, DISABLED, NO_SUCH_DOMAIN, FULL, POLICY, LATER = "5.1.1", "5.2.1", "5.1.2", "5.2.2", "5.7.1", "4.4.7"
SENDER_REFUSED: Final = ("5.1.7", "5.1.8")  # the sender's address is rejected, which is ours
_VAGUE: Final = ("5.5.0", "5.5.1", "5.3.0", "5.2.0", "5.4.0")  # servers put them on anything, as they do x.0.0

_STATUS: Final = re.compile(r"(?<![\d.\[])([245])\.(\d{1,3})\.(\d{1,3})(?![\d.])")
_CODE: Final = re.compile(r"(?<![\d.:\[/-])([45])[0-7]\d(?=[ -]|$)")
_CONTRADICTED: Final = re.compile(r"(?<![\d.])4\d\d[ -]#?5\.\d")  # a code of something temporary before a status
_LINK: Final = re.compile(r"https?:|[@\[]", re.IGNORECASE)
_HOST: Final = re.compile(r"\b[\w-]+(?:\.[\w-]+)+\b")


def _any_of(*ways: str) -> re.Pattern[str]:
    return re.compile("|".join(ways), re.IGNORECASE)


_PERSON: Final = (
    r"(?:user|recipient|mail ?-?box|address(?:ee)?|account|e-?mail|customer|person|alias|login|local[- ]part)"
)
_NOT: Final = r"(?:\bnot|n[o']?t|n't)"
_UNKNOWN: Final = r"\bunknown(?! (?:reason|error))"
_POLICY_WORDS: Final = _any_of(
    r"spam|\bjunk\b|unsolicited|\bbulk\b|virus|malware|phish|\bfilter",
    r"(?:black|block|deny)-? ?list|\bdnsbl|\brbls?\b|blocked(?! \w+ (?:to |of )?inactiv)",
    r"\bbanned\b|reputation|(?:is|are|was|been|currently|host|ip) listed\b|polic(?:y|ies)\b",
    r"prohibited|restrict|suspicious",
    r"not (?:allowed|permitted|authori[sz]ed)|unauthori[sz]ed|authenticat|\bdmarc\b|\bspf\b|\bdkim\b",
    r"\bptr\b|\bhelo\b|\behlo\b",
    rf"relay(?:ing)? (?:access )?(?:is )?(?:denied|not|prohibited)|(?:cannot|unable to|{_NOT}) relay",
    r"verification failed for|call-?out|sending address",
    rf"\bsender\b.{{0,40}}(?:reject|den|block|verif|invalid|unknown|refus|list|{_NOT})",
    r"(?:reject|den|block|refus|verify)\w* .{0,20}\bsender",
    r"client host|your (?:ip|host|server|network|domain|mail server)|reverse (?:dns|lookup|hostname)",
    r"contents?\b.{0,30}(?:reject|filter|den|refus)|(?:reject|den|refus)\w* .{0,30}contents?\b|(?:was|been) filtered",
    r"too (?:large|big|long)\b.{0,20}(?:message|mail)|(?:message|mail)\b.{0,20}too (?:large|big|long)",
    r"too (?:many|much|fast|quick|frequent)|at a rate|\brate\b.{0,30}(?:limit|that)|throttl",
    r"(?:frequency|volume) (?:is )?limit",
    r"(?:message|mail) (?:size|exceed)|size limit of (?:the )?(?:message|mail)\b",
    r"mail loop|message (?:is )?loop|too many hops|hop count|attachment .{0,30}(?:reject|block|type|den)",
    r"spamverdacht|gesperrt|correo no deseado|indésirable|спам|スパム|垃圾",
)
# They say so only beside no word about the address.
_WEAK_POLICY_WORDS: Final = _any_of(
    rf"(?:mail|message|connection)s?\b (?:\w+ ){{0,3}}(?:refused|rejected|denied|{_NOT} accept)",
    r"access denied|refused by",
)
_FULL_WORDS: Final = _any_of(
    r"quota|overus|(?:mail ?-?box|in ?-?box|mail ?-?folder|account|store|storage|disk|spool)\b.{0,40}"
    r"(?:\bfull\b|exceed|too large|at its limit|limit reached)",
    r"\bis (?:too |over)?full\b|exceed\w* .{0,40}(?:mailbox|storage)|no space left|no room|can take no more",
    r"(?:insufficient|not enough|no|out of|low) (?:system |disk |free )?(?:storage|space)",
    r"maximum (?:mailbox |allowed )?(?:size|storage)|postfach .{0,30}voll|speicherplatz|bo[iî]te .{0,40}pleine",
    r"buz[oó]n .{0,30}llen|casella .{0,30}piena|caixa .{0,30}cheia|переполнен|容量|已满|いっぱい",
)
_LATER_WORDS: Final = _any_of(
    r"temporar|try (?:\w+ ){0,2}(?:again|later)|try later|gr[ea]y-? ?list|deferred|overload",
    r"too busy|\brate\b.{0,30}exceed",
    r"exceed\w* .{0,40}(?:per|rate|hour|minute|day|limit)|time(?:d|-)? ?out|retry time|\bexpired",
    r"connection (?:refused|reset|lost|dropped|closed|failed)|(?:could not|unable to) connect|no route to",
    r"(?:network|host) (?:is )?unreachable|not respond|no (?:answer|response) from|service (?:not |un)available",
    r"(?:local|system|configuration|internal|server|transaction|software) (?:error|fail|problem)",
    r"vorübergehend|zeitüberschreitung|temporaire",
)
_GONE_WORDS: Final = _any_of(
    rf"{_PERSON}s?\b.{{0,60}}?(?:{_UNKNOWN}|\binvalid|unrecogni[sz]ed|(?:in|non)-?exist|no longer)",
    rf"{_PERSON}s?\b.{{0,60}}?{_NOT} (?:an? |be |our )*(?:\w+ )?"
    r"(?:exists?\b|found|known|listed|recogni[sz]ed|valid|located?|registered|defined|current)",
    rf"{_PERSON}s?\b.{{0,60}}?cannot be (?:found|located)",
    rf"not our customer|do(?:es)? ?{_NOT} have an?\b.{{0,30}}account",
    rf"(?:recipient|address)\b.{{0,20}}{_NOT} be verified|(?:unable to|could{_NOT}|cannot) find .{{0,20}}{_PERSON}",
    rf"(?:unknown|invalid|bad|non-?existent|inexistent|illegal|unrout\w+|incorrect|wrong|unrecogni[sz]ed"
    rf"|unexisting|no valid|not (?:a )?(?:valid|known))\b[ :,]*(?:\w+ )?(?:{_PERSON}|local\b|destination)",
    rf"no such (?:\w+ )?(?:{_PERSON}|name|person)|no (?:\w+ )?{_PERSON} (?:here|by|named|with|of|in|found|called|has)",
    r"does not like recipient|(?:user|recipient) not local|account unavailable",
    r"mailbox (?:\w+ ){0,2}unavailable|recip(?:ient)?notfound|bad destination",
    r"no longer (?:\w+ )?(?:at|with|works?|employed|valid|in use|accept|here|an? (?:customer|employee))",
    r"undeliverable address",
    r"(?:account|user|mailbox) (?:\w+ ){0,3}(?:deleted|removed|terminated)",
    r"(?:empfänger|adresse|benutzer|postfach)\w*\b.{0,40}(?:unbekannt|nicht gefunden|nicht bekannt|existiert)",
    r"(?:unbekannt|ungültig)\w* (?:empfänger|adresse|benutzer)|(?:adresse|utilisateur|destinataire)\b.{0,40}"
    r"(?:inconnu|introuvable|existe pas|inexistant)",
    r"(?:usuario|utente|destinat\w+|endere[cç]o|direcci[oó]n|indirizzo)\b.{0,40}"
    r"(?:desconocid|sconosciut|desconhecid|no existe|inexistente|non esiste|n[ãa]o existe|inesistente)",
    r"(?:adres|gebruiker)\b.{0,40}(?:bestaat niet|onbekend)|не существует|не найден|存在しません|見つかりません|不存在",
)
_DISABLED_WORDS: Final = _any_of(
    rf"{_PERSON}\b.{{0,40}}\b(?:disabled|deactivated|discontinued|closed|abandoned|suspended|inactiv|not activ)",
    rf"(?:disabled|deactivated|discontinued|closed) (?:\w+ )?{_PERSON}",
)
_DOMAIN_WORDS: Final = _any_of(
    rf"(?:host|domain|name)s?\b.{{0,60}}?(?:{_UNKNOWN}|no such|{_NOT} (?:be )?(?:found|known|exist)|does not resolve)"
    r"(?!.{0,3}try again)",
    r"(?:unknown|no such|bad|non-?existent) (?:host|domain|destination system)|find any host",
)
# The answer of the DNS that there is no such domain, which says so even beside 4.0.0.
_NO_DOMAIN_IN_DNS: Final = _any_of("nxdomain")


def judged(declared: str, said: str) -> str:
    """The status that the server's words `said` amount to; `declared` is the one beside them, or empty.

    Empty if neither says anything.
    """
    words = _without_names(said)
    if _NO_DOMAIN_IN_DNS.search(words):
        return NO_SUCH_DOMAIN
    status = _more_precise(said, declared)
    is_open = is_hard(status) or is_vague(status)  # otherwise the status itself says why
    is_gone = _GONE_WORDS.search(words) is not None
    if _POLICY_WORDS.search(words) or (_WEAK_POLICY_WORDS.search(words) and not is_gone):
        return POLICY if is_open else status
    if _FULL_WORDS.search(words):
        return f"{status[:1] or '5'}{FULL[1:]}" if is_open else status
    if _LATER_WORDS.search(words) and not (is_gone and is_hard(status)):
        return LATER if is_open else status
    if status.startswith(("2", "4", "5.6.")) or status in SENDER_REFUSED:
        return status
    if is_hard(status) and status != "5.1.0":
        return status
    if is_gone:
        return NO_SUCH_USER
    if _DISABLED_WORDS.search(words):
        return DISABLED
    return NO_SUCH_DOMAIN if _DOMAIN_WORDS.search(words) else status


def is_hard(status: str) -> bool:
    """Whether a status says that the address is invalid: 5.1.x, unless it is about the sender's, and 5.2.1."""
    return (status.startswith("5.1.") and status not in SENDER_REFUSED) or status == DISABLED


def is_vague(status: str) -> bool:
    """Whether a status says only that something is permanent or not, or nothing at all."""
    return not status or status.endswith(".0.0") or status in _VAGUE


def is_decisive(said: str) -> bool:
    """Whether the words of a server have a status, or say why by themselves."""
    words = _without_names(said)
    reasons = (_POLICY_WORDS, _FULL_WORDS, _LATER_WORDS, _GONE_WORDS, _DISABLED_WORDS, _DOMAIN_WORDS)
    return not is_vague(status_in(said) or "") or any(reason.search(words) for reason in reasons)


def status_in(text: str) -> str | None:
    """The first status in `text` that is not vague, else the first; None if there is none."""
    found = [".".join(str(int(number)) for number in one) for one in _STATUS.findall(text)]
    return next((one for one in found if not one.endswith(".0.0")), next(iter(found), None))


def _without_names(said: str) -> str:
    """The text without links, addresses and names of hosts, within which words say nothing."""
    return _HOST.sub(" ", " ".join(word for word in said.split() if not _LINK.search(word)))


def _of_code(text: str) -> str | None:
    """The status of the first SMTP reply code in `text`; None if there is none."""
    code = _CODE.search(text)
    return f"{code[1]}.0.0" if code else None


def _more_precise(said: str, declared: str) -> str:
    """The server's own status, else the one that is declared, unless its reply code contradicts that."""
    own, by_code = status_in(said), _of_code(said)
    if own and not own.endswith(".0.0"):
        return f"4{own[1:]}" if _CONTRADICTED.search(said) else own
    first = own or by_code
    if first and declared and first[0] == declared[0]:
        return declared
    return first or declared
