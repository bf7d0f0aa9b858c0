"""Custom fields: their definitions, and the rules for their values (docs/contract.md 15).

Clients of the hosted service can only send text, so the text of a value is accepted too, in files and over the wire.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain
from typing import Annotated, Any, ClassVar, Literal, get_args

from pydantic import AfterValidator, TypeAdapter, ValidationError
from pydantic_core import InitErrorDetails

from .entry import Entry, Kind
from .field_types import (
    MAX_ITEMS,
    Context,
    Day,
    Definition,
    Email,
    Flag,
    Integer,
    ListOf,
    Name,
    Number,
    Plain,
    Rating,
    Text,
    Text255,
    Title,
    Upload,
    Url,
    fault,
    plain_of,
)
from .json_value import JsonObject, JsonValue
from .kinds import Article, Listing, Organizer
from .record import FieldConflict, Record
from .scalar import parse_flag, parse_number
from .slug import make_name
from .suggestion import certain_word, did_you_mean
from .violation import Invalid, Violation, cut_short, dotted, violations_from

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


FIELDABLE: Mapping[Kind, type[Record]] = {Kind.LISTING: Listing, Kind.ORGANIZER: Organizer, Kind.ARTICLE: Article}


Definitions = Mapping[Kind, Mapping[str, Definition]]  # custom fields by kind and name


def definitions_of(*groups: Iterable[Entry]) -> Definitions:
    """Return the custom fields among the entries; of several with the same kind and name, the first one."""
    definitions: dict[Kind, dict[str, Definition]] = {kind: {} for kind in FIELDABLE}
    for entry in chain(*groups):
        if entry.kind is Kind.CUSTOM_FIELD:
            kind = Kind(entry.fields.get("fieldable_type", Kind.LISTING))
            definitions[kind].setdefault(entry.key, entry.fields)
    return definitions


def _check_distinct(options: list[str]) -> list[str]:
    """Return the options. Raise a ValidationError with an error for each option that repeats an earlier one."""
    if len(set(options)) < len(options):
        repeated = [index for index, option in enumerate(options) if option in options[:index]]
        error = fault("duplicate-option", "repeats an earlier option", hint="delete one of them")
        raise ValidationError.from_exception_data(
            "options", [InitErrorDetails(type=error, loc=(index,), input=options[index]) for index in repeated]
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
    options: Annotated[ListOf[Title], AfterValidator(_check_distinct)] = []
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
    def field_conflicts(cls, values: Mapping[str, Any]) -> Iterator[FieldConflict]:
        """Yield a conflict if the type needs options and has none, or if the name is a field of the service."""
        if values.get("type") in ("select", "multi_select") and not values.get("options"):
            message = f"options is required for the type {values['type']}"
            yield FieldConflict("required-with", ("options", "type"), message, "add options")
        name = values.get("name") or make_name(str(values.get("label") or ""))
        if name in _reserved_names(Kind(values.get("fieldable_type", "listing"))):
            message = f"name must not be '{name}', which is a field of the service"
            yield FieldConflict(
                "reserved-name", ("name", "label", "fieldable_type"), message, "set another name or label"
            )


@cache
def _reserved_names(kind: Kind) -> frozenset[str]:
    """Return the names that no custom field of the kind may have (docs/contract.md 15)."""
    models = (FIELDABLE[Kind.LISTING], FIELDABLE[kind])
    return frozenset({"sync"}).union(*(model.rules().keys() | model.read_only for model in models))


# A value of these types is one of the field's options, or a list of them.
WITH_OPTIONS = frozenset({"select", "multi_select", "list"})
LIST_TYPES = frozenset({"multi_select", "list"})
URL_TYPES = frozenset({"url", "button"})
NUMBER_TYPES = frozenset({"number", "rating"})

VALUE_TYPES: Mapping[str, Any] = {
    "number": Number,
    "date": Day,
    "file_upload": Upload,
    "url": Url,
    "button": Url,
    "email": Email,
    "checkbox": Flag,
    "rating": Rating,
    "select": Text,
    "list": ListOf[Title],
    "multi_select": ListOf[Title],
}  # all other types are plain text

# By error code: what a value must be that is neither of the type nor a text from which it can be read.
_REQUIREMENT_WITH_TEXTS: Mapping[str, str] = {
    "not-a-number": 'must be a number, such as 4.5 or "4.5"',
    "not-a-boolean": 'must be true or false, or "true", "yes", "on", "1", "false", "no", "off" or "0"',
    "not-a-list": 'must be a list, or a list as text, such as ["a", "b"] or "a, b"',
}
_MAX_LIST_TEXT = 300 * MAX_ITEMS  # characters


def check_value(name: str, definition: Definition, value: Any, context: Context) -> Any:
    """Return the value of a custom field in its wire form. Raise Invalid.

    Null clears a field that is not required. So does an empty text, unless the type is plain text.
    """
    parsed = read_value(definition, value)
    is_empty = parsed in (None, []) or (isinstance(parsed, str) and not parsed.strip())
    if definition.get("is_required") and is_empty:
        raise Invalid([Violation("required", (name,), f"{name} is required")])
    if parsed is None:
        return None
    try:
        checked = _adapter(definition["type"]).validate_python(parsed, context=context)
    except ValidationError as error:
        violations = violations_from(error, prefix=(name,))
        raise Invalid([_name_accepted_texts(violation) for violation in violations]) from error
    options = definition.get("options")
    if options and definition["type"] in WITH_OPTIONS:
        _check_options(name, checked, options)
    return checked


def _check_options(name: str, value: Any, options: Sequence[str]) -> None:
    """Raise Invalid if a value, or an item of a list, is not one of the options."""
    allowed = set(options)
    if isinstance(value, list):
        violations = [
            _unknown_option((name, index), item, options) for index, item in enumerate(value) if item not in allowed
        ]
    else:
        violations = [] if value in allowed else [_unknown_option((name,), value, options)]
    if violations:
        raise Invalid(violations)


def plain_value(definition: Definition) -> Plain | None:
    """Return the test that quickly accepts most valid texts of a custom field (`check_value` decides about the others).

    Return None for a type without such a test.
    """
    type_ = definition["type"]
    if type_ in WITH_OPTIONS:
        return None
    _type, *metadata = get_args(VALUE_TYPES.get(type_, Text))
    return plain_of(metadata)


def read_value(definition: Definition, value: Any) -> Any:
    """Return the value of the field's type that a text means (None for an empty one); any other value unchanged."""
    type_ = definition.get("type")
    if not isinstance(value, str) or type_ not in VALUE_TYPES:
        return value
    if value == "":
        return None
    parsed: Any = None
    match type_:
        case "number" | "rating":
            parsed = parse_number(value)
        case "checkbox":
            parsed = parse_flag(value)
        case "list" | "multi_select":
            parsed = parse_list(value, definition.get("options") or ())
    return value if parsed is None else parsed


def parse_list(text: str, options: Sequence[str] = ()) -> list[Any] | None:
    """Return the list that a text means: one of the options, a JSON array, or items between commas.

    Return None for a broken JSON array or a text that is too long. The items of an array may have any JSON type.
    """
    if text in options:
        return [str(text)]
    if len(text) > _MAX_LIST_TEXT:
        return None
    stripped = text.strip()
    if stripped.startswith("[") and stripped.endswith("]"):
        try:
            array = json.loads(stripped)
        except (ValueError, RecursionError):
            return None
        return array if isinstance(array, list) else None
    items = map(str.strip, text.split(","))
    return [item for item in items if item]


def _name_accepted_texts(violation: Violation) -> Violation:
    """Return the violation with a message that also names texts such as "yes", if the field's type accepts any."""
    requirement = _REQUIREMENT_WITH_TEXTS.get(violation.code)
    if requirement is None:
        return violation
    hint = violation.hint if violation.code == "not-a-number" else ""  # the message already says what other hints say
    return replace(violation, message=f"{violation.field} {requirement}", hint=hint)


def _unknown_option(loc: tuple[str | int, ...], choice: str, options: Sequence[str]) -> Violation:
    message = f"{dotted(loc)} must be one of {', '.join(options)}, not '{cut_short(choice)}'"
    return Violation("not-a-choice", loc, message, did_you_mean(choice, options), meant=certain_word(choice, options))


@cache
def _adapter(type_: str) -> TypeAdapter[Any]:
    return TypeAdapter(VALUE_TYPES.get(type_, Text))
