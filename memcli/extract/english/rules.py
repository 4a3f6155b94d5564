"""The table of English rules: which verb with which words behind it states which relation (B2).

A rule holds for a clause whose verb is one of `bases` and whose words behind
the verb match `rest`; the group `v` is the value. The first rule that holds
counts. Rules give a statement its relation, kind and class; its text is the
clause itself, told in the third person.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from memcli.memories import Class, Kind


@dataclass(frozen=True, slots=True)
class Rule:
    """`when` limits it: "person" or "thing" as subject, "past", "present", "future", "negated" (does not), "cannot"."""

    relation: str
    bases: frozenset[str]
    rest: re.Pattern[str]
    kind: Kind | None = None
    cls: Class | None = None
    when: frozenset[str] = frozenset()
    keyed: bool = False


def _rule(
    relation: str,
    bases: str,
    rest: str,
    when: str = "",
    kind: Kind | None = None,
    cls: Class | None = None,
    keyed: bool = False,
) -> Rule:
    pattern = re.compile(rf"(?:\w+ly |just |now |also |still |both |already )*(?:{rest})", re.IGNORECASE)
    return Rule(relation, frozenset(bases.split()), pattern, kind, cls, frozenset(when.split()), keyed)


_JOB = (
    r"(?:[\w-]+ ){0,3}(?:engineer|teacher|nurse|doctor|lawyer|accountant|developer|designer|manager|chef|cook|"
    r"writer|author|"
    r"artist|painter|musician|singer|actor|actress|journalist|photographer|scientist|researcher|professor|student|"
    r"electrician|plumber|carpenter|mechanic|driver|pilot|farmer|baker|barista|waiter|waitress|cashier|clerk|"
    r"consultant|"
    r"analyst|architect|dentist|vet|therapist|counsell?or|social worker|coach|trainer|translator|editor|librarian|"
    r"programmer|technician|paramedic|firefighter|soldier|officer|principal|tutor|intern|apprentice|freelancer|"
    r"entrepreneur|"
    r"midwife|surgeon|pharmacist|psychologist|biologist|chemist|physicist|glazier|builder|gardener|hairdresser|"
    r"tailor)s?"
)

RULES: tuple[Rule, ...] = (
    # who someone is
    _rule("allergic_to", "be", r"(?:deathly |severely |badly )?allergic to (?P<v>.+)"),
    _rule("allergic_to", "have", r"(?:a |an )?(?:\w+ )?(?P<v>\w+(?: \w+)?) allerg(?:y|ies)\b"),
    _rule("cannot_eat", "have eat drink tolerate digest", r"(?P<v>(?!to\b).+)", "cannot person"),
    _rule("diet", "be", r"(?:an? )?(?P<v>(?:\w+ )?(?:vegetarian|vegan|pescatarian|coeliac|celiac|kosher|halal|"
          r"lactose intolerant))"),
    _rule("age", "be", r"(?P<v>\d{1,3})(?=$|[,;.]| years?\b| yrs?\b| not\b| now\b)(?: years? old|"
          r" yrs? old)?", "person"),
    _rule("age", "turn", r"(?P<v>\d{1,3})\b"),
    _rule("handedness", "be", r"(?P<v>(?:left|right)[- ]handed)"),
    _rule("born_in", "be", r"born (?:and raised )?in (?P<v>.+)"),
    _rule("comes_from", "be come", r"(?:originally )?from (?P<v>[A-Z].+)", "person present"),
    _rule("grew_up_in", "grow", r"up (?:in|on|near) (?P<v>.+)"),
    _rule("diagnosis", "diagnose", r"with (?P<v>.+)"),
    _rule("diagnosis", "have", r"(?P<v>(?:type \d |t\d )?(?:diabetes|asthma|adhd|autism|depression|migraines?|"
          r"arthritis|"
          r"glaucoma|epilepsy|dyslexia|high blood pressure|reactive \w+|\w+itis)\b.*)"),
    _rule("weight", "weigh", r"(?P<v>[\d.,]+ ?\w*)", kind="event", cls="observation"),
    # where
    _rule("lives_in", "live reside", r"(?:in|at|near|on|by) (?P<v>.+)", "person present"),
    _rule("lives_in", "be", r"in (?P<v>[\w ]+?) now\b", "person present"),
    _rule("works_at", "be", r"at (?P<v>[A-Z].*)", "person present"),
    _rule("team", "be", r"(?:in|on) the (?P<v>.+?) (?:team|group)\b", "person present"),
    _rule("partner", "engage marry", r"(?:engaged |married )?to (?P<v>[A-Z].+)", "person"),
    _rule("uses", "switch change migrate", r"(?:from .+? )?to (?P<v>.+)", "past person"),
    _rule("price", "be", r"(?P<v>(?:[€$£] ?\d[\d.,]*|\d[\d.,]* ?(?:kr|eur|euros?|€|\$|dollars|pounds|£|chf|"
          r"usd))(?: (?:a|per) \w+)?)", "thing"),
    _rule("lives_in", "be", r"(?:based|living) in (?P<v>.+)", "person"),
    _rule("moves_to", "move relocate", r"(?:\w+ )?(?:in )?to (?P<v>.+)", "person future"),
    _rule("lives_in", "move", r"in(?:to)? (?:\w+ ){1,4}in (?P<v>[A-Z].+)", "person past", kind="event"),
    _rule("lives_in", "move relocate", r"(?:(?:over|out|down|up|away|permanently|again|here) )?(?:back )?to "
          r"(?P<v>(?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)[A-Z].+)", "person past", kind="event"),
    # work and study
    _rule("job", "work", r"as (?P<v>an? .+)", "present"),
    _rule("works_at", "work", r"(?:part[- ]time |full[- ]time )?(?:at|for) (?P<v>.+)", "present"),
    _rule("works_on", "work", r"on (?P<v>.+)", "present"),
    _rule("job", "be", rf"(?P<v>an? {_JOB})(?=$|[\s,;.])", "person present", kind="identity", cls="permanent"),
    _rule("studies", "study major", r"(?P<v>.+)", "present"),
    _rule("learns", "learn", r"(?P<v>(?!to be\b).+)", "present"),
    _rule("speaks", "speak", r"(?P<v>[A-Z].+)", "present person"),
    _rule("responsible_for", "be", r"(?:responsible for|in charge of) (?P<v>.+)"),
    _rule("responsible_for", "own handle maintain", r"(?P<v>(?:the|our|all) .+)", "present person"),
    # things
    _rule("pet", "have get adopt own", r"(?P<v>(?:an?|two|three|four|\d|another)\b.{0,30}\b(?:dog|cat|pup|kitty|"
          r"pupp(?:y|ies)|kitten|"
          r"hamster|rabbit|parrot|horse|pony|turtle|lizard|ferret|guinea pig)s?\b.*)", cls="semantic"),
    _rule("owns", "have", r"an? (?P<v>(?:[\w-]+ ){0,2}(?:car|bike|bicycle|house|flat|apartment|boat|motorbike|"
          r"garden|piano|guitar|van|camper|"
          r"laptop|tent|balcony|cabin|allotment|caravan|scooter|drone|camera|telescope|membership|kayak|"
          r"licen[cs]e)\b.*)", "present person"),
    _rule("drives", "drive", r"(?P<v>an? .+)", "present"),
    _rule("owns", "own", r"(?P<v>.+)", "present"),
    _rule("bought", "buy order purchase", r"(?P<v>.+)", "past"),
    _rule("price", "cost", r"(?:\w+ )?(?P<v>.*\d.*)", "thing"),
    # taste and habit
    _rule("favourite", "be", r"(?P<v>.+)", "favourite", keyed=True),
    _rule("prefers", "prefer", r"(?P<v>.+)", "person"),
    _rule("feels", "love like enjoy adore hate dislike loathe", r"(?P<v>.+)", "person present", keyed=True),
    _rule("feels", "stand", r"(?P<v>.+)", "cannot person", keyed=True),
    _rule("feels", "be", r"(?:really |very |so |super |big )*(?:into|a (?:big |huge )?fan of|crazy about|"
          r"obsessed with|fond of) "
          r"(?P<v>.+)", "person present", kind="preference", cls="preference", keyed=True),
    _rule("feels", "swear", r"by (?P<v>.+)", "person present", keyed=True),
    _rule("afraid_of", "be", r"(?:afraid|scared|terrified|frightened) of (?P<v>.+)"),
    _rule("gave_up", "give", r"up (?P<v>.+)", "past"),
    _rule("gave_up", "quit stop", r"(?P<v>\w+ing\b.*|(?:my|the|their) .+)", "past person"),
    _rule("partner", "be", r"(?:engaged|married) to (?P<v>[A-Z].+)", "person"),
    _rule("avoids", "eat drink smoke do use", r"(?P<v>.+)", "present negated person"),
    _rule("uses", "use", r"(?P<v>.+)", "present"),
    # project
    _rule("port", "be run listen live move switch", r"(?:.*\b)?port (?P<v>\d{2,5})\b", "thing"),
    _rule("port", "be listen", r"on (?P<v>\d{4,5})\b", "thing"),
    _rule("port", "move", r"(?:.*\b)?to (?P<v>\d{4,5})\b", kind="event"),
    _rule("deadline", "be", r"due\b(?P<v>.*)", "thing"),
    _rule("version", "be", r"(?:at |on |version |v)?(?P<v>\d+\.\d[\w.]*)", "thing"),
    _rule("time", "be move start begin shift", r"(?:.*\b)?(?:to|at|from|until) (?P<v>\d{1,2}[:.]\d\d|"
          r"\d{1,2} ?[ap]m|noon|midnight)\b", "thing"),
    _rule("located", "live sit", r"(?:in|on|at|under) (?P<v>.+)", "thing present"),
    _rule("located", "be", r"(?:stored |kept )?(?:in|on|at|under|inside) (?P<v>.+)", "thing present"),
    _rule("until", "run last", r"(?:until|till) (?P<v>.+)", "present"),
    # what shall be
    _rule("decision", "decide", r"(?:to|on|that|against|for) (?P<v>.+)", "past"),
    _rule("decision", "agree settle", r"(?:to|on|that) (?P<v>.+)", "past"),
    _rule("choice", "choose pick select", r"(?P<v>.+)", "past", kind="decision", cls="task_state"),
    _rule("choice", "go", r"with (?P<v>.+)", "future", kind="decision", cls="task_state"),
    _rule("plan", "have", r"(?:an? |the )?(?P<v>(?:\w+ )?(?:exam|appointment|meeting|interview|surgery|"
          r"operation|test|date|call|"
          r"performance|recital|concert|gig|deadline|presentation|competition|tournament|race|"
          r"check-?up)\b.*)", "present person"),
    _rule("plan", "book schedule reserve", r"(?P<v>.+)", "past ahead", keyed=True),
    _rule("avoids", "be", r"off (?P<v>(?!(?:to|on|from|until|till|for|work|today|tomorrow|next|this|sick|duty|school|"
          r"again|grid|limits|track|topic|call|air|the|my|their|mon|tue|wed|thu|fri|sat|sun)\b|\w+day\b|\d)[a-z]\w+.*)",
          "person present", kind="preference", cls="preference"),
    _rule("away", "be", r"(?:off(?! to\b)|away|on (?:leave|holiday|vacation|call)|out of (?:office|"
          r"town))\b(?P<v>.*)", "person"),
    _rule("plan", "plan intend aim", r"(?:to|on|for) (?P<v>.+)", "present person", keyed=True),
    _rule("plan", "hope want need", r"to (?P<v>.+)", "present person", keyed=True),
)  # fmt: skip
