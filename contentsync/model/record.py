"""The base of the kinds' models: unknown keys are errors, and only the authored fields are returned."""

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from functools import cache
from threading import Lock
from types import NoneType, UnionType
from typing import Annotated, Any, ClassVar, NamedTuple, Self, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler, ValidationInfo, create_model, model_validator
from pydantic_core import CoreSchema, PydanticUndefined
from pydantic_core.core_schema import (
    TypedDictField,
    typed_dict_field,
    typed_dict_schema,
    with_info_before_validator_function,
)

from .entry import Kind
from .field_types import (
    WIRE_FORM,
    Context,
    HeadHtml,
    Plain,
    Text,
    Text255,
    Text500,
    Title,
    check_key_count,
    context_of,
    plain_of,
)
from .json_value import JsonValue


class FieldRule(NamedTuple):
    """Whether a field is required, and whether and how it can be cleared."""

    required: bool  # on create
    nullable: bool
    default: Any  # for a create without the field
    is_clearable: bool = False  # an empty text means null: the field may be null and is not plain text
    plain: Plain | None = None  # a quick test of the field's type


class FieldConflict(NamedTuple):
    """A broken rule between fields; `involved` are its fields, and the error is reported for the first one."""

    code: str
    involved: tuple[str, ...]
    message: str
    hint: str = ""


class Part(BaseModel):
    """An object of fields inside an entry, or an entry: unknown keys are errors, read-only ones are ignored."""

    # `defer_build`: a command needs few of the models, and of the tables of the config only the outermost
    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True, protected_namespaces=(), defer_build=True)

    aliases: ClassVar[Mapping[str, str]] = {}  # other names of fields, accepted on input only
    read_only: ClassVar[frozenset[str]] = frozenset()  # returned by the service; a client may echo them

    @model_validator(mode="before")
    @classmethod
    def _prepare_input(cls, data: Any, info: ValidationInfo) -> Any:
        """Return the input with its empty values replaced; if it comes from a request, without the read-only keys.

        Data of another type than an object is returned unchanged: pydantic refuses it afterwards.
        """
        if not isinstance(check_key_count(data), (dict, Mapping)):
            return data
        if not all(data.values()):  # most entries have no empty value
            data = cls._replace_empty_values(data, authored=context_of(info).authored)
        if not context_of(info).authored and not cls.read_only.isdisjoint(data):
            return {key: value for key, value in data.items() if key not in cls.read_only}
        return data

    @classmethod
    def _replace_empty_values(cls, data: Mapping[str, Any], *, authored: bool) -> Mapping[str, Any]:
        """Return the data with None in place of each empty text that clears a field.

        In a file (`authored`), a key without a value gets the default of an optional field that is not nullable.
        """
        if "" in data.values():
            data = {key: None if value == "" and cls._rule(key).is_clearable else value for key, value in data.items()}
        if authored and None in data.values():
            data = {key: cls._value_of_empty_key(key) if value is None else value for key, value in data.items()}
        return data

    @classmethod
    def _value_of_empty_key(cls, key: str) -> Any:
        """Return the value of an empty key in a file: None if the field is nullable or required, else its default."""
        rule = cls._rule(key)
        return None if rule.nullable or rule.required else copy(rule.default)

    @classmethod
    def _rule(cls, key: str) -> FieldRule:
        """Return the rule of a key or alias; for an unknown key, which is refused later, a rule without effect."""
        return cls.rules().get(cls.aliases.get(key, key), _UNKNOWN)

    @classmethod
    def from_values(cls, values: Any, context: Context = WIRE_FORM) -> Self:
        """Return the object of some values. Raise pydantic's ValidationError."""
        made: Self = _validator(cls).validate_python(values, context=context)
        return made

    @classmethod
    def rules(cls) -> Mapping[str, FieldRule]:
        """Return the rules of all fields by wire name."""
        return _rules(cls)


class EntryPart(Part):
    """An object of an entry; its validation returns a dictionary of the authored fields by wire name."""

    @classmethod
    def validate_fields(cls, authored: Mapping[str, Any], context: Context) -> dict[str, Any]:
        """Return the authored fields in wire form. Raise pydantic's ValidationError."""
        values: dict[str, Any] = _validator(cls).validate_python(authored, context=context)
        return values

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Return a schema that validates to a dictionary of the authored fields, where pydantic's makes an object."""
        fields: dict[str, TypedDictField] = {}
        for name, info in cls.model_fields.items():
            key = info.alias or name
            type_ = Annotated[info.annotation, *info.metadata] if info.metadata else info.annotation
            names: list[list[str | int]] = [[key]]
            names += [[alias] for alias, field in cls.aliases.items() if field == key]
            fields[key] = typed_dict_field(
                handler.generate_schema(type_), required=info.is_required(), validation_alias=names
            )
        accept: Any = cls._prepare_input  # `Any`: mypy takes it for the object that `@model_validator` returns
        return with_info_before_validator_function(accept, typed_dict_schema(fields, extra_behavior="forbid"))


class Record(EntryPart):
    """An entry of one kind, as it is created (docs/contract.md 2)."""

    kind: ClassVar[Kind]
    read_only: ClassVar[frozenset[str]] = frozenset({"id", "directory", "created_at", "updated_at"})
    key_field: ClassVar[str] = "slug"  # an upsert finds the record by this field
    title_field: ClassVar[str] = "title"  # the field with the name that users see
    translated: ClassVar[tuple[str, ...]] = ()  # fields that `translations` may have
    references: ClassVar[Mapping[str, Kind]] = {}  # fields with ids (in files: names) of other entries
    related: ClassVar[tuple[frozenset[str], ...]] = ()  # sets of fields that are compared or merged with each other

    @classmethod
    def field_conflicts(cls, values: Mapping[str, Any]) -> Iterator[FieldConflict]:
        """Yield the broken rules between fields; on update, of the stored values merged with the new ones."""
        yield from ()

    @classmethod
    def update_model(cls) -> type["Record"]:
        """Return the model of an update: the same fields, none required."""
        return _update_model(cls)


# The types in which an empty text is a value of its own: plain text and JSON.
_TYPES_WITH_EMPTY_TEXT = (Text, Text255, Text500, Title, HeadHtml, JsonValue)
_UNKNOWN = FieldRule(required=False, nullable=True, default=None)
_building = Lock()


@cache
def _validator(model: type[Part]) -> Any:
    with _building:  # pydantic before 2.14 must not build models in two threads at once
        model.model_rebuild()
    return model.__pydantic_validator__


@cache
def _rules(model: type[Part]) -> Mapping[str, FieldRule]:
    """Return the rules of a model's fields by wire name, as its annotations and defaults say them."""
    rules: dict[str, FieldRule] = {}
    for name, info in model.model_fields.items():
        required = info.is_required()
        default = None if required else info.get_default(call_default_factory=True)
        types = get_args(info.annotation) if get_origin(info.annotation) in (Union, UnionType) else ()
        nullable = NoneType in types
        metadata: Sequence[Any] = info.metadata
        if not metadata and len(types) == 2:  # `Annotated[T, ...] | None`: pydantic leaves the metadata in `Annotated`
            metadata = get_args(types[0])[1:]
        rules[info.alias or name] = FieldRule(
            required,
            nullable,
            default=None if default is PydanticUndefined else default,
            is_clearable=nullable and not any(type_ in _TYPES_WITH_EMPTY_TEXT for type_ in types),
            plain=plain_of(metadata),
        )
    return rules


@cache
def _update_model(model: type[Record]) -> type[Record]:
    """Return a subclass of the model in which no field is required."""
    optional: dict[str, Any] = {}
    for name, info in model.model_fields.items():
        if info.is_required():
            relaxed = copy(info)
            relaxed.default = None
            optional[name] = (info.annotation, relaxed)
    return create_model(f"{model.__name__}Changes", __base__=model, **optional)
