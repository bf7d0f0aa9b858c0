"""Random requests drawn by Hypothesis; the records that they refer to are known only when they are sent."""

from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from hypothesis import strategies as st

from contentsync.model import RECORDS, Kind

from .values import CATEGORY_NAMES, fields_of, ids

# What a create needs besides its title.
NEEDED: dict[Kind, dict[str, str]] = {Kind.CUSTOM_FIELD: {"type": "text"}, Kind.ARTICLE: {"markdown": "text"}}
ROLES = (*("owner",) * 10, "submitter", "submitter", "stranger")
_PAGES = ("1", "2", "3", str(2**31), str(2**63), "9" * 100)
_BAD_PAGES = ("0", "-1", "x", "1.0", "٣", "1" * 101, "")
_CATEGORIES = (*CATEGORY_NAMES, "a\0", "x" * 300)


@dataclass(frozen=True)
class Asked:
    """A request: `<kind:n>` in its path and body is replaced by the id of the nth record of a kind."""

    who: str
    method: str
    path: str  # below the directory
    body: Any = None
    match: str | None = None  # which ETag the request names in its condition: the last one seen there, or another
    query: dict[str, str] = field(default_factory=dict)


@st.composite
def bodies(draw: st.DrawFn, kind: Kind) -> Any:
    """Return a body, in most cases with the required fields of a create, and some more fields."""
    fields = fields_of(kind)
    model = RECORDS[kind]
    needed = [model.title_field, *NEEDED.get(kind, ())]
    names = draw(st.lists(st.sampled_from(sorted(fields)), max_size=3, unique=True))
    if draw(st.integers(0, 9)):
        names = list(dict.fromkeys([*needed, *names]))
    return {name: draw(fields[name]) for name in names}


def _entry(kind: Kind) -> st.SearchStrategy[str]:
    return ids(kind).map(lambda number: f"/{kind.collection}/{number}")


@st.composite
def asked(draw: st.DrawFn) -> Asked:
    """Return one request of any kind."""
    kind, who = draw(st.sampled_from(tuple(Kind))), draw(st.sampled_from(ROLES))
    base = f"/{kind.collection}"
    match = draw(st.sampled_from((None, None, None, "last", "other", "*")))
    action = draw(st.sampled_from(("create",) * 5 + ("update",) * 4 + ("list",) * 3 + ("show", "delete", "special")))
    if action == "create":
        return Asked(who, "POST", base, draw(bodies(kind)))
    if action == "update":
        return Asked(who, "PUT", draw(_entry(kind)), draw(bodies(kind)), match)
    if action == "delete":
        return Asked(who, "DELETE", draw(_entry(kind)), match=match)
    if action == "show":
        return Asked(who, "GET", draw(_entry(kind)), query=draw(_queries))
    if action == "list":
        path = base
        if kind is Kind.ARTICLE and draw(st.booleans()):
            path += f"/category/{quote(draw(st.sampled_from(_CATEGORIES)))}"
        return Asked(who, draw(st.sampled_from(("GET", "GET", "HEAD"))), path, match=match, query=draw(_queries))
    return draw(_SPECIAL[kind]) if kind in _SPECIAL else Asked(who, "GET", base, query=draw(_queries))


_queries = st.one_of(
    st.just({}),
    st.fixed_dictionaries(
        {},
        optional={
            "page": st.sampled_from(_PAGES + _BAD_PAGES),
            "locale": st.sampled_from(("fr", "en", "de", "FR", "", "\0")),
            "include": st.sampled_from(("translations", "visibility_now", "", "x")),
        },
    ),
)


@st.composite
def _bulk(draw: st.DrawFn) -> Asked:
    items: list[Any] = draw(
        st.lists(st.one_of(bodies(Kind.LISTING), st.sampled_from((None, 1, []))), min_size=1, max_size=8)
    )
    many = draw(st.sampled_from((0, 0, 0, 60)))  # so that there are more than a page
    listings = [*items, *({"name": f"n{number % 7}"} for number in range(many))]
    return Asked(draw(st.sampled_from(ROLES)), "POST", "/projects/bulk", {"listings": listings})


_SPECIAL: dict[Kind, st.SearchStrategy[Asked]] = {
    Kind.LISTING: st.one_of(
        _bulk(),
        _bulk(),
        fields_of(Kind.LISTING)["url"].map(lambda url: Asked("owner", "POST", "/projects/exists", {"url": url})),
    ),
    Kind.ARTICLE: st.one_of(
        _entry(Kind.ARTICLE).map(lambda path: Asked("owner", "PATCH", f"{path}/toggle")),
        fields_of(Kind.ARTICLE)["slug"].map(lambda slug: Asked("owner", "POST", "/articles/exists", {"slug": slug})),
    ),
    Kind.PAGE: _entry(Kind.PAGE).map(lambda path: Asked("owner", "PATCH", f"{path}/toggle")),
}
