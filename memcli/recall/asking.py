"""The words with which a language asks: one pattern a kind of question. Another language is another table.

Patterns are searched in the question with every time replaced by `THEN`, so
that "last week" is not taken for "last", and every name of a person by `NAME`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from memcli.lang.tongue import tongue

THEN, NAME = "then", "Someone"


@dataclass(frozen=True, slots=True)
class Asking:
    """Patterns, case does not matter; an empty one never holds. See `intent.KINDS` for the kinds.

    `lead_in` is politeness in front. `either` compares where two people are
    named. `last_of` is the last of something, where "last" may be a verb.
    `two_ends` says that a stretch is between two events, `chain` that somebody
    has to be found first ("the man who …"). `what` asks for things or people,
    `single` for one of them, or for an amount. `silent`: a question without a
    `question_word` wants yes or no. `postposed`: "before" stands behind the
    event.
    """

    compare: str
    first: str
    last: str
    before: str
    after: str
    how_long: str
    count: str
    why: str
    when: str
    general: str
    list: str
    what: str
    saying: str
    either: str = ""
    last_of: str = ""
    yes_no: str = ""
    two_ends: str = ""
    chain: str = ""
    single: str = ""
    lead_in: str = ""
    question_word: str = ""
    verb: str = ""
    silent: bool = False
    postposed: bool = False


_AUXILIARY = (
    "(?:is|are|was|were|am|do|does|did|have|has|had|can|could|will|would|shall|should|may|might|must"
    "|(?:is|are|was|were|do|does|did|have|has|had|ca|could|wo|would|should)n['’]?t)"
)
_THING = "(?:the|a|an|my|your|our|his|her|their|its|this|that|i|you|he|she|it|we|they|Someone|[a-z]+ing|then)"

ENGLISH = Asking(
    compare=(
        r"\bwhich (?:one )?of (?:the )?(?:two|three|these|them)\b"
        r"|\b(?:difference|similarit\w+) between\b|\bcompared?\b|\bin common\b|\bversus\b|\bvs\b|\bboth\b"
        r"|\b(?:which|who|what)\b.*,\s*(?:\w+\s+){1,5}or\s|\bwhich\b.*\b(?:came|is|was|happened) first\b.*\bor\b"
        r"|\b(?:more|less|fewer|better|worse|(?!oth|rath)\w+er)\b(?!\s+than\s+(?:\d|one|two|once|a\b))[^?]*\bthan\b"
        r"|\bas (?!soon|well|far|long|if)\w+ as\b|\bthe same\b.*\bas\b|\bdifferent from\b|\bbefore or after\b"
    ),
    either=r"\bSomeone(?:['’]s)? or Someone\b",
    first=(
        r"\b(?:first|earliest)\b(?! (?:name|aid|floor|class|place|language|lady|half))|\boriginally\b|\binitially\b"
        r"|\bto begin with\b"
    ),
    last=r"\blast\b(?! (?:name|names|of us)\b)|\blatest\b|\bmost recent(?:ly)?\b|\bnewest\b",
    last_of=r"\b(?:the|my|your|our|his|her|their|['’]s) (?:last|latest|most recent) \w",
    before=rf"\b(?:before|prior to|leading up to)\s+(?!or\b)\w|\b(?:until|till) {_THING}\b",
    after=(
        r"(?<!looked )(?<!look )(?<!looks )(?<!looking )(?<!named )(?<!takes )(?<!take )\bafter\s+(?!all\b)\w"
        rf"|\bonce {_THING}\b|\bsince (?!then\b|when\b){_THING}\b|\bfollowing (?:the|my|our|his|her|their)\b"
    ),
    how_long=(
        r"\bhow long\b|\bhow much time\b|\bfor how many (?:minutes|hours|days|weeks|months|years)\b"
        r"|\bhow many (?:minutes|hours|days|weeks|months|years)\b[^?]*"
        r"\b(?:pass|passed|between|from|ago|until|till|take|takes|took|before|after)\b"
    ),
    two_ends=r"\bbetween\b|\bfrom\b.*\bto\b|\b(?:before|after|until|till)\b",
    count=r"\bhow many\b|\bhow often\b|\b(?:the )?number of (?:times|people)\b|\bcount (?:the|all|how)\b",
    why=(
        r"\bwhy\b|\bhow come\b|\bwhat(?: is| was| were|['’]s)? (?:the|her|his|my|their|our) reasons?\b"
        r"|\b(?:for what|what) reasons?\b|\bwhat (?:made|makes|caused|led|prompted|motivated|inspired)\b"
    ),
    when=(
        r"^\W*(?:(?:and|but|so|exactly|since|until|till|by|from)\s+)*when\b"
        r"|\b(?:what|which) (?:exact )?(?:date|day|month|year|time|week|weekday|season)\b(?! of)"
    ),
    yes_no=rf"^\W*(?:(?:and|but|so)\s+)?{_AUXILIARY}\b",
    list=(
        r"^\W*(?:please )?(?:list|name|enumerate|show)(?: me)?\b(?! of)|^\W*(?:all|everything|everyone|every)\b"
        r"|\b(?:and|,) (?:also )?(?:what|who|where|when|which|how)\b|\bwho all\b|\bwhat all\b|\bwhat else\b"
        r"|\b(?:what|which) (?:kinds|sorts|types) of\b"
    ),
    general=(
        r"^\W*(?:please )?(?:tell me (?:about|more|everything)|describe|summari[sz]e|recap|sum up|catch me up)\b"
        r"|\b(?:a )?(?:summary|overview|recap) of\b|\bwhat (?:do|did) (?:i|we|you) know (?:about|of)\b"
        r"|\bwhat(?:['’]s| is| has)(?: been)? (?:new|up|going on|happening)\b"
        r"|\b(?:what|which) (?:kind|sort) of person\b"
        r"|^\W*who (?:is|was) (?:Someone|[\w’'.-]+)\W*$"
        r"|^\W*how(?:['’]s| is| are| was| were| have| has)\b(?! \w+ (?:different|related|made|called|spelled))"
    ),
    what=r"^\W*(?:(?:and|but|so)\s+)?(?:what|who|which)\b",
    single=(
        r"\b(?:pay|paid|cost|weigh|weighed|earn|charge|price|spend)\b"
        r"|\bwhat(?:['’]s| is| was) (?:the|my|your|our|his|her|their|Someone['’]s)\b"
    ),
    saying=(
        r"\b(?:say|says|said|saying|tell|tells|told|mention(?:ed|s)?|write|writes|wrote|written|talk(?:ed|ing)? about"
        r"|ask(?:ed)?|promis(?:e|ed)|suggest(?:ed)?|recommend(?:ed)?|complain(?:ed)?|announce[ds]?|report(?:ed)?"
        r"|explain(?:ed)?|admit(?:ted)?|note[ds]?(?: down)?|text(?:ed)? me)\b"
    ),
    lead_in=(
        r"^\W*(?:please\s+)?(?:(?:do|did) (?:you|i) (?:know|remember|mention|say|tell you)"
        r"|(?:can|could) you (?:tell me|remember)"
        r"|(?:tell|remind) me|i(?:['’]d like| want| would like) to know|i wonder|any idea)\s+"
        r"(?=(?:again )?(?:what|who|where|when|which|how|why|if|whether|whose)\b)(?:(?:again|if|whether)\s+)?"
    ),
    verb=rf"{_AUXILIARY}\b",
    chain=r"\bthe (?:person|man|woman|guy|girl|boy|one|friend|colleague|neighbou?r) (?:who|that|whom|whose|i|we)\b",
)

GERMAN = Asking(
    compare=r"\bunterschied\b|\bvergl\w+|\bbeide\b|\bgemeinsam\b|,[^?]*\boder\b|\b\w+er als\b|\bmehr als (?!\d|ein)",
    either=r"\bSomeone oder Someone\b",
    first=r"\berste[nrsm]?\b|\bzuerst\b|\bfrühest\w*|\bursprünglich\b|\banfangs\b",
    last=r"\bzuletzt\b|\bletzte[nrsm]?\b|\bletztens\b|\bneueste[nrsm]?\b|\bjüngste[nrsm]? ",
    before=r"\b(?:be)?vor (?:de[mnr]|die|das|ich|er|sie|wir|mein\w*|unser\w*|Someone|then)\b",
    after=(
        r"\bnach(?:dem)? (?:de[mnr]|die|das|ich|er|sie|wir|mein\w*|unser\w*|Someone|then)\b"
        r"|\bseit (?:de[mnr]|mein\w*)\b"
    ),
    how_long=(
        r"\bwie lang\w*"
        r"|\bwie viele (?:minuten|stunden|tage|wochen|monate|jahre)\b.*\b(?:zwischen|vergingen|bis)\b"
    ),
    two_ends=r"\bzwischen\b|\bvon\b.*\bbis\b|\b(?:vor|nach|bis) de[mr]\b",
    count=r"\bwie viele?\b|\bwieviele?\b|\bwie oft\b|\bwie häufig\b",
    why=r"\bwarum\b|\bwieso\b|\bweshalb\b|\bweswegen\b|\baus welchem grund\b",
    when=r"^\W*(?:seit |bis |ab )?wann\b|\b(?:welche[mns]|wieviel) (?:tag|datum|jahr|monat|uhr)\b|\bwie spät\b",
    yes_no="",
    list=(
        r"^\W*(?:nenne|liste|alle[sr]?)\b|\bund (?:was|wer|wo|wann|welche)\b"
        r"|\bwelche (?:\w+ ){0,2}\w+(?:en|er|e|s)\b|\bwas alles\b"
    ),
    general=(
        r"^\W*(?:erzähl\w*|beschreib\w*|fasse?)\b|\bwas wei(?:ß|ss) ich über\b"
        r"|^\W*wie (?:geht|war|läuft|ist es)\b|\bwas gibt es neues\b|^\W*wer ist Someone\W*$"
    ),
    what=r"^\W*(?:was|wer|wen|wem)\b",
    single=r"\b(?:kost\w*|gekostet|bezahlt|wiegt|wog|gewogen|verdient)\b",
    saying=r"\b(?:sag\w*|gesagt|erzähl\w*|schr[ei]\w*|geschrieben|erwähn\w*|meinte|gemeint|versprochen)\b",
    question_word=(
        r"\b(?:w(?:er|en|em|as|ann|o|oher|ohin|arum|ie|ieso|eshalb|omit|ofür|orüber|ovon|essen)|welche[nrsm]?|wieviele?)\b"
    ),
    silent=True,
)

SPANISH = Asking(
    compare=(
        r"\bdiferencia\b|\bcompar\w+|\bambos\b|\ben común\b"
        r"|\b(?:más|menos|mejor|peor)\b.*(?:\bque\b|,.*\bo\b)|\bmayor\b.*\bo\b"
    ),
    either=r"\bSomeone o Someone\b",
    first=r"\bprimer(?:a|o|as|os)?\b|\bal principio\b",
    last=r"\búltim[oa]s?\b|\bmás reciente\b",
    before=r"\bantes de(?:l)?\b|\bantes (?:que|then)\b",
    after=r"\bdespués de(?:l)?\b|\bdespués (?:que|then)\b|\btras\b|\bdesde (?:que|el|la)\b",
    how_long=r"\bcuánto tiempo\b|\bcuántos (?:minutos|días|meses|años)\b.*\b(?:entre|desde|tard\w+|pasaron)\b",
    two_ends=r"\bentre\b|\bdesde\b.*\bhasta\b",
    count=r"\bcuánt[oa]s\b|\bcon qué frecuencia\b",
    why=r"\bpor qué\b|\ba qué se deb\w+|\bqué motivo\b|\bcuál (?:es|fue) la razón\b",
    when=r"^\W*(?:desde |hasta )?cuándo\b|\b(?:en )?qué (?:día|fecha|año|mes|hora)\b|\ba qué hora\b",
    yes_no="",
    list=(
        r"\bqué (?:\w+ )?\w+[aeo]s\b|\bcuáles\b|^\W*(?:enumera|lista|nombra|todos|todas|todo)\b"
        r"|\by (?:qué|quién|dónde|cuándo|cuál)\b|\bquiénes\b"
    ),
    general=(
        r"^\W*(?:cuéntame|describe|resume|háblame)\b|\bqué sé (?:de|sobre)\b"
        r"|^\W*cómo (?:está|estás|fue|va|le va)\b|\bqué hay de nuevo\b|^\W*quién es Someone\W*$"
    ),
    what=r"^\W*(?:qué|quién(?:es)?|a quién)\b",
    single=r"\b(?:cuesta|costó|pagó|pagué|pesa|pesó)\b",
    saying=r"\b(?:dij\w+|dice\w*|decir|dicho|cont(?:ó|é|aron)|escrib\w+|mencion\w+|prometi\w+)\b",
    question_word=r"\b(?:qué|quién(?:es)?|cuándo|dónde|adónde|cómo|cuál(?:es)?|cuánt[oa]s?)\b",
    silent=True,
)

JAPANESE = Asking(
    compare="どちら|どっち|違い|より.*(?:いですか|多い|高い|大きい)|共通",
    first="最初|初めて|はじめて|一番早",
    last="最後に|最後の|最近一番|前回|最新|直近",
    before="(?:の|る|う|く|む|ぶ|つ|ぬ|す)前[にはの、]|までに",
    after="の後|た後|てから|でから|以降",
    how_long="どのくらい(?!の頻度)|どれくらい|どれぐらい|どのぐらい|何(?:分|時間|日|週|か月|ヶ月|年)間|いつまで.*かか",
    two_ends="から.*まで|の間",
    count="何(?:回|人|個|本|枚|冊|匹|台|度|つ|軒|件|通|日|時間)|いくつ|頻度",
    why="なぜ|どうして|何故|なんで|理由",
    when="いつ|何(?:年|月|日|曜日|時)|何曜",
    yes_no="",
    list="全部|すべて|一覧|リスト|予定は|何と何|誰と誰|何々|どんな(?:もの|こと)",
    general="について(?:教え|話し|まとめ)|まとめて|どうです|どうしてい|どんな人|最近どう|元気",
    what="何|誰|だれ|なに",
    saying="言っ|言う|話し|書い|伝え|述べ|教えてくれ",
    question_word="何|誰|だれ|なに|いつ|どこ|どちら|どっち|どの|どれ|どう|どんな|なぜ|いくつ|いくら|なん",
    silent=True,
    postposed=True,
)

CHINESE = Asking(
    compare="谁更|誰更|哪个更|哪個更|更.*还是|还是|還是|区别|區別|差别|相比|都.*吗.*和|比.*(?:高|大|多|好|贵)",
    first="第一次|第一个|第一個|最早|最初|首次|一开始",
    last="最后一|最後一|上一?次|最近一次|最新",
    before="之前|以前|前(?=.*(?:什么|什麼|谁|誰|哪))",
    after="之后|之後|以后|以後|然后|后来",
    how_long="多久|多长时间|多長時間|几(?:年|个月|天|小时|分钟)(?:了|时间)",
    two_ends="从.*到|之间",
    count="几次|幾次|多少(?:次|人|个|個|本|张|天)|几(?:个|個|本|人|位|只|台|张|天)|多常",
    why="为什么|為什麼|为何|為何|怎么会|原因",
    when="什么时候|什麼時候|何时|何時|哪(?:一)?(?:天|年|日)|哪个月|几(?:号|月|点)|星期几",
    yes_no="[吗嗎](?=[？?。]?$)|是不是|有没有|有沒有|会不会|能不能",
    list="哪些|所有|列出|全部|都有(?:谁|什么)|安排",
    general="怎么样|怎麼樣|介绍|介紹|总结|總結|是(?:谁|誰|个什么样的人)[？?]?$|过得|近况",
    what="什么|什麼|谁|誰",
    saying="说|說|告诉|告訴|写|寫|提到|讲|講",
    question_word="什么|什麼|谁|誰|哪|几|幾|多少|怎|为何|何时|多久",
    postposed=True,
)

KOREAN = Asking(
    compare="중에|차이|누가 더|어느 (?:쪽|것)이 더|보다 더|공통",
    first="처음|첫 ?번째|제일 먼저|최초|가장 먼저",
    last="마지막|가장 최근|최근에 언제|지난번",
    before="(?:기|하기|가기|오기) ?전에|이전에|[가-힣] 전에",
    after="[은ㄴ] ?(?:후|뒤|다음)에?|[가-힣] (?:후|뒤)에|이후에?|고 나서",
    how_long="얼마나 오래|얼마 동안|얼마동안|몇 (?:년|달|개월|주|일|시간|분) ?(?:동안|째|이나 걸)|얼마나 걸",
    two_ends="부터.*까지|사이",
    count="몇 ?(?:번|명|개|권|마리|장|대|사람|곳|가지|통)|얼마나 자주",
    why="왜|어째서|무슨 이유|이유가|때문에 그랬",
    when="언제|몇 ?(?:년|월|일|시)(?:에|이|인|야|예)|무슨 요일|며칠",
    yes_no="",
    list="무엇무엇|뭐뭐|누구누구|어디어디|어떤 [가-힣]+들|모두 (?:말|알려|나열)|목록|전부|일정은",
    general="에 대해 (?:알려|말해|설명)|요약|어떻게 지내|어떤 사람|잘 지내",
    what="무엇|뭐|뭘|누구|누가|무슨",
    saying="말했|말한|말해|라고|이야기|얘기|썼|적었|전했",
    question_word="무엇|뭐|뭘|누구|누가|언제|어디|어느|어떤|어떻게|왜|몇|얼마|무슨|며칠",
    silent=True,
    postposed=True,
)

ARABIC = Asking(
    compare=r"(?<!\w)أم(?!\w)|الفرق|كلاهما|مشترك|(?<!\w)أكثر .*(?:من|أم)",
    first=r"(?<!\w)(?:ل)?أول(?: مرة)?(?!\w)|في البداية",
    last=r"آخر|أحدث",
    before=r"(?<!\w)قبل(?!\w)",
    after=r"(?<!\w)بعد(?!\w)",
    how_long=r"كم من الوقت|كم (?:مدة|المدة)|كم استغرق|كم (?:سنة|يوما|شهرا|ساعة) (?:استغرق|مر)",
    two_ends=r"(?<!\w)بين(?!\w)|من .* إلى",
    count=r"كم (?:مرة|عدد|شخص|من)|(?<!\w)كم(?!\w)|كم مرات",
    why=r"لماذا|(?<!\w)لم (?=\w+\?)|ما (?:سبب|السبب)",
    when=r"(?<!\w)متى(?!\w)|في أي (?:يوم|سنة|عام|شهر|ساعة)",
    yes_no=r"^\W*(?:هل|أ(?=\w+\s))(?!\w)",
    list=r"(?<!\w)اذكر|عدد لي|ما هي|ما ال\w+ التي|جميع|كل ما",
    general=r"(?<!\w)أخبرني عن|لخص|صف|كيف حال|ماذا أعرف عن|من هو Someone|من هي Someone",
    what=r"^\W*(?:ماذا|ما|من)(?!\w)",
    saying=r"(?<!\w)(?:قال|قالت|قلت|يقول|ذكر|ذكرت|كتب|كتبت|أخبر)",
    question_word=r"(?<!\w)(?:ماذا|ما|من|متى|أين|كيف|كم|لماذا|أي|هل)(?!\w)",
    silent=True,
)

# "was" and "hat" are English words too, so the tongue of a short question may stay in doubt.
_GERMAN_START = re.compile(
    r"\W*(?:wer|wo|wann|wie|warum|wieso|welche\w*|was (?:hat|habe|haben|ist|sind|war|wird|soll|kann|macht|will))\b",
    re.IGNORECASE,
)
_BY_TONGUE = {"": ENGLISH, "de": GERMAN, "es": SPANISH}
_BY_SCRIPT = (
    (re.compile("[ぁ-ゖァ-ヺ]"), JAPANESE),
    (re.compile("[가-힣]"), KOREAN),
    (re.compile("[㐀-鿿]"), CHINESE),
    (re.compile("[\u0620-\u064a]"), ARABIC),
)


def asking_of(text: str) -> Asking:
    """The table of the language that a question is in; English where it is none of the others."""
    if not text.isascii():
        for script, table in _BY_SCRIPT:
            if script.search(text):
                return table
    return GERMAN if _GERMAN_START.match(text) else _BY_TONGUE[tongue(text)]
