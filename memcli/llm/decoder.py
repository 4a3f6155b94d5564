"""Prompts to text, inside the worker: greedy, streamed, within a grammar."""

from __future__ import annotations

import codecs
import ctypes
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from memcli.llm.chat import FORMATS, THINKING, Format, Layout, Piece, lay_out, marks
from memcli.llm.native import EngineError, Loading, Weights
from memcli.llm.prefix import PrefixStore

_BATCH = 512
_YES = ("Yes", " Yes", "yes", " yes", "YES")
_NO = ("No", " No", "no", " no", "NO")


class Ask(NamedTuple):
    """A prompt as it comes over the pipe (see `prompt.Prompt`)."""

    system: str
    material: str
    question: str
    max_tokens: int
    grammar: str | None


class Ended(NamedTuple):
    """What `prompt.Finish` says, as it goes over the pipe."""

    reason: str
    tokens: int
    prompt_tokens: int
    cut: int
    prefix: str


class _Started(NamedTuple):
    prompt_tokens: int
    cut: int
    prefix: str


class Decoder:
    """A loaded generator. `stopped` is asked between steps whether to give up."""

    def __init__(self, loading: Loading, store: PrefixStore | None, stopped: Callable[[], bool]) -> None:
        # Not checked: that would read all of a large file, and every token is checked for NaN.
        self._weights = Weights(loading.path, check=False)
        self._lib: Any = self._weights.lib
        self._form = self._find_format()
        self._thinks = self._single(THINKING) is not None
        # Some files do not flag these as control tokens; in a text they are dropped all the same.
        self._marks = {self._single(word) for word in marks(self._form)} - {None}
        trained = self._weights.trained_ctx
        self.n_ctx = min(loading.n_ctx or trained, trained)
        self._context = self._weights.open_context(
            self.n_ctx, min(_BATCH, self.n_ctx), loading.threads, embeddings=False
        )
        self._memory = self._lib.llama_get_memory(self._context)
        self._store = store
        self._stopped = stopped
        # The prefix whose state is in the context now, at its beginning.
        self._held: list[int] = []

    def _find_format(self) -> Format:
        for form in FORMATS:
            if self._single(form.marker) is not None:
                return form
        raise EngineError("format", "the model speaks no chat format that mem knows (ChatML, Gemma, Llama 3)")

    def _single(self, word: str) -> int | None:
        """The one token that `word` is, None when the model spells it out."""
        tokens = self._weights.tokens(word, control=True)
        return tokens[0] if len(tokens) == 1 else None

    def _lay_out(self, system: str, material: str, question: str) -> Layout:
        return lay_out(self._form, system, material, question, thinks=self._thinks)

    def warm(self, system: str) -> str:
        """Get the state of the prefix for `system` ready; returns where it came from."""
        return self._restore(self._prefix_tokens(self._lay_out(system, "", "").prefix))

    def generate(self, ask: Ask, said: Callable[[str], None]) -> Ended:
        """Answer `ask`, giving `said` each piece of text as it is ready."""
        sampler = _Sampler(self._weights, self._context, ask.grammar)
        try:
            started = self._read(ask)
            text = codecs.getincrementaldecoder("utf-8")("replace")
            reason, count = "length", 0
            for token in self._sampled(sampler, ask.max_tokens):
                if token is None:
                    reason = "cancelled" if self._stopped() else "stop"
                    break
                count += 1
                piece = text.decode(self._weights.piece(token))
                if piece:
                    said(piece)
            rest = text.decode(b"", final=True)
            if rest:
                said(rest)
        finally:
            sampler.close()
        return Ended(reason, count, started.prompt_tokens, started.cut, started.prefix)

    def yes_no(self, ask: Ask) -> tuple[float, float]:
        """The probability mass of yes and of no as the first token of the answer."""
        self._read(ask)
        logits = self._lib.llama_get_logits_ith(self._context, -1)[: self._weights.vocab_size]
        top = max(logits)
        if not math.isfinite(top):
            raise EngineError("nan", "the model gave numbers that are none: its file is damaged")
        total = math.fsum(math.exp(value - top) for value in logits)
        yes, no = self._openings(_YES), self._openings(_NO)

        def mass(tokens: set[int]) -> float:
            return math.fsum(math.exp(logits[token] - top) for token in tokens) / total

        # A token that opens both ("▁" alone, say) speaks for neither.
        return mass(yes - no), mass(no - yes)

    def _openings(self, words: Sequence[str]) -> set[int]:
        return {self._weights.tokens(word, control=False)[0] for word in words}

    def _sampled(self, sampler: _Sampler, most: int) -> Iterator[int | None]:
        """Up to `most` tokens; None when the model ends its answer or the client gave up."""
        token: int | None = None
        for _ in range(most):
            if self._stopped():
                yield None
                return
            if token is not None:
                self._decode([token])
            token = sampler.next()
            if self._lib.llama_vocab_is_eog(self._weights.vocab, token):
                yield None
                return
            yield token

    def _read(self, ask: Ask) -> _Started:
        """Bring the context to the end of the prompt of `ask`."""
        layout = self._lay_out(ask.system, ask.material, ask.question)
        prefix = self._prefix_tokens(layout.prefix)
        material = self._piece_tokens(layout.material)
        tail = [*self._piece_tokens(layout.question), *self._piece_tokens(layout.closing)]
        room = self.n_ctx - ask.max_tokens - len(prefix) - len(tail)
        if room < 0:
            raise EngineError("too_long", f"the question does not fit the model's {self.n_ctx} tokens")
        cut = max(len(material) - room, 0)
        if cut:
            material = material[:room]
        source = self._restore(prefix)
        self._decode([*material, *tail])
        return _Started(len(prefix) + len(material) + len(tail), cut, source)

    def _prefix_tokens(self, pieces: Sequence[Piece]) -> list[int]:
        lib, vocab = self._lib, self._weights.vocab
        start = [lib.llama_vocab_bos(vocab)] if lib.llama_vocab_get_add_bos(vocab) else []
        return [*start, *(token for piece in pieces for token in self._piece_tokens(piece))]

    def _piece_tokens(self, piece: Piece) -> list[int]:
        if not piece.text:
            return []
        tokens = self._weights.tokens(piece.text, control=piece.control)
        return tokens if piece.control else [token for token in tokens if token not in self._marks]

    def _restore(self, prefix: list[int]) -> str:
        """Make the context hold exactly `prefix`; says how: kept, loaded or built.

        The prefix is always computed by itself, so that its state, and with
        it every answer, is the same whether it was kept, loaded or built.
        """
        lib = self._lib
        if self._held == prefix and lib.llama_memory_seq_rm(self._memory, 0, len(prefix), -1):
            return "kept"
        lib.llama_memory_clear(self._memory, True)
        self._held = []
        state = self._store.read(prefix) if self._store else None
        if state and self._set_state(state, len(prefix)):
            self._held = prefix
            return "loaded"
        lib.llama_memory_clear(self._memory, True)
        self._decode(prefix)
        self._held = prefix
        if self._store:
            self._store.write(prefix, self._get_state())
        return "built"

    def _get_state(self) -> bytes:
        size = self._lib.llama_state_seq_get_size(self._context, 0)
        buffer = (ctypes.c_uint8 * size)()
        written = self._lib.llama_state_seq_get_data(self._context, buffer, size, 0)
        return memoryview(buffer)[:written].tobytes()

    def _set_state(self, state: bytes, length: int) -> bool:
        buffer = (ctypes.c_uint8 * len(state)).from_buffer_copy(state)
        read = self._lib.llama_state_seq_set_data(self._context, buffer, len(state), 0)
        last = self._lib.llama_memory_seq_pos_max(self._memory, 0)
        return bool(read == len(state) and last == length - 1)

    def _decode(self, tokens: Sequence[int]) -> None:
        for at in range(0, len(tokens), _BATCH):
            if self._stopped():
                raise EngineError("cancelled", "given up")
            batch, _keep = self._weights.batch(tokens[at : at + _BATCH])
            if self._lib.llama_decode(self._context, batch) != 0:
                raise EngineError("decode", "llama.cpp could not compute the next token")


class _Sampler:
    """The likeliest next token that the grammar allows."""

    def __init__(self, weights: Weights, context: Any, grammar: str | None) -> None:
        lib = weights.lib
        self._lib, self._context = lib, context
        self._greedy = lib.llama_sampler_init_greedy()
        self._grammar: Any = None
        self._chain: Any = None
        if grammar is not None:
            self._grammar = lib.llama_sampler_init_grammar(weights.vocab, grammar.encode(), b"root")
            if not self._grammar:
                lib.llama_sampler_free(self._greedy)
                raise EngineError("grammar", "the grammar cannot be read")
            # The chain owns its parts from here on.
            self._chain = lib.llama_sampler_chain_init(lib.llama_sampler_chain_default_params())
            lib.llama_sampler_chain_add(self._chain, self._grammar)
            lib.llama_sampler_chain_add(self._chain, self._greedy)

    def next(self) -> int:
        """Choose a token and tell the grammar."""
        token = int(self._lib.llama_sampler_sample(self._greedy, self._context, -1))
        if not math.isfinite(self._lib.llama_get_logits_ith(self._context, -1)[token]):
            raise EngineError("nan", "the model gave numbers that are none: its file is damaged")
        if self._grammar is None:
            return token
        # Asking the grammar about one token is far cheaper than about all of them.
        if self._allows(token):
            self._lib.llama_sampler_accept(self._grammar, token)
            return token
        return int(self._lib.llama_sampler_sample(self._chain, self._context, -1))

    def _allows(self, token: int) -> bool:
        one = (self._lib.llama_token_data * 1)(self._lib.llama_token_data(token, 1.0, 0.0))
        candidates = self._lib.llama_token_data_array(one, 1, -1, False)
        self._lib.llama_sampler_apply(self._grammar, ctypes.byref(candidates))
        return bool(math.isfinite(one[0].logit))

    def close(self) -> None:
        """Free what llama.cpp holds for this answer."""
        self._lib.llama_sampler_free(self._chain or self._greedy)
