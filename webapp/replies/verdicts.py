"""Judges what a mail server says about a mail that it does not deliver: whose fault it is, and why.

The same for the answers of our relay, step by step, and for delivery reports. Words about the sender, a limit, a
policy, spam or a full mailbox outrank any status, because servers put 5.1.1 on all of these; a code in the server's
own words outranks the status that another program has put beside them. Source: RFC 3463 (status).
"""

import re
from enum import StrEnum
from typing import Final, NamedTuple

NO_SUCH_USER, DISABLED, NO_SUCH_DOMAIN, FULL, POLICY, LATER = "5.1.1", "5.2.1", "5.1.2", "5.2.2", "5.7.1", "4.4.7"
NOT_LISTED: Final = "5.1.10"  # Exchange's own status for an address that its directory has not
OF_SENDER: Final = (".1.7", ".1.8", ".7.8")  # our address is rejected, or our password
_VAGUE: Final = ("5.5.0", "5.5.1", "5.3.0", "5.2.0", "5.4.0")  # servers put them on anything, as they do x.0.0


class Fault(StrEnum):
    """The party at fault where a mail was not delivered."""

    SENDER = "sender"  # ours: a limit, our account, our address or domain, a relay that does not know us
    POLICY = "policy"  # the recipient's server does not want it as it comes: spam, a list, a rule, a rate, a wait
    MAIL = "mail"  # of this mail alone: its size or form
    ADDRESS = "address"  # the address is invalid
    MAILBOX = "mailbox"  # it is full, or takes nothing
    LATER = "later"  # a trouble that may pass
    UNSAID = "unsaid"  # nobody says why

    @property
    def is_ours(self) -> bool:
        """Whether the mail should be tried again as it is, and nobody who reads mail has to do with it."""
        return self in (Fault.SENDER, Fault.POLICY)


class Verdict(NamedTuple):
    """The judgement on a server's words. `status` is empty if they say nothing."""

    status: str
    fault: Fault

    @property
    def is_hard(self) -> bool:
        """Whether the address is invalid."""
        return self.fault is Fault.ADDRESS


_STATUS: Final = re.compile(r"(?<![\d.\[])([245])\.(\d{1,3})\.(\d{1,3})(?![\d.])")
_CODE: Final = re.compile(r"(?<![\d.:\[/-])([45])[0-7]\d(?=[ -]|$)", re.MULTILINE)
_CONTRADICTED: Final = re.compile(r"(?<![\d.])4\d\d[ -]#?5\.\d")  # a code of something temporary before a status
_LINK: Final = re.compile(r"https?:|[@\[]", re.IGNORECASE)
_NAMED: Final = re.compile(r"\S+@\S+:")  # an address before what is said about it
_HOST: Final = re.compile(r"\b[\w-]+(?:\.[\w-]+)+\b")


def _any_of(*ways: str) -> re.Pattern[str]:
    return re.compile("|".join(ways), re.IGNORECASE | re.MULTILINE)


_PERSON: Final = (
    r"(?:user(?:[ -]?id|[ -]?name)?|recipient|mail ?-?box|address(?:e[es])?|account|e-?mail|customer|person|alias|login"
    r"|local[- ]part)"
)
_NOT: Final = r"(?:\bnot|n[o']?t|n't)"
_UNKNOWN: Final = r"\bunknown(?! (?:reason|error))"
_LIMIT: Final = r"(?:limit|quota|maximum|max\b|allowance|threshold)"
_A_WHILE: Final = (
    r"(?:(?:per|an?|each|this|last|every|\d+) (?:\d+ )?(?:hour|day|minute|second|month)|today|daily|hourly"
    r"|/\s?(?:h|d|hour|day)\b)"
)
_MAILS: Final = r"(?:e-?mails?|messages?|mails?|recipients|defers)"
_SENDING: Final = r"\b(?:sending|outgoing|outbound|submission|smtp relay|relay sending|smtp client)\b"
_OUR: Final = (
    r"\b(?:your|sender'?s?|sending|originating) (?:\w+ )?(?:account|mailbox|user|plan|tenant|company|customer"
    r"|organi[sz]ation|subscription|domain|address)"
)
_BARRED: Final = (
    r"(?:suspen|disabled|blocked|deactivat|locked|on hold|paused|restricted|limited|cancel|terminated|banned)"
)
# How much a recipient may get is no limit of ours.
_RECEIVING_WORDS: Final = _any_of(
    r"recipient(?:'s| has| is|s? ha[sv]e)\b.{0,60}(?:limit|rate\b|too m\w+ (?!mail stored))",
    r"(?:incoming|inbound)\b.{0,40}(?:limit|rate)|receiving (?:mail|message)|receiv\w* (?:too|at a)",
    r"trying to (?:contact|reach)|their limit|gets? mail at a rate",
)
_SENDER_WORDS: Final = _any_of(
    # limits
    rf"{_SENDING}.{{0,40}}(?:{_LIMIT}|\brates?\b|volume|exceed|activity|privilege|{_BARRED})",
    rf"(?:{_LIMIT}|exceed\w*|too many)\b.{{0,60}}\b{_A_WHILE}|\b{_A_WHILE}\b.{{0,40}}(?:{_LIMIT}|exceed)",
    rf"\b(?:you|you've|{_OUR}|sender|customer|tenant)\b.{{0,60}}(?:exceed|(?<!to )reach|hit|used (?:up|all))\w* "
    rf".{{0,50}}(?:{_LIMIT}|credits|{_A_WHILE})",
    rf"\bdomain\b.{{0,60}}exceed.{{0,60}}{_MAILS}",
    r"(?:message (?:rate )?(?:limit|quota)|recipient (?:rate )?limit|credits?)\b.{0,20}(?:exceed|reach|used up)",
    r"outboundspam|sent too (?:many|much)|sending too|throttling failure|(?:not|n't) send (?:any )?more",
    # an account
    rf"{_OUR}\b.{{0,40}}{_BARRED}|{_BARRED}\w* .{{0,30}}(?:from send|{_SENDING})|mail suspension",
    rf"{_SENDING} .{{0,30}}(?:is|was|are|been) (?:\w+ )?{_BARRED}|{_OUR}\b.{{0,30}}(?:compromised|hacked)",
    # a relay that does not know us
    r"relay(?:ing)? (?:mail |e-?mails? |access )?(?:is )?(?:denied|not|prohibited)|allowed rcpthosts",
    rf"(?:cannot|unable to|{_NOT}) (?:\w+ )?relay",
    r"authentication (?:is )?(?:required|needed)|must (?:first )?(?:be )?(?:authenticated?|log ?in|issue)",
    r"(?:not|n't) (?:been )?authenticated\b(?! (?:mail|message))|authenticate first|before smtp",
    r"log ?in (?:first|required)|not logged in|password (?:is |was )?(?:not accepted|incorrect|invalid)",
    r"(?:incorrect|invalid|bad) (?:user ?name|credentials|password)",
    # an address or a domain
    r"domain of (?:the sender|sender|your)|sender'?s? domain|\byour domain\b",
    r"(?:verification|verify) failed for|call-?out|sending address",
    rf"\bsender\b.{{0,40}}(?:reject|den(?:y|ied)|block|verif|invalid|unknown|refus|list|{_NOT}|fail|does)",
    r"(?:reject|den(?:y|ied)|block|refus|verify)\w* .{0,20}\bsender",
    r"\b(?:from|return[- ]path|reply|envelope) (?:address|domain|header|field)\b.{0,60}"
    rf"(?:reject|refus|den|invalid|unknown|block|{_NOT}|match)",
    r"(?:bad|invalid|unknown|illegal|unrout\w+|unverified|bogus|spoofed) (?:\w+ )?(?:sender|from|return[- ]path)\b",
    rf"(?:{_NOT} (?:\w+ ){{0,2}}|un)(?:allowed|permitted|authori[sz]ed|able) to (?:send|use|relay|submit)",
    r"permissions? to send|(?:not|n't) owned by|address(?:es)? (?:is|are) not verified|identities failed",
)
_MAIL_WORDS: Final = _any_of(
    r"too (?:large|big|long)\b.{0,20}(?:message|mail)|(?:message|mail)\b.{0,20}too (?:large|big|long)",
    r"(?:message|mail) (?:size|exceed)|size (?:limit )?(?:of|for) (?:the )?(?:message|mail)\b|(?:message|mail) size",
    r"header.{0,30}(?:invalid|malformed|missing|too)|(?:invalid|malformed|missing) .{0,20}header",
    r"attachment .{0,30}(?:reject|block|type|den)",
)
_POLICY_WORDS: Final = _any_of(
    r"spam|\bjunk\b|unsolicited|\bbulk\b|virus|malware|phish|\bfilter",
    r"(?:black|block|deny)-? ?list|\bdnsbl|\brbls?\b|blocked(?! \w+ (?:to |of )?inactiv)",
    r"\bbanned\b|reputation|(?:is|are|was|been|currently|host|ip) listed\b|polic(?:y|ies)\b|preferences?\b",
    r"prohibited|restrict|suspicious|complaint",
    r"not (?:allowed|permitted|authori[sz]ed)|unauthori[sz]ed|authenticat|\bdmarc\b|\bspf\b|\bdkim\b",
    r"\bptr\b|\b(?:helo|ehlo)\b(?!=)|not accepting (?:mail|messages?) from",
    r"client host|your (?:ip|host|server|network|domain|mail server)|reverse (?:dns|lookup|hostname)",
    r"contents?\b.{0,30}(?:reject|filter|den|refus)|(?:reject|den|refus)\w* .{0,30}contents?\b|(?:was|been) filtered",
    r"too (?:many(?! hops)|much(?! mail stored)|fast|quick|frequent)|at a rate",
    r"\brate\b.{0,30}(?:limit|that)|throttl|gr[ea]y-? ?list|(?:frequency|volume) (?:is )?limit",
    r"spamverdacht|gesperrt|correo no deseado|indésirable|спам|スパム|垃圾",
)
# They say so only beside no word about the address.
_WEAK_POLICY_WORDS: Final = _any_of(
    rf"(?:mail|message|connection)s?\b (?:\w+ ){{0,3}}(?:refused|rejected|denied|{_NOT} accept)",
    r"access denied|refused by",
)
# They say so only behind a code, and where nothing says anything else: then it is not about the address.
_ANSWER_POLICY_WORDS: Final = _any_of(
    r"\bips?\b|\br?dns\b|\bsending\b|exchanger|\bconnect|\blimits?\b|abus|advertis|\bserver\b|mail from|confirm",
    r"access from|no access|\bviolat|\bdynamic\b|\bproxy\b|mismatch|unresolvable|go away|responsible|attachment",
    r"\bheaders? (?:\w+ )?(?:error|invalid|not)|spoof|forge|settings\b|priority|subscribe|members?\b|mailing list",
    r"\btls\b|\binsecure\b|captcha|\byour (?:address|isp)\b|slower\b|slow down|qualified (?:e-?mail )?address",
    r"(?:not|n't) (?:be )?accept\w* (?:\w+ )?(?:mail|messages?|e-?mails?|connections?)|\btrop de\b|authentifi",
    r"(?:from|domain|host ?name|ip)\b.{0,20}(?:invalid|required|missing)|invalid (?:domain|host)|fail\w* to verify",
    r"(?<!recipient )verification fail",
)
_FULL_WORDS: Final = _any_of(
    r"quota|overus|(?:mail ?-?box|in ?-?box|mail ?-?folder|account|store|storage|disk|spool|box space)\b.{0,40}"
    r"(?:\bfull\b|exceed|too large|at its limit|limit reached|not enough|insufficient)",
    r"\bis (?:too |over)?full\b|exceed\w* .{0,40}(?:mailbox|storage)|no space left|no room|can take no more",
    r"(?:insufficient|not enough|no|out of|low) (?:system |disk |free )?(?:storage|space)|too much mail stored",
    r"maximum (?:mailbox |allowed )?(?:size|storage)|postfach .{0,30}voll|speicherplatz|bo[iî]te .{0,40}pleine",
    r"buz[oó]n .{0,30}llen|casella .{0,30}piena|caixa .{0,30}cheia|переполнен|容量|已满|いっぱい",
)
_LATER_WORDS: Final = _any_of(
    r"temporar|try (?:\w+ ){0,2}later|try again (?:in|after|later|soon|tomorrow)|try later|deferred|overload",
    r"too busy|\brate\b.{0,30}exceed|(?:currently|momentarily) unavailable",
    r"exceed\w* .{0,40}(?:per|rate|hour|minute|day|limit)|time(?:d|-)? ?out|retry time",
    r"connection (?:refused|reset|lost|dropped|closed|failed)|(?:could not|unable to) connect|no route to",
    r"(?:network|host) (?:is )?unreachable|not respond|no (?:answer|response) from",
    r"mail loop|message (?:is )?loop|too many hops|hop count|vorübergehend|zeitüberschreitung|temporaire",
)
# They say so only beside no word about the address.
_WEAK_LATER_WORDS: Final = _any_of(
    r"try (?:\w+ ){0,2}again|service (?:is )?(?:not |un)available|\bexpired",
    r"(?:local|system|configuration|internal|server|transaction|software) (?:error|fail|problem)",
)
_GONE_WORDS: Final = _any_of(
    rf"{_PERSON}s?\b.{{0,60}}?(?:{_UNKNOWN}|\binvalid|unrecogni[sz]ed|(?:in|non)-?exist|no longer)",
    rf"{_PERSON}s?\b.{{0,60}}?{_NOT} (?:an? |be |our )*(?:\w+ )?"
    r"(?:exists?\b|found|known|listed|recogni[sz]ed|valid|located?|registered|defined|current|present|local)",
    rf"{_PERSON}s?\b.{{0,60}}?cannot be (?:found|located)",
    rf"not our customer|do(?:es)? ?{_NOT} have an?\b.{{0,30}}account",
    rf"(?:recipient|address)\b.{{0,20}}{_NOT} be verified|(?:unable to|could{_NOT}|cannot) find .{{0,20}}{_PERSON}",
    rf"(?:unknown|invalid|bad|non-?existent|inexistent|illegal|unrout\w+|incorrect|wrong|unrecogni[sz]ed"
    rf"|unexisting|no valid|not (?:a )?(?:valid|known))\b[ :,]*(?:\w+ ){{0,2}}(?:{_PERSON}|local\b|destination)",
    rf"no such (?:\w+ )?(?:{_PERSON}|name|person)|no (?:\w+ )?{_PERSON} (?:here|by|named|with|of|in|found|called|has)",
    rf"can(?:not|'t) find (?:an? |the )?{_PERSON}|(?:is|was) ?{_NOT} an? (?:\w+ )?{_PERSON}|inactive {_PERSON}",
    r"account (?:is |has )?expired|never logged|no ?one at th|mailbox has moved",
    r"does not like recipient|not a local|account unavailable|no matches to|user ?unknown|(?:bad|valid)\w*rcptto",
    r"^[\d\W]*(?:rcpt )?does not exist|\bno(?:t|ne)? .{0,40}in (?:the )?(?:\w+ )?directory",
    r"mailbox (?:\w+ ){0,2}unavailable|recip(?:ient)?notfound|bad destination",
    r"no longer (?:\w+ )?(?:at|with|works?|employed|valid|in use|accept|here|an? (?:customer|employee))",
    r"undeliverable address|not (?:exactly )?match an? .{0,30}address",
    r"(?:account|user|mailbox) (?:\w+ ){0,3}(?:deleted|removed|terminated)",
    r"(?:empfänger|adresse|benutzer|postfach)\w*\b.{0,40}(?:unbekannt|nicht gefunden|nicht bekannt|existiert)",
    r"(?:unbekannt|ungültig)\w* (?:empfänger|adresse|benutzer)|(?:adresse|utilisateur|destinataire|lettres)\b.{0,40}"
    r"(?:inconnu|introuvable|existe pas|inexistant)",
    r"(?:usuario|utente|destinat\w+|endere[cç]o|direcci[oó]n|indirizzo)\b.{0,40}"
    r"(?:desconocid|sconosciut|desconhecid|no existe|inexistente|non esiste|n[ãa]o existe|inesistente)",
    r"(?:adres|gebruiker)\b.{0,40}(?:bestaat niet|onbekend)|не существует|не найден|存在しません|見つかりません|不存在",
)
# Beside 5.4.1, which Microsoft 365 sends for an address that a directory has not.
_NOT_LISTED_WORDS: Final = _any_of(r"recipient address rejected: access denied")
_DISABLED_WORDS: Final = _any_of(
    rf"{_PERSON}\b.{{0,40}}\b(?:disabled|deactivated|discontinued|closed|abandoned|suspended|inactiv|not activ)",
    rf"\b(?:disabled|deactivated|discontinued|closed) (?:\w+ )?{_PERSON}",
)
_DOMAIN_WORDS: Final = _any_of(
    rf"(?:host|domain|name)s?\b.{{0,60}}?(?:{_UNKNOWN}|no such|{_NOT} (?:be )?(?:found|known|exist)|does not resolve)"
    r"(?!.{0,3}try again)",
    r"(?:unknown|no such|bad|non-?existent) (?:host|domain|destination system)|find any host|domain must exist",
)
# The answer of the DNS that there is no such domain, which says so even beside 4.0.0.
_NO_DOMAIN_IN_DNS: Final = _any_of("nxdomain")


def judged(declared: str, said: str) -> Verdict:
    """The verdict that the server's words `said` amount to; `declared` is the status beside them, or empty.

    Lines of `said` are read one by one: no word belongs to one on another line.
    """
    words, status = _without_names(said), _more_precise(said, declared)
    is_open = is_hard(status) or is_vague(status)  # otherwise the status itself says why
    is_gone = _GONE_WORDS.search(words) is not None
    if _SENDER_WORDS.search(words) and not _RECEIVING_WORDS.search(words):
        return Verdict(POLICY if is_open else status, Fault.SENDER)
    if _NO_DOMAIN_IN_DNS.search(words):
        return Verdict(NO_SUCH_DOMAIN, Fault.ADDRESS)
    if status == "5.4.1" and _NOT_LISTED_WORDS.search(words):
        return Verdict(NOT_LISTED, Fault.ADDRESS)
    if _MAIL_WORDS.search(words):
        return Verdict("5.3.4" if is_open else status, Fault.MAIL)
    if _RECEIVING_WORDS.search(words) or _POLICY_WORDS.search(words):
        return Verdict(POLICY if is_open else status, Fault.POLICY)
    if _FULL_WORDS.search(words):
        return Verdict(f"{status[:1] or '5'}{FULL[1:]}" if is_open else status, Fault.MAILBOX)
    if _WEAK_POLICY_WORDS.search(words) and not (is_gone or _DISABLED_WORDS.search(words)):
        return Verdict(POLICY if is_open else status, Fault.POLICY)
    if (_LATER_WORDS.search(words) and not (is_gone and is_hard(status))) or (
        _WEAK_LATER_WORDS.search(words) and not is_gone
    ):
        return Verdict(LATER, Fault.LATER) if is_open else by_status(status)
    if status.startswith(("2", "4", "5.6.")) or status[1:] in OF_SENDER:
        return by_status(status)
    if is_hard(status) and status != "5.1.0":
        return by_status(status)
    if is_gone:
        return by_status(NO_SUCH_USER)
    if _DISABLED_WORDS.search(words):
        return by_status(DISABLED)
    if _DOMAIN_WORDS.search(words):
        return by_status(NO_SUCH_DOMAIN)
    answers = (line for line in words.splitlines() if _CODE.search(line))
    is_policy = is_vague(status) and any(map(_ANSWER_POLICY_WORDS.search, answers))
    return Verdict(POLICY, Fault.POLICY) if is_policy else by_status(status)


def by_status(status: str) -> Verdict:
    """The verdict that a status amounts to by itself."""
    if status[1:] in OF_SENDER:
        fault = Fault.SENDER
    elif is_hard(status):
        fault = Fault.ADDRESS
    elif status[1:].startswith(".7."):
        fault = Fault.POLICY
    elif status[1:].startswith(".6.") or status[1:] == ".3.4":
        fault = Fault.MAIL
    elif status.startswith("4") and status[1:] != FULL[1:]:
        fault = Fault.LATER
    else:
        fault = Fault.UNSAID if is_vague(status) or status.startswith("2") else Fault.MAILBOX
    return Verdict(status, fault)


def is_hard(status: str) -> bool:
    """Whether a status says that the address is invalid: 5.1.x, unless it is about the sender's, and 5.2.1."""
    return (status.startswith("5.1.") and status[1:] not in OF_SENDER) or status == DISABLED


def is_vague(status: str) -> bool:
    """Whether a status says only that something is permanent or not, or nothing at all."""
    return not status or status.endswith(".0.0") or status in _VAGUE


def is_decisive(said: str) -> bool:
    """Whether the words of a server have a status, or say why by themselves."""
    words = _without_names(said)
    reasons = (_SENDER_WORDS, _POLICY_WORDS, _FULL_WORDS, _LATER_WORDS, _GONE_WORDS, _DISABLED_WORDS, _DOMAIN_WORDS)
    return not is_vague(status_in(said) or "") or any(reason.search(words) for reason in reasons)


def status_in(text: str, classes: str = "245") -> str | None:
    """The first status in `text` that is not vague, else the first; None if there is none of these classes."""
    found = [".".join(str(int(number)) for number in one) for one in _STATUS.findall(text) if one[0] in classes]
    return next((one for one in found if not one.endswith(".0.0")), next(iter(found), None))


def _without_names(said: str) -> str:
    """The text without links, addresses and names of hosts, within which words say nothing."""
    lines = _NAMED.sub("\n", said).splitlines()
    return "\n".join(
        _HOST.sub(" ", " ".join(word for word in line.split() if not _LINK.search(word))) for line in lines
    )


def _more_precise(said: str, declared: str) -> str:
    """The server's own status, else the one that is declared, unless its reply code contradicts that."""
    own, code = status_in(said, "45"), _CODE.search(said)  # a 2 is success, or part of some number
    if own and not own.endswith(".0.0"):
        return f"4{own[1:]}" if _CONTRADICTED.search(said) else own
    first = own or (f"{code[1]}.0.0" if code else None)
    if first and declared and first[0] == declared[0]:
        return declared
    return first or declared
