"""The tables of fields, cell by cell: type, null and default.

docs/contract.md 2.1, 2.2, 2.3, 2.4, 10, 14, 15, 16.
The lengths of texts are in test_limits.py.
"""

from typing import Any, NamedTuple

import pytest

from contentsync.model import RECORDS, Context, Invalid, Kind, Part, Violation, validate
from contentsync.model.kinds import ArticleSeo, PageSeo

from .judge import BILINGUAL, FILE, least

ARTICLE, CATEGORY, FIELD, LISTING = Kind.ARTICLE, Kind.CATEGORY, Kind.CUSTOM_FIELD, Kind.LISTING
ORGANIZER, PAGE, TAG = Kind.ORGANIZER, Kind.PAGE, Kind.TAG

NOT_TEXT: list[Any] = [7, True, [], {}]
NOT_A_URL = [*NOT_TEXT, "", "example.org", "/a", "ftp://example.org", "javascript:alert(1)"]

# What a type takes, and what it does not.
TYPES: dict[str, tuple[list[Any], list[Any]]] = {
    "text": (["", "x", "7"], NOT_TEXT),
    "title": (["x"], [*NOT_TEXT, "", " "]),
    "slug": (["a-1"], [*NOT_TEXT, "A", "a b", "a_b", "é"]),
    "name": (["a_1"], [*NOT_TEXT, "A", "a b", "a-b"]),
    "url": (["https://example.org/a", "http://example.org"], NOT_A_URL),
    "address": (["https://example.org/a", "/a.png", "../a.png", "a b"], NOT_TEXT),
    "path": (["logos/a.png"], [*NOT_TEXT, "../a.png", "/a.png"]),
    "email": (["ada@example.org"], [*NOT_TEXT, "", "ada"]),
    "colour": (["#0a7", "#00aa77"], [*NOT_TEXT, "", "red"]),
    "boolean": ([True, False], ["true", 1, 0, [], {}]),
    "integer": ([0, -3, 7], ["7", 1.5, True, [], {}]),
    "position": ([0, 7], [-1, "7", 1.5, True, [], {}]),
    "id": ([1, 7], ["7", 1.5, True, 0, -3, 2**31, [], {}]),
    "latitude": ([0, -90, 90, 46.9], ["7", -90.1, 90.1, True, []]),
    "longitude": ([0, -180, 180, 7.4], ["7", -180.1, 180.1, True, []]),
    "date-time": (["2026-03-01T09:00:00Z", "2026-03-01 09:00:00"], [*NOT_TEXT, "", "soon", "2026-02-30"]),
    "texts": ([[], ["x"]], ["x", {}, 7, [7], [None], [""]]),
    "urls": ([[], ["https://example.org"]], ["https://example.org", {}, [7], ["x"]]),
    "ids": ([[], [7]], [7, "7", {}, ["7"], [1.5], [True]]),
    "links": ([{}, {"github": "https://github.com/x"}, {"github": ""}], [[], "x", 7, {"github": "x"}, {"github": 7}]),
    "object": ([{}, {"a": [1, None]}], [[], "x", 7]),
    "json-ld": ([{"@type": "Thing"}, '{"@type": "Thing"}'], [[], "x", 7]),
    "json": ([{}, [], "x", 7, True], []),
    "seo": ([{}, {"title": "x"}], [[], "x", 7, {"titel": "x"}]),
    "languages": ([{}, {"fr": {}}, {"fr": None}], [[], "x", 7, {"fr": "x"}, {"en": {}}]),
    "placement": (["navbar", "footer", "sidebar", "unlisted"], ["", "Navbar", "header", 7, []]),
    "field type": (["text", "number"], ["", "Text", "integer", 7, []]),
    "field place": (["after_tags", "after_categories", "before_content", "after_content"], ["", "before_tags", 7]),
    "card place": (
        ["after_categories", "before_categories", "after_buttons", "before_buttons", "after_title"],
        ["", "after_tags", 7],
    ),
    "carrier": (["listing", "organizer", "article"], ["", "page", "category", 7]),
}


# Types that keep an empty text: plain texts, and JSON, in which it is a value.
KEEPING = {"text", "title", "json"}

# What lets a field be cleared or switched on.
BESIDES: dict[Kind, dict[str, Any]] = {PAGE: {"external_url": "https://example.org"}, ARTICLE: {"content": "Text"}}


class Row(NamedTuple):
    """A field: its type, whether it can be null, and the default of a create; a required field has no default."""

    kind: Kind
    name: str
    type: str
    null: bool = True
    default: Any = None
    required: bool = False

    @property
    def clears(self) -> bool:
        """Whether an empty text means null."""
        return self.null and self.type not in KEEPING

    @property
    def right(self) -> list[Any]:
        """Return values that are valid for the type."""
        return TYPES[self.type][0] + ([""] if self.clears else [])

    @property
    def wrong(self) -> list[Any]:
        """Return values that are invalid for the type."""
        return [value for value in TYPES[self.type][1] if not (self.clears and value == "")]

    def faults(self, value: Any) -> tuple[Violation, ...]:
        """Return the faults of an entry with the value."""
        try:
            self.checked(value)
        except Invalid as invalid:
            return invalid.violations
        return ()

    def checked(self, value: Any, context: Context = BILINGUAL) -> Any:
        """Return the value in its stored form."""
        part, _, name = self.name.rpartition(".")
        entry_values = {**BESIDES.get(self.kind, {}), part or name: {name: value} if part else value}
        values = validate(self.kind, least(self.kind, **entry_values), context)
        return values[part][name] if part else values[name]


def fixed(kind: Kind, name: str, type_: str, default: Any) -> Row:
    """Return a field that always has a value."""
    return Row(kind, name, type_, null=False, default=default)


def needed(kind: Kind, name: str, type_: str) -> Row:
    """Return a field that a create requires."""
    return Row(kind, name, type_, null=False, required=True)


ROWS = [
    # docs/contract.md 2.1
    needed(PAGE, "title", "title"),
    fixed(PAGE, "slug", "slug", ""),
    Row(PAGE, "markdown", "text"),
    fixed(PAGE, "placement", "placement", "unlisted"),
    fixed(PAGE, "is_published", "boolean", True),
    fixed(PAGE, "is_external", "boolean", False),
    Row(PAGE, "external_url", "url"),
    fixed(PAGE, "new_tab", "boolean", False),
    fixed(PAGE, "order", "integer", 0),
    Row(PAGE, "seo", "seo"),
    *(Row(PAGE, f"seo.{name}", "text") for name in ("title", "description")),
    # docs/contract.md 2.2
    needed(ARTICLE, "title", "title"),
    fixed(ARTICLE, "slug", "slug", ""),
    Row(ARTICLE, "content", "text"),
    Row(ARTICLE, "markdown", "text"),
    fixed(ARTICLE, "active", "boolean", True),
    Row(ARTICLE, "published_at", "date-time"),
    Row(ARTICLE, "thumbnail_url", "address"),
    Row(ARTICLE, "thumbnail_alt_text", "text"),
    fixed(ARTICLE, "categories", "texts", []),
    Row(ARTICLE, "seo", "seo"),
    *(Row(ARTICLE, f"seo.{name}", "text") for name in ("title", "description", "keywords", "og_title")),
    *(Row(ARTICLE, f"seo.{name}", "text") for name in ("og_description", "card_title", "card_description")),
    *(Row(ARTICLE, f"seo.{name}", "url") for name in ("og_image", "card_image", "canonical")),
    fixed(ARTICLE, "translations", "languages", {}),
    # docs/contract.md 2.3, 14
    needed(LISTING, "name", "title"),
    fixed(LISTING, "slug", "slug", ""),
    *(Row(LISTING, name, "text") for name in ("description", "content", "image_alt_text", "logo_alt_text")),
    *(Row(LISTING, name, "url") for name in ("url", "image_url", "logo_url", "video_url", "video_thumbnail_url")),
    fixed(LISTING, "additional_image_urls", "urls", []),
    Row(LISTING, "phone_number", "text"),
    Row(LISTING, "email", "email"),
    Row(LISTING, "address", "text"),
    Row(LISTING, "latitude", "latitude"),
    Row(LISTING, "longitude", "longitude"),
    Row(LISTING, "social_links", "links"),
    Row(LISTING, "category_id", "id"),
    *(fixed(LISTING, name, "ids", []) for name in ("categories", "tags", "organizers")),
    Row(LISTING, "starts_at", "date-time"),
    Row(LISTING, "ends_at", "date-time"),
    fixed(LISTING, "is_active", "boolean", True),
    fixed(LISTING, "is_featured", "boolean", False),
    fixed(LISTING, "is_no_follow", "boolean", False),
    *(Row(LISTING, name, "text") for name in ("seo_title", "seo_description", "head_html")),
    Row(LISTING, "schema", "json-ld"),
    # docs/contract.md 2.4
    needed(ORGANIZER, "name", "title"),
    fixed(ORGANIZER, "slug", "slug", ""),
    *(Row(ORGANIZER, name, "text") for name in ("description", "content", "phone", "address")),
    *(Row(ORGANIZER, name, "path") for name in ("logo", "cover_image")),
    *(Row(ORGANIZER, name, "url") for name in ("logo_url", "cover_image_url", "website_url")),
    Row(ORGANIZER, "email", "email"),
    Row(ORGANIZER, "social_links", "links"),
    Row(ORGANIZER, "user_id", "id"),
    fixed(ORGANIZER, "is_active", "boolean", True),
    fixed(ORGANIZER, "order", "integer", 0),
    fixed(ORGANIZER, "translations", "languages", {}),
    # docs/contract.md 15
    needed(CATEGORY, "title", "title"),
    fixed(CATEGORY, "slug", "slug", ""),
    *(Row(CATEGORY, name, "text") for name in ("description", "content", "icon", "head_html")),
    Row(CATEGORY, "custom_icon_url", "url"),
    Row(CATEGORY, "parent_id", "id"),
    fixed(CATEGORY, "is_active", "boolean", True),
    fixed(CATEGORY, "show_on_sidebar", "boolean", True),
    fixed(CATEGORY, "order", "position", 0),
    *(Row(CATEGORY, name, "text") for name in ("seo_title", "seo_description")),
    needed(TAG, "title", "title"),
    fixed(TAG, "slug", "slug", ""),
    *(Row(TAG, name, "colour") for name in ("color", "text_color")),
    *(Row(TAG, name, "text") for name in ("icon", "heroicon")),
    *(fixed(TAG, name, "boolean", True) for name in ("show_title", "show_icon", "is_active")),
    needed(FIELD, "label", "title"),
    needed(FIELD, "type", "field type"),
    fixed(FIELD, "name", "name", ""),
    fixed(FIELD, "fieldable_type", "carrier", "listing"),
    *(Row(FIELD, name, "text") for name in ("placeholder", "description", "value_prefix", "value_suffix")),
    *(Row(FIELD, name, "text") for name in ("icon", "heroicon")),
    Row(FIELD, "default_value", "json"),
    fixed(FIELD, "options", "texts", []),
    Row(FIELD, "placement", "field place"),
    Row(FIELD, "placement_on_card", "card place"),
    fixed(FIELD, "is_visible", "boolean", True),
    *(fixed(FIELD, name, "boolean", False) for name in ("is_required", "show_on_card", "show_on_public_submission")),
    *(fixed(FIELD, name, "boolean", False) for name in ("show_label", "show_label_on_card", "show_icon")),
    *(fixed(FIELD, name, "boolean", False) for name in ("show_icon_on_card", "filterable")),
    fixed(FIELD, "order", "integer", 0),
    Row(FIELD, "settings", "object"),
    Row(FIELD, "validation_rules", "json"),
]

EACH = pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.kind}-{row.name}")


@pytest.mark.parametrize("kind", Kind)
def test_a_kind_has_exactly_the_fields_of_its_table(kind: Kind) -> None:
    assert {row.name for row in ROWS if row.kind is kind and "." not in row.name} == set(RECORDS[kind].rules())


@pytest.mark.parametrize(("kind", "model"), [(PAGE, PageSeo), (ARTICLE, ArticleSeo)])
def test_an_seo_object_has_exactly_the_fields_of_its_table(kind: Kind, model: type[PageSeo]) -> None:
    named = {row.name.removeprefix("seo.") for row in ROWS if row.kind is kind and row.name.startswith("seo.")}
    assert named == set(model.rules())


@EACH
def test_a_field_accepts_exactly_the_values_of_its_type(row: Row) -> None:
    """docs/contract.md 2, 7, 14, 15."""
    for value in row.right:
        assert row.faults(value) == (), value
    for value in row.wrong:
        violations = row.faults(value)
        assert violations, value
        assert all(f"{violation.field}.".startswith(f"{row.name}.") for violation in violations), value


@EACH
def test_null_clears_a_field_or_is_refused(row: Row) -> None:
    """docs/contract.md 10: fields that can be null, and fields that cannot."""
    if row.null:
        assert row.checked(None) is None
    else:
        assert {violation.field for violation in row.faults(None)} == {row.name}


@EACH
def test_an_empty_text_clears_a_field_of_another_type(row: Row) -> None:
    """docs/contract.md 19: in a file too."""
    for context in (BILINGUAL, FILE):
        if row.clears:
            assert row.checked("", context) is None
        elif row.type in KEEPING and row.null:
            assert row.checked("", context) == ""


@EACH
def test_a_field_has_its_default_or_is_required(row: Row) -> None:
    part, _, name = row.name.rpartition(".")
    model: type[Part] = (ArticleSeo if row.kind is ARTICLE else PageSeo) if part else RECORDS[row.kind]
    rule = model.rules()[name]
    assert (rule.required, rule.default) == (row.required, row.default)
