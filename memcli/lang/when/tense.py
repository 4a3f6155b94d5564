"""Which side of the speaker's now a sentence looks at: -1 back, 1 ahead, 0 unknown.

A bare "Friday" or "the 12th" lies on the side of the verb that stands
nearest to it. Where no verb tells, nothing is claimed.
"""

from __future__ import annotations

from bisect import bisect_left

from memcli.lang.when.scan import Tokens

_REACH = 24
"""Tokens that are searched on each side: keeps hostile text linear."""
_MOST = 4_000
"""Phrases of one text whose side is looked for."""


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_AHEAD = _set(
    "will ll shall gonna let lets please planning plan plans hope hoping want wants wanna need needs should must can"
    " could would might due deadline upcoming remind wish expecting scheduled"
)
_BACK = _set(
    "was were did had been went met saw came got left took made said told gave found bought brought thought felt ran"
    " began broke built caught chose drank drew drove ate fell fought flew forgot grew heard held hid hit hurt kept"
    " knew led lent lost meant paid put quit read rode rang rose sold sent sang sat shot slept spoke spent stood stole"
    " swam taught threw wore won wrote woke wed cut let's_not happened died wed born sank shook stuck struck swore"
    " became understood dealt dug fed fled froze laid bit blew slid split spread"
)
_BASE_ALIKE = _set("put read hit cut quit hurt spread split wed let")
_NOT_PAST = _set(
    "need feed seed speed bed red wed shed indeed hundred sacred embed exceed breed weed naked wicked bored tired"
    " excited interested used supposed gifted related married scared worried ted fred ahmed mohammed"
)
_HELPERS = _set("be been being get gets getting is are m re s am was were ve have has having isn aren ain stay stays")
_IMPERATIVES = _set(
    "wake call send pay bring come meet remember book pick join take buy finish submit text email tell check make ring"
    " return give wait save reserve keep get show visit see stay deliver turn hand write"
)
_SCHEDULED = _set(
    "starts begins leaves opens closes ends arrives flies expires comes goes returns lands leave open fly arrive start"
    " begin launches ships plays kicks"
)
_DETERMINERS = _set("a an the my our your his her their another some this to")
_HABIT = _set(
    "usually always often normally typically sometimes generally every each daily weekly never regularly whenever"
    " immer meistens oft jeden jede jedes siempre cada normalmente"
)
_PRESENT = _set("m re am is are s")
_GRATEFUL = _set("thanks thank you sorry apologies apologize paid pay waited wait known knew")
_HEADS = _set("week weekend morning afternoon evening night")
_PLANNED = _set("is are")

_DE_BACK = _set(
    "war waren hatte hatten wurde wurden kam kamen ging gingen sah sahen traf trafen fuhr fuhren gab machte"
    " wohnte zog fand stand blieb schrieb rief"
)
_DE_AHEAD = _set("werde wirst wird werden werdet will wollen möchte möchten kann können soll sollen muss müssen lass")
_DE_HAVE = _set("habe hab haben hat hast ist sind bin seid habt")
_ES_BACK = _set(
    "fui fue fuimos fueron hice hizo hicimos tuve tuvo tuvimos estuve estuvo estuvimos vi vino vine dije dijo puse"
    " era eran estaba"
)
_ES_AHEAD = _set("voy vas va vamos van vemos quiero queremos tengo tenemos quedamos nos_vemos")


def _end(tokens: Tokens, index: int) -> bool:
    """Whether a sentence ends at that token: a dot within a name or an abbreviation does not."""
    if tokens.symbol(index) != ".":
        return False
    return not (tokens.word(index) == "." and tokens.symbol(index - 1) == "#")


def _english(tokens: Tokens, index: int) -> int:
    word, before = tokens.word(index), tokens.word(index - 1)
    if word in _AHEAD:
        if word in ("will", "plan", "due") and word == "will" and tokens.raw(index)[0] == "W" and before:
            return 1 if tokens.symbol(index - 1) in ".C" else 0  # a person
        if word in ("let", "lets") and before not in ("", ".", ",", "so", "and", "yeah", "ok", "then", "well", "!"):
            return 1 if word == "lets" or tokens.word(index + 2) == "s" else 0
        return 1
    if word == "won" and tokens.word(index + 2) == "t":
        return 1
    if word == "see":
        return 1 if before != "to" and tokens.word(index + 1) in ("you", "ya", "u") else 0
    if word == "may":
        return 1 if tokens.raw(index) == "may" and tokens.symbol(index) == "x" else 0
    if word == "going":
        return 1 if before in _PRESENT or tokens.word(index - 2) in _PRESENT else 0
    if word in _BACK or (len(word) > 3 and word.endswith("ed") and word not in _NOT_PAST and word.isalpha()):
        helper = before if before not in ("not", "just", "all", "already", "also", "ly") else tokens.word(index - 2)
        if helper in _HELPERS and word not in ("was", "were", "did", "had"):
            if helper in ("ve", "have", "has"):
                return 0 if _to_come(tokens, index) else -1
            return -1 if word == "been" else 0
        if word in _BASE_ALIKE and helper in ("to", "i", "we", "you", "they", "t", "don", "ll", "will", "can"):
            return 1 if helper in ("ll", "will", "can", "to") else (-1 if helper in ("i", "we", "they") else 0)
        return -1
    if word in ("free", "available", "busy"):
        return 1 if any(tokens.word(at) in _PRESENT for at in range(index - 3, index)) else 0
    if word in ("didn", "wasn", "weren", "hadn", "haven", "hasn", "couldn"):
        return -1
    if word in ("have", "has", "ve"):
        return 1 if tokens.word(index + 1) in _DETERMINERS and word != "ve" else (-1 if word == "ve" else 0)
    if word in _SCHEDULED:
        return 1 if before not in ("t", "to") or word.endswith("s") else 0
    if word.endswith("ing") and len(word) > 4:
        if before == "s" and tokens.symbol(index - 3) != "x":
            return 0  # Friday's meeting
        return 1 if before in _PRESENT or (before == "not" and tokens.word(index - 2) in _PRESENT) else 0
    if word in _IMPERATIVES and (tokens.symbol(index - 1) in ".Cj" or before in ("please", "then", "just")):
        return 1
    return 0


def _to_come(tokens: Tokens, index: int) -> bool:
    """Whether the perfect is one to come: "will have left", not "should have left"."""
    return any(tokens.word(at) in ("will", "ll") for at in range(index - 4, index))


def _german(tokens: Tokens, index: int) -> int:
    word = tokens.word(index)
    if word in _DE_BACK:
        return -1
    if word in _DE_AHEAD:
        return 1
    if word in _DE_HAVE:
        for at in range(index + 1, min(index + _REACH, len(tokens.words))):
            if _end(tokens, at):
                break
            verb = tokens.word(at)
            if tokens.raw(at)[0].islower() and _participle(verb):
                return -1
        return 0
    if tokens.raw(index)[0].islower() and _participle(word):
        return -1
    return 0


def _participle(word: str) -> bool:
    place = word.find("ge", 0, 6)
    return place >= 0 and len(word) > place + 4 and word.endswith(("t", "en"))


def _spanish(tokens: Tokens, index: int) -> int:
    word = tokens.word(index)
    if word in _ES_AHEAD or word.endswith(("aré", "eré", "iré", "ará", "erá", "irá", "remos", "rán", "rás")):
        return 1
    if word in _ES_BACK or word.endswith(("é", "ó", "aste", "iste", "aron", "ieron", "amos", "imos")):
        return -1
    if word.endswith("emos") and tokens.word(index - 1) == "nos":
        return 1
    return 0


_CUES = {"en": _english, "de": _german, "es": _spanish}


class Tense:
    """The tense of the sentences of one text; what was asked of a word once is kept."""

    __slots__ = ("_asked", "_cue", "_cues", "_habits", "language", "tokens")

    def __init__(self, tokens: Tokens, language: str) -> None:
        self.tokens = tokens
        self.language = language
        self._cue = _CUES[language]
        self._cues: dict[int, int] = {}
        self._asked = 0
        self._habits: list[int] | None = None

    def _first(self, indices: range) -> int:
        """The first cue on the way, 0 where there is none."""
        cues = self._cues
        for index in indices:
            found = cues.get(index)
            if found is None:
                found = cues[index] = self._cue(self.tokens, index)
            if found:
                return found
        return 0

    def _back(self, first: int, stops: str) -> int:
        """The first token of the stretch before `first` that none of the `stops` breaks."""
        symbols, low = self.tokens.symbols, max(0, first - _REACH)
        at = max(symbols.rfind(stop, low, first) for stop in stops)
        while at >= 0 and symbols[at] == "." and not _end(self.tokens, at):
            at = max(symbols.rfind(stop, low, at) for stop in stops)
        return max(low, at + 1)

    def _ahead(self, last: int, stops: str) -> int:
        """The token after the stretch from `last` on that none of the `stops` breaks."""
        symbols, high = self.tokens.symbols, min(len(self.tokens.words), last + _REACH)
        found = [at for stop in stops if (at := symbols.find(stop, last, high)) >= 0]
        return min(found, default=high)

    def side(self, first: int, last: int) -> int:
        """-1 back, 1 ahead, 0 unknown, for the tokens from `first` up to, not including, `last`.

        A preposition decides ("by", "until" ahead, "since" back), then the
        nearest verb of the same clause, then of the rest of the sentence,
        then a plan in the present ("the party is on Friday").
        """
        tokens = self.tokens
        self._asked += 1
        if self._asked > _MOST:
            return 0
        before = tokens.word(first - 2) if tokens.symbol(first - 1) in "tX" else tokens.word(first - 1)
        if before == "of" and tokens.word(first - 2) in _HEADS:
            return self.side(first - 2, last)
        if before in ("by", "until", "till", "bis", "hasta"):
            return 1
        if before in ("since", "seit", "desde"):
            return -1
        if before == "to" or (before == "for" and tokens.word(first - 2) not in _GRATEFUL):
            return 1  # "moved to Tuesday", "booked for 5 June"
        start, end = self._back(first, "."), self._ahead(last, ".")
        own_start, own_end = self._back(first, ".C"), self._ahead(last, ".C")
        for at in range(first - 1, own_start, -1):
            if tokens.words[at] in ("so", "but", "because"):
                own_start = at + 1
                break
        back, ahead = range(first - 1, own_start - 1, -1), range(last, own_end)
        opens = all(tokens.symbols[at] != "x" or tokens.words[at] in ("but", "so") for at in back[:8])
        near = (ahead, back) if opens else (back, ahead)
        found = self._first(near[0]) or self._first(near[1])
        if not found and any(tokens.words[at] in _PRESENT for at in back if tokens.words[at] != "s"):
            return 1 if before == "from" else self._plan(first, start, end)  # no other clause's tense
        if not found and before == "from" and any(tokens.words[at] in _PRESENT for at in ahead):
            return 1
        found = found or self._first(range(own_start - 1, start - 1, -1)) or self._first(range(own_end, end))
        return found or self._plan(first, start, end)

    def _plan(self, first: int, start: int, end: int) -> int:
        if self.language == "de":  # a day with a present tense is a plan
            return 1 if end - start > 3 else 0
        at = first - 1
        while self.tokens.symbol(at) in "to@C":
            at -= 1
        planned = self.language == "en" and self.tokens.word(at) in _PLANNED
        return 1 if planned and self.tokens.symbol(at - 1) == "x" else 0

    def habitual(self, first: int, last: int, *, whole: bool = False) -> bool:
        """Whether the clause, or the whole sentence, tells what happens again and again."""
        if self._habits is None:
            tokens = self.tokens
            pairs = enumerate(zip(tokens.words, tokens.symbols, strict=True))
            self._habits = [at for at, (word, symbol) in pairs if symbol == "V" or word in _HABIT]
        if not self._habits:
            return False
        stops = "." if whole else ".C"
        low, high = self._back(first, stops), self._ahead(last, stops)
        place = bisect_left(self._habits, low)
        return any(not first <= at < last for at in self._habits[place : place + 50] if at < high)
