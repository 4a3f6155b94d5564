"""WhatsApp in the spellings of many phones."""

from __future__ import annotations

from typing import Any

import pytest

from memcli.errors import BadData
from memcli.formats import registry
from memcli.formats.base import ParseOptions
from memcli.formats.source import Source
from memcli.types import Draft, Skip

from . import golden


def items(text: str, options: ParseOptions | None = None) -> list[Draft | Skip]:
    source = Source.from_bytes("chat.txt", text.encode())
    assert registry.detect(source).name == "whatsapp"
    return golden.read(source, "whatsapp", options)


def drafts(text: str, **options: Any) -> list[Draft]:
    return [item for item in items(text, ParseOptions(**options)) if isinstance(item, Draft)]


HEADS = [
    ("20/05/2026, 15:04 - Ada: hi", "2026-05-20T15:04:00"),
    ("20/05/2026, 3:04\u202fpm - Ada: hi", "2026-05-20T15:04:00"),
    ("20/05/2026, 3:04 p.\xa0m. - Ada: hi", "2026-05-20T15:04:00"),
    ("20/05/2026, 3:04 p. m. - Ada: hi", "2026-05-20T15:04:00"),
    ("20/05/2026, 12:04 a.m. - Ada: hi", "2026-05-20T00:04:00"),
    ("5/20/26, 3:04\u202fPM - Ada: hi", "2026-05-20T15:04:00"),
    ("20.05.26, 15:04 - Ada: hi", "2026-05-20T15:04:00"),
    ("20.05.2026 um 15:04 - Ada: hi", "2026-05-20T15:04:00"),
    ("20/05/2026 à 15:04 - Ada: hi", "2026-05-20T15:04:00"),
    ("20-05-2026 15:04 - Ada: hi", "2026-05-20T15:04:00"),
    ("20.5.2026 klo 15.04 - Ada: hi", "2026-05-20T15:04:00"),
    ("2026-05-20, 15:04 - Ada: hi", "2026-05-20T15:04:00"),
    ("2026/05/20 15:04 - Ada: hi", "2026-05-20T15:04:00"),
    ("2026/5/20 下午3:04 - Ada: hi", "2026-05-20T15:04:00"),
    ("2026. 5. 20. 오후 3:04 - Ada: hi", "2026-05-20T15:04:00"),
    ("٢٠/٠٥/٢٠٢٦, ٣:٠٤ م - Ada: hi", "2026-05-20T15:04:00"),
    ("[20.05.26, 15:04:10] Ada: hi", "2026-05-20T15:04:10"),
    ("[20/05/2026, 3:04:10\u202fPM] Ada: hi", "2026-05-20T15:04:10"),
    ("[5/20/26, 3:04:10 PM] Ada: hi", "2026-05-20T15:04:10"),
    ("[20/05/26 15:04:10] Ada: hi", "2026-05-20T15:04:10"),
    ("\u200e[20/05/2026, 15:04:10] Ada: hi", "2026-05-20T15:04:10"),
    ("\ufeff20/05/2026, 15:04 - Ada: hi", "2026-05-20T15:04:00"),
    ("\u202a20/05/2026, 15:04 - \u202a+49\xa0170\xa01234567\u202c: hi", "2026-05-20T15:04:00"),
]


@pytest.mark.parametrize(("line", "moment"), HEADS)
def test_heads_of_many_phones(line: str, moment: str) -> None:
    (draft,) = drafts(line)
    assert (golden.said_at(draft.moment), draft.text) == (moment, "hi")
    assert draft.speaker in ("Ada", "+49 170 1234567")


ORDERS = [
    ("a number above twelve", ["3/4/2026", "13/4/2026"], "2026-04-03"),
    ("a number above twelve, the other way", ["3/4/2026", "3/14/2026"], "2026-03-04"),
    ("dates never go back: month first would", ["1/5/2026", "2/4/2026", "3/5/2026"], "2026-01-05"),
    ("the day changes oftener", ["1/5/2026", "2/5/2026", "3/5/2026"], "2026-05-01"),
    ("the day changes oftener, the other way", ["5/1/2026", "5/2/2026", "5/3/2026"], "2026-05-01"),
    ("dots put the day first", ["3.4.2026"], "2026-04-03"),
]


@pytest.mark.parametrize(("dates", "day"), [row[1:] for row in ORDERS], ids=[row[0] for row in ORDERS])
def test_the_order_of_day_and_month(dates: list[str], day: str) -> None:
    found = drafts("\n".join(f"{date}, 15:04 - Ada: hi" for date in dates))
    assert (golden.said_at(found[0].moment) or "")[:10] == day


def test_the_american_spelling_puts_the_month_first() -> None:
    assert golden.said_at(drafts("3/4/26, 3:04 PM - Ada: hi")[0].moment) == "2026-03-04T15:04:00"


def test_an_order_that_nothing_tells_is_asked_for() -> None:
    with pytest.raises(BadData) as caught:
        items("03/04/2026, 15:04 - Ada: hi\n03/04/2026, 15:05 - Bo: hello")
    assert "--date-order" in (caught.value.hint or "")
    assert golden.said_at(drafts("03/04/2026, 15:04 - Ada: hi", date_order="dmy")[0].moment) == "2026-04-03T15:04:00"
    assert golden.said_at(drafts("03/04/2026, 15:04 - Ada: hi", date_order="mdy")[0].moment) == "2026-03-04T15:04:00"


def texts(*lines: str) -> list[tuple[str | None, str]]:
    return [(draft.speaker, draft.text) for draft in drafts("\n".join(f"20/05/2026, 15:04 - {line}" for line in lines))]


def test_words_beside_or_below_an_attachment_are_its_caption() -> None:
    assert texts("Ada: IMG-20260520-WA0001.jpg (file attached)\nthe new shed") == [("Ada", "the new shed")]


def test_colons_in_a_message_belong_to_it() -> None:
    assert texts("Ada: note: at 10:30: bring it", "Bo:", "Cy: https://example.com") == [
        ("Ada", "note: at 10:30: bring it"),
        ("Cy", "https://example.com"),
    ]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("Ada added Bo", "service message"),
        ('Ada changed the subject to "Shed: paint"', "service message"),
        ("Your security code with Bo changed. Tap to learn more.", "service message"),
        ("Bo: Missed voice call", "service message"),
        ("Bo: null", "service message"),
        ("Bo: <Medien ausgeschlossen>", "media without text"),
        ("Bo: \u200e<Anhang: 0001-AUDIO.opus>", "media without text"),
        ("Bo: \u200eBild weggelassen", "media without text"),
        ("Bo: Diese Nachricht wurde gelöscht.", "deleted message"),
        ("Bo: You deleted this message", "deleted message"),
    ],
)
def test_what_people_did_not_write_is_skipped(line: str, reason: str) -> None:
    found = items(f"20/05/2026, 15:04 - Ada: hi\n20/05/2026, 15:05 - {line}")
    assert [item.reason for item in found if isinstance(item, Skip)] == [reason]


def test_an_edited_mark_is_cut_and_the_words_stay() -> None:
    assert texts("Ada: flat 9 \u200e<This message was edited>") == [("Ada", "flat 9")]


def test_a_paste_in_an_ios_message_opens_no_message() -> None:
    paste = "[20.05.26, 09:00:00] Bo: hello\nfunny\r\n"
    text = f"[20.05.26, 15:05:10] Ada: he wrote\n{paste}[20.05.26, 15:06:00] Ada: hm\r\n"
    assert [draft.text for draft in drafts(text)] == ["he wrote\n[20.05.26, 09:00:00] Bo: hello\nfunny", "hm"]


def test_direction_marks_and_the_tilde_are_no_name() -> None:
    found = drafts("[20.05.26, 15:07:12] ~\u202fCy: see you\n[20.05.26, 15:07:13] \u200e~Dee: ok")
    assert [draft.speaker for draft in found] == ["Cy", "Dee"]
