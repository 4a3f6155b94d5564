"""Chinese and Japanese: the same rules where no spaces part the words, as patterns over the whole question."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from memcli.recall.followup.said import Exchange, is_evidence, items, segments

_HAN = "㐀-䶿一-鿿々"
_WORD = f"[{_HAN}ァ-ヶーA-Za-z0-9]"
_KANA = re.compile("[ぁ-ゖァ-ヶ]")
_DIGITS = {digit: number for number, digit in enumerate("一二三四五六七八九十")}
_TIME = (
    r"(?:(?:19|20)\d\d年)?(?:1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九])月(?:\d{1,2}[日号號])?|(?:19|20)\d\d年|[今去昨明前后]年|"
    r"[上下这這今先来來]个?[周週月]|[周週星]期?[一二三四五六日天]|[月火水木金土日]曜日?|昨天|今天|明天|昨日|今日|明日"
)
_END = r"[？?。！!\s]*$"


@dataclass(frozen=True, slots=True)
class _Tongue:
    """The closed classes of one language as patterns.

    `asking` is an interrogative with its particles; `whole_asking` a question
    that is nothing else; `swap` one that names another person or time only, as
    group 1. `item` is an ordinal (group 1, empty for the last) with its noun. `topic` is the
    beginning of a question up to its first person, group 1. `polite` is the end of an answer.
    """

    asking: re.Pattern[str]
    whole_asking: re.Pattern[str]
    swap: re.Pattern[str]
    item: re.Pattern[str]
    topic: re.Pattern[str]
    person: re.Pattern[str]
    thing: re.Pattern[str]
    polite: re.Pattern[str]
    own_antecedent: re.Pattern[str]


_JAPANESE_ASKING = (
    r"(?:いつ|どこ|だれ|誰|なぜ|どうして|どうやって|どう|いくら|いくつ|何時|何日|何曜日|何月|何年|どれくらい|どのくらい|どれ|どの\w{1,3}|"
    r"何人|何回|何で|何|なに)(?:ごろ|頃)?(?:から|まで|より|で|に|へ|と|が|を|の)?"
)
_JAPANESE = _Tongue(
    asking=re.compile(_JAPANESE_ASKING),
    whole_asking=re.compile(
        rf"^(?:じゃあ|では|それで|で、)?({_JAPANESE_ASKING})(?:ですか|でしたか|なの|だった|か)?{_END}"
    ),
    swap=re.compile(
        rf"^(?:じゃあ|では|それじゃ|で、)?({_WORD}{{1,10}}?(?:さん|くん|ちゃん)?)(?:は|では|には|も)?{_END}"
    ),
    item=re.compile(
        rf"(?:([一二三四五六七八九十\d]+)(?:番目|つ目|個目|件目)|(?:最後|一番下))(?:の(?:もの|[{_HAN}]{{1,3}}(?=[はがをにのでも？?]|$)))?"
    ),
    topic=re.compile(rf"^({_WORD}{{1,8}}?(?:さん|くん|ちゃん)?)(?=[はがのもと])"),
    person=re.compile("彼女たち|彼女|彼ら|彼"),
    thing=re.compile(rf"それ|これ|あれ|そこ|あそこ|その(?=[{_HAN}])|あの(?=[{_HAN}])"),
    polite=re.compile(r"(?:でした|です|だった|だ|ます|ました)$"),
    own_antecedent=re.compile(rf"{_WORD}+(?:さん|くん|ちゃん)?[はがも].*$", re.DOTALL),
)
_CHINESE_ASKING = (
    r"(?:[从從到跟和在给給为為])?(?:什么时候|什麼時候|何时|为什么|為什麼|怎么样|怎么|怎麼|哪里|哪裡|哪儿|哪天|哪年|哪个|哪個|哪些|哪\w|"
    r"多少钱|多少錢|多少|多久|几点|幾點|几次|几岁|几|誰|谁|什么|什麼)"
)
_CHINESE = _Tongue(
    asking=re.compile(_CHINESE_ASKING),
    whole_asking=re.compile(rf"^(?:那么?|还有)?({_CHINESE_ASKING}(?:开始|開始|去|来|的|了|买)?)(?:呢|吗|嗎|啊)?{_END}"),
    swap=re.compile(rf"^(?:那么?|那麼)?({_WORD}{{1,8}})呢{_END}"),
    item=re.compile(r"(?:第([一二三四五六七八九十\d]+)|最后一|最後一)(?:个|個|家|本|位|间|間|套|种|條|条|张|項|项)?"),
    topic=re.compile(
        rf"^([{_HAN}A-Za-z]{{2,4}}?)(?=[的在是有去来來住买買卖賣养養做说說想喜要会會能把被给給从從跟和几幾哪什怎为為多一二三四五六七八九十\d昨今明上下最])"
    ),
    person=re.compile("她们|他们|她們|他們|她|他"),
    thing=re.compile("它们|它|那里|那裡|那儿|那个|那個|这里|這裡|这个|這個|这件事|那件事"),
    polite=re.compile(r"^(?:叫|是|在|就是)|了$"),
    own_antecedent=re.compile(rf"[{_HAN}]{{2,3}}(?:说|說|告诉|告訴|知道|和|跟|把|的).*$", re.DOTALL),
)


def complete(question: str, past: Sequence[Exchange], names: Collection[str] = ()) -> tuple[str, list[str], str] | None:
    """(the question completed, what is to be said behind it, why), None where nothing is lacking.

    `past` has the newest exchange first.
    """
    if not past:
        return None
    tongue = _JAPANESE if _KANA.search(question) or _KANA.search(past[0].question) else _CHINESE
    found = _choose_item(question, past, tongue)
    if found is not None:
        return found
    whole = tongue.whole_asking.match(question)
    if whole:
        return (
            f"{whole[1]}{_without_asking(past[0].question, tongue)}",
            _gist(past[0], tongue),
            "the same, asked otherwise",
        )
    swap = tongue.swap.match(question)
    if swap and not tongue.asking.search(question):
        text = _swap(swap[1], past[0].question, tongue, names)
        if text is not None:
            return text, [], f"the same about {swap[1]}"
    return _resolve(question, past, tongue, names)


def _choose_item(question: str, past: Sequence[Exchange], tongue: _Tongue) -> tuple[str, list[str], str] | None:
    ordinal = tongue.item.search(question)
    if ordinal is None:
        return None
    for exchange in past:
        listed = items(exchange.answer)
        place = _number(ordinal[1]) - 1 if ordinal[1] else len(listed) - 1
        if 0 <= place < len(listed):
            text = question[: ordinal.start()] + listed[place] + question[ordinal.end() :]
            return text, [], f"“{ordinal[0]}” is {listed[place]}"
    return None


def _number(digits: str) -> int:
    return int(digits) if digits.isdecimal() else _DIGITS.get(digits, -1) + 1


def _without_asking(question: str, tongue: _Tongue) -> str:
    return re.sub(_END, "", tongue.asking.sub("", question))


def _swap(other: str, before: str, tongue: _Tongue, names: Collection[str]) -> str | None:
    """The question before about another person or time; None where it names none."""
    time = re.search(_TIME, before)
    if re.fullmatch(_TIME, other):
        return None if time is None else before[: time.start()] + other + before[time.end() :]
    person = _person(before, tongue, names)
    return None if not person or person == other else before.replace(person, other)


def _person(question: str, tongue: _Tongue, names: Collection[str]) -> str:
    """The first person of a question, "" where it begins with none."""
    known = [name for name in names if name in question]
    if known:
        return min(known, key=lambda name: (question.index(name), -len(name)))
    found = tongue.topic.match(question)
    if found is None or re.fullmatch(_TIME, found[1]) or tongue.asking.search(found[1]) or found[1] in _US:
        return ""
    return found[1]


_US = frozenset(("我", "我们", "我們", "咱们", "私", "僕", "俺", "私たち", "先週", "今日", "昨日", "你", "这", "那"))


def _gist(exchange: Exchange, tongue: _Tongue) -> list[str]:
    """What a short answer names."""
    if is_evidence(exchange.answer):
        return []
    for part in segments(exchange.answer):
        bare = tongue.polite.sub("", part)
        if re.search(_TIME, bare) or len(bare) > _GIST_CHARS or re.search(r"不知道|わかりません|没有|ありません", bare):
            return []
        return [bare] if bare else []
    return []


_GIST_CHARS = 12


def _resolve(
    question: str, past: Sequence[Exchange], tongue: _Tongue, names: Collection[str]
) -> tuple[str, list[str], str] | None:
    """Pronouns by what they mean."""
    text, notes, behind = question, list[str](), list[str]()
    pronoun = tongue.person.search(question)
    if pronoun and not tongue.own_antecedent.match(question[: pronoun.start()]):
        person = next(filter(None, (_person(exchange.question, tongue, names) for exchange in past)), "")
        if person:
            text = text[: pronoun.start()] + person + text[pronoun.end() :]
            notes.append(f"“{pronoun[0]}” is {person}")
    if tongue.thing.search(question):
        said = _without_asking(past[0].question, tongue)
        behind = [said, *_gist(past[0], tongue)]
        notes.append("more about what was asked before")
    return (text, behind, "; ".join(notes)) if notes else None
