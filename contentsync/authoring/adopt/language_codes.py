"""Recognise codes of languages (BCP 47) in names of folders and files, such as `fr`, `fil`, `pt-br` and `zh-Hans`.

Of the codes with three letters, only those of languages that software is often translated into count: the others are
8,000, among which are `api`, `doc` and `new`.
"""

from ...lazy_pattern import lazy_pattern

_CODE = lazy_pattern(r"(?P<language>[a-z]{2,3})(?:-(?P<script>[A-Za-z]{4}))?(?:-(?P<region>[A-Za-z]{2}|[0-9]{3}))?\Z")
_COMMON = frozenset(
    """
    ar bg bn ca cs da de el en eo es et eu fa fi fr ga gl he hi hr hu id is it ja ka ko lt lv ms nb nl no pl pt
    ro ru sk sl sq sr sv sw ta th tr uk ur vi zh
    """.split()  # noqa: SIM905
)
_TWO_LETTERS = frozenset(
    """
    aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee
    el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is
    it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms
    mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk
    sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi
    yo za zh zu
    """.split()  # noqa: SIM905
)
_THREE_LETTERS = frozenset(
    """
    arn ast bem bez bho brx ceb cgg chr ckb csb dsb dua ebu ewo fil frp fur gsw guz haw hmn hne hsb ilo jgo jmc
    kab kam kde kea khq kln kok ksb ksf ksh lij lkt lmo lrc luo luy mai mfe mgh mgo mni mua mus mwl mzn nap naq
    nds nmg nnh nso nus nyn pap pcm pms prg quc rof rwk sah saq sat sbp scn sco seh ses shi smn sms szl teo tet
    tpi tzm vec vun wae xog yav yue zgh
    """.split()  # noqa: SIM905
)
_SCRIPTS = frozenset(
    """
    latn cyrl arab hans hant jpan kore hebr deva beng guru gujr taml telu knda mlym thai geor armn grek ethi
    tfng mong vaii cans cher
    """.split()  # noqa: SIM905
)
_REGIONS = frozenset(
    """
    ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bl bm bn bo bq br bs bt bv bw by
    bz ca cc cd cf cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg eh er es et fi fj fk
    fm fo fr ga gb gd ge gf gg gh gi gl gm gn gp gq gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir
    is it je jm jo jp ke kg kh ki km kn kp kr kw ky kz la lb lc li lk lr ls lt lu lv ly ma mc md me mf mg mh mk
    ml mm mn mo mp mq mr ms mt mu mv mw mx my mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm
    pn pr ps pt pw py qa re ro rs ru rw sa sb sc sd se sg sh si sj sk sl sm sn so sr ss st sv sx sy sz tc td tf
    tg th tj tk tl tm tn to tr tt tv tw tz ua ug um us uy uz va vc ve vg vi vn vu wf ws ye yt za zm zw
    """.split()  # noqa: SIM905
)


def is_language(name: str) -> bool:
    """Return whether a name is the code of a language, perhaps with a script and a region, each in any case."""
    match = _CODE.match(name)
    if match is None:
        return False
    script, region = (match[part] or "" for part in ("script", "region"))
    return (
        match["language"] in _TWO_LETTERS | _THREE_LETTERS
        and (not script or script.lower() in _SCRIPTS)
        and (not region or region.isdigit() or region.lower() in _REGIONS)
    )


def language_of(name: str) -> str:
    """Return the language whose code a name is, in any case, in the usual spelling (`pt-BR`, `zh-Hans`); else ""."""
    language, *others = name.split("-")
    spelled = "-".join((language.lower(), *(part.upper() if len(part) < 4 else part.title() for part in others)))
    return spelled if is_language(spelled) else ""


def is_common(name: str) -> bool:
    """Return whether the code of a language is one that hardly means anything else; `os` and `io` may."""
    return len(name) > 3 or name in _COMMON
