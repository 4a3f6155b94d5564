"""Reads an entry sentence by sentence: each is heard in its mood, cut into clauses, and told if it is worth it."""

from __future__ import annotations

import re

from memcli.extract import answers, clauses, kinship, mood, notes
from memcli.extract.clauses import Part
from memcli.extract.context import Context, Found
from memcli.extract.dates import Time, times_in, wall_clock
from memcli.extract.instruct import instruct, rule_out, settled
from memcli.extract.parse import parse
from memcli.extract.passing import told_in_passing
from memcli.extract.person import Cast, UnresolvedError
from memcli.extract.referents import Referents, lowered
from memcli.extract.sentences import SPEECH, Sentence, clean, sentences
from memcli.extract.teller import Line, Scene, state
from memcli.extract.tokens import Token, tokenise

_FRAME = re.compile(
    r"^\W*(?:(?:small |one )?(?:correction|update|reminder|ps|p\.s|fyi|note to self|for the record|heads[- ]up|"
    r"in general|as a rule|one more thing|another thing|(?:it )?turns out i was wrong|i was wrong|(?:small |"
    r"quick |one |big )?request|favou?r|i misspoke|"
    r"i was mistaken|my mistake|i misremembered|decision|decided|conclusion|result|outcome|status|background|"
    r"agreed|changed my mind|change of plans?|scratch (?:what|that)|good news|bad news|news|by the way|to be "
    r"clear)\b(?:[^:]{0,60}:|[^:,]{0,15},))\s",
    re.IGNORECASE,
)
_ANNOUNCED = re.compile(
    r"^\W*(?:(?:hey|hi|oh|so|and|but|well|ps|also|btw)\b[^,.!?]{0,20}[,!]?\s+){0,2}"
    r"(?:(?:i(?:['’]ve)? )?(?:just |also )?(?:wanted|want|have|had|got|need) to (?:let you (?:guys |all )?know|"
    r"tell you(?: guys| all)?|"
    r"share|mention)(?: that)?|(?:i )?forgot to (?:mention|tell you|say)(?: that)?|i should (?:mention|say|"
    r"add)(?: that)?|"
    r"i (?:may|might) have (?:mentioned|told you)(?: that)?|guess what|the (?:good|big|bad|best|funny) (?:news|"
    r"thing|part) is"
    r"(?: that)?|the thing is(?: that)?|(?:just )?so you know|as you know|in case (?:nobody|no one) told you|"
    r"(?:it )?turn(?:s|ed) out(?: that)?|i (?:just )?(?:found out|learned|learnt|heard from \w+)(?: that)?|"
    r"remember(?: that)?(?= (?:i|we|my|our) )|i (?:just )?realised(?: that)?|i (?:just )?realized(?: that)?|"
    r"long story short|"
    r"just so it['’]s (?:written down|clear|said)|for context|for the record|some background|quick update|on "
    r"another note|speaking of which)[,:!]?\s+(?=\S)",
    re.IGNORECASE,
)
"""Words that only say that something will be told."""
_TAIL = re.compile(
    r",\s+(?=(?:can|could|should|would|will|do|does|did|is|are|have|what|how|who|why|where|when|right|ok|"
    r"any|remember|you know|huh|eh|see|isn|don|aren|wasn|haven|didn|hasn)\b[^,]*$)",
    re.IGNORECASE,
)
_BIRTHDAY = re.compile(r"\b(?:birthday|b-day|bday|born on)\b[^.]*\b(?:is|'s|on|:)", re.IGNORECASE)
_NO_WAY = re.compile(r"^\W*(?:there(?:'s|’s| is) )?no way (?:that )?", re.IGNORECASE)


_MONTH = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
_PUT_OFF = re.compile(
    r"\b((?:(?:was|were|got|has been|have been|had been) )?(?:moved|postponed|pushed(?: back)?|shifted|"
    r"rescheduled|delayed|brought forward|put off))\b(?=.{0,50}?\b"
    rf"(?:to|until|till)\s+(?:the )?(?:\w+day,? (?:the )?)?(?:\d{{1,2}}(?:st|nd|rd|th)|\d{{1,2}} {_MONTH}|"
    rf"{_MONTH} \d))",
    re.IGNORECASE,
)
_AGREED = re.compile(
    r"\b(signed|booked|rented|reserved|hired|accepted|confirmed|agreed|got)\b(?=.*"
    r"\b(?:from|starting|beginning|to start|as of|until|by) (?!\d{4}\b))",
    re.IGNORECASE | re.DOTALL,
)


def _put_off(piece: str) -> tuple[int, int] | None:
    """The past verb of what is about a time to come: "moved to Wednesday 13 May", "signed a lease from August"."""
    match = _PUT_OFF.search(piece) or _AGREED.search(piece)
    return None if match is None else match.span(1)


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
                tokens = clauses.without_apposition(tokens)
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
            clause = parse(tokens, at) if at < len(tokens) else None
            ordered = clause is not None and clause.verb.tense == "imperative"
            ordered = ordered and (scene.is_work or "please" in piece.lower())
            timed = at < len(tokens) and clause is None and notes.is_timed(tokens[at:])
            if timed or ordered or (clause is not None and not clause.elided):
                scene.referents.hear(tokens[:at])
                line.tokens = tokens[at:]
        if frame is None and (told := _ANNOUNCED.match(piece)) is not None:
            start = sentence.start + told.end()
            behind = [token for token in line.tokens if token.start >= start]
            clause = parse(behind, imperative=False)
            repeated = clause is None and bool(behind) and behind[0].low in ("each", "every")
            if repeated or (clause is not None and not clause.elided):
                line.tokens = behind
        unreal = mood.unreal(piece)
        if mood.conditional(piece) or not unreal:
            try:
                self._line(line)
            except UnresolvedError:
                scene.previous = ""
        if not unreal:
            self._found += told_in_passing(scene, line)

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
            self._keep([*wanted, *(self._reason(line) if wanted else [])])
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
        chosen, line = settled(scene, line)
        if chosen:
            self._keep(chosen)
            if not line.tokens:
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
                    if part.lead and not any(token.tag == "," for token in part.lead):
                        loose.append(part)  # "Last night shift before the holiday"
                        continue
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
        told = [*chosen, *told]
        if loose and not told:
            told += notes.fragments(scene, line, loose, self._last)
        elif loose and scene.is_note and loose[0].tokens[0] is line.tokens[0] and self._stands_alone(line, loose[0]):
            told = [
                *notes.fragments(scene, Line(line.sentence, line.piece, loose[0].tokens, line.times), loose[:1], []),
                *told,
            ]
        self._keep(told)

    def _reason(self, line: Line) -> list[Found]:
        """What is told behind an order: "ask Farida for the certs, she owns the ingress"."""
        scene = self.scene
        comma = next((at for at, token in enumerate(line.tokens) if token.tag == "," and at > 2), None)
        clause = parse(line.tokens, comma + 1, imperative=False) if comma is not None else None
        if comma is None or clause is None or clause.elided or clause.tokens[clause.begin].low not in ("he", "she"):
            return []
        rest = line.tokens[comma + 1 :]
        scene.referents.hear(line.tokens[:comma])
        try:
            return state(scene, line, Part(rest, clause.moved(rest, comma + 1)))
        except UnresolvedError:
            return []

    def _stands_alone(self, line: Line, part: Part) -> bool:
        """Whether words without a verb say something beside the clause behind them: an appointment, a ban."""
        if part.clause is not None:
            return False
        timed = any(time.start <= token.start < time.end for token in part.tokens for time in line.times)
        return part.tokens[0].low == "no" or (timed and len(part.tokens) <= 8)

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
        put_off = _put_off(piece)
        if put_off is not None:
            piece, been = piece[: put_off[0]] + " " * (put_off[1] - put_off[0]) + piece[put_off[1] :], False
        found = times_in(piece, self.scene.anchor, self.scene.people, future=not been)
        return [
            Time(time.start + start, time.end + start, time.words, time.begin_ms, time.end_ms, time.grain)
            for time in found
        ]
