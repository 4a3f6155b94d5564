"""Chinese and Japanese: no spaces, so the words are found by one pattern; the same calendar."""

from __future__ import annotations

import re
from datetime import date, datetime, tzinfo
from functools import lru_cache

from memcli.lang.when.almanac import (
    DAY,
    Found,
    at,
    days,
    month_of,
    moved,
    near_date,
    near_month,
    near_weekday,
    part_of,
    quarter_of,
    season_of,
    shifted,
    year_of,
)

_NUMERALS = {mark: value for value, mark in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "兩": 2}
_WEEKDAYS = {mark: value for value, mark in enumerate("一二三四五六日")} | {"天": 6}
_JA_WEEKDAYS = {mark: value for value, mark in enumerate("月火水木金土日")}


def _table(text: str) -> dict[str, int]:
    return {word: int(value) for word, value in (entry.split("=") for entry in text.split())}


def _names(text: str) -> dict[str, str]:
    return dict(entry.split("=") for entry in text.split())


_DAYS = _table(
    "今天=0 今日=0 昨天=-1 昨日=-1 明天=1 明日=1 前天=-2 大前天=-3 后天=2 後天=2 大后天=3 大後天=3 一昨日=-2"
    " おととい=-2 明後日=2 あさって=2 きのう=-1 きょう=0 あした=1"
)
_NIGHTS = _table("今晚=0 昨晚=-1 明晚=1 今晩=0 昨晩=-1 明晩=1 今夜=0 昨夜=-1")
_MORNINGS = _table("今朝=0 今早=0 明早=1")
_STEPS = _table("上上=-2 上=-1 下=1 下下=2 这=0 這=0 本=0 先々=-2 先=-1 来=1 來=1 再来=2 今=0")
_YEARS = _table("去年=-1 昨年=-1 一昨年=-2 明年=1 前年=-2 后年=2 後年=2 今年=0 来年=1 來年=1")
_UNITS = _names(
    "日=day 天=day 周=week 週=week 週間=week 星期=week 礼拜=week 个星期=week 個星期=week 个礼拜=week 个月=month"
    " 個月=month か月=month ヶ月=month カ月=month ヵ月=month 年=year 分=minute 分钟=minute 分鐘=minute 小时=hour"
    " 小時=hour 时间=hour 時間=hour 个小时=hour 個小時=hour"
)
_PARTS = _names(
    "早上=morning 上午=morning 午前=morning 朝=morning 下午=afternoon 午後=afternoon 昼=afternoon 晚上=evening"
    " 夕方=evening 晚=evening 夜=evening 晩=evening"
)
_SEASONS = {"春": 0, "夏": 1, "秋": 2, "冬": 3}

_TRIGGER = "[日天周週期拜月年晚晩夜朝早前后後末曜去]|おととい|あさって|きのう|きょう|あした"
_KANA = "[ぁ-ゖァ-ヺ]"
_JA_BACK = "(?:た|だ)(?=[。、！？!?\\s]|$|ね|よ|の|け|ん)"
_JA_AHEAD = "ましょう|ます|つもり|予定|よう"
_ZH_BACK = "[过過]|了(?=[。，！!\\s]|$)|了[^。，解]"
_ZH_AHEAD = "会(?![议議社员員])|將|将(?!来)|要|吧|打算|见(?=[。！!\\s]|$)"
_NAME = "(?![香菜海美子奈華花実葉太斗])"
"""今日子 and 明日香 are people."""


@lru_cache(maxsize=16)
def _compiled(source: str) -> re.Pattern[str]:
    return re.compile(source)


def _any(words: dict[str, int] | dict[str, str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


@lru_cache(maxsize=1)
def _pattern() -> re.Pattern[str]:
    day = "[一二三四五六日]|天(?![气氣])"
    zh_day = f"(?:{day})(?![起直定样樣共些个個下])"
    tail = (
        f"(?:の?(?P<part>{_any(_PARTS)}))?"
        "(?:[のに]?(?P<hour>[0-9]{1,2}|十?[一二两兩三四五六七八九十])[点點時](?![間间])(?:(?P<minute>[0-9]{1,2})分?|(?P<half>半))?)?"
    )
    named = (
        f"(?P<block>[每毎][个個]?(?:周|週|星期|天|日|月|年)[一二三四五六日天末]?(?:[月火水木金土日]曜日?)?)"
        "|(?P<y>[12][0-9]{3})年(?:(?P<m>[0-9]{1,2})月(?:(?P<d>[0-9]{1,2})[日号號])?)?(?![間间])"
        "|(?P<m2>[0-9]{1,2})月(?:(?P<d2>[0-9]{1,2})[日号號]|(?=に|から|まで|份))"
        f"|(?P<n>[0-9]{{1,4}}|[零一二三四五六七八九十两兩〇]{{1,3}}|半)(?P<u>{_any(_UNITS)})(?P<h>半)?"
        "(?P<way>之前|以前|前|之后|以后|之後|以後|后|後)"
        f"|(?P<night>{_any(_NIGHTS)})|(?P<morning>{_any(_MORNINGS)})"
        "|(?P<step>上上|下下|先々|再来|上|下|这|這|本|先|来|來|今)"
        f"(?:[个個]?(?P<w>周|週|星期|礼拜)の?(?:(?P<end>末)|(?P<ja>[月火水木金土日])曜日?|(?P<zh>{zh_day}))?"
        "|[个個]?(?P<mo>月)(?:の?(?P<md>[0-9]{1,2})[日号號])?|[个個]?(?P<q>季度))"
        f"|(?P<year>{_any(_YEARS)})(?:の?(?P<season>[春夏秋冬])天?|の?(?P<ym>[0-9]{{1,2}}|十[一二]?|[一二三四五六七八九])月)?"
        f"|(?P<day>{_any(_DAYS)}){_NAME}"
        f"|(?P<ja2>[月火水木金土日])曜日?|(?:周|週|星期|礼拜)(?P<zh2>{zh_day})"
    )
    return re.compile(f"(?:{named}){tail}")


def number(text: str) -> int:
    """A small number in figures or in Chinese numerals up to 99."""
    if text.isdecimal():
        return int(text)
    tens, ten, ones = text.rpartition("十")
    if ten:
        return (_NUMERALS.get(tens, 1) if tens else 1) * 10 + (_NUMERALS[ones] if ones else 0)
    value = 0
    for mark in text:
        value = value * 10 + _NUMERALS[mark]
    return value


def side(text: str, start: int, end: int) -> int:
    """-1 back, 1 ahead, 0 unknown: the first mark of tense after the words, else before them, in the sentence."""
    stops = _compiled("[。！？!?\n]")
    first = max((match.end() for match in stops.finditer(text, max(0, start - 80), start)), default=max(0, start - 80))
    stop = stops.search(text, end, end + 80)
    last = stop.start() + 1 if stop else min(len(text), end + 80)
    japanese = _compiled(_KANA).search(text, first, last) is not None
    back, ahead = (_JA_BACK, _JA_AHEAD) if japanese else (_ZH_BACK, _ZH_AHEAD)
    for low, high in ((end, last), (first, start)):
        piece = text[low:high]
        one, two = _compiled(back).search(piece), _compiled(ahead).search(piece)
        if one or two:
            return -1 if one and (not two or one.start() <= two.start()) else 1
    return 0


def _base(match: re.Match[str], anchor: datetime, zone: tzinfo | None, towards: int) -> Found | None:
    """The interval of everything but the part of the day and the clock."""
    today, get = anchor.date(), match.group
    kind = match.lastgroup and next(name for name in _KINDS if get(name))
    if kind == "y":
        year, month = int(get("y")), get("m")
        if get("d"):
            return days(date(year, int(month), int(get("d"))))
        return month_of(year, int(month)) if month and 1 <= int(month) <= 12 else (None if month else year_of(year))
    if kind == "m2":
        if not towards or not 1 <= int(get("m2")) <= 12:
            return None
        if not get("d2"):
            return near_month(today, int(get("m2")), towards)
        found = near_date(int(get("m2")), int(get("d2")), today, towards)
        return None if found is None else days(found)
    if kind == "n":
        return _shift(match, anchor, zone)
    if kind == "night":
        return part_of(today + _NIGHTS[get("night")] * DAY, "night")
    if kind == "morning":
        return part_of(today + _MORNINGS[get("morning")] * DAY, "morning")
    if kind == "step":
        return _stepped(match, today)
    if kind == "year":
        year = today.year + _YEARS[get("year")]
        if get("season"):
            return season_of(year, _SEASONS[get("season")])
        return month_of(year, number(get("ym"))) if get("ym") and 1 <= number(get("ym")) <= 12 else year_of(year)
    if kind == "day":
        return days(today + _DAYS[get("day")] * DAY)
    weekday = _JA_WEEKDAYS[get("ja2")] if get("ja2") else _WEEKDAYS[get("zh2")]
    return days(near_weekday(today, weekday, towards)) if towards else None


_KINDS = ("y", "m2", "n", "night", "morning", "step", "year", "day", "ja2", "zh2")


def _shift(match: re.Match[str], anchor: datetime, zone: tzinfo | None) -> Found | None:
    raw, unit = match["n"], _UNITS[match["u"]]
    count = 0.5 if raw == "半" else number(raw) + (0.5 if match["h"] else 0)
    if unit == "year" and count >= 1000:
        return None  # "before 2024"
    sign = -1 if match["way"].endswith("前") else 1
    if unit == "year" and count == 0.5:
        return moved(anchor.date(), "month", 6 * sign)
    return shifted(anchor, unit, sign * count, zone)


def _stepped(match: re.Match[str], today: date) -> Found | None:
    step = _STEPS[match["step"]]
    if match["mo"]:
        found = moved(today, "month", step)
        return days(found.start.date().replace(day=int(match["md"]))) if match["md"] else found
    if match["q"]:
        return quarter_of(today.year, (today.month + 2) // 3 + step)
    if match["end"]:
        return moved(today, "weekend", step)
    found = moved(today, "week", step)
    weekday = _JA_WEEKDAYS[match["ja"]] if match["ja"] else (_WEEKDAYS[match["zh"]] if match["zh"] else None)
    return found if weekday is None else days(found.start.date() + weekday * DAY)


def _refined(match: re.Match[str], found: Found, zone: tzinfo | None) -> Found:
    """A day with its part and its clock time."""
    if found.grain not in ("day", "part") or found.end - found.start > DAY:
        return found
    day, part = found.start.date(), _PARTS.get(match["part"] or "")
    if match["hour"]:
        hour = number(match["hour"])
        late = part in ("afternoon", "evening") or (found.grain == "part" and found.start.hour >= 17)
        if hour < 12 and (late or (part is None and found.grain == "day" and 1 <= hour <= 6)):
            hour += 12
        minute = 30 if match["half"] else (int(match["minute"]) if match["minute"] else None)
        if hour <= 24 and (minute is None or minute < 60):
            return at(day, hour, minute, zone)
    return part_of(day, part) if part and found.grain == "day" else found


def triggered(text: str) -> bool:
    """Whether a character occurs without which nothing here can hold."""
    return _compiled(_TRIGGER).search(text) is not None


def read(text: str, anchor: datetime, zone: tzinfo | None, future: bool | None) -> list[tuple[int, int, Found, str]]:
    """Everything found: (start, end, interval, rule), in the order of the text."""
    hits: list[tuple[int, int, Found, str]] = []
    for match in _pattern().finditer(text):
        start, end = match.span()
        if len(hits) == 2_000:  # a table, as in `resolve`
            break
        if match["block"] or _other_sense(text, start, end, match):
            continue
        towards = 0
        if match["m2"] or match["ja2"] or match["zh2"]:
            towards = side(text, start, end) or (0 if future is None else (1 if future else -1))
        try:
            found = _base(match, anchor, zone, towards)
            found = None if found is None else _refined(match, found, zone)
        except (ValueError, OverflowError):  # 2月30日
            continue
        if found is not None and found.start < found.end:
            hits.append((start, end, found, "cjk"))
    return hits


def _other_sense(text: str, start: int, end: int, match: re.Match[str]) -> bool:
    """后天习得 is what one acquires after birth; 前年 in Japanese leans on a year told before."""
    after, before = text[end : end + 2], text[start - 1 : start]
    if match["day"] in ("后天", "後天") and (after[:1] in ("性", "免") or after in ("习得", "習得", "养成", "形成")):
        return True
    if match["year"] in ("前年", "後年") and _compiled(_KANA).search(text):
        return True
    return bool(before) and (before.isdigit() or before == "第") and bool(match["y"] or match["m2"] or match["n"])
