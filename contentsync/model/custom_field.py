"""Custom fields: their definitions (docs/contract.md 15)."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, ValidationError
from pydantic_core import InitErrorDetails

from .article import Article
from .fields import Flag, Integer, ListOf, Name, Text, Text255, Title, fault
from .json_value import JsonObject, JsonValue
from .kind import Kind
from .listing import Listing
from .organizer import Organizer
from .record import Clash, Record
from .slug import make_name

FieldType = Literal[
    "text",
    "number",
    "date",
    "file_upload",
    "url",
    "email",
    "rich_editor",
    "markdown",
    "textarea",
    "checkbox",
    "rating",
    "select",
    "list",
    "multi_select",
    "button",
    "javascript",
    "html",
]


FIELDABLE: Mapping[Kind, type[Record]] = {
    Kind.LISTING: Listing,
    Kind.ORGANIZER: Organizer,
    Kind.ARTICLE: Article,
}


def _distinct(options: list[str]) -> list[str]:
    if len(set(options)) < len(options):
        twice = [place for place, option in enumerate(options) if option in options[:place]]
        error = fault("duplicate-option", "repeats an earlier option", hint="delete one of them")
        raise ValidationError.from_exception_data(
            "options", [InitErrorDetails(type=error, loc=(place,), input=options[place]) for place in twice]
        )
    return options


class CustomField(Record):
    """A field that a directory adds to its listings, organizers or articles."""

    kind: ClassVar[Kind] = Kind.CUSTOM_FIELD
    key_field: ClassVar[str] = "name"
    title_field: ClassVar[str] = "label"

    label: Title
    type: FieldType
    name: Name = ""
    fieldable_type: Literal["listing", "organizer", "article"] = "listing"
    placeholder: Text255 | None = None
    description: Text | None = None
    default_value: JsonValue | None = None
    value_prefix: Text255 | None = None
    value_suffix: Text255 | None = None
    options: Annotated[ListOf[Title], AfterValidator(_distinct)] = []
    icon: Text255 | None = None
    heroicon: Text255 | None = None
    placement: Literal["after_tags", "after_categories", "before_content", "after_content"] | None = None
    placement_on_card: (
        Literal["after_categories", "before_categories", "after_buttons", "before_buttons", "after_title"] | None
    ) = None
    is_required: Flag = False
    is_visible: Flag = True
    show_on_card: Flag = False
    show_on_public_submission: Flag = False
    show_label: Flag = False
    show_label_on_card: Flag = False
    show_icon: Flag = False
    show_icon_on_card: Flag = False
    filterable: Flag = False
    order: Integer = 0
    settings: JsonObject | None = None
    validation_rules: JsonValue | None = None

    @classmethod
    def clashes(cls, values: Mapping[str, Any]) -> Iterator[Clash]:
        if values.get("type") in ("select", "multi_select") and not values.get("options"):
            yield Clash(
                "required-with",
                ("options", "type"),
                f"options is required for the type {values['type']}",
                "add options",
            )
        name = values.get("name") or make_name(str(values.get("label") or ""))
        if name in _reserved(Kind(values.get("fieldable_type", "listing"))):
            yield Clash(
                "reserved-name",
                ("name", "label", "fieldable_type"),
                f"name must not be '{name}', which is a field of the service",
                "set another name or label",
            )


@cache
def _reserved(kind: Kind) -> frozenset[str]:
    """The keys that entries of the kind have already; a listing's are everybody's (docs/contract.md 15)."""
    taken = (FIELDABLE[carrier] for carrier in (Kind.LISTING, kind))
    return frozenset({"sync"}).union(*(model.rules().keys() | model.read_only for model in taken))
