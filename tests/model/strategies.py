"""Records of every kind as clients send them, and values that no client should send."""

from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

from contentsync.model import Kind
from contentsync.model.slug import make_slug

TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=40)
TITLES = TEXTS.filter(make_slug)
SLUGS = TITLES.map(make_slug)
URLS = st.builds(
    "{}://{}{}".format,
    st.sampled_from(["http", "https", "HTTPS"]),
    st.sampled_from(["example.org", "Example.ORG:443", "münchen.example", "[::1]:8000"]),
    st.sampled_from(["", "/", "/a%7eb", "/x?q=1#part", "/é"]),
)
MOMENTS = st.builds(
    "{}{}".format,
    st.dates().map(lambda date: date.isoformat()).filter(lambda date: "0002" < date < "9999"),
    st.sampled_from(["", " 09:00", "T23:59:59", "T00:00:00.5Z", "T12:00:00+05:30"]),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
FLAGS = st.booleans()
ORDERS = st.integers(-(2**31), 2**31 - 1)
IDS = st.lists(st.integers(1, 2**31 - 1), max_size=3)
COLOURS = st.from_regex(r"#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})", fullmatch=True)
LINKS = st.dictionaries(st.sampled_from(["github", "mastodon"]), URLS)
EMAILS = st.sampled_from(["ada@example.org", "a.b+c@sub.example.org"])
CHOICES = st.lists(st.sampled_from(["S", "M", "L"]), min_size=1, unique=True)


def some(required: Mapping[str, st.SearchStrategy[Any]], **optional: Any) -> st.SearchStrategy[dict[str, Any]]:
    """Return dictionaries with all required keys and any of the optional ones."""
    return st.fixed_dictionaries(dict(required), optional=optional)


def or_null(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | values


SEO = some(
    {},
    title=or_null(TEXTS),
    description=or_null(TEXTS),
    keywords=or_null(TEXTS),
    og_image=or_null(URLS),
    card_title=or_null(TEXTS),
    twitter_description=or_null(TEXTS),
    twitter_image=URLS,
    canonical=st.just("") | or_null(URLS),
    id=st.integers(),
)

# What a create over the wire may give in a directory of the languages en and fr.
RECORDS_ON_THE_WIRE: Mapping[Kind, st.SearchStrategy[dict[str, Any]]] = {
    Kind.CATEGORY: some(
        {"title": TITLES},
        slug=SLUGS,
        description=or_null(TEXTS),
        custom_icon_url=or_null(URLS),
        parent_id=or_null(st.integers(1, 2**31 - 1)),
        show_on_sidebar=FLAGS,
        order=st.integers(0, 2**31 - 1),
        parent_title=JSON,
    ),
    Kind.TAG: some(
        {"title": TITLES}, slug=SLUGS, color=or_null(COLOURS), text_color=COLOURS, show_title=FLAGS, is_active=FLAGS
    ),
    Kind.CUSTOM_FIELD: some(
        {
            "label": TITLES.map("extra {}".format),
            "type": st.sampled_from(["text", "select", "list"]),
            "options": CHOICES,
        },
        fieldable_type=st.sampled_from(["listing", "organizer", "article"]),
        is_required=FLAGS,
        settings=or_null(st.dictionaries(TEXTS, FLAGS | ORDERS | TEXTS | IDS)),
        order=ORDERS,
    ),
    Kind.ORGANIZER: some(
        {"name": TITLES},
        slug=SLUGS,
        content=or_null(TEXTS),
        logo=or_null(st.just("logos/a.png")),
        website_url=or_null(URLS),
        social_links=or_null(LINKS),
        user_id=or_null(st.integers(1, 2**31 - 1)),
        order=ORDERS,
        translations=some({}, fr=or_null(some({}, name=or_null(TITLES), description=or_null(TEXTS)))),
        projects=JSON,
    ),
    Kind.LISTING: some(
        {"name": TITLES},
        slug=SLUGS,
        url=or_null(URLS),
        additional_image_urls=st.lists(URLS, max_size=3),
        email=or_null(EMAILS),
        latitude=or_null(st.floats(-90, 90) | st.integers(-90, 90)),
        social_links=or_null(LINKS),
        categories=IDS,
        organizers=IDS,
        starts_at=or_null(MOMENTS),
        schema=or_null(st.dictionaries(TEXTS, TEXTS) | st.just('{"@type": "Thing"}')),
        is_featured=FLAGS,
    ),
    Kind.PAGE: some(
        {"title": TITLES},
        slug=SLUGS,
        markdown=or_null(TEXTS),
        placement=st.sampled_from(["navbar", "footer", "sidebar", "unlisted"]),
        external_url=or_null(URLS),
        is_published=FLAGS,
        order=ORDERS,
        seo=or_null(some({}, title=or_null(TEXTS), description=or_null(TEXTS), id=JSON)),
    ),
    Kind.ARTICLE: some(
        {"title": TITLES, "markdown": TEXTS.filter(bool)},
        slug=SLUGS,
        content=or_null(TEXTS),
        published_at=or_null(MOMENTS),
        thumbnail_url=or_null(URLS | TEXTS),
        categories=st.lists(TITLES, max_size=3),
        seo=or_null(SEO),
        translations=some({}, fr=or_null(some({}, title=or_null(TITLES), seo=or_null(SEO)))),
        user=JSON,
    ),
}
