"""The telling words of a text, and the phrases that they form: what titles are made of (B4).

Closed lists and neighbours, no tagger: a run of words between stop words and
marks is a phrase, what follows a pronoun is a verb and stays outside. The
lists know English; in other languages a phrase is a run between stop words of
that language, and in Chinese, Japanese and Korean a run of one script.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from memcli.lang.tongue import STOP as STOP_OF
from memcli.lang.tongue import tongue
from memcli.lang.words import STOP, has_cjk, stem, words

LONGEST = 3
"""Words in a phrase at most."""

_SMALL_TALK_TEXT = """
    able above absolutely across act actually advice affect against agree ah almost alone along alongside already
    alright always amazed amazing amid among another anybody anymore anyone anything anyway anywhere appreciate aren
    around assist assistance aw away awe awesome awful aww back bad below beneath beside besides best bet better big
    bit blast bless brave breathtaking bright bring bro buddy bunch busy bye came care chance chat chatting check
    cheer chill clear close come comfort congrats congratulations cool could couldn couple cozy crazy cute damn day
    deal dear decide deep deeply definitely delicious despite determination determined didn difference different
    difficult doesn don double dream dude due easy eight either else em encourage encouragement end enjoy enough
    especially etc even event every everybody everyday everyone everything exactly excellent except excited
    excitement exciting experience express extra fab fabulous face fair fall fantastic far fav favorite favourite
    feel feet felt finally find fine finish first five focus folks fond forget forward found four free fresh front
    fulfilling full fun funny future gave give giving glad goal gonna good gorgeous gosh got gotta grateful
    gratitude great grow guess guy hadn haha half handle hang happen happiness happy hard hasn haven hear
    heartwarming hello help helpful hey hi high hmm hold hope hopefully hug huge huh hundred idea image imagine
    impact important impressed impressive incredible incredibly indeed initial inside inspiration inspire instead
    interest isn journey joy joyful keep kept kind kinda kindness know known lack last late lately learned least
    leave left let life lift little live lol long look lot love lovely low luck luckily lucky main makes making man
    mate matter maybe mean meaningful memorable memories memory mention mind minute mmm moment mood motivate
    motivation move name near neat need never new next nice nine nobody nonstop nothing notice offer often oh ok
    okay old omg ones onto open opportunities opportunity others otherwise ours ourselves outside overall pal part
    particularly passion passionate past people per perfect perhaps person personal photo pic pick picture place
    plan planned planning pleased plenty plus point positive possible posted pour powerful precious pretty probably
    problem proud pull pumped push put putting question quick quickly quit quite reach ready real realize really
    reason recent recently recommendation reflect regarding relate relax relief remember remind reminder response
    rest reward right rock saw say seconds see seem seen self send sense seriously set seven several share shouldn
    show side sign similar simple since sitting situation six small smile solution somebody somehow someone
    something sometimes somewhere soon sorry sort sound special spend spent spot stand start stay step stick still
    stoked stop straight strength strong stuck stuff stunning suggestion super support supportive suppose sure
    surely surprise sweet take taken talk tell ten terrible thank thankful the therapeutic think though thought
    thoughtful thousand three thrilled throughout till time tiny together told ton took top total totally touch
    tough toward tried tries true truly try turn two type uh um understand unforgettable unique unlike upcoming
    update upon use usual usually valuable versus via vibe view vs wait wanna want warm wasn watch way weird welcome
    well went weren whatever whenever whether whilst whoa whole whose wild willing wish within without won wonder
    wonderful word work world worries worry worth worthwhile wouldn wow wrong ya yay yeah yep yes younger yourself
    yourselves yum yup zero
"""
_TIMES_TEXT = """
    ago afternoon am april august century date day days decade december evening february fall fri friday hour hours
    january july june march may minute minutes mon monday month months morning night november october pm sat saturday
    second september sun sunday thu thursday today tomorrow tonight tue tues tuesday wed wednesday week weekend
    weekends weeks winter spring summer autumn year years yesterday
"""
_VERBS_TEXT = """
    accept achieve add allow amaze announce apply arrive ask ate attend avoid became become began begin believe
    boost bought break brought build built buy call carry catch caught cause celebrate change chase choose chose
    climb combine complete connect consider continue cover create cut deal depend describe discover discuss draw
    drew drop drove earn eat ended enter escape expect explain explore express face feature fight fill fit fix
    follow forced gain gather gave get getting handle happen hate hit host improve include inspire invite involve
    join kick launch lead lean learn led lie lift listen lose lost made manage meet met miss motivate offer open
    organize own pass pay perform pick planned practice prefer prepare protect play read provide publish pursue raise
    ran reach receive recharge reduce release remain remove report require resonate return ride run running said sang
    save search sell serve share sing sit sold solve spark speak spoke spread stood struggle submit submitted
    succeed suggest supply taste teach tend thrive throw took travel treat visit volunteer wake walk wear winning
    won wore write wrote
"""
SMALL_TALK = frozenset(_SMALL_TALK_TEXT.split())
"""Words of greeting, praise and encouragement, and those so common that they tell no topic."""
TIME_WORDS = frozenset(_TIMES_TEXT.split())
_VERBS = frozenset(_VERBS_TEXT.split())
_NEVER = STOP | SMALL_TALK | TIME_WORDS
_SHORTEST_NAME = 3
_BEFORE_VERBS = frozenset(
    "i you he she we they who it to not n't don't didn't can't couldn't won't will would can could should must might "
    "may shall let lets let's gonna wanna gotta i'm i've i'd i'll you're you've you'll we're we've we'll they're "
    "they've he's she's and-i please never ever just also".split()
)
_BEFORE_NOUNS = frozenset(
    "a an the my your his her our their this that these those of for at in on about with from by some any no each "
    "every which what whose another own its".split()
)
_TOKEN = re.compile(r"[^\W_](?:[\w'’]|-(?=\w))*(?<!['’])", re.UNICODE)
_SENTENCE_MARKS = frozenset('.!?…\n:"“')
_BRACKETED = re.compile(r"\[image[^\]]*\]|https?://\S+|\bwww\.\S+", re.IGNORECASE)
_SUFFIX = re.compile(r"['’](?:s|re|ve|ll|d|m|t)$")
_ADVERB = re.compile(r"[a-z]{3,}ly$")
_CJK_RUN = re.compile(r"[\u4e00-\u9fff々]{2,8}|[\u30a1-\u30faー]{2,12}|[가-힣]{2,8}")


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words as they stand in the text, and their stems.

    `ends` is whether the run of words ends here too, as a noun's does;
    `noun` whether an article or a preposition stands before it; `name`
    whether it is written with a capital where no sentence begins.
    """

    text: str
    stems: tuple[str, ...]
    ends: bool
    noun: bool
    name: bool


def without_captions(text: str) -> str:
    """The text with spaces for captions of images and for addresses: nobody said these."""
    return _BRACKETED.sub(lambda match: " " * len(match[0]), text)


def telling(
    text: str, leave_out: frozenset[str] = frozenset(), begin: int = 0, end: int = sys.maxsize
) -> dict[str, str]:
    """The telling words of a text, or of a part of it, by their stems: what it is about.

    `leave_out` are words that tell nothing here, folded: the names of who speaks.
    """
    found: dict[str, str] = {}
    for run in _read(text, leave_out):
        for token in run:
            if begin <= token.begin < end and not _is_verb(token.word):
                found.setdefault(token.stem, token.word)
    return found


def names_of(speakers: Iterable[str]) -> frozenset[str]:
    """The parts of the names of these speakers, folded."""
    return frozenset(part for name in speakers for part in words(name) if len(part) > 1)


def phrases(text: str, leave_out: frozenset[str] = frozenset()) -> Iterator[Phrase]:
    """Every phrase of one to `LONGEST` telling words, each time it occurs."""
    for run in _read(text, leave_out):
        yield from _of_run(run)


class _Token(NamedTuple):
    """A telling word: as written, folded, its stem, the word before it, where it begins, whether a sentence does."""

    text: str
    word: str
    stem: str
    after: str
    begin: int
    opens: bool


def _of_run(run: Sequence[_Token]) -> Iterator[Phrase]:
    for end in range(len(run), 0, -1):
        if _is_verb(run[end - 1].word):
            continue
        for start in range(max(0, end - LONGEST), end):
            part = run[start:end]
            noun = part[0].after in _BEFORE_NOUNS
            if start == 0 and not noun and _is_verb(part[0].word):
                continue
            yield Phrase(
                " ".join([token.text for token in part]),
                tuple([token.stem for token in part]),
                end == len(run),
                noun,
                any(token.text[0].isupper() and not token.opens for token in part),
            )


@lru_cache(maxsize=2048)
def _read(text: str, leave_out: frozenset[str]) -> tuple[tuple[_Token, ...], ...]:
    """The runs of telling words between other words and marks; a run of one CJK script is one of its own."""
    runs = list(_runs(without_captions(text), leave_out))
    if not text.isascii():
        for match in _CJK_RUN.finditer(text):
            run = match[0]  # in the word index it is bigrams, of which the first stands for it
            runs.append((_Token(run, run[:2], run, "the", match.start(), False),))
    return tuple(runs)


def _runs(text: str, leave_out: frozenset[str]) -> Iterator[tuple[_Token, ...]]:
    stop = STOP_OF.get(tongue(text), frozenset()) | leave_out
    run: list[_Token] = []
    end, before, opens = 0, "", True
    for match in _TOKEN.finditer(text):
        raw = match[0]
        begin = match.start()
        if begin - end != 1 or text[end] != " ":
            gap = text[end:begin]
            if (gap and not gap.isspace()) or "\n" in gap:
                if run:
                    yield tuple(run)
                    run = []
                before, opens = "", opens or not _SENTENCE_MARKS.isdisjoint(gap)
        end = match.end()
        word = _bare(raw)
        if (
            _tells(word)
            and word not in stop
            and (run or before not in _BEFORE_VERBS)
            and not _is_short_for(raw, word, leave_out)
        ):
            run.append(_Token(_SUFFIX.sub("", raw), word, stem(word), before, begin, opens))
        elif run:
            yield tuple(run)
            run = []
        before, opens = raw.casefold().replace("’", "'"), False
    if run:
        yield tuple(run)


def _is_short_for(raw: str, word: str, names: Collection[str]) -> bool:
    """Whether it is one of the names cut short, as in "Hey Mel"; small letters mean the word ("car", not Caroline)."""
    return raw[:1].isupper() and len(word) >= _SHORTEST_NAME and any(name.startswith(word) for name in names)


@lru_cache(maxsize=16_384)
def _tells(word: str) -> bool:
    return (
        len(word) > 1
        and word not in _NEVER
        and not word.isdigit()
        and not has_cjk(word)
        and not _ADVERB.match(word)
        and not _inflected(word, ("s", "es", "d", "ed", "ing"), SMALL_TALK)
        and any(char.isalpha() for char in word)
    )


@lru_cache(maxsize=16_384)
def _is_verb(word: str) -> bool:
    """Whether the word is one that does something; what ends in -ing may as well be the name of a thing."""
    return word in _VERBS or _inflected(word, ("s", "es", "d", "ed"), _VERBS)


def _inflected(word: str, endings: Sequence[str], among: frozenset[str]) -> bool:
    """Whether the word is one of those with an ending: "gives" of "give", "hoping" of "hope"."""
    for ending in endings:
        if word.endswith(ending):
            base = word[: -len(ending)]
            if base in among or (
                ending == "ing" and (base + "e" in among or (base[-2:-1] == base[-1:] and base[:-1] in among))
            ):
                return True
    return False


@lru_cache(maxsize=16_384)
def _bare(raw: str) -> str:
    return _SUFFIX.sub("", raw.casefold())
