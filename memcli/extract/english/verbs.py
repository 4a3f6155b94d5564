"""The verbs of everyday English and their forms: enough to find the verb of a clause and to change its person."""

from __future__ import annotations

from functools import lru_cache

_IRREGULAR = """
be was been; have had had; do did done; go went gone; get got got; make made made; take took taken; come came come;
see saw seen; know knew known; give gave given; find found found; think thought thought; tell told told; become became
become; leave left left; feel felt felt; put put put; bring brought brought; begin began begun; keep kept kept; hold
held held; write wrote written; stand stood stood; hear heard heard; let let let; mean meant meant; set set set; meet
met met; run ran run; pay paid paid; perform performed performed; sit sat sat; speak spoke spoken; lie lay lain; lead
led led; read read read; grow grew grown; lose lost lost; fall fell fallen; send sent sent; build built built;
understand understood understood; draw drew drawn; break broke broken; spend spent spent; cut cut cut; rise rose
risen; drive drove driven; buy bought bought; wear wore worn; choose chose chosen; teach taught taught; catch caught
caught; win won won; sell sold sold; forget forgot forgotten; sleep slept slept; eat ate eaten; drink drank drunk;
swim swam swum; sing sang sung; ride rode ridden; fly flew flown; throw threw thrown; hurt hurt hurt; hit hit hit;
cost cost cost; quit quit quit; lend lent lent; ring rang rung; bake baked baked; fight fought fought; hang hung hung;
shoot shot shot; steal stole stolen; wake woke woken; say said said; drown drowned drowned; feed fed fed; shut shut
shut; stick stuck stuck; sweep swept swept; dig dug dug; bite bit bitten; blow blew blown; hide hid hidden; shake
shook shaken; strike struck struck; swear swore sworn; tear tore torn; withdraw withdrew withdrawn; split split split;
spread spread spread; learn learnt learnt; burn burnt burnt; deal dealt dealt; dream dreamt dreamt; light lit lit;
undergo underwent undergone; overcome overcame overcome; rewrite rewrote rewritten; redo redid redone; rebuild rebuilt
rebuilt; spill spilt spilt; freeze froze frozen; bend bent bent; sew sewed sewn; show showed shown; bet bet bet; fit
fit fit; knit knit knit; shrink shrank shrunk; sink sank sunk; weave wove woven
"""
_REGULAR = """
accept achieve add adopt afford agree aim allow announce answer apologise apologize appear apply appreciate approve
argue arrange arrive ask assemble assign assist attach attend audition avoid back backpack bake ban bark beat belong
block board boil book bother borrow breed bump burn bury calculate call camp cancel care carry carve cast cause
celebrate change charge chase chat check chill claim clean clear climb close coach code collaborate collect combine
commit commute compete complain complete compose concentrate confirm connect consider contact contain continue convert
cook cope copy count cover craft crash create cross cry cycle dance date debug decide declutter decorate defer delay
delete deliver demand depend deploy describe deserve design destroy develop die diagnose disable discover discuss
dislike dive divide donate double download draft dream drill drop dry dump dye earn edit email embrace enable
encourage end engage enjoy enrol enroll enter escape establish examine excite exercise exhibit exist expand expect
experience experiment explain explore express extend face fail fancy farm fast fear file fill film finalise finalize
finish fish fix focus follow force foster freelance fund gain garden gather graduate greet guess guide handle happen
hate head heal help hike hire host hug hunt ignore imagine implement import improve include increase inform inherit
injure insist inspire install instruct intend interview introduce invest invite iron join joke journal jog judge jump
juggle kayak kick kill kiss knock label land laugh launch learn lease like limit link list listen live load lock log
look love lower maintain manage march mark marry massage master match matter measure mentor merge mention mess migrate
mind miss mix model move name need note notice nurse observe offer open operate order organise organize outline
overlook owe own pack paint park part participate pass paste patch pause phone photograph pick pin plan plant play
please plug point polish post postpone pour practice practise praise pray prefer prepare press pretend prevent print
produce program promise promote propose protect prove provide publish pull purchase push qualify question quilt race
rain raise rate reach react realise realize receive recognise recognize recommend reconnect record recover redecorate
redesign reduce refactor reflect refuse register relate relax release rely relocate remain remember remind remove
renew renovate rent repair repay repeat replace reply report request require rescue research reschedule reserve resign
resolve respect rest restart restore retire retrain return review reward risk roast round ruin rush sail save scan
schedule score scratch search seem serve settle share ship shop shout sign skate sketch ski skip slip smell smile
smoke snore snowboard solve sort sound sponsor stain start stay step stitch stop store stream stress stretch struggle
study submit subscribe succeed suffer suggest suit support suppose surf surprise survive swallow switch talk taste
tattoo tend test text thank tidy tie touch tour track trade train transfer transform translate transition travel treat
trim try turn tutor type unpack unplug update upgrade upload use validate value visit volunteer vote wait walk want
warn wash waste watch water weigh welcome whisper wish wonder work worry wrap yell enrol attend bond bounce bring
capture carpool craft crave crochet declare dedicate devote discuss display enlist evacuate forage freshen fundraise
glaze harvest hatch illustrate jam lecture major meditate mow mount nap network nominate scare persuade pet photograph
picnic pitch plaster podcast pursue raft recite rehearse relive remodel sculpt sing spar stage stargaze substitute
supervise tackle tour unwind vacation venture blog wire tile grout sand varnish insulate rewire inspect quote invoice
deposit refund budget chafe redirect own snag haul expire owe
abandon absorb accompany accuse activate administer admire advance advise affect allocate alter amend annoy anticipate
arrest assess assure attract authenticate authorise authorize automate await beg behave blame bleach bless bother brew
bundle calibrate choke circulate clarify clash classify clone coincide collapse collide compile complicate comprise
conceal conclude condemn configure confuse congratulate consist construct consult consume contribute control
coordinate correspond corrupt crawl curate cure customise customize dare deactivate deceive decline decorate deduct
defeat defend define degrade delegate demolish demonstrate deny depart depend deprecate derive descend destine detect
determine detest devise dilute diminish disagree disappear disappoint discharge disconnect dismiss dispatch dispute
disrupt dissolve distribute disturb dominate drag drain drown elect eliminate embark emerge emigrate employ encounter
encrypt endorse endure enforce engrave enhance enlarge ensure entertain equip erase escort establish estimate evaluate
evolve exaggerate exceed exchange exclude execute expel expose fascinate fetch filter flatten flee forbid forecast
forgive forward freak frighten fulfil fulfill furnish generate gossip govern grant grasp greet grill grind grow
guarantee halve handcuff hesitate hurry identify ignite immigrate impose impress incubate indicate infect influence
ingest inhabit inherit initiate inject inquire insult integrate interact interfere interpret interrupt invade invent
invert isolate itch justify kneel lack leak lick lift magnify manufacture mash migrate mimic minimise minimize
misplace modify monitor motivate mourn multiply mutate narrate negotiate nod normalise normalize notify obey oblige
obtain occupy occur omit oppose optimise optimize originate outgrow outsource overhear oversee overtake oversleep
overwrite participate peel perceive permit pierce pinch portray possess postpone preach precede predict prescribe
preserve preside prioritise prioritize probe proceed prohibit proofread prosecute prune publicise punch punish quilt
quarantine reassure rebase reboot recall recite reclaim recount recruit recycle refer refuel regret reimburse
reinstall reject rejoin relapse relocate render rename reorganise replicate represent rescan resemble reset reside
resign resist resume retract retrieve reunite reveal reverse revise revoke rinse roam rob rotate sabotage sanitise
scrap scrape scratch scrub seal seduce seek seize select shave shift shiver shovel shrug sigh simulate situate smash
sneak sneeze soak soften sort spawn specialise specialize specify sprain sprint squeeze stabilise stagger starve steer
sterilise stir strain stuff stumble subcontract subtract sue suffocate suggest summarise summarize supply surround
suspect suspend swap sweat swell synthesise tackle tame tease terminate terrify testify threaten throttle tilt toast
tolerate toss trace transcribe transfer translate transmit transplant trigger tuck undergo uninstall unite unlock
untie urge utilise utilize vaccinate vanish vary verify vet vibrate violate vomit vow wander weaken weld whip widen
wipe withhold witness worship wound wreck zoom stutter lisp limp sublet moonlight commute
""".split()
_DOUBLED = frozenset(
    "admit ban bet chat chip chop commit drop fit grab hug jog knit log nap net pat pet pin plan plug pop quit rub "
    "ship shop sit skip slip snag spar spot step stir stop swap tip trim trip unplug wrap zip".split()
)
_DOUBLED_L = tuple(
    "cancel travel label model fuel signal quarrel counsel level total marvel shovel tunnel refuel".split()
)
_NOT_PAST = frozenset(
    "need feed bed red wed seed speed breed bleed weed shed sled hundred indeed kindred embed sacred".split()
)
_NOT_ING = frozenset(
    "thing something anything nothing everything king ring spring string wing evening morning during".split()
)


def third(base: str) -> str:
    """The form for one other: go → goes, carry → carries."""
    if base in ("be", "have"):
        return "is" if base == "be" else "has"
    if base.endswith(("s", "x", "z", "ch", "sh", "o")):
        return base + "es"
    if base.endswith("y") and base[-2:-1] not in tuple("aeiou"):
        return base[:-1] + "ies"
    return base + "s"


def _past(base: str) -> str:
    if base.endswith("e"):
        return base + "d"
    if base.endswith("y") and base[-2:-1] not in tuple("aeiou"):
        return base[:-1] + "ied"
    return base + base[-1] + "ed" if base in _DOUBLED else base + "ed"


def _gerund(base: str) -> str:
    if base.endswith("ie"):
        return base[:-2] + "ying"
    if base.endswith("e") and not base.endswith(("ee", "oe", "ye")) and base != "be":
        return base[:-1] + "ing"
    doubled = base in _DOUBLED or base in ("run", "get", "put", "set", "cut", "swim", "let", "win", "begin", "forget")
    return base + base[-1] + "ing" if doubled else base + "ing"


def past_of(base: str) -> str:
    """The past form of a base."""
    return next((form for form, (root, kinds) in forms().items() if root == base and "d" in kinds), base + "ed")


@lru_cache(maxsize=1)
def forms() -> dict[str, tuple[str, str]]:
    """Every known form: its base and which forms it can be (b base, z third person, d past, n participle, g -ing)."""
    found: dict[str, tuple[str, str]] = {}

    def put(form: str, base: str, kind: str) -> None:
        known = found.get(form)
        found[form] = (known[0], known[1] + kind) if known else (base, kind)

    for row in _IRREGULAR.replace("\n", " ").split(";"):
        base, past, participle = row.split()
        for form, kind in ((base, "b"), (third(base), "z"), (past, "d"), (participle, "n"), (_gerund(base), "g")):
            put(form, base, kind)
        if base in ("learn", "burn", "dream", "spill"):
            put(base + "ed", base, "dn")
    for base in dict.fromkeys(_REGULAR):
        if base not in found:
            for form, kind in ((base, "b"), (third(base), "z"), (_past(base), "dn"), (_gerund(base), "g")):
                put(form, base, kind)
    for base in _DOUBLED_L:
        if base + "led" not in found:
            put(base + "led", base, "dn")
            put(base + "ling", base, "g")
    return found


def _stem(stem: str) -> str:
    """The base of a verb that is not listed, as it is most often spelt."""
    if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "sl":
        return stem[:-1]
    silent = stem.endswith(
        ("v", "c", "s", "z", "u", "ur", "bl", "gl", "tl", "dl", "pl", "at", "ag", "uc")
    ) and not stem.endswith("ss")
    return stem + "e" if silent else stem


def form_of(word: str) -> tuple[str, str]:
    """The base and the possible forms of a lower-case word; ("", "") where it is no verb that is known."""
    known = forms().get(word)
    if known is not None:
        return known
    if "-" in word:
        prefix, _, rest = word.partition("-")
        base, kinds = forms().get(rest, ("", "")) if prefix == "re" else ("", "")
        return (f"re-{base}", kinds) if base else ("", "")
    if len(word) > 5 and word.startswith("re") and word[2:] in forms():
        base, kinds = forms()[word[2:]]
        return f"re{base}", kinds
    if len(word) > 4:
        if word.endswith("ed") and word not in _NOT_PAST:
            return _stem(word[:-2]), "dn"
        if word.endswith("ing") and word not in _NOT_ING:
            return _stem(word[:-3]), "g"
    return "", ""
