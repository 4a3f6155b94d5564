"""The closed classes of English words, and the open ones whose meaning decides what is worth keeping."""

from __future__ import annotations


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


SUBJECT = _set("i we he she it they you")
POINTING = _set("this that these those here there")
POSSESSIVE = _set("my your his her its our their")
OWNED = _set("mine yours hers ours theirs")
REFLEXIVE = _set("myself yourself himself herself itself ourselves themselves")
ANYONE = _set(
    "everyone everybody someone somebody anyone anybody nobody noone something everything nothing anything none"
)
DETERMINER = _set(
    "the a an some any no every each another both all this that these those many few several much most half such"
)
PREPOSITION = _set(
    "about above across after against along among around as at before behind below beneath beside between beyond by "
    "despite down during except for from in inside into like near of off on onto out outside over past per since "
    "through throughout till to toward towards under until up upon via with within without than plus"
)
CONJUNCTION = _set("and but or nor so yet because cause cuz coz though although while whereas if unless when whenever")
ASKING = _set("who whom whose what which where when why how whats wheres hows whos")
BE = _set("am is are was were be been being 'm 're isn't aren't")
HAVE = _set("have has had having 've")
DO = _set("do does did")
MODAL = _set("can could will would shall should may might must 'll 'd cannot")
NEGATION = _set("not n't never")
ADVERB = _set(
    "actually again ago almost already also always anyway apparently away back barely basically certainly clearly "
    "currently definitely else enough even eventually ever exactly finally first fully generally gladly hardly "
    "honestly "
    "instead just kinda lately later literally maybe mostly mainly nearly normally now nowadays obviously often once "
    "only originally perhaps pretty previously probably quite rarely rather really recently regularly seldom simply "
    "sometimes sometime somehow soon sorta still suddenly then though thus together tomorrow today tonight too "
    "totally truly twice unfortunately luckily usually very well yesterday yet officially both all daily weekly "
    "atm rn "
    "currently initially slowly so far absolutely"
)
FREQUENCY = _set("always usually often sometimes regularly daily weekly nightly every rarely never seldom")
TITLES = _set("dr dr. mr mr. mrs mrs. ms ms. prof prof. herr frau signora signor sir madame monsieur aunt uncle st st.")

OPENERS = _set(
    "yes yeah yep yup no nope nah ok okay oh ah aha wow hey hi hello well so also and but btw plus then anyway "
    "actually "
    "honestly haha hah hmm right sure true alright cool great nice awesome thanks thank yay ugh woohoo congrats "
    "damn lol "
    "definitely absolutely totally exactly obviously currently basically luckily unfortunately fortunately finally "
    "sorry please pls look listen man dude guys fyi reminder update correction now again still omg gosh aw aww mhm"
)
"""Words at the start of a sentence that add nothing to what it states."""

KIN = _set(
    "mother father mum mom dad mama papa parents brother sister sibling siblings son daughter child children kid "
    "kids "
    "baby toddler husband wife partner girlfriend boyfriend fiancé fiancée fiance fiancee spouse grandmother "
    "grandfather grandma grandpa granny gran grandad grandparents grandson granddaughter uncle aunt auntie cousin "
    "nephew niece stepmother stepfather stepson stepdaughter twin ex mother-in-law father-in-law sister-in-law "
    "brother-in-law in-laws godmother godfather family"
)
PARTNER = _set("husband wife partner girlfriend boyfriend fiancé fiancée fiance fiancee spouse")
ROLE = _set(
    "doctor dentist vet physio physiotherapist therapist accountant lawyer landlord landlady manager boss supervisor "
    "mentor coach trainer teacher tutor neighbour neighbor flatmate roommate housemate colleague coworker friend "
    "assistant editor agent hairdresser plumber electrician mechanic cleaner nanny babysitter advisor reviewer "
    "dermatologist optician surgeon gp midwife professor mentee classmate client"
)
STUDENTS = _set(
    "student pupil apprentice trainee intern postdoc successor predecessor boss bandmate teammate guide host"
)
"""Words for people one works with that are not offices one has: who it is changes often."""
BODY = _set(
    "back knee ankle wrist shoulder elbow hip neck foot hand leg arm eye ear tooth stomach throat finger thumb toe rib "
    "heart lung skin jaw head"
)
PETS = _set(
    "dog cat puppy pup pups kitty dogs cats kitten hamster rabbit parrot horse pony goldfish turtle tortoise "
    "snake lizard bird ferret"
)
FRIENDS = _set("friend friends neighbour neighbor flatmate roommate housemate colleague coworker classmate mate buddy")
ATTRIBUTES = _set(
    "home name age birthday job address email phone number weight height rent salary budget deadline goal aim "
    "title size "
    "username password plan hobby dream diet manager boss email major hometown nickname"
)
"""Nouns for a property: what they belong to is the subject."""

PRAISE = _set(
    "great awesome amazing nice cool good wonderful fantastic lovely beautiful incredible fun funny perfect "
    "excellent "
    "brilliant super sweet rewarding inspiring special important tough hard crazy interesting exciting impressive "
    "stunning gorgeous cute neat fabulous terrific bad terrible awful sad okay ok fine glad happy proud sorry "
    "sure ready "
    "excited thrilled grateful thankful blessed lucky right true wrong pleased stoked pumped curious worth "
    "worthwhile "
    "difficult easy possible impossible magical peaceful relaxing powerful helpful busy tired amazed impressed "
    "touched "
    "moved honored honoured delighted overwhelmed awesome afraid unreal insane surreal breathtaking delicious yummy "
    "tasty calming soothing therapeutic challenging memorable unforgettable heartwarming touching refreshing "
    "nostalgic "
    "epic sick dope rad legendary bummed bummer down blast treat joy pleasure relief shame pity cozy comforting able "
    "surprised stoked honored adorable scared stressed overwhelmed blown wild supportive strong kind thoughtful "
    "generous welcome chill hilarious laid-back down-to-earth crucial key essential vital necessary meaningful valuable"
)
VAGUE = _set(
    "thing things stuff something anything everything nothing lot lots bit way ways time times day days fun moment "
    "moments feeling feelings experience experiences one ones kind kinds sort sorts part parts people person "
    "folks guys "
    "someone everyone anyone place places life world idea ideas side case fact point reason reasons start end break "
    "support love hope chance help difference impact memory memories word words question thoughts while bunch "
    "ton tons "
    "couple much many more most least same other others good great best better new big little small nice cool "
    "awesome "
    "amazing beautiful really just long real own such first last next whole full hard happy special important back "
    "touch care mind look talk blast hand heart smile sense matter news wow today tomorrow yesterday now soon later "
    "always never ever still already together home inspiration inspirations joy peace passion dreams dream journey "
    "community connection happiness motivation courage energy vibe vibes power strength progress success growth "
    "others "
    "energy purpose motivation gratitude connections bonding growth communication dedication effort efforts surge "
    "struggles struggle mindset goal goals confidence kindness encouragement feedback mood spirit spirits "
    "comfort beauty "
    "balance focus clarity path bonds bond escape opportunity opportunities "
    "situation situations ambition ambitions milestone spots setbacks common making having doing getting giving "
    "being going taking keeping trying unknown somewhere adventure adventures ages forever challenge challenges "
    "stress positive work happen tough rough lately recently forward up out off on over down guess"
)
WEEKDAYS = {
    "mon": "Monday", "tue": "Tuesday", "tues": "Tuesday", "wed": "Wednesday", "thu": "Thursday", "thur": "Thursday",
    "thurs": "Thursday", "fri": "Friday", "sat": "Saturday", "sun": "Sunday",
}  # fmt: skip
CALENDAR = _set(
    "january february march april may june july august september october november december jan feb mar apr jun "
    "jul aug "
    "sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur "
    "thurs fri "
    "sat sun mondays tuesdays wednesdays thursdays fridays saturdays sundays"
)
