"""What makes a sentence a standing instruction: that it directs, that it lasts, and that it is meant (B3).

Closed word lists, read clause by clause. English is covered best; German,
Spanish, Chinese and Japanese by their commonest forms.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_ALWAYS = r"al(?:way|lway|wya|ywa|ywya)s|alwyas|awlays|allways"
_NEVER = r"never|nver|nevr"
_FROM_NOW = (
    r"from (?:now|here|today|this day|tomorrow|this (?:week|month)) on(?:wards?)?|from today|going forward|henceforth|"
    r"in (?:the )?future|for the future|as of (?:today|now|this week)|(?:starting|effective) (?:now|today|immediately)|"
    r"from here on out|for good|forever|permanently|until further notice|ab (?:jetzt|sofort|heute)|von (?:nun|"
    r"jetzt) an|"
    r"künftig|in zukunft|zukünftig|a partir de (?:ahora|hoy)|de ahora en adelante|en el futuro"
)
_LASTING = re.compile(
    rf"\b(?:{_ALWAYS}|{_NEVER}|{_FROM_NOW}|(?:every|each) (?:single )?time|when ?ever|no exceptions?|without exception|"
    r"at all times|under no circumstances?|by default|as a rule|every (?:mon|tues|wednes|thurs|fri|satur|sun)day|"
    r"immer|nie(?:mals| wieder| mehr)?|jedes mal|grundsätzlich|siempre|nunca|jamás|cada vez|"
    r"stop \w+ing|(?:before|after|on|with|in|for|at) (?:every|each)(?! other)|no longer|not? (?:\S+ ){0,8}?(?:ever|"
    r"anymore|any more)|(?:don['’]?t|do not) (?:\S+ ){0,12}?(?:again|ever|anymore)|"
    r"(?:don['’]?t|do not) ever|without (?:first )?(?:asking|telling|checking with) me|ever again|remember for|"
    r"all (?:my |our )?projects)\b"
    r"|从(?:现在|今)(?:起|开始)?|以后|今后|永远|一律|これから(?:は)?|今後(?:は)?|必ず|앞으로(?:는)?|항상",
    re.IGNORECASE,
)
_REQUESTED = re.compile(
    r"\b(?:remember (?:that|to)|(?:please|pls) (?:remember|don['’]?t|stop|use|keep|avoid)|make sure)\b", re.IGNORECASE
)
_STRONG = re.compile(rf"\b(?:{_FROM_NOW})\b", re.IGNORECASE)
_BARE = re.compile(
    rf"^\W*(?:(?:please|pls|and|so|bitte|really|ever|{_ALWAYS}|{_NEVER}|{_FROM_NOW}|every time|no exceptions?|"
    rf"by default|"
    r"immer|siempre|nunca)\W*){1,4}$",
    re.IGNORECASE,
)
_VERBS = frozenset(
    """accept adapt add address adjust alert align allow answer apologise apologize append apply archive ask assume
    attach avoid back bake base be begin block book bring build bump buy call cancel capitalise capitalize carry
    catch change charge check choose cite clean clear climb clip close comment commit compare compute confirm
    consider convert cook copy correct count create cut date decline default define delete deploy describe discuss
    display do document don't double draw drop edit encrypt end escape estimate explain export express feed fetch
    file fill find finish fix flag fold follow forget format forward generate get give go greet group hand handle
    have hide highlight ignore import include indent inform insert install invite keep knock label lay lead leave
    lend let lift limit link list load lock log look lower mail make mark match measure meet mention merge mind mix
    move mute name note notify number offer omit open order output pack paint park pass pay phone phrase pick pin
    place plan play point post pour prefer prefix prepare print propose provide publish pull push put quote raise
    read recommend record reduce refer refuse reject release remember remind remove rename repeat replace reply
    report require reserve respect respond rest return reuse revert review ring roll round row run save say schedule
    seal search seek select send separate serve set shake share ship shorten show shut sign sit skip slice sort
    speak specify spell spend split squash stand start state stay stick stir stop store suggest summarise summarize
    switch tag take talk tell test text throw tidy tie touch train translate travel treat trim truncate try tuck
    turn type understand update upload use validate verify visit wait wake walk warm warn wash water wear weigh wipe
    work wrap write""".split()
)
_NOT_AN_ORDER = frozenset(
    """a afraid again all alone amazing an another any around at available away awesome back beautiful been being best
    better both busy by calm closed cold cool das delicious der die different done down early easy ein eine enough
    excited exciting fascinating felt found free fresh from full fun funny glad gone good got grateful great had
    happy hard having he heard helpful her here his home how hungry i important in inspiring interesting it its just
    kind knew late loud loved lovely made many met mind more much my necessary new nice of old on one only open our
    over perfect possible proud quiet rainy ready right sad said same saw scared she so some strange strong such
    sunny sure sweet tasty than thankful that the their there these they thirsty this those thought tired together
    told too took true under up very wanted warm was we weird welcome were what where who windy with worse worth
    wrong your""".split()
)
_PLAIN_ORDERS = frozenset("make bump name tell keep show list run remind give add check include".split())
"""Verbs that, behind a condition without a comma, can hardly be nouns."""
_OF_ONESELF = frozenset("know think remember like want have care feel see believe mind get understand need i".split())
"""Behind "don't", what people say of themselves: "Don't know if I'll ever …"."""
_ADVERBS = (
    r"please|pls|plz|also|so|and|but|or|then|just|really|instead|kindly|bitte|por favor|no|yes|ok(?:ay)?|hey|"
    rf"{_ALWAYS}|{_NEVER}|{_FROM_NOW}|ever|well|now|for me|by default|under no circumstances?|at all times"
)
_SUBJECT_FIRST = re.compile(
    r"\W*(?:[\w ]{0,30}?\b)?(?:i|he|she|they|it|we|this|that|there|you|here|who)(?:['’]\w+)?\b|\W*(?:the|my|his|her|"
    r"their|our|these|those)\b"
    r"|\W*\w+ (?:is|are|was|were|has|bring|brings|makes?|puts?)\b",
    re.IGNORECASE,
)
_WEAK = re.compile(rf"\b(?:{_ALWAYS}|{_NEVER})\b", re.IGNORECASE)
_NO = re.compile(
    r"\W*(?:please\W+)?(?:no (?!one\b|idea\b|doubt\b|prob|way\b|more\b|worries|matter\b|need\b|thanks\b|clue\b)\w+|"
    r"(?:never|no) more than)\b",
    re.IGNORECASE,
)
_NO_MORE = re.compile(r"\bany ?more\b", re.IGNORECASE)
""" "No gym membership any more" tells what has ended."""
_CHEER = re.compile(
    r"\b(?:give (?:it )?up|stop (?:dreaming|believing|learning|shining)|say never|lose (?:hope|faith)|let (?:it|"
    r"them|that) get|"
    r"forget (?:that )?(?:you|how|where)|keep going|quit(?: on)?|look back|count on me|here (?:to|for)|never mind|"
    r"(?:never|always) (?:have|do|did|will|would|am|is|are) (?:i|we|you|he|she|they|it)\b|"
    r"let me know if|whenever you(?:['’]re| are| need| want| like| feel)|when you(?:['’]re| are) ready|be yourself|"
    r"believe in)\b",
    re.IGNORECASE,
)
_LEAD = re.compile(rf"^\W*(?:(?:{_ADVERBS})\b\W*)+", re.IGNORECASE)
_STARTS_LASTING = re.compile(rf"^\W*(?:please\W+)?(?:{_ALWAYS}|{_NEVER})\s+(\S+)", re.IGNORECASE)
_WANT = re.compile(
    r"^\W*(?:(?:and|but|decision|also|please)\W+)*i(?:['’]d| would)?\s+(?:(?:really|always|only|never|don['’]?t|"
    r"do not|rather)\s+)*"
    r"(?:want|need|prefer|like|expect|insist)\b(?! to (?!be\b|get\b|see\b|have\b|hear\b))",
    re.IGNORECASE,
)
_MUST = re.compile(
    r"^(?P<who>[^,;:]{0,80}?)\b(?:must|should|shall|has to|have to|needs?(?: to)?|may (?=not|never|only)|cannot|"
    r"mustn['’]?t|shouldn['’]?t)\b",
    re.IGNORECASE,
)
_PERSON = re.compile(
    r"\b(?:he|she|they|it|i|we|one|people|everybody|everyone|somebody|who|which|there)\b", re.IGNORECASE
)
_CONDITION = re.compile(
    r"^\W*(?:(?:please|also|and|so|from now on|remember)\W+)*(?:when ?ever|when|each time|every time|any time|if|"
    r"before|after|in case|"
    r"wenn|sobald|cuando|cada vez que)\b",
    re.IGNORECASE,
)
_SUBJECT = re.compile(
    r"\b(?:i|we|he|she|they|it|you|who|to|and i|that|will|would|can|could|did|does|do|also|just)$", re.IGNORECASE
)
_FOR = re.compile(
    r"^\W*(?:for|in|on|at|with) (?:(?:the|this|my|our|all|every|each) )*[\w./-]+(?: [\w./-]+){0,2}$|"
    r"^[a-z][\w.-]{1,30}$|"
    r"^(?:the )?[\w.-]+ (?:project|repo|repository|app|site|website|team|house|garden|kitchen|blog|band|club)$",
)
_KIN = frozenset(
    """mom mum dad mother father boss sister brother wife husband coach teacher doctor manager friend colleague
    neighbour neighbor grandma grandpa aunt uncle ps pps edit update note quote lyrics title tip fact joke sign me
    tl ex todo idea""".split()
)
_RULE_LABEL = re.compile(
    r"\b(?:(?:new |house |golden |standing |my )*rules?|make (?:it|this) a rule|remember for (?:good|all|this)[^:]*|"
    r"remember this|"
    r"standing orders?|regel|regla)\b[^:]{0,40}$",
    re.IGNORECASE,
)
_OWN_LABEL = re.compile(
    r"\W*(?:decision|decided|remember|reminder|important|default|request|wish|please|rule|yes|no|ok|new|also)\b",
    re.IGNORECASE,
)
_TO_SELF = re.compile(
    r"^\W*(?:(?:note|reminder|memo|message|\(?to) )?(?:to |for )?(?:self|my ?self|me)\b[^:]{0,24}\W*$|"
    r"^\W*please remember\W*$|"
    r"^\W*(?:merke?|notiz|merk dir)\b[^:]{0,20}$|\bfor (?:me|myself)$",
    re.IGNORECASE,
)
_SELF_LEAD = re.compile(r"^\W*(?:note|reminder|memo) (?:to|for) (?:self|myself|me)\W+", re.IGNORECASE)
_ADOPTED = re.compile(
    r"\b(?:(?:he|she|they|it|that)(?:['’]s| is|['’]re| are) right|i agree|i (?:want|do|like) (?:it|that) too|"
    r"so (?:do|will|should) (?:i|we)|"
    r"good (?:rule|idea|point)|so from now on|i['’]ll take that)\b",
    re.IGNORECASE,
)
_REPORTED = re.compile(
    r"\b(?:said|says|saying|told|tells|claim(?:s|ed)|thinks|thought|wrote|writes|announce[sd]|shout(?:s|ed)|"
    r"insist(?:s|ed)|"
    r"preach(?:es|ed)|recommends|recommended|advise[sd]|demand(?:s|ed)|warn(?:s|ed)|want(?:s|ed)|expects|expected|"
    r"decided|asked|asks|"
    r"posted|keeps? saying|repeats|repeated|sings?|sang|reads|according to|apparently|supposedly|reportedly|heard|"
    r"read that|the rule to|policy is|motto|podcast|tutorial|"
    r"sagt|sagte|meint|meinte|dice|dijo)\b"
    r"|\bi (?:say|tell|told|ask|asked) (?:the|my|him|her|them|everybody|everyone)\b",
    re.IGNORECASE,
)
_OTHERS = re.compile(r"[^\W\d_]['’]s \w+$|\b(?:his|her|their)\b|\b(?:advice|tip|motto|opinion|view)$")
"""A label that names whose words follow: "Tom's advice"."""
_OWN_SAYING = re.compile(
    r"\b(?:to be|be) (?:asked|told|warned)\b|\b(?:what i (?:said|told|asked)|as i (?:said|"
    r"told|asked)|i(?:['’]ve)? (?:said|told you|asked you)|"
    r"when(?:ever)? i say)\b",
    re.I,
)
_UNREAL = re.compile(
    r"\b(?:i wish|wish (?:that )?\w+ (?:would|could)|would(?! you| like| prefer| love)|might|could have|imagine|"
    r"suppose|pretend|"
    r"if i ever|if we ever|hypothetically|what if|as if|as though|let['’]?s say|what could|someday|one day i)\b|"
    r"\bi['’]d (?!like|prefer|love|rather)",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:used to|back (?:at|in|then|when)|in (?:his|her|their|those|my) days?|had (?:a|the|this|that) rule|"
    r"those were|when i was|"
    r"we had to|did ?n['’]?o?t|never (?:asked|said|wanted|told)|früher)\b",
    re.IGNORECASE,
)
_ONCE = re.compile(
    r"\b(?:(?:just|only) (?:for|this|today|tonight|once|now)|for (?:tonight|today|now)\b|this (?:once|time)\b|"
    r"(?:today|tonight|demo) only|"
    r"tonight|just once|until (?:tomorrow|tonight|mon|tues|wednes|thurs|fri|satur|sun)|for the moment|"
    r"for today['’]s|nur heute|solo hoy)",
    re.IGNORECASE,
)
_JEST = re.compile(
    r"\b(?:haha+h?|hehe+|lol|lmao|rofl|just kidding|jk|knock knock|what could (?:possibly )?go wrong|"
    r"great idea, let)\b|(?:^|\s)/s(?:\s|$)|"
    r":joy:|😂|🤣|^\W*(?:oh sure|yeah right|sure, because)\b",
    re.IGNORECASE | re.MULTILINE,
)
_FICTION = re.compile(
    r"^\W*(?!for\b|in\b|when|on\b|from\b|always\b|never\b)[^:.\n]{0,60}\b(?:chorus|lyrics|verse|poem|song|haiku|"
    r"chapter|novel|story|tale|scene|"
    r"script|screenplay|sketch|dialogue|fixture|test case|unit test|prompt injection)\b[^:\n]{0,40}:",
    re.IGNORECASE,
)
_QUESTION = re.compile(r"\?\W*$")
_POLITE = re.compile(r"\b(?:can|could|would|will) you (?:please|kindly|from now on|always)\b|\bplease\b", re.IGNORECASE)
_ASKING = re.compile(
    r"^\W*(?:(?:and|so|but|ok)\W+)?(?:should|shall|do|does|did|is|are|was|were|has|have|what|why|how|which|who|"
    r"where|when (?:do|did|is|should))\b"
    r"(?! not\b|n['’]t\b)",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"(?:,|;|\bbut\b|\band\b|\s[-–—]\s|\)|\()\s*", re.IGNORECASE)
_GERMAN = re.compile(
    r"\b(?:ab (?:jetzt|sofort|heute)|von (?:nun|jetzt) an|künftig|in zukunft|immer|nie(?:mals| wieder| mehr)?|"
    r"grundsätzlich|jedes mal)\b",
    re.I,
)
_GERMAN_ORDER = re.compile(
    r"\b(?:bitte\b|\w+(?:en|ern|eln)(?:\W*$|,)|merk\w* dir|antworte|nutze|benutze|schreib|nimm|gib|verwende)|"
    r"für \w+ \w+\W*$",
    re.I,
)
_GERMAN_TOLD = re.compile(
    r"\b(?:ich|er|sie|wir|es|man|war|hat|hatte|ist|sind|wird|werden|muss|haben)\b(?!.*\bbitte\b)", re.I
)
_SPANISH = re.compile(r"\b(?:a partir de (?:ahora|hoy)|de ahora en adelante|siempre|nunca(?: más)?)\b", re.I)
_SPANISH_ORDER = re.compile(
    r"\b(?:usa|pon|escribe|responde|contesta|no \w+(?:es|as)|recuerda|haz|da|di|incluye|evita|por favor)\b", re.I
)
_EAST = re.compile(r"从(?:现在|今)(?:起|开始)?|以后|今后|これから(?:は)?|今後(?:は)?|앞으로(?:는)?")
_EAST_ORDER = re.compile(r"请|要|不要|别|用|ください|下さい|こと|して$|세요|해 ?줘|마세요")
_EAST_TOLD = re.compile(r"我(?:会|就|要)|他|她|说|と言|彼|彼女|そうだ")
_ASSISTANT = re.compile(
    r"\b(?:assistants?|agents?|ai|llms?|language models?|bots?|system prompt|memory)\b[^.\n]{0,80}\b(?:must|shall|"
    r"should|always|never|remember|"
    r"store|treat|forget)\b|\b(?:ignore|forget|disregard|delete|drop)\b[^.\n]{0,40}\b(?:rules?|instructions?|"
    r"memor(?:y|ies)|notes?|said)\b|"
    r"<\|im_start\|>|\[INST\]|\bstanding (?:rule|instruction|order)\b|\bstore (?:the|this) rule\b",
    re.IGNORECASE,
)
_NEGATIVE = re.compile(
    rf"\b(?:{_NEVER}|don['’]?t|do not|dont|no|not|stop|avoid|without|nie\w*|kein\w*|nunca)\b", re.IGNORECASE
)
_CHANGE = re.compile(r"\b(?:instead of|no longer|not .{1,30} any ?more|forget what|stop|anymore)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Manner:
    """Whether an instruction forbids rather than asks for, and whether it says that something was otherwise before."""

    negated: bool
    change: bool


def is_standing(sentence: str, people: frozenset[str] = frozenset()) -> bool:
    """Whether a sentence, its quotations blanked, directs somebody for good and in earnest."""
    text = " ".join(sentence.split())
    if not text or (_QUESTION.search(text) and not (_POLITE.search(text) and _STRONG.search(text))):
        return False
    if any(sign.search(text) for sign in (_UNREAL, _PAST, _ONCE, _ASKING, _CHEER)):
        return False
    return _english(text, people) or _elsewhere(text)


def in_jest(text: str) -> bool:
    """Whether an entry says that it is not meant: a joke, irony, a piece of fiction, a test's input."""
    return _JEST.search(text) is not None or _FICTION.search(text) is not None


def mocks(sentence: str) -> bool:
    """Whether a sentence takes back what stands beside it."""
    return _JEST.search(sentence) is not None


def only_lasting(sentence: str) -> bool:
    """Whether a sentence says nothing but for how long: "Never.", "From now on, please." """
    return _BARE.match(sentence) is not None


def is_aside(sentence: str) -> bool:
    """Whether a sentence neither directs nor explains: thanks, a greeting, a question."""
    return bool(re.match(r"\W*(?:thanks|thank you|great|ok|hi|hello|sorry|well)\b", sentence, re.I)) or bool(
        _QUESTION.search(sentence)
    )


def requests(text: str) -> bool:
    """Whether words ask for something that is to stay so, if only by "please use" or "make sure"."""
    return lasts(text) or _REQUESTED.search(text) is not None


def manner(text: str) -> Manner:
    """How an instruction is meant: read off its own words."""
    return Manner(_NEGATIVE.search(text) is not None, _CHANGE.search(text) is not None)


def core(text: str) -> str:
    """What is to be done, folded: without the words that make it last, punctuation and case."""
    text = re.sub(
        rf"\b(?:{_FROM_NOW}|{_ALWAYS}|please|pls|remember(?: to| that)?|every time|no exceptions?)\b",
        " ",
        text,
        flags=re.I,
    )
    return " ".join(re.findall(r"[^\s.,;:!?\"'“”()]+", text.casefold()))


def commands_an_assistant(text: str) -> bool:
    """Whether a text speaks to an assistant or its memory, in whatever form."""
    return _ASSISTANT.search(text) is not None


def _english(text: str, people: frozenset[str]) -> bool:
    label, colon, body = text.partition(":")
    if colon and body.strip() and len(label) <= 90 and not re.search(r"\d$", label):
        if (_told(label) or _OTHERS.search(label)) and not _ADOPTED.search(label):
            return False
        if _RULE_LABEL.search(label):
            return True
        if _is_label(label, people):
            return (lasts(text) and (_directs(body) or _telegraphic(body))) or _topic_order(label, body)
        if re.fullmatch(r"\W*[\w.]+(?: [A-Z]\w+)?\W*", label) and not _OWN_LABEL.match(label):
            return False  # "Mom: always call first" is Mom speaking
        if _CONDITION.match(label) and lasts(label) and _imperative(body):
            return True
        if _ADOPTED.search(label) or lasts(body):
            return lasts(text) and _directs(body)
    if _told(text):
        return False
    text = _SELF_LEAD.sub("", text)
    return lasts(text) and _directs(text)


def _told(text: str) -> bool:
    return _REPORTED.search(_OWN_SAYING.sub(" ", text)) is not None


def lasts(text: str) -> bool:
    """Whether words say that something holds from now on, always or never: nothing else knows how that is said."""
    return _LASTING.search(text) is not None


def _is_label(label: str, people: frozenset[str]) -> bool:
    """Whether what stands before a colon announces a rule, or names the thing or the project it is for."""
    label = label.strip()
    if _RULE_LABEL.search(label) or _TO_SELF.search(label) or _STRONG.fullmatch(label.strip(" ,")):
        return True
    word = label.casefold()
    if word in _KIN or any(word == name.casefold() for name in people):
        return False
    return _FOR.match(label) is not None or re.search(r"\b(?:keep|make|want|prefer|need)\b", label) is not None


def _topic_order(label: str, body: str) -> bool:
    """ "for atlas: use pnpm, not npm": an order for one project holds for good."""
    scoped = re.match(
        r"\W*for (?:the )?[\w.-]+(?: (?:project|repo|repository|website|app|site))?$", label.strip(), re.IGNORECASE
    )
    return scoped is not None and (_imperative(body) or _NO.match(body) is not None)


def _telegraphic(body: str) -> bool:
    """After a label a rule may be told as a fact: "branches are named so, always lower case"."""
    return not re.search(
        r"\b(?:i|he|she|they|was|were|had|did)\b(?! (?:say|want|prefer|always mean))", body, re.IGNORECASE
    )


def _directs(text: str) -> bool:
    """Whether some clause of the text is an order that lasts, a wish of the writer's, or says what must be."""
    if _wants(text) or _must(text) or _conditional(text) or _we_never(text) or _after_marker(text):
        return True
    clauses = _clauses(text)
    told = _SUBJECT_FIRST.match(text) is not None and not _order(clauses[0][1], text)
    for at, (joint, clause) in enumerate(clauses):
        if told and (at == 0 or joint == "and"):
            continue  # "They brighten our day and always make us smile" goes on about them
        if _order(clause, text) and _lasts_for(clause, at, clauses):
            return True
    return bool(_STRONG.search(text) and re.search(r"\b(?:please|pls|plz)\b", text, re.I) and not _PERSON.search(text))


def _clauses(text: str) -> list[tuple[str, str]]:
    """The clauses of a sentence, each with the word or sign before it."""
    found = []
    at, joint = 0, ""
    for match in _CLAUSE.finditer(text):
        found.append((joint, text[at : match.start()]))
        at, joint = match.end(), match[0].strip().casefold()
    return [*found, (joint, text[at:])]


def _lasts_for(clause: str, at: int, clauses: list[tuple[str, str]]) -> bool:
    """Whether the order of one clause lasts: "always" has to stand in it or alone, "from now on" may stand anywhere."""
    if lasts(clause):
        return True
    others = [other for place, (_, other) in enumerate(clauses) if place != at]
    if any(_BARE.match(other) for other in others):
        return True
    return any(_STRONG.search(other) or _CONDITION.match(other) or _STARTS_LASTING.match(other) for other in others)


def _order(clause: str, text: str) -> bool:
    if _imperative(clause) or (_NO.match(clause) and not _NO_MORE.search(clause)):
        return True
    started = _STARTS_LASTING.match(clause)
    if started is not None:
        word = started[1].casefold().strip(".,;:!?()\"'")
        opens = text.strip().startswith(clause.strip()) and len(text.split()) > 2 and not word.endswith("s")
        return word in _VERBS or ((opens or len(_WEAK.findall(text)) > 1) and _may_be_meant(word))
    return False


def _may_be_meant(word: str) -> bool:
    """Whether "always X, never Y" may be a rule in short."""
    return bool(word) and word not in _NOT_AN_ORDER and not word.endswith(("ed", "ing", "n't"))


def _imperative(clause: str) -> bool:
    """Whether a clause begins with a verb in its base form, behind adverbs and a short place or time."""
    rest = (_LEAD.sub("", clause) or clause).strip()
    forbidden = re.match(r"(?:don['’]?t|do not)\s+(?:ever\s+|you\s+(?:ever|dare)\s+)?(\w+)", rest, re.IGNORECASE)
    if forbidden is not None:
        return forbidden[1].casefold() not in _OF_ONESELF
    rest = re.sub(
        r"^in (?:the )?[\w.-]+(?: (?:project|repo))?\s+(?=(?:never|always|use|don)\b)", "", rest, flags=re.IGNORECASE
    )
    rest = _LEAD.sub("", rest) or rest
    first = re.match(r"([a-z]+)", rest.casefold())
    return first is not None and first[1] in _VERBS and not re.match(r"\w+['’](?:s|d|ll|ve|re)\b", rest)


def _after_marker(text: str) -> bool:
    """ "in all my plans from now on leave out running": an order right behind the word that makes it last."""
    for match in re.finditer(rf"\b(?:{_FROM_NOW}|so)\b[,:]?\s+", text, re.IGNORECASE):
        before = text[: match.start()].rstrip()
        if _imperative(text[match.end() :]) and not re.search(r"\b(?:i|we|he|she|they|it|you|who)$", before, re.I):
            return True
    for match in re.finditer(rf"\b(?:{_ALWAYS}|{_NEVER})\s+(\w+)", text, re.IGNORECASE):
        before = text[: match.start()].rstrip()
        subject = re.search(r"(\S+)$", before)
        if match[1].casefold() in _VERBS and (subject is None or subject[1].endswith((",", ";", ":", "-", "so", "to"))):
            return not before.endswith(" to") or re.match(r"\W*please remember to\b", text, re.I) is not None
    return False


def _wants(text: str) -> bool:
    return _WANT.match(text) is not None and not re.search(
        r"\bi (?:don['’]?t|do not) (?:\w+ ){0,4}?always\b", text, re.I
    )


def _must(text: str) -> bool:
    found = _MUST.match(_LEAD.sub("", text))
    if found is None:
        return False
    who = found["who"].strip()
    return (
        bool(who)
        and (who.casefold() in ("you", "please you") or not _PERSON.search(who))
        and not _CONDITION.match(text)
    )


def _conditional(text: str) -> bool:
    """ "whenever you touch the schema bump the version": an order somewhere behind the condition."""
    if not _CONDITION.match(text):
        return re.match(r"\W*(?:remind me|make sure)\b", text, re.I) is not None
    if re.search(r"\bi always mean\b", text, re.I):
        return True
    for match in re.finditer(r"[a-z']+", text.casefold()):
        before = text[: match.start()].rstrip()
        if match[0] not in _VERBS or not before or _SUBJECT.search(before):
            continue
        if before.endswith((",", ":")) or re.search(r"\b(?:always|never|please|then|don't|dont)$", before, re.I):
            if re.search(r"\b(?:i|we|he|she|they|it)(?: \w+)? (?:always|never)$", before, re.I):
                continue
            return True
        if match[0] in _PLAIN_ORDERS and re.search(
            r"\b(?:(?:you|i|we) \w+|every \w+|each \w+|any \w+)\b", before, re.I
        ):
            return True
    return False


def _we_never(text: str) -> bool:
    return (
        re.match(
            r"\W*(?:for|in) (?:the |this )?[\w.-]+(?: (?:project|repo|repository))?,? we (?:always|never|only)\b",
            text,
            re.I,
        )
        is not None
    )


def _elsewhere(text: str) -> bool:
    """The same in German, Spanish, Chinese, Japanese and Korean, by their commonest forms."""
    if _GERMAN.search(text) and _GERMAN_ORDER.search(text) and not _GERMAN_TOLD.search(re.sub(r", ?wenn .*", "", text)):
        return True
    if (
        _SPANISH.search(text)
        and _SPANISH_ORDER.search(text)
        and not re.search(r"\b(?:yo|él|ella|dijo|dice)\b", text, re.I)
    ):
        return True
    return _EAST.search(text) is not None and _EAST_ORDER.search(text) is not None and not _EAST_TOLD.search(text)
