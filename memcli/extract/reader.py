"""Reads an entry sentence by sentence: each is heard in its mood, cut into clauses, and what is worth keeping is told."""

from __future__ import annotations

from memcli.extract import answers, clauses, kinship, mood, notes
from memcli.extract.clauses import Part
from memcli.extract.context import Context, Found
from memcli.extract.dates import Time, times_in, wall_clock
from memcli.extract.person import UnresolvedError
from memcli.extract.referents import cast_of, lowered, observe
from memcli.extract.sentences import Sentence, clean, sentences
from memcli.extract.teller import Line, Scene, instruct, state
from memcli.extract.tokens import Token, tokenise


class Reader:
    """The state of reading one entry: who is meant by now, and what the sentence before was about."""

    def __init__(self, context: Context) -> None:
        cast, sources = cast_of(context)
        self.scene = Scene(context, cast, sources, lowered(context), wall_clock(context.entry.moment))
        self._found: list[Found] = []

    def read(self) -> list[Found]:
        """The statements of the entry, in its order, each once."""
        text, asides = clean(self.scene.context.entry.text)
        self.scene.text = text
        for number, sentence in enumerate(sentences(text)):
            tokens = tokenise(text, sentence.start, sentence.end, self.scene.people)
            if tokens:
                self._sentence(sentence, tokens, number == 0)
                observe(tokens, self.scene.cast, self.scene.context)
        for aside in asides:
            self._found += kinship.aside(self.scene, aside)
        unique = {found.statement.text.casefold(): found for found in reversed(self._found)}
        return list(reversed(unique.values()))

    def _sentence(self, sentence: Sentence, tokens: list[Token], first: bool) -> None:
        scene = self.scene
        piece = scene.text[sentence.start : sentence.end]
        if sentence.asks:
            scene.previous = ""
            return
        if first:
            answered = answers.answer(scene, sentence, tokens)
            if answered is not None:
                self._found += answered
                return
        if mood.conditional(piece) or not mood.unreal(piece):
            line = Line(sentence, piece, tokens, self._times(piece, sentence.start, tokens))
            self._line(line)

    def _line(self, line: Line) -> None:
        scene = self.scene
        wanted = instruct(scene, line)
        if wanted is not None:
            self._found += wanted
            scene.instructed = bool(wanted)
            return
        scene.instructed = False
        if mood.asks(line.tokens) or mood.unreal(line.piece):
            return
        noted = notes.labelled(scene, line)
        if noted is not None:
            self._found += noted
            return
        told: list[Found] = []
        rest: list[Part] = []
        for part in clauses.parts(line.tokens, [(time.start, time.end) for time in line.times]):
            if part.clause is None:
                rest.append(part)
                continue
            try:
                told += state(scene, line, part)
            except UnresolvedError:
                scene.previous = ""
            told += kinship.relatives(scene, line, part.tokens)
            observe(part.tokens, scene.cast, scene.context)
        if rest and not told:
            told += notes.fragments(scene, line, rest)
        elif rest:
            told += notes.details(scene, line, rest)
        self._found += told

    def _times(self, piece: str, start: int, tokens: list[Token]) -> list[Time]:
        past = any(token.tag == "v" and "d" in token.forms and "b" not in token.forms for token in tokens)
        been = past or any(token.low in ("was", "were", "had", "did", "been", "have", "has") for token in tokens)
        found = times_in(piece, self.scene.anchor, self.scene.people, future=not been)
        return [Time(time.start + start, time.end + start, time.words, time.begin_ms, time.end_ms, time.grain) for time in found]
