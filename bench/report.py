"""The results as tables, and as the README of this folder: figures from the last run, remarks from `notes.md`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from scoring import KS

from memcli.answering.switches import Switches as Answering
from memcli.recall.switches import Switches as Recall

NOTES = Path(__file__).with_name("notes.md")
_SAME = 0.005
"""Two figures that differ by less do not differ."""

_HEAD = """# Benchmarks

None of these is a test: they always end with 0. The data of LoCoMo (CC BY-NC 4.0) is for measuring only; nothing of
it is in this repository. Vectors are kept in `--cache`, so that a text is embedded once. This page is written by
`python bench/locomo.py … --report bench/README.md` from its results, the remarks at its end from `notes.md`.

```
python bench/fit.py    --data FILE.json --out DIR
python bench/locomo.py --data FILE.json --out DIR [--weights DIR/weights.json] [--qa 150 --model MODEL.gguf]
                       [--on SWITCH] [--off SWITCH] [--ablate] [--crowd 100000]
                       [--report bench/README.md]
python bench/abstain.py --data FILE.json --out DIR [--weights DIR/weights.json]
python bench/follow_ups.py --data FILE.json --out DIR [--every N]
python bench/past_questions.py --embedder MODEL.gguf
python bench/observations.py --data FILE.json [--out DIR]
python bench/brief_effect.py --model MODEL.gguf [--show]
python bench/speed.py
```
"""


def tables(result: Mapping[str, Any]) -> str:
    """All tables, for a terminal."""
    return "\n\n".join(_plain(rows) for _, rows in _sections(result))


def readme(result: Mapping[str, Any]) -> str:
    """All tables and what is to be said about them, as Markdown."""
    parts = [_HEAD.strip()]
    for title, rows in _sections(result):
        parts += [f"## {title}", *filter(None, [_remark(title, result)]), _markdown(rows)]
    parts.append(NOTES.read_text("utf-8").strip())
    return "\n\n".join(parts) + "\n"


Rows = Sequence[Sequence[str]]
RETRIEVAL, HANDED_ON, GAINS, ANSWERS, SHOWN, CROWD = (
    "Retrieval",
    "What is handed on to be answered from",
    "What each mechanism of recall gains",
    "Answers",
    "What each mechanism of answering gains",
    "One memory for everything",
)


def _sections(result: Mapping[str, Any]) -> Iterable[tuple[str, Rows]]:
    recall = result["recall"]
    yield RETRIEVAL, _retrieval(recall["methods"])
    yield HANDED_ON, _handed_on(recall)
    if "ablation_of_recall" in result:
        yield GAINS, _gains(result["ablation_of_recall"])
    if "qa" in result:
        yield ANSWERS, _answers(result["qa"])
    if "ablation_of_answering" in result:
        yield SHOWN, _shown(result["ablation_of_answering"])
    if "crowd" in result:
        yield CROWD, _crowd(result["crowd"], recall)


def _remark(title: str, result: Mapping[str, Any]) -> str:
    recall = result["recall"]
    fitted = "never saw the conversation they are measured on" if result["left_out"] else "are those that are shipped"
    qa = result.get("qa", {})
    match title:
        case "Retrieval":
            return (
                f"{recall['questions']:,} questions with evidence over {recall['turns_stored']:,} turns, each "
                f"conversation a memory of its own, no generator. R@k is the mean share of a question's gold turns "
                f"among the first k. The weights {fitted}."
            )
        case "What is handed on to be answered from":
            exact = recall["precision_at_recall"]
            return (
                "As many turns as seem worth reading (`recall/depth.py`). At the depth where precision is best while "
                f"recall is at least {exact['least_recall']}: {exact.get('turns')} turns, recall "
                f"{exact.get('recall')}, "
                f"precision {exact['precision']}. Evidence takes {recall['evidence_ms']['median']} ms, with a vector "
                "at hand."
            )
        case "What each mechanism of recall gains":
            return (
                "Each turned off, the weights fitted again without it, one conversation left out at a time. A figure "
                "is what is lost without the mechanism; below .005 it gains nothing."
            )
        case "Answers":
            tokens = qa["evidence_tokens"]
            return (
                f"A fixed stratified sample of {qa['questions']} questions. F1 is that of LoCoMo's scorer; an answer "
                "that is withheld counts 0. Evidence and question: "
                f"{'no model' if tokens is None else f'{tokens:.0f} tokens'} a question; "
                f"{qa['seconds']['a_question']:.1f} s a question, {qa['turns']:.1f} turns. Captured prompts that hold "
                f"a question asked before: {qa['prompts_with_a_past_question']}."
            )
        case "What each mechanism of answering gains":
            return "The same answers judged again with one mechanism turned off, from what the model said then."
        case _:
            process = result["crowd"]["process"]
            return (
                f"All conversations in one memory with {result['crowd']['entries']:,} entries of other dialogue that "
                "shares names and topics (`bench/crowd.py`). A whole `mem ask --no-llm` there: "
                f"{process['median_s']} s "
                f"({process['cpu_s']} s of processor, {process['peak_mb']:.0f} MB at most)."
            )


def _retrieval(methods: Mapping[str, Any]) -> Rows:
    categories = list(next(iter(methods.values()))["by_category_at_8"])
    rows = [["method", *(f"R@{k}" for k in KS), *(f"{name}, at 8" for name in categories)]]
    for name, row in methods.items():
        rows.append([name, *_figures(row["recall"].values()), *_figures(row["by_category_at_8"].values())])
    return rows


def _handed_on(recall: Mapping[str, Any]) -> Rows:
    row = recall["handed_on"]
    return [
        ["turns", "recall", "precision", *row["by_category"]],
        [f"{row['turns']:.2f}", *_figures([row["recall"], row["precision"], *row["by_category"].values()])],
    ]


def _gains(table: Mapping[str, Mapping[str, float]]) -> Rows:
    whole = table[""]
    columns = [name for name in whole if name not in ("turns",)]
    rows = [
        ["mechanism", "flag", *columns, "gains"],
        ["everything", "", *_figures(whole[name] for name in columns), ""],
    ]
    told = {flag.name: _doc(Recall, flag.name) for flag in fields(Recall)}
    for name, row in table.items():
        if name:
            lost = [whole[column] - row[column] for column in columns]
            gains = "yes" if max(whole["at_8"] - row["at_8"], whole["recall"] - row["recall"]) >= _SAME else "no"
            rows.append([told.get(name, name), f"`{name}`", *(f"{value:+.3f}" for value in lost), gains])
    return rows


def _answers(qa: Mapping[str, Any]) -> Rows:
    out = qa["abstained"]
    return [
        ["", "macro", *qa["f1"], "withheld: unanswerable", "adversarial", "ours", "answerable"],
        [
            "as shown",
            *_figures([qa["macro_f1"], *qa["f1"].values()]),
            *_figures([out["unanswerable"], out["adversarial"], out["ours"], out["answerable"]]),
        ],
        [
            "as the model said, where it was asked",
            *_figures([qa["macro_f1_of_what_was_said"], *qa["f1_of_what_was_said"].values()]),
            *[""] * 4,
        ],
    ]


def _shown(table: Mapping[str, Mapping[str, float]]) -> Rows:
    whole = table[""]
    rows = [["mechanism", "flag", "macro F1", "withheld: unanswerable", "answerable"]]
    rows.append(["everything", "", *_figures(whole.values())])
    for name, row in table.items():
        if name:
            lost = [f"{whole[column] - row[column]:+.3f}" for column in whole]
            rows.append([_doc(Answering, name), f"`{name}`", *lost])
    return rows


def _crowd(crowd: Mapping[str, Any], recall: Mapping[str, Any]) -> Rows:
    rows = [["", *(f"R@{k}" for k in KS), "handed on: turns", "recall", "precision"]]
    for title, ks, handed_on in (
        ("each alone", recall["methods"]["recall"]["recall"], recall["handed_on"]),
        (f"all together, {crowd['stored']:,} entries", crowd["recall"], crowd["handed_on"]),
    ):
        figures = _figures([handed_on["recall"], handed_on["precision"]])
        rows.append([title, *_figures(ks.values()), f"{handed_on['turns']:.2f}", *figures])
    return rows


def _doc(owner: type, name: str) -> str:
    """The sentence under a flag in the source, without its mechanism numbers."""
    import ast
    import inspect

    body = ast.parse(inspect.getsource(owner)).body[0]
    assert isinstance(body, ast.ClassDef)
    for flag, text in zip(body.body, body.body[1:], strict=False):
        if isinstance(flag, ast.AnnAssign) and getattr(flag.target, "id", "") == name and isinstance(text, ast.Expr):
            return " ".join(str(ast.literal_eval(text.value)).split("(")[0].split()).rstrip(". ")
    return name


def _figures(values: Iterable[float]) -> list[str]:
    return [f"{value:.3f}".replace("0.", ".", 1) for value in values]


def _plain(rows: Rows) -> str:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)


def _markdown(rows: Rows) -> str:
    head, *body = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([head, "| " + " | ".join("---" for _ in rows[0]) + " |", *body])
