"""The JSON schemas of records, request bodies and envelopes, and an example of each request body."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from ....model import BULK_SIZE, FIELDABLE, PER_PAGE, RECORDS, Kind, Part, Record
from ....model.descriptions import DESCRIPTIONS, SEO, WIRE_DESCRIPTIONS, describe
from ....model.field_types import MAX_ITEMS
from ....model.json_schema import ANSWER_SCHEMAS, REQUEST_SCHEMAS, Schema, nullable
from ....model.kinds import ArticleSeo, PageSeo

TEXT: Schema = {"type": "string"}
INTEGER: Schema = {"type": "integer"}
COUNT: Schema = {"type": "integer", "minimum": 0}
ID: Schema = {"type": "integer", "minimum": 1}
FLAG: Schema = {"type": "boolean"}
NULLABLE_TEXT = nullable(TEXT)

CUSTOM_FIELD_VALUE = "CustomFieldValue"  # name of the schema for the value of any custom field


def ref(name: str) -> Schema:
    """Return a reference to the named schema of the OpenAPI document."""
    return {"$ref": f"#/components/schemas/{name}"}


def closed_object(properties: dict[str, Schema], *, optional: frozenset[str] = frozenset(), **rules: Any) -> Schema:
    """Return the schema of an object with exactly these keys, except that `optional` keys may be missing."""
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name not in optional],
        "additionalProperties": False,
        **rules,
    }


def list_of(schema: Schema) -> Schema:
    """Return the schema of a list whose items have the schema."""
    return {"type": "array", "items": schema}


_FROM_ONE: Schema = {"type": "integer", "minimum": 1}
_PAGING: dict[str, Schema] = {
    "links": closed_object({"first": TEXT, "last": TEXT, "prev": NULLABLE_TEXT, "next": NULLABLE_TEXT}),
    "meta": closed_object(
        {
            "current_page": _FROM_ONE,
            "from": nullable(_FROM_ONE),
            "last_page": _FROM_ONE,
            "per_page": {"const": PER_PAGE},
            "to": nullable(_FROM_ONE),
            "total": COUNT,
        }
    ),
}

MESSAGE = closed_object({"message": {"type": "string", "minLength": 1}})
INVALID = closed_object(
    {
        "message": {"const": "The given data was invalid."},
        "errors": {
            "type": "object",
            "description": "What is wrong, by field; nested ones are dotted, such as `seo.title`",
            "minProperties": 1,
            "additionalProperties": {**list_of({"type": "string", "minLength": 1}), "minItems": 1},
        },
    }
)
BULK = closed_object(
    {
        "data": list_of(ref("Listing")),
        "errors": list_of(closed_object({"index": COUNT, "name": NULLABLE_TEXT, "error": TEXT})),
        "total_created": COUNT,
        "total_errors": COUNT,
    }
)


def record_envelope(name: str) -> Schema:
    """Return the schema of a response with one record; `name` is the name of the record's schema."""
    return closed_object({"data": ref(name)})


def list_envelope(schema: Schema) -> Schema:
    """Return the schema of a response with a complete list of records."""
    return closed_object({"data": list_of(schema)})


def page_envelope(schema: Schema) -> Schema:
    """Return the schema of a response with one page of a list of records."""
    return closed_object({"data": {**list_of(schema), "maxItems": PER_PAGE}, **_PAGING})


_STAMPS: dict[str, Schema] = {"created_at": ref("Timestamp"), "updated_at": ref("Timestamp")}
_BRIEF: dict[str, Schema] = {"id": ID, "name": TEXT, "slug": TEXT, "domain": NULLABLE_TEXT}
_PERSON: dict[str, Schema] = {"id": ID, "name": TEXT, "email": TEXT}

_DIRECTORY = closed_object(_BRIEF)
_TAG: dict[str, Schema] = {"id": ID, "title": TEXT, "slug": TEXT, "color": NULLABLE_TEXT, "text_color": NULLABLE_TEXT}

# Fields of requests that responses do not repeat in this form.
_INPUT_ONLY = frozenset({"translations", "category_id"})

# Members of responses to requests with `?include`.
_INCLUDED = frozenset({"translations", "visibility_now"})


def record_schemas() -> dict[str, Schema]:
    """Return the schemas of all records in responses, by name."""
    schemas = {model.__name__: _record_schema(model) for model in RECORDS.values()}
    listed_page = deepcopy(schemas["Page"])  # a page in a list has no `directory`
    del listed_page["properties"]["directory"]
    listed_page["required"].remove("directory")
    return schemas | {
        "ListedPage": listed_page,
        "DirectoryBrief": _DIRECTORY,
        "Directory": closed_object(
            _BRIEF
            | {
                "locales": {**list_of(ref("Locale")), "minItems": 1, "description": "Its languages, the default first"},
                "expired": {"enum": ["badge", "hide"], "description": "How the site shows expired listings"},
                "organizers": closed_object({"enabled": FLAG, "prefix": TEXT, "label": TEXT}),
                "url": {**TEXT, "description": "The address of its public site"},
            }
            | _STAMPS
        ),
        "User": closed_object(_PERSON),
        CUSTOM_FIELD_VALUE: {
            "description": "The value of a custom field of the directory, under the name of the field; any other key "
            "is refused. Numbers, booleans and lists may be sent as their text, and are answered in their own type",
            "type": ["string", "number", "boolean", "array", "null"],
            "items": TEXT,
        },
    }


def _record_schema(model: type[Record]) -> Schema:
    """Return the schema of a record in a response."""
    fields = ANSWER_SCHEMAS.properties_of(model)
    describe(fields, {**DESCRIPTIONS[model.kind], **WIRE_DESCRIPTIONS[model.kind]})
    returned = {name: schema for name, schema in fields.items() if name not in _INPUT_ONLY}
    schema = closed_object({"id": ID, **returned, **_response_members()[model.kind], **_STAMPS}, optional=_INCLUDED)
    if model.kind in FIELDABLE:
        schema["additionalProperties"] = ref(CUSTOM_FIELD_VALUE)
    return schema


def _response_members() -> dict[Kind, dict[str, Schema]]:
    """Return the schemas of those members of responses that requests lack or have in another form, by kind and name."""
    return {
        Kind.CATEGORY: {"parent_title": NULLABLE_TEXT},
        Kind.TAG: {},
        Kind.CUSTOM_FIELD: {},
        Kind.ORGANIZER: {
            "projects": list_of(closed_object({"id": ID, "name": TEXT})),
            "translations": _translations(Kind.ORGANIZER),
        },
        Kind.LISTING: {
            "categories": {
                **list_of(closed_object({"id": ID, "title": TEXT, "parent_title": NULLABLE_TEXT})),
                "description": "Its categories",
            },
            "tags": {**list_of(closed_object({**_TAG, "is_active": FLAG})), "description": "Its tags"},
            "organizers": {
                **list_of(closed_object({"id": ID, "name": TEXT, "slug": TEXT})),
                "description": "Its organizers",
            },
            "listing_url": {**TEXT, "description": "Its address on the site"},
            "visibility_now": {"enum": ["visible", "hidden", "expired"], "description": "On request only"},
        },
        Kind.PAGE: {
            "is_markdown": {"const": True},
            "seo": _seo(Kind.PAGE, PageSeo),
            "page_url": {**TEXT, "description": "Its address on the site"},
            "directory": _DIRECTORY,
        },
        Kind.ARTICLE: {
            "is_markdown": {**FLAG, "description": "Whether the text was last set as Markdown"},
            "seo": _seo(Kind.ARTICLE, ArticleSeo, **_STAMPS),
            "blog_tool_article_id": {"type": ["integer", "null"]},
            "user": {**closed_object(_PERSON | _STAMPS), "description": "Its author"},
            "directory": closed_object(_BRIEF | _STAMPS),
            "article_url": {**TEXT, "description": "Its address on the site"},
            "translations": _translations(Kind.ARTICLE),
        },
    }


def _seo(kind: Kind, model: type[Part], **stamps: Schema) -> Schema:
    """Return the schema of a record's `seo` in a response; `stamps` are its timestamps, if it has any."""
    fields = ANSWER_SCHEMAS.properties_of(model)
    describe(fields, SEO)
    return {**closed_object({"id": ID, **fields, **stamps}), "description": DESCRIPTIONS[kind]["seo"]}


def _translations(kind: Kind) -> Schema:
    """Return the schema of a record's `translations` in a response."""
    texts = ANSWER_SCHEMAS.properties_of(RECORDS[kind])["translations"]
    stored = {"propertyNames": ref("Locale"), "additionalProperties": texts["additionalProperties"]}
    return {"type": "object", "description": "On request only: the texts that are stored", **stored}


_CONTENT_OR_MARKDOWN: list[Schema] = [
    {"required": [name], "properties": {name: {"type": "string", "minLength": 1}}} for name in ("content", "markdown")
]


def request_schemas() -> dict[str, Schema]:
    """Return the schemas of all request bodies, by name."""
    schemas: dict[str, Schema] = {}
    for model in RECORDS.values():
        schemas[f"{model.__name__}Create"] = _body_schema(model, creating=True)
        schemas[f"{model.__name__}Update"] = _body_schema(model, creating=False)
    return schemas | {
        "ListingBulk": closed_object(
            {
                "listings": {
                    "description": "Each is validated on its own; `errors` lists the failed ones",
                    "type": "array",
                    "items": ref("ListingCreate"),
                    "minItems": 1,
                    "maxItems": BULK_SIZE,
                }
            }
        ),
        "ListingExists": closed_object({"url": ref("Url")}),
        "ArticleExists": closed_object({"slug": TEXT}),
    }


def _body_schema(model: type[Record], *, creating: bool) -> Schema:
    """Return the schema of a request that creates a record, or that changes some of its fields."""
    properties = REQUEST_SCHEMAS.properties_of(model)
    describe(properties, {**DESCRIPTIONS[model.kind], **WIRE_DESCRIPTIONS[model.kind]})
    if "translations" in properties:
        properties["translations"] |= {"propertyNames": ref("Locale"), "maxProperties": MAX_ITEMS}
    if model.kind is Kind.CUSTOM_FIELD:
        properties["options"]["uniqueItems"] = True
    schema: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
    if creating:
        for name, rule in model.rules().items():
            if rule.default not in (None, "", [], {}):  # an empty value is not worth a note
                properties[name]["default"] = rule.default
        schema["required"] = [name for name, rule in model.rules().items() if rule.required]
    if model.kind in FIELDABLE:
        schema |= {"additionalProperties": ref(CUSTOM_FIELD_VALUE), "maxProperties": MAX_ITEMS}
    if model.kind is Kind.ARTICLE:  # also an update must send a text that is not empty (docs/contract.md 4.2.4)
        schema["anyOf"] = deepcopy(_CONTENT_OR_MARKDOWN)
    return schema


_PAGE = {"title": "About us", "markdown": "# About us\n\nWe collect tools.", "placement": "footer"}
_LISTING = {
    "name": "Lathe",
    "url": "https://lathe.example",
    "description": "Turns wood.",
    "starts_at": "2026-03-01 09:00",
    "ends_at": None,
    "social_links": {"github": "https://github.com/lathe"},
    "schema": {"@context": "https://schema.org", "@type": "Product"},
}

EXAMPLES: Mapping[str, Any] = {
    "CategoryCreate": {"title": "Woodwork", "description": "Saws, planes and lathes.", "order": 1},
    "CategoryUpdate": {"title": "Wood", "parent_id": None},
    "TagCreate": {"title": "Free", "color": "#00aa77", "text_color": "#fff"},
    "TagUpdate": {"is_active": False},
    "CustomFieldCreate": {
        "label": "Skill level",
        "type": "select",
        "options": ["easy", "hard"],
        "placement": "after_tags",
        "filterable": True,
    },
    "CustomFieldUpdate": {"options": ["easy", "medium", "hard"]},
    "OrganizerCreate": {
        "name": "Ada's studio",
        "description": "Makes lathes.",
        "email": "ada@example.com",
        "website_url": "https://ada.example.com/",
    },
    "OrganizerUpdate": {"phone": "+44 20 7946 0000", "order": 2},
    "ListingCreate": _LISTING,
    "ListingUpdate": {"description": "Turns wood and metal.", "tags": [], "ends_at": "2027-01-01"},
    "ListingBulk": {"listings": [{"name": "Saw"}, _LISTING]},
    "ListingExists": {"url": "https://bandsaw.example"},
    "PageCreate": _PAGE,
    "PageUpdate": {"title": "About", "seo": {"title": "About the directory"}},
    "ArticleCreate": {
        "title": "How to choose a lathe",
        "markdown": "Size matters.",
        "categories": ["Guides"],
        "seo": {"description": "What to look for", "card_title": "Choosing a lathe"},
    },
    "ArticleUpdate": {"title": "Choosing a lathe", "content": "<p>Size matters.</p>"},
    "ArticleExists": {"slug": "how-to-sharpen-a-chisel"},
}
