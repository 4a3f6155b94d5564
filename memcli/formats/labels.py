"""Is the word before a colon somebody who speaks, a role, or a heading of a list?

`Ada:` may speak; `Phone:`, `Monday:`, `TODO:` and `https:` never do. In doubt
it is no speaker: a note that keeps its words loses nothing.
"""

from __future__ import annotations

import re
from functools import lru_cache

from memcli.formats.roles import ASSISTANT, SYSTEM, TOOL, USER

LONGEST = 40
"""Characters of the longest label: beyond it, a colon belongs to a sentence."""

_MOST_WORDS = 4
_PARTICLES = frozenset("de da di do dos das del della van von der den ten ter la le al el bin ibn y e of the".split())
_NO_NAME = re.compile(r'[{}<>|="\\/;!?,…*`#\[\]]|https?$|\.$')
_IDENTIFIER = re.compile(r"[a-z]\w*(?:[./_-]\w+)+(?:\[\d+\])?|\w+\[\d+\]")
_FAMILY_FIRST = re.compile(r"([^\s,]+(?: [^\s,]+)?), ([^\s,]+(?: [^\s,]+)?)")
_ASIDE = re.compile(r"\s*\([^()]{1,24}\)\s*$")
_NUMBERED = re.compile(
    r"(?:step|day|week|month|year|chapter|part|section|figure|fig|table|option|room|flat|floor|item|task|phase"
    r"|round|level|version|v|no|question|answer|line|page|rule|point|note|exercise|set|team|group|unit|module"
    r"|lesson|week|sprint|q|h|appendix|article|verse|scene|act|episode|season|stage|case|test|example|ex"
    r"|gate|platform|bus|line|track|zone|plan|idea|goal|box|shelf|drawer|bin|key|door)\.?\s*#?\d+[a-z]?\Z"
)
_FIELDS = frozenset(
    """
    name first last surname phone tel telephone mobile cell fax email e-mail mail address street city town country
    zip postcode state web website url link site uri http https ftp file path hostname server port ip username
    login password passwd pass pwd pin code token key keys secret id uid ssid wifi wi-fi network router db database
    api endpoint account iban bic bank card number nr no ref reference invoice order
    date time when where what why who how which day days week weeks month months year years hour hours duration
    deadline due start end from to until since till cc bcc subject re fwd fw sent received attachments
    title publisher isbn genre pages rating tags tag category categories topic topics type kind
    status state priority assignee reporter severity version release build branch commit pr issue bug feature fix
    todo todos done next doing wip blocked blockers blocker note notes nb n.b ps p.s pps p.p.s tip tips hint hints
    warning caution danger attention important info fyi tldr tl;dr summary abstract overview background context
    conclusion introduction intro outlook results result method methods discussion purpose scope goal goals aim
    agenda minutes present absent attendees participants apologies decision decisions action actions outcome outcomes
    follow-up followup recap update updates yesterday today tomorrow tonight morning noon afternoon evening night
    breakfast brunch lunch dinner supper snack snacks dessert starter main mains drinks ingredients serves servings
    yield prep cook preparation instructions directions method equipment tools materials parts supplies topping
    price prices cost costs total subtotal tax tip amount qty quantity sum budget balance paid unpaid income expense
    expenses rent deposit fee fees currency size sizes weight height width length depth colour color material brand
    model make serial manufacturer store shop location place venue room seat seats floor flat house apartment
    building gate door platform train bus flight airline departure arrival depart arrive check-in checkin check-out
    checkout booking reservation confirmation ticket tickets passport visa luggage hotel
    pros cons pro con plus minus strengths weaknesses opportunities threats advantages disadvantages
    before after during input output inputs outputs example examples e.g i.e eg ie definition def syntax usage
    default defaults options option args arguments params parameters returns return raises throws error errors
    exception traceback debug trace warn fatal critical notice verbose log logs stdout stderr
    problem problems solution solutions symptom symptoms cause causes fixes workaround impact risk risks mitigation
    diagnosis medication medications dose dosage allergies allergy blood pressure pulse temp temperature
    bp heart rate mood sleep steps calories protein carbs fat fibre fiber water sets reps
    q a birthday birthdays anniversary born died age gender sex nationality occupation job employer company
    role department office language languages skills hobbies likes dislikes favourite favorite
    monday tuesday wednesday thursday friday saturday sunday mon tue tues wed weds thu thur thurs fri sat sun
    january february march april june july august september october november december
    jan feb mar apr jun jul aug sep sept oct nov dec spring summer autumn fall winter weekend weekdays weekday
    am pm q1 q2 q3 q4 h1 h2 gmt utc cet est pst
    idea ideas thought thoughts question questions q&a faq answer answers reminder reminders quote quotes
    source sources see also cf links refs references reading book books film films movie movies music song songs
    shopping groceries list lists buy sell call plan plans project projects task tasks chores errands homework
    meeting meetings standup sync call workshop lecture class exam event events party trip travel holiday vacation
    work home family friends health money finance garden kitchen bathroom bedroom car bike gym
    html css js json xml yaml sql bash python java import export class function def const let var public private
    true false null none yes ok okay left right up down top bottom north south east west
    description desc details detail message messages text body header footer content contents comment comments
    remark remarks observation observations reason reasons requirement requirements assumption assumptions
    learned learnings lesson lessons takeaway takeaways insight insights highlights lowlights wins
    score points level rank place round winner loser home away
    vocabulary word words translation meaning synonym antonym front
    back cloze chapter section verse lyrics chorus bridge refrain
    vor nach files copyright license licence format
    wann wo was wer wie warum datum uhrzeit ort adresse telefon preis summe betreff von bis an aufgabe notiz achtung
    nom prénom adresse téléphone prix fecha hora lugar nombre dirección teléfono precio
    """.split()
)
_LOG_LEVELS = frozenset("error warn warning info debug trace fatal critical notice verbose".split())
_UI_PREFIXES = (" said", " says", " wrote", " asked")

STRONG_ROLES = frozenset(
    {"you said", "chatgpt said", "claude said", "gemini said", "copilot said", "human", "assistant", "chatgpt"}
)
"""Labels that nothing but a chat with an AI has."""


@lru_cache(maxsize=4096)
def role_label(label: str) -> str | None:
    """ "user", "assistant", "system" or "tool" where a label is a role word, else None."""
    word = " ".join(label.casefold().split())
    for group, words in (("user", USER), ("assistant", ASSISTANT), ("system", SYSTEM), ("tool", TOOL)):
        if word in words:
            return group
    return None


@lru_cache(maxsize=4096)
def can_speak(label: str) -> bool:
    """Whether a label may be the name of somebody: short, name-like, and no heading of a list."""
    if not 0 < len(label) <= LONGEST or _NO_NAME.search(_ASIDE.sub("", label)):
        return False
    if role_label(label):
        return True
    bare = _ASIDE.sub("", label).strip()
    words = bare.split()
    if not 0 < len(words) <= _MOST_WORDS or is_field(bare):
        return False
    if bare.startswith("+"):
        return sum(char.isdigit() for char in bare) >= 6
    if not any(char.isalpha() for char in bare):
        return not bare.isascii() and not any(char.isdigit() for char in bare)
    return len(words) == 1 or all(_name_word(word) for word in words)


def can_speak_stamped(label: str) -> bool:
    """The same behind a time stamp, where `Lovelace, Ada` is a name too."""
    return can_speak(_FAMILY_FIRST.sub(r"\2 \1", label) if "," in label else label)


@lru_cache(maxsize=4096)
def is_field(label: str) -> bool:
    """Whether a label heads a list, a form, a log line or a schedule and names nobody."""
    word = label.casefold().strip()
    if word in _FIELDS or _NUMBERED.match(word):
        return True
    words = word.split()
    # "Phone number", "Check-in time", "Due date": a form's words side by side, or a form's last word.
    return len(words) > 1 and (words[-1] in _FIELDS or all(part in _FIELDS for part in words))


def is_log_level(label: str) -> bool:
    """Whether a label is the level of a program's log line."""
    return label.casefold() in _LOG_LEVELS


def is_identifier(label: str) -> bool:
    """Whether a label is spelled as programs spell their parts: `app.server`, `sshd[123]`, `my_module`."""
    return _IDENTIFIER.fullmatch(label) is not None


def said_by(label: str) -> str:
    """A label without what web pages add to names: `ChatGPT said` is `ChatGPT`."""
    for suffix in _UI_PREFIXES:
        if label.casefold().endswith(suffix) and not role_label(label):
            return label[: -len(suffix)].strip()
    return label


def _name_word(word: str) -> bool:
    first = word.lstrip("(@~'’")[:1]
    return not first.islower() or word.casefold() in _PARTICLES
