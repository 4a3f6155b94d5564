"""What real exports do wrong, one format after the other; each case has been reported somewhere."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pytest

from memcli.formats import registry
from memcli.formats.base import ParseOptions
from memcli.formats.source import Source
from memcli.types import Draft, Moment, Skip

from . import golden, made


def read(data: object, name: str, options: ParseOptions | None = None) -> list[Draft | Skip]:
    """Data, as text or as what JSON is made of, read by content as the format that is expected."""
    text = data if isinstance(data, str) else json.dumps(data)
    source = Source.from_bytes("x", text.encode())
    assert registry.detect(source).name == name
    return golden.read(source, name, options)


def said(items: Iterable[Draft | Skip]) -> list[tuple[str | None, str]]:
    return [(item.speaker or item.role, item.text) for item in items if isinstance(item, Draft)]


def reasons(items: Iterable[Draft | Skip]) -> list[str]:
    return [item.reason for item in items if isinstance(item, Skip)]


def node(number: str, parent: str | None, role: str = "user", text: str = "hi", **more: Any) -> dict[str, Any]:
    content = {"content_type": "text", "parts": [text]}
    return {
        "id": number,
        "parent": parent,
        "message": {"id": number, "author": {"role": role}, "content": content, "create_time": None, **more},
    }


def chat(*nodes: dict[str, Any], **more: Any) -> list[dict[str, Any]]:
    return [{"id": "c", "title": None, "mapping": {item["id"]: item for item in nodes}, **more}]


class TestChatGPT:
    def test_a_dangling_current_node_means_the_newest_leaf(self) -> None:
        nodes = [node("a", None, text="first"), node("b", "a", text="old", create_time=5.0)]
        items = read(chat(*nodes, node("c", "a", text="new", create_time=9.0), current_node="gone"), "chatgpt")
        assert said(items) == [("user", "first"), ("user", "new")]
        assert reasons(items) == ["abandoned branch"]

    def test_a_cycle_ends(self) -> None:
        items = read(chat(node("a", "b"), node("b", "a"), current_node="b"), "chatgpt")
        assert len(said(items)) == 2

    def test_a_missing_time_is_that_of_the_message_before_or_the_conversation(self) -> None:
        nodes = [node("a", None), node("b", "a", create_time=1779283260.75), node("c", "b")]
        items = read(chat(*nodes, create_time=1779283200.25, current_node="c"), "chatgpt")
        moments = [golden.said_at(item.moment) for item in items if isinstance(item, Draft)]
        assert moments == ["2026-05-20T13:20:00.250Z", "2026-05-20T13:21:00.750Z", "2026-05-20T13:21:00.750Z"]

    def test_thoughts_hidden_and_custom_instructions_are_skipped_with_reasons(self) -> None:
        hidden = {"is_visually_hidden_from_conversation": True}
        nodes = [
            node("a", None, "user", content={"content_type": "user_editable_context", "user_profile": "x"}),
            node("b", "a", "assistant", content={"content_type": "thoughts", "thoughts": [{"summary": "x"}]}),
            node("c", "b", "assistant", metadata=hidden),
            node("d", "c", "assistant", weight=0),
        ]
        items = read(chat(*nodes, current_node="d"), "chatgpt")
        assert reasons(items) == ["system prompt", "thinking", "hidden message", "hidden message"]

    def test_citation_marks_are_no_words(self) -> None:
        text = "It rains【12†source】 often\ue200cite\ue202turn0search1\ue201."
        assert said(read(chat(node("a", None, "assistant", text)), "chatgpt")) == [("assistant", "It rains often.")]

    def test_a_failed_tool_is_failed(self) -> None:
        result = {"content_type": "execution_output", "text": "boom"}
        outcome = {"aggregate_result": {"status": "failed_with_in_kernel_exception"}}
        items = read(chat(node("a", None, "tool", content=result, metadata=outcome)), "chatgpt")
        assert [item.status for item in items if isinstance(item, Draft)] == ["failed"]

    def test_a_wrapped_array_and_a_single_conversation_are_read(self) -> None:
        one = chat(node("a", None))
        assert said(read({"conversations": one}, "chatgpt")) == said(read(one[0], "chatgpt")) == [("user", "hi")]

    def test_an_image_alone_leaves_a_placeholder(self) -> None:
        image = {"content_type": "multimodal_text", "parts": [{"content_type": "image_asset_pointer"}]}
        assert said(read(chat(node("a", None, content=image)), "chatgpt")) == [("user", "[image]")]

    def test_a_row_that_is_no_conversation_costs_only_itself(self) -> None:
        items = read([None, *chat(node("a", None)), {"mapping": None}], "chatgpt")
        assert said(items) == [("user", "hi")]
        assert reasons(items) == ["not a conversation", "empty conversation"]


class TestClaudeAi:
    @staticmethod
    def message(number: str, parent: str | None = None, sender: str = "human", **more: Any) -> dict[str, Any]:
        return {"uuid": number, "parent_message_uuid": parent, "sender": sender, "text": number, "content": [], **more}

    def test_an_edited_branch_is_abandoned(self) -> None:
        messages = [self.message("a", "root"), self.message("b", "a", "assistant"), self.message("c", "root")]
        items = read([{"uuid": "x", "name": "", "chat_messages": [*messages, self.message("d", "c")]}], "claude-ai")
        assert [text for _, text in said(items)] == ["c", "d"]
        assert reasons(items) == ["abandoned branch"] * 2

    def test_a_broken_chain_drops_nothing(self) -> None:
        messages = [self.message("a", "root"), self.message("b", "gone"), self.message("c", "gone")]
        items = read([{"uuid": "x", "chat_messages": messages}], "claude-ai")
        assert [text for _, text in said(items)] == ["a", "b", "c"]

    def test_words_around_a_tool_keep_their_order_and_have_ids_of_their_own(self) -> None:
        blocks = [
            {"type": "text", "text": "Looking."},
            {"type": "tool_use", "name": "search", "input": {"q": "é"}},
            {"type": "tool_result", "name": "search", "content": "no", "is_error": True},
            {"type": "text", "text": "Nothing."},
        ]
        messages = [self.message("m", None, "assistant", content=blocks)]
        items = [d for d in read([{"uuid": "x", "chat_messages": messages}], "claude-ai") if isinstance(d, Draft)]
        assert [(d.text, d.status, d.message) for d in items] == [
            ("Looking.", None, "m"),
            ('search: {"q":"é"}', "unknown", "m/1"),
            ("no", "failed", "m/2"),
            ("Nothing.", None, "m/3"),
        ]


class TestClaudeCode:
    @staticmethod
    def line(number: str, content: object, **more: Any) -> dict[str, Any]:
        kind = more.pop("type", "user")
        base = {"type": kind, "uuid": number, "sessionId": "s", "timestamp": "2026-05-20T13:00:00.000Z"}
        return {**base, "message": {"role": kind, "content": content, **more.pop("message", {})}, **more}

    def read(self, *lines: dict[str, Any]) -> list[Draft | Skip]:
        return read("\n".join(json.dumps(line) for line in lines) + "\n", "claude-code")

    def test_snapshots_of_one_message_are_one_and_the_last_counts(self) -> None:
        def part(number: str, text: str) -> dict[str, Any]:
            return self.line(number, [{"type": "text", "text": text}], type="assistant", message={"id": "m"})

        assert said(self.read(part("a", "I wi"), part("b", "I will"), part("c", "I will do it."))) == [
            ("assistant", "I will do it.")
        ]

    def test_a_copied_line_is_read_once(self) -> None:
        assert len(said(self.read(self.line("a", "hi"), self.line("a", "hi"), self.line("b", "hi")))) == 2

    def test_tags_of_the_program_are_cut_and_the_persons_words_stay(self) -> None:
        text = "<system-reminder>\nnote\n</system-reminder>\nuse <b>bold</b> here\n"
        items = self.read(
            self.line("a", [{"type": "text", "text": text}]), self.line("b", "<command-name>/x</command-name>")
        )
        assert said(items) == [("user", "use <b>bold</b> here")]
        assert reasons(items) == ["hidden message"]

    def test_parents_that_are_missing_and_odd_lines_cost_nothing(self) -> None:
        odd = [{"type": "queue-operation", "sessionId": "s", "uuid": "q"}, {"type": "user"}]
        items = self.read(self.line("a", "hi", parentUuid="gone"), *odd, self.line("b", "bye"))
        assert said(items) == [("user", "hi"), ("user", "bye")]


class TestOpenAi:
    def test_calls_without_content_and_arguments_that_are_no_json(self) -> None:
        call = {"function": {"name": "note", "arguments": "not json"}}
        items = read([{"role": "assistant", "content": None, "tool_calls": [call]}], "openai")
        assert [(item.text, item.status) for item in items if isinstance(item, Draft)] == [
            ("note: not json", "unknown")
        ]

    def test_an_image_alone_is_a_placeholder_and_a_refusal_is_words(self) -> None:
        image = {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]}
        refusal = {"role": "assistant", "content": None, "refusal": "No."}
        assert said(read([image, refusal], "openai")) == [("user", "[image]"), ("assistant", "No.")]

    def test_times_of_a_log_are_read(self) -> None:
        items = read([{"role": "user", "content": "hi", "timestamp": "2026-05-20T15:00:00+02:00"}], "openai")
        (draft,) = (item for item in items if isinstance(item, Draft))
        assert (golden.said_at(draft.moment), draft.moment and draft.moment.offset) == ("2026-05-20T13:00:00Z", 120)

    def test_a_lone_surrogate_cannot_break_the_log(self) -> None:
        (draft,) = read('[{"role": "user", "content": "a\\ud83d b"}]', "openai")
        assert isinstance(draft, Draft)
        assert draft.text.encode().decode().startswith("a")


class TestShareGpt:
    def test_roles_go_by_many_names_and_need_not_alternate(self) -> None:
        turns = [
            ("chatgpt", "a"),
            ("bard", "b"),
            ("user", "c"),
            ("human", "d"),
            ("observation", "e"),
            ("narrator", "f"),
        ]
        row = {"conversations": [{"from": who, "value": text} for who, text in turns]}
        items = read([row, None, {"conversations": [{"role": "user", "content": "g"}]}], "sharegpt")
        assert [item.role for item in items if isinstance(item, Draft)] == [
            "assistant", "assistant", "user", "user", "tool", "unknown", "user",
        ]  # fmt: skip
        assert reasons(items) == ["not a conversation"]


class TestTelegram:
    def test_a_whole_account_has_many_chats(self) -> None:
        def message(number: int, text: object) -> dict[str, Any]:
            return {"id": number, "type": "message", "date": "2026-05-20T15:00:00", "from": "Ada", "text": text}

        chats = [
            {
                "name": "Bo",
                "type": "personal_chat",
                "id": 7,
                "messages": [message(1, "hi"), message(2, ["a", {"text": "b"}])],
            },
            {"type": "saved_messages", "id": 8, "messages": [message(1, "mine")]},
        ]
        items = read({"about": "x", "personal_information": {}, "chats": {"about": "x", "list": chats}}, "telegram")
        drafts = [item for item in items if isinstance(item, Draft)]
        assert [(d.conversation, d.title, d.ordinal, d.text) for d in drafts] == [
            ("7", "Bo", 0, "hi"), ("7", "Bo", 1, "ab"), ("8", None, 0, "mine"),
        ]  # fmt: skip
        assert all(d.moment and d.moment.floating for d in drafts)

    def test_bad_escapes_are_mended_wherever_a_chunk_ends(self) -> None:
        from memcli.formats.telegram import _Mended

        class Slow:
            def __init__(self, data: bytes, size: int) -> None:
                self.data, self.size = data, size

            def read(self, _: int) -> bytes:
                chunk, self.data = self.data[: self.size], self.data[self.size :]
                return chunk

        raw = b'"a\\x0Bb\\\\x0B\\\\\\x1fc"'
        for size in range(1, len(raw) + 1):
            mended = _Mended(Slow(raw, size))  # type: ignore[arg-type]
            assert mended.readall() == b'"a\\u000Bb\\\\x0B\\\\\\u001fc"'

    def test_media_polls_and_forwards(self) -> None:
        base = {"type": "message", "date": "2026-05-20T15:00:00", "from": "Ada", "text": ""}
        poll = {"question": "When?", "answers": [{"text": "now"}, {"text": "later"}]}
        messages = [
            {**base, "id": 1, "photo": "x.jpg"},
            {**base, "id": 2, "poll": poll},
            {**base, "id": 3, "text": "words of Bo", "forwarded_from": "Bo"},
        ]
        items = read({"name": "x", "type": "personal_chat", "id": 1, "messages": messages}, "telegram")
        assert said(items) == [("Ada", "When?\n- now\n- later"), ("Bo", "words of Bo")]
        assert reasons(items) == ["media without text"]


class TestMail:
    HEAD = "From: Ada <ada@example.com>\nMessage-ID: <m@x>\nDate: Wed, 20 May 2026 15:30:00 +0200\n"

    @pytest.mark.parametrize(
        ("body", "text"),
        [
            ("New words.\n\nAm 19.05.2026 um 09:00 schrieb Bo <bo@example.com>:\n> old\n", "New words."),
            (
                "New words.\n\nOn Tue, 19 May 2026 at 09:00, Bo Demo\n<bo@example.com> wrote:\n\n> old",
                "New words.",
            ),
            ("New words.\n\n-----Original Message-----\nFrom: Bo\n\nold", "New words."),
            ("New words.\n\nVon: Bo\nGesendet: Dienstag\nAn: Ada\nBetreff: keys\n\nold", "New words."),
            ("> old question?\n\nBelow it.\n\n> another\n\nAnd this.", "Below it.\n\nAnd this."),
            ("Words.\n-- \nAda\nSales", "Words."),
            ("A list:\n> not a quote of anybody", "A list:"),
        ],
    )
    def test_only_new_words_are_kept(self, body: str, text: str) -> None:
        assert said(read(f"{self.HEAD}\n{body}", "eml")) == [("Ada", text)]

    def test_html_alone_becomes_text(self) -> None:
        items = read(
            f"{self.HEAD}Content-Type: text/html\n\n<p>Flat&nbsp;9 &amp; <b>lift</b></p><ul><li>keys</ul>", "eml"
        )
        assert said(items) == [("Ada", "Flat\xa09 & lift\n- keys")]

    def test_attachments_are_not_read(self) -> None:
        words = "--b\nContent-Type: text/plain\n\nWords.\n"
        file = "--b\nContent-Type: text/plain\nContent-Disposition: attachment\n\nx\n--b--"
        mail = f'{self.HEAD}Content-Type: multipart/mixed; boundary="b"\n\n{words}{file}'
        assert said(read(mail, "eml")) == [("Ada", "Words.")]

    @pytest.mark.parametrize(
        ("date", "moment", "offset"),
        [
            ("Wed, 20 May 2026 15:30:00 +0200", "2026-05-20T13:30:00Z", 120),
            ("Wed, 20 May 2026 13:30:00 -0000", "2026-05-20T13:30:00Z", None),
            ("Wed, 20 May 2026 13:30:00", "2026-05-20T13:30:00Z", None),
            ("yesterday", None, None),
        ],
    )
    def test_dates(self, date: str, moment: str | None, offset: int | None) -> None:
        items = read(f"From: ada@example.com\nMessage-ID: <m@x>\nTo: b\nDate: {date}\n\nWords.", "eml")
        (draft,) = (item for item in items if isinstance(item, Draft))
        assert (golden.said_at(draft.moment), draft.moment and draft.moment.offset) == (moment, offset)

    def test_replies_are_one_thread(self) -> None:
        first = f"From a Wed May 20 13:30:00 2026\n{self.HEAD}Subject: keys\n\nWhere?\n\n"
        second = (
            "From b Wed May 20 14:30:00 2026\nFrom: Bo <b@x>\nMessage-ID: <n@x>\nReferences: <m@x>\nTo: a\n\nHere.\n\n"
        )
        drafts = [item for item in read(first + second, "mbox") if isinstance(item, Draft)]
        assert [(d.conversation, d.ordinal, d.message) for d in drafts] == [
            ("<m@x>", 0, "<m@x>"),
            ("<m@x>", 1, "<n@x>"),
        ]


class TestCaptions:
    def test_two_voices_in_a_cue_and_notes_between(self) -> None:
        text = (
            "webvtt\n\nSTYLE\n::cue { color: red }\n\nNOTE a --> b\n\n"
            "00:01.000 --> 00:02.000\n<v Ada>Hi.</v> <v.loud Bo>Hello.</v>\n\nNOTE\nno words\n\n"
            "00:09.000 --> 00:10.000\n<v Ada>Bye &lt;3"
        )
        assert said(read(text, "vtt")) == [("Ada", "Hi."), ("Bo", "Hello."), ("Ada", "Bye <3")]

    def test_a_blank_line_inside_an_srt_cue_stays_in_it(self) -> None:
        text = "1\n00:00:01,000 --> 00:00:02,000\none\n\ntwo\n\n2\n00:00:09,000 --> 00:00:10,000\n2026\n"
        assert said(read(text, "srt")) == [("other", "one two"), ("other", "2026")]

    def test_a_real_repetition_later_stays(self) -> None:
        cues = ["we go home now", "we go home now and eat", "we go home now"]
        text = "WEBVTT\n\n" + "\n\n".join(
            f"00:0{n * 3}.000 --> 00:0{n * 3 + 2}.000\n{cue}" for n, cue in enumerate(cues)
        )
        assert said(read(text, "vtt")) == [("other", "we go home now and eat we go home now")]

    def test_a_lecture_is_cut_at_sentences(self) -> None:
        cues = "\n\n".join(
            f"{n // 60:02}:{n % 60:02}.000 --> {n // 60:02}:{n % 60:02}.900\nSentence {n} has words."
            for n in range(600)
        )
        texts = [text for _, text in said(read(f"WEBVTT\n\n{cues}", "vtt"))]
        assert len(texts) > 5
        assert max(map(len, texts)) < 2100

    def test_a_base_that_is_a_day_stays_a_day(self) -> None:
        day = Moment(1_779_235_200_000, "day", None, True)
        (draft,) = read("WEBVTT\n\n00:01.000 --> 00:02.000\nhi", "vtt", ParseOptions(day))
        assert isinstance(draft, Draft)
        assert draft.moment == day


class TestNotes:
    @pytest.mark.parametrize(
        ("text", "title", "day", "texts"),
        [
            ("---\ntitle: Shed: paint\ncreated: 2026-05-20\n---\nBody", "Shed: paint", "2026-05-20", ["Body"]),
            ("---\ntitle: A\n1: b\n10:30: c\nno: d\ntag: #home\n---\nBody", "A", None, ["Body"]),
            ("---\ndate: 2026-05-20T10:30\n---\nBody", None, "2026-05-20", ["Body"]),
            ("---\nplain text only\n---\n# A\nafter", None, None, ["---\nplain text only\n---", "# A\nafter"]),
            ("---\r\ntitle: A\r\n---\r\nBody\r\n", "A", None, ["Body"]),
            ("\ufeff---\ntitle: A\n---\nBody", "A", None, ["Body"]),
            ("before\n\n# A\none\n## B\ntwo\n```\n# not a heading\n```\n# C", None, None,
             ["before", "# A\none", "## B\ntwo\n```\n# not a heading\n```", "# C"]),
        ],
    )  # fmt: skip
    def test_front_matter_and_sections(self, text: str, title: str | None, day: str | None, texts: list[str]) -> None:
        drafts = [item for item in read(text, "markdown") if isinstance(item, Draft)]
        assert [draft.text for draft in drafts] == texts
        assert {draft.title for draft in drafts} == {title}
        assert {(golden.said_at(draft.moment) or "")[:10] or None for draft in drafts} == {day}

    def test_an_indented_first_line_of_a_note_stays_indented(self) -> None:
        assert said(read("\n    indented\nrest\n\n", "note")) == [("user", "    indented\nrest")]

    def test_text_is_nfc_and_without_direction_marks(self) -> None:
        assert said(read("Cafe\u0301 \u200e9\ufeff", "note")) == [("user", "Café 9")]

    def test_a_list_with_stars_is_no_org_file(self) -> None:
        assert said(read("* milk\n* bread", "note"))

    def test_a_date_tree_dates_what_hangs_in_it(self) -> None:
        text = "* 2026\n** 2026-05 May\n*** 2026-05-20 Wednesday\n**** 15:04 Sold the kayak\n**** Idea\n*** TODO x"
        drafts = [item for item in read(text, "org") if isinstance(item, Draft)]
        assert [golden.said_at(draft.moment) for draft in drafts] == [
            None, None, "2026-05-20T00:00:00", "2026-05-20T15:04:00", "2026-05-20T00:00:00", None,
        ]  # fmt: skip

    def test_capture_stamps_date_a_heading_and_plans_do_not(self) -> None:
        text = "* A\n[2026-05-20 Wed 15:04]\nbody\n* B\nSCHEDULED: <2026-05-23 Sat>\n* C [2026-05-21 Thu]\n** D"
        drafts = [item for item in read(text, "org") if isinstance(item, Draft)]
        assert [golden.said_at(draft.moment) for draft in drafts] == [
            "2026-05-20T15:04:00", None, "2026-05-21T00:00:00", None,
        ]  # fmt: skip

    def test_an_old_journal_without_brackets_is_read_when_it_is_called_one(self) -> None:
        source = Source.from_bytes("x", b"2026-05-20 15:04 First.\nmore\n\n2026-05-21 09:00 Second.")
        drafts = [item for item in golden.read(source, "jrnl") if isinstance(item, Draft)]
        assert [(golden.said_at(d.moment), d.text) for d in drafts] == [
            ("2026-05-20T15:04:00", "First.\nmore"),
            ("2026-05-21T09:00:00", "Second."),
        ]


class TestDocuments:
    def test_a_page_is_cut_at_its_headings_and_its_scripts_are_gone(self) -> None:
        page = (
            "<!DOCTYPE html><html><head><title>Shed</title><style>p{}</style></head><body><script>x()</script>"
            "<h1>Paint</h1><p>Two&nbsp;coats.</p><table><tr><td>a</td><td>b</td></tr></table>"
            "<h2>Roof</h2><pre>  keep\n    this</pre></body></html>"
        )
        drafts = [item for item in read(page, "html") if isinstance(item, Draft)]
        assert [draft.text for draft in drafts] == ["Paint\nTwo\xa0coats.\na b", "Roof\n  keep\n    this"]
        assert {(draft.title, draft.trust) for draft in drafts} == {("Shed", "document")}

    def test_takeouts_page_gives_prompts_answers_and_zones(self) -> None:
        def cell(product: str, title: str, when: str, answer: str) -> str:
            return (
                '<div class="outer-cell mdl-cell"><div class="mdl-grid"><div class="header-cell">'
                f'<p class="mdl-typography--title">{product}<br></p></div>'
                '<div class="content-cell mdl-cell mdl-cell--6-col mdl-typography--body-1">'
                f'{title}<br>{when}<br>{answer}</div><div class="content-cell caption">x</div></div></div>'
            )

        page = "<html><body>" + "".join(
            [
                cell("Gemini Apps", "Prompted\xa0What time?", "Mar 2, 2026, 9:15:00\u202fAM CET", "<p>07:40</p>"),
                cell("Gemini Apps", "Prompted\xa0And back?", "Mar 2, 2026, 9:16:00\u202fAM GMT+5:30", ""),
                cell("YouTube", "Watched\xa0a clip", "Mar 2, 2026, 9:15:00\u202fAM CET", ""),
                cell("Gemini Apps", "Used a feature", "Mar 2, 2026, 9:15:00\u202fAM CET", ""),
            ]
        )
        items = read(page, "gemini")
        assert [(d.text, golden.said_at(d.moment)) for d in items if isinstance(d, Draft)] == [
            ("What time?", "2026-03-02T08:15:00Z"),
            ("07:40", "2026-03-02T08:15:00Z"),
            ("And back?", "2026-03-02T03:46:00Z"),
        ]
        assert reasons(items) == ["other product", "no prompt"]

    def test_a_pdf_gives_its_pages_that_have_words(self) -> None:
        pytest.importorskip("pypdf")
        source = Source.from_bytes("x", made.pdf("I moved to flat 9"))
        assert registry.detect(source).name == "pdf"
        assert said(golden.read(source, "pdf")) == [("other", "I moved to flat 9")]
        assert reasons(golden.read(Source.from_bytes("x", made.pdf("")), "pdf")) == ["page without text"]

    def test_a_pdf_that_is_none_is_bad_data(self) -> None:
        from memcli.errors import BadData

        with pytest.raises(BadData):
            golden.read(Source.from_bytes("x", b"%PDF-1.4\nnothing of the kind"), "pdf")


class TestMessengers:
    def test_signal_attachments_quotes_and_reactions_are_no_words(self) -> None:
        text = (
            "[2026-05-20 15:04:00] Me: ![a.jpg](./media/a.jpg)\n(- Bo: 👍 -)\n\n"
            "[2026-05-20 15:05:00] Bo: \n\n> quoted\n> more\n\nwords\n[not a stamp] still words\n\n"
        )
        items = read(text, "signal")
        assert said(items) == [("Bo", "words\n[not a stamp] still words")]
        assert reasons(items) == ["media without text"]

    def test_imessage_bubbles_may_hold_blank_lines_and_files(self) -> None:
        text = (
            "May 20, 2026  3:04:42 PM\nMe\nfirst\n\nsecond\n\nMay 20, 2026  3:05:00 PM\nBo\n"
            "/Users/x/Library/Messages/Attachments/ab/IMG_1.heic\n\n"
        )
        items = read(text, "imessage")
        assert said(items) == [("Me", "first\n\nsecond")]
        assert reasons(items) == ["media without text"]

    def test_discord_joins_forwards_and_cut_files(self) -> None:
        base = {"timestamp": "2026-05-20T15:00:00+00:00", "author": {"id": "1", "name": "ada"}, "content": ""}
        messages = [
            {**base, "id": "1", "type": "GuildMemberJoin", "content": "Joined the server."},
            {**base, "id": "2", "type": "Default", "forwardedMessage": {"content": "from elsewhere"}},
            {**base, "id": "3", "type": "Default", "content": "cut"},
        ]
        whole = json.dumps({"guild": {}, "channel": {"id": "9", "name": "general"}, "messages": messages})
        items = read(whole[:-30], "discord")
        assert said(items) == [("ada", "from elsewhere")]
        assert reasons(items) == ["service message", "the JSON is cut off here"]

    def test_llm_rows_with_tools(self) -> None:
        row = {
            "id": "r", "conversation_id": "c", "datetime_utc": "2026-05-20T13:00:00", "system": "Be brief.",
            "prompt": "look", "response": "", "tool_calls": [{"name": "ls", "arguments": {"path": "."}}],
            "prompt_fragments": [{"content": "more"}], "reasoning": "hm",
        }  # fmt: skip
        answer = {**row, "id": "s", "prompt": "", "response": "Done.", "tool_calls": [], "prompt_fragments": []}
        items = read([row, {**answer, "tool_results": [{"name": "ls", "output": "a.py"}]}], "llm")
        assert said(items) == [
            ("user", "look\n\nmore"),
            ("tool", 'ls: {"path":"."}'),
            ("tool", "a.py"),
            ("assistant", "Done."),
        ]
        assert reasons(items) == ["system prompt", "thinking", "system prompt", "thinking"]


class TestHistory:
    @pytest.mark.parametrize("name", ["bash_history", "zsh_history"])
    def test_a_shells_history_is_only_read_when_asked_for(self, name: str) -> None:
        from memcli.errors import UsageError

        with pytest.raises(UsageError) as caught:
            registry.detect(Source.from_path(golden.SAMPLES / name))
        assert f"--as {name.replace('_', '-')}" in (caught.value.hint or "")

    def test_lines_without_stamps_are_commands_without_times(self) -> None:
        items = golden.read(Source.from_bytes("x", b"ls\ncd /tmp\n#1779282000\nmake \\\n  all\n"), "bash-history")
        assert [(item.text, item.moment is None) for item in items if isinstance(item, Draft)] == [
            ("ls", True), ("cd /tmp", True), ("make \\\n  all", False),
        ]  # fmt: skip
