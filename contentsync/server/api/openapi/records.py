"""The records, and what they name of others, as the service answers them."""

from copy import deepcopy

from ....model import FIELDABLE, RECORDS, Kind, Part, Record
from ....model.descriptions import DESCRIPTIONS, ON_THE_WIRE, SEO, describe
from ....model.json_schema import Schema
from ....model.kinds import ArticleSeo, PageSeo
from ....model.wire_schema import ANSWER
from .schemas import CARRIED, FLAG, ID, OR_NULL, TEXT, exactly, many, ref

_STAMPS: dict[str, Schema] = {"created_at": ref("Timestamp"), "updated_at": ref("Timestamp")}
_BRIEF: dict[str, Schema] = {"id": ID, "name": TEXT, "slug": TEXT, "domain": OR_NULL}
_PERSON: dict[str, Schema] = {"id": ID, "name": TEXT, "email": TEXT}

_DIRECTORY = exactly(_BRIEF)
_TAG: dict[str, Schema] = {"id": ID, "title": TEXT, "slug": TEXT, "color": OR_NULL, "text_color": OR_NULL}

# Input only: the service answers with what they lead to.
_NOT_SHOWN = frozenset({"translations", "category_id"})

# On request only (`include`).
_INCLUDED = frozenset({"translations", "visibility_now"})


def record_schemas() -> dict[str, Schema]:
    """The schemas of all records, by name."""
    schemas = {model.__name__: _record(model) for model in RECORDS.values()}
    listed = deepcopy(schemas["Page"])
    del listed["properties"]["directory"]
    listed["required"].remove("directory")
    return schemas | {
        "ListedPage": listed,
        "DirectoryBrief": _DIRECTORY,
        "Directory": exactly(
            _BRIEF
            | {
                "locales": {**many(ref("Locale")), "minItems": 1, "description": "Its languages, the default first"},
                "expired": {"enum": ["badge", "hide"], "description": "What becomes of listings past their end"},
                "organizers": exactly({"enabled": FLAG, "prefix": TEXT, "label": TEXT}),
                "url": {**TEXT, "description": "The address of its public site"},
            }
            | _STAMPS
        ),
        "User": exactly(_PERSON),
        CARRIED: {
            "description": "The value of a custom field of the directory, under the name of the field; any other key "
            "is refused. Numbers, booleans and lists may be sent as their text, and are answered in their own type",
            "type": ["string", "number", "boolean", "array", "null"],
            "items": TEXT,
        },
    }


def _record(model: type[Record]) -> Schema:
    fields = ANSWER.properties_of(model)
    describe(fields, {**DESCRIPTIONS[model.kind], **ON_THE_WIRE[model.kind]})
    shown = {name: schema for name, schema in fields.items() if name not in _NOT_SHOWN}
    schema = exactly({"id": ID, **shown, **_besides()[model.kind], **_STAMPS}, optional=_INCLUDED)
    if model.kind in FIELDABLE:
        schema["additionalProperties"] = ref(CARRIED)
    return schema


def _besides() -> dict[Kind, dict[str, Schema]]:
    """What records hold that is no field, or that is shown in another form than it is sent."""
    return {
        Kind.CATEGORY: {"parent_title": OR_NULL},
        Kind.TAG: {},
        Kind.CUSTOM_FIELD: {},
        Kind.ORGANIZER: {
            "projects": many(exactly({"id": ID, "name": TEXT})),
            "translations": _translations(Kind.ORGANIZER),
        },
        Kind.LISTING: {
            "categories": {
                **many(exactly({"id": ID, "title": TEXT, "parent_title": OR_NULL})),
                "description": "Its categories",
            },
            "tags": {**many(exactly({**_TAG, "is_active": FLAG})), "description": "Its tags"},
            "organizers": {
                **many(exactly({"id": ID, "name": TEXT, "slug": TEXT})),
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
            "is_markdown": {**FLAG, "description": "Whether the text was given in Markdown last"},
            "seo": _seo(Kind.ARTICLE, ArticleSeo, **_STAMPS),
            "blog_tool_article_id": {"type": ["integer", "null"]},
            "user": {**exactly(_PERSON | _STAMPS), "description": "Its author"},
            "directory": exactly(_BRIEF | _STAMPS),
            "article_url": {**TEXT, "description": "Its address on the site"},
            "translations": _translations(Kind.ARTICLE),
        },
    }


def _seo(kind: Kind, model: type[Part], **stamps: Schema) -> Schema:
    fields = ANSWER.properties_of(model)
    describe(fields, SEO)
    return {**exactly({"id": ID, **fields, **stamps}), "description": DESCRIPTIONS[kind]["seo"]}


def _translations(kind: Kind) -> Schema:
    texts = ANSWER.properties_of(RECORDS[kind])["translations"]
    stored = {"propertyNames": ref("Locale"), "additionalProperties": texts["additionalProperties"]}
    return {"type": "object", "description": "On request only: the texts that are stored", **stored}
