"""Reads an entry sentence by sentence: each is heard in its mood, cut into clauses, and told if it is worth it."""

from __future__ import annotations

import re

from memcli.extract import answers, clauses, kinship, mood, notes
from memcli.extract.clauses import Part
from memcli.extract.context import Context, Found
from memcli.extract.dates import Time, times_in, wall_clock
from memcli.extract.instruct import instruct, rule_out, settled
from memcli.extract.parse import parse
from memcli.extract.person import Cast, UnresolvedError
from memcli.extract.referents import Referents, lowered
from memcli.extract.sentences import SPEECH, Sentence, clean, sentences
from memcli.extract.teller import Line, Scene, state
from memcli.extract.tokens import Token, tokenise

_FRAME = re.compile(
    r"^\W*(?:(?:small |one )?(?:correction|update|reminder|ps|p\.s|fyi|note to self|for the record|heads[- ]up|"
    r"changed my mind|change of plans?|scratch (?:what|that)|good news|bad news|news|by the way|to be "
    r"clear)\b[^:]{0,60})[:,]\s",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r",\s+(?=(?:can|could|should|would|will|do|does|did|is|are|have|what|how|who|why|where|when|right|ok|"
    r"any)\b[^,]*$)",
    re.IGNORECASE,
)
_BIRTHDAY = re.compile(r"\b(?:birthday|b-day|bday|born on)\b[^.]*\b(?:is|'s|on|:)", re.IGNORECASE)
_NO_WAY = re.compile(r"^\W*(?:there(?:'s|’s| is) )?no way (?:that )?", re.IGNORECASE)


class Reader:
    """The state of reading one entry: who is meant by now, and what the sentence before was about."""

    def __init__(self, context: Context) -> None:
        referents = Referents(context)
        last = next((item for item in reversed(context.before) if item.speaker != context.entry.speaker), None)
        addressed = (last.speaker or "") if last is not None and context.listener is None else ""
        cast = Cast(context.speaker or "", context.listener, addressed, referents)
        self.scene = Scene(context, cast, referents, lowered(context.people), wall_clock(context.entry.moment))
        self._found: list[Found] = []
        self._last: list[Found] = []

    def read(self) -> list[Found]:
        """The statements of the entry, in its order, each once."""
        text, asides = clean(self.scene.context.entry.text)
        self.scene.text = text
        note = self.scene.is_note
        for number, sentence in enumerate(sentences(text)):
            words = text.count(" ", sentence.start, sentence.end)
            if (
                number
                and not note
                and words < 2
                and not any(sign.isdigit() for sign in text[sentence.start : sentence.end])
            ):
                continue  # "So cool!"
            if sentence.asks and words < 30 and "," not in text[sentence.start : sentence.end]:
                self.scene.previous = ""
                self.scene.referents.overhear(text, sentence.start, sentence.end)
                continue
            tokens = tokenise(text, sentence.start, sentence.end, self.scene.people)
            if tokens:
                self._sentence(sentence, tokens, number == 0)
                self.scene.referents.hear(tokens)
        for aside in asides:
            self._found += kinship.aside(self.scene, aside)
        unique = {found.statement.text.casefold(): found for found in reversed(self._found)}
        return list(reversed(unique.values()))

    def _sentence(self, sentence: Sentence, tokens: list[Token], first: bool) -> None:
        scene = self.scene
        piece = scene.text[sentence.start : sentence.end]
        if SPEECH in piece:
            return
        if sentence.asks:
            self._before_question(sentence, piece)
            return
        line = Line(sentence, piece, tokens, self._times(piece, sentence.start, tokens))
        before = scene.context.before
        if first and before and "?" in before[-1].text:
            self._keep(answers.presupposed(scene, line))
            answered = answers.answer(scene, sentence, tokens, line)
            if answered is not None:
                self._keep(answered)
                return
        frame = _FRAME.match(piece) if ":" in piece or "," in piece else None
        if frame is not None and frame.end() < len(piece):
            at = next(
                (at for at, token in enumerate(tokens) if token.start >= sentence.start + frame.end()), len(tokens)
            )
            if at < len(tokens) and (clause := parse(tokens, at)) is not None and not clause.elided:
                scene.referents.hear(tokens[:at])
                line.tokens = tokens[at:]
        if mood.conditional(piece) or not mood.unreal(piece):
            try:
                self._line(line)
            except UnresolvedError:
                scene.previous = ""

    def _before_question(self, sentence: Sentence, piece: str) -> None:
        """What is stated before a question is asked: "the import fails, can you look?" """
        self.scene.previous = ""
        tail = _TAIL.search(piece)
        if tail is None:
            return
        cut = Sentence(sentence.start, sentence.start + tail.start(), False)
        tokens = tokenise(self.scene.text, cut.start, cut.end, self.scene.people)
        clause = parse(tokens)
        if clause is None or clause.elided or mood.asks(tokens):
            return
        self._line(Line(cut, piece[: tail.start()], tokens, self._times(piece[: tail.start()], cut.start, tokens)))

    def _keep(self, found: list[Found]) -> None:
        self._found += found
        self._last = found

    def _line(self, line: Line) -> None:
        scene = self.scene
        wanted = instruct(scene, line)
        if wanted is not None:
            self._keep(wanted)
            scene.instructed = bool(wanted)
            return
        scene.instructed = False
        unreal = mood.unreal(line.piece)
        if unreal and (", but " not in line.piece or mood.conditional(line.piece)):
            return
        ruled = _NO_WAY.match(line.piece) if "way" in line.piece else None
        if ruled is not None:
            self._keep(rule_out(scene, line, line.sentence.start + ruled.end()))
            return
        chosen = settled(scene, line)
        if chosen:
            self._keep(chosen)
            return
        if mood.asks(line.tokens):
            return
        noted = notes.labelled(scene, line)
        if noted is not None:
            self._keep(noted)
            return
        described = notes.described(scene, line, self._last)
        if described is not None:
            self._keep(described)
            return
        told: list[Found] = []
        loose: list[Part] = []
        scene.subject = None
        scene.complement = ""
        for part in clauses.parts(line.tokens, [(time.start, time.end) for time in line.times]):
            if part.clause is None or (
                part.clause.verb.tense == "imperative" and scene.is_note and part.tokens[0] is line.tokens[0]
            ):
                loose.append(part)
                told += kinship.relatives(scene, line, part.tokens)
                continue
            if unreal and mood.unreal(scene.text[part.tokens[0].start - 6 : part.tokens[-1].end]):
                break
            try:
                if part.clause.verb.tense == "imperative" and part.tokens[0].start > line.tokens[0].start:
                    told += instruct(scene, Line(line.sentence, line.piece, part.tokens, line.times), tail=True) or []
                    continue
                stated = state(scene, line, part) or (self._joined(line, part, told[-1]) if told else [])
                told += stated
            except UnresolvedError:
                told += self._shortened(line, part) or (self._joined(line, part, told[-1]) if told else [])
            told += kinship.relatives(scene, line, part.tokens)
            scene.referents.hear(part.tokens)
        if scene.is_note and self._unclear(line, told):
            told = []
        if loose and not told:
            told += notes.fragments(scene, line, loose, self._last)
        self._keep(told)

    def _unclear(self, line: Line, told: list[Found]) -> bool:
        """Whether a left out subject may be somebody else: "can't stand the new harness, it chafes under his leg"."""
        clause = parse(line.tokens)
        if clause is None or not clause.elided or not told:
            return False
        others = any(token.low in ("he", "she", "his", "him", "her") for token in line.tokens)
        return others and not any(token.tag == "N" for token in line.tokens)

    def _shortened(self, line: Line, part: Part) -> list[Found]:
        """A clause without what hangs behind its last comma, where that is what nobody can resolve."""
        assert part.clause is not None
        first = part.clause.verb.end
        commas = [at for at, token in enumerate(part.tokens) if token.tag == "," and at > first]
        for at in reversed(commas):
            clause = parse(part.tokens[:at])
            try:
                return state(self.scene, line, Part(part.tokens[:at], clause, part.inherits, part.lead))
            except UnresolvedError:
                continue
        return []

    def _joined(self, line: Line, part: Part, after: Found) -> list[Found]:
        """A clause that says enough only behind the one before it: "lent Farid 120, he'll pay it back in May"."""
        named = (
            part.clause is not None
            and not part.clause.elided
            and part.clause.tokens[part.clause.begin].low not in ("i", "we", "it")
        )
        if not named:
            return []
        try:
            return state(self.scene, line, part, after)
        except UnresolvedError:
            return []

    def _times(self, piece: str, start: int, tokens: list[Token]) -> list[Time]:
        if _BIRTHDAY.search(piece):
            return []
        colon = piece.find(": ")
        if colon > 0 and any(sign.isdigit() for sign in piece[colon:]):
            cut = next((at for at, token in enumerate(tokens) if token.start >= start + colon), len(tokens))
            if 0 < cut < len(tokens) - 1 and parse(tokens[:cut]) is not None:
                later = tokens[cut + 1 :]
                first = self._times(piece[:colon], start, tokens[:cut])
                return first + self._times(piece[colon + 2 :], start + colon + 2, later)
        clause = parse(tokens)
        if clause is not None:
            been = clause.verb.tense in ("past", "perfect")
        else:
            been = any(token.tag == "v" and "d" in token.forms and "b" not in token.forms for token in tokens[:6])
        found = times_in(piece, self.scene.anchor, self.scene.people, future=not been)
        return [
            Time(time.start + start, time.end + start, time.words, time.begin_ms, time.end_ms, time.grain)
            for time in found
        ]
