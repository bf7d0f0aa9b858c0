"""Values for fields: sound ones that meet each other, and those on which databases are known to differ."""

from hypothesis import strategies as st

from contentsync.model import RECORDS, Kind

Values = st.SearchStrategy[object]

# In letters that compare in another way where a database folds case, accents or widths.
_NAMES = (
    *(
        "a",
        "A",
        "aa",
        "b",
        "Z",
        "é",
        "É",
        "e\u0301",
        "Café",
        "cafe",
        "CAFE",
        "ß",
        "SS",
        "İ",
        "ı",
        "ﬁ",
        "ａ",
        "Ångström",
    ),
    *(
        "日本語",
        "Привет",
        "🎉",
        "\U0010ffff",
        "-",
        "_",
        "a-2",
        "a-10",
        "a:b",
        "a%",
        "a_b",
        "' OR 1=1 --",
        " a ",
        "a\u200b",
    ),
)
_BROKEN_NAMES: tuple[object, ...] = ("", " ", "\0", "a\0b", "\ud83d", "x" * 256, "\u202e", 1, True, None, [], {})
_LONG_NAMES = ("x" * 255, "y" * 200 + "é" * 55, "🎉" * 255)
_SLUGS = ("a", "b", "a-2", "a-3", "cafe", "x" * 255, "日本語", "é", "A", "a b", "", "a\0", "-", "2", None, 7)
_ORDERS = (
    0,
    0,
    0,
    1,
    1,
    -1,
    10,
    2**31 - 1,
    -(2**31),
    2**31,
    2**53,
    2**63,
    -(2**63) - 1,
    2**64,
    1.0,
    1.5,
    "1",
    True,
    None,
)
_INSTANTS = (
    *(
        None,
        None,
        "2001-01-01",
        "2001-01-01",
        "2001-01-01T00:00:00Z",
        "2001-01-01T02:00:00+02:00",
        "2002-02-02T12:00:00",
    ),
    *("0001-01-01", "9999-12-31T23:59:59.999999Z", "1969-12-31T23:59:59.5Z", "2001-02-30", "soon", "", 0, 978307200),
)
_URLS = (
    *(
        None,
        "https://example.org/",
        "https://EXAMPLE.org",
        "http://example.org",
        "https://example.org/?a",
        "https://example.org/a",
    ),
    *("https://example.org/%61", "https://example.org/é", "https://example.org/%C3%A9", "https://münchen.example/"),
    *(
        f"https://example.org/{'语' * 900}",
        f"https://example.org/{'x' * 2028}",
        "https://example.org/\0",
        "ftp://x",
        "",
        1,
    ),
)
CATEGORY_NAMES = ("News", "news", "NEWS", "Néws", "日本", "a/b", "News ", "x" * 255)
_TYPES = ("text", "number", "checkbox", "date", "url", "select", "unknown", None)
_FIELDS = ("founded", "Founded", "é", "a", "title", "x" * 255, "a b", None)

FIELD_NAME = "founded"  # of custom fields that records give values for

_texts = st.one_of(*[st.sampled_from(_NAMES)] * 6, st.sampled_from(_LONG_NAMES), st.sampled_from(_BROKEN_NAMES))
_free = st.one_of(*[_texts] * 3, st.text(max_size=20), st.none(), st.integers())
_flags = st.sampled_from((*(True, False) * 5, None, 0, "true"))
_seo = st.one_of(st.none(), st.dictionaries(st.sampled_from(("title", "description", "nothing")), _texts, max_size=2))


def _translations(*fields: str) -> Values:
    texts = st.one_of(st.none(), st.dictionaries(st.sampled_from(fields), _texts, max_size=2))
    return st.dictionaries(st.sampled_from(("fr", "fr", "fr", "en", "de")), texts, max_size=2)


def ids(kind: Kind) -> Values:
    """Return an id: of an existing record, by its position, or one that no record has."""
    there = st.integers(0, 6).map(lambda at: f"<{kind.value}:{at}>")
    return st.one_of(
        there, there, there, st.sampled_from((0, -1, 2**31 - 1, 2**31, 2**63, 2**64, 10**30, None, "1", 1.0))
    )


_refs = {
    field: st.lists(ids(kind), max_size=4)
    for field, kind in {
        "categories": Kind.CATEGORY,
        "tags": Kind.TAG,
        "organizers": Kind.ORGANIZER,
    }.items()
}

# What the fields of one kind are drawn from; all others are drawn by their names.
_OF_KIND: dict[Kind, dict[str, Values]] = {
    Kind.LISTING: {
        **_refs,
        "category_id": ids(Kind.CATEGORY),
        FIELD_NAME: st.sampled_from((1, 2.5, "3", None, 2**63, "é")),
    },
    Kind.ARTICLE: {
        "categories": st.lists(st.sampled_from(CATEGORY_NAMES), max_size=3),
        "translations": _translations("title", "content", "markdown", "seo"),
    },
    Kind.ORGANIZER: {
        "translations": _translations("name", "description"),
        "user_id": st.sampled_from((None, "<user:0>", "<user:1>", "<user:2>", 0, 2**31, 2**63)),
    },
    Kind.CATEGORY: {"parent_id": ids(Kind.CATEGORY)},
    Kind.CUSTOM_FIELD: {"name": st.sampled_from((FIELD_NAME, *_FIELDS)), "type": st.sampled_from(_TYPES)},
}
_BY_NAME: dict[str, Values] = {
    "slug": st.sampled_from(_SLUGS),
    "order": st.sampled_from(_ORDERS),
    "published_at": st.sampled_from(_INSTANTS),
    "starts_at": st.sampled_from(_INSTANTS),
    "ends_at": st.sampled_from(_INSTANTS),
    "url": st.sampled_from(_URLS),
    "markdown": st.sampled_from(("*text*", "", "é\n", None)),
    "seo": _seo,
    "latitude": st.sampled_from((0, 1.5, -0.0, 90.0000001, 1e-320, None, "1")),
    "fieldable_type": st.sampled_from(("listing", "article", "organizer", "page")),
}


def fields_of(kind: Kind) -> dict[str, Values]:
    """Return a strategy for each field of a kind."""
    model = RECORDS[kind]
    drawn = {name: _BY_NAME.get(name, _flags if name.startswith(("is_", "show_")) else _free) for name in model.rules()}
    return drawn | {model.title_field: _texts} | _OF_KIND.get(kind, {})
