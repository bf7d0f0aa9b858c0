"""The tables `[rules.KIND]` of contentsync.toml: what an owner demands of entries, beyond the contract (docs/rules.md).

A pattern is matched by the engine of pydantic, in a time that is linear in the text (docs/decisions/0041).
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, ValidatorFunctionWrapHandler, WithJsonSchema, WrapValidator
from pydantic_core import SchemaError, SchemaValidator
from pydantic_core.core_schema import str_schema

from ...errors import Severity
from ...lazy_pattern import lazy_pattern
from ...model import Kind
from ...model.directory_settings import as_tuple
from ...model.field_types import Text, Text500, fault
from ..formats.toml_reader import as_draft_values
from .collection_settings import ConfigTable, IfPresent

MAX_STEPS = 1_000  # of a pattern for each character of a text, with counted repetitions written out
_PATTERN_PART = lazy_pattern(
    r"\\[pPxuU]\{[^}]*\}|\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\{(?P<least>[0-9]+),?(?P<most>[0-9]*)\}|[()]|[^*+?|^$]"
)
_VERBOSE = lazy_pattern(r"\(\?[A-Za-wyz]*x")  # the flag with which blanks and comments mean nothing

DEMANDS = ("require", "min", "max", "pattern", "allowed", "unique")


def _as_text(value: Any) -> Any:
    """Return a text, number, boolean or date of the config as the text of it. Raise a fault for a list or a table."""
    if isinstance(value, list | dict):
        raise fault("not-text", "must be a single value: text, a number, a boolean or a date")
    return as_draft_values(value)


def _as_names(value: Any) -> Any:
    return (value,) if isinstance(value, str) else as_tuple(value)


def _check_when(value: Any) -> Any:
    """Return the fields and values of a table, or the conditions of a text or a list of texts. Raise a fault."""
    if not isinstance(value, dict):
        return _as_names(value)
    lists = [name for name, operand in value.items() if isinstance(operand, list | dict)]
    if lists:
        hint = "write a rule for each of them, or a condition such as 'price > 20'"
        raise fault("not-text", f"must have a single value for {lists[0]}", hint=hint)
    return {name: as_draft_values(operand) for name, operand in value.items()}


@cache
def _matcher(pattern: str) -> SchemaValidator:
    return SchemaValidator(str_schema(pattern=pattern, regex_engine="rust-regex"))


def matches(pattern: str, text: str) -> bool:
    """Return whether a part of a text matches a pattern, which must be one of the config."""
    return _matcher(pattern).isinstance_python(text)


def _steps(pattern: str) -> int:
    """Return about how many characters a pattern has if its counted repetitions, such as `(ab){9}`, are written out."""
    sizes, last = [0], 0  # of the open groups, and of the part before
    for part in _PATTERN_PART.finditer(pattern):
        if part[0] == "(":
            sizes.append(0)
        elif part[0] == ")" and len(sizes) > 1:
            last = sizes.pop()
            sizes[-1] += last
        elif part["least"] is not None:
            count = int(part["most"] or part["least"])
            sizes[-1] += last * (count - 1)
            last *= count
        else:
            last = 1
            sizes[-1] += last
    return sum(sizes)


def _check_pattern(value: str) -> str:
    """Return a regular expression. Raise the fault `bad-pattern` if the engine refuses it, or if it may take long."""
    if _VERBOSE.search(value):
        raise fault(
            "bad-pattern", "has the flag x, which is not supported", hint="write it without blanks and comments"
        )
    if _steps(value) > MAX_STEPS:
        hint = "repeat fewer times, or write * or +; min and max limit the length of a text"
        raise fault("bad-pattern", f"repeats parts to more than {MAX_STEPS:,} characters", hint=hint)
    try:
        _matcher(value)
    except SchemaError as error:
        reason = str(error).splitlines()[-1].strip().removeprefix("error: ").removeprefix("SchemaError: ")
        hint = (
            "the syntax has no look-around and no backreferences; a backslash is written twice, or in 'single quotes'"
        )
        raise fault("bad-pattern", f"is not a regular expression: {reason.rstrip('.')}", hint=hint) from error
    return value


_Names = Annotated[tuple[Text, ...], BeforeValidator(_as_names, json_schema_input_type=str | list[str])]
_Scalar = Annotated[Any, WithJsonSchema({"not": {"type": ["array", "object"]}})]  # also a date
_Operand = Annotated[str, BeforeValidator(_as_text, json_schema_input_type=_Scalar)]
_When = Annotated[
    dict[str, str] | tuple[Text, ...],
    BeforeValidator(_check_when, json_schema_input_type=dict[str, _Scalar] | list[str] | str),
]


class RuleSettings(ConfigTable):
    """A rule, or several with the same conditions, level and message."""

    require: _Names = ()
    min: Mapping[Text, _Operand] = {}
    max: Mapping[Text, _Operand] = {}
    pattern: Mapping[Text, Annotated[Text500, AfterValidator(_check_pattern)]] = {}
    allowed: Mapping[Text, Annotated[tuple[_Operand, ...], BeforeValidator(as_tuple)]] = {}
    unique: _Names = ()
    when: _When = ()
    level: Literal["error", "warning"] = "error"
    message: Text500 = ""

    @property
    def severity(self) -> Severity:
        return Severity(self.level)


def _one_or_several(value: Any, validate_list: ValidatorFunctionWrapHandler) -> Any:
    if isinstance(value, dict):
        return (RuleSettings.from_values(value),)
    if not isinstance(value, list | tuple):
        raise fault("not-an-object", "must be a table of rules, or an array of such tables")
    return validate_list(tuple(value))


_Rules = Annotated[
    tuple[IfPresent[RuleSettings], ...],
    WrapValidator(
        _one_or_several, json_schema_input_type=IfPresent[RuleSettings] | tuple[IfPresent[RuleSettings], ...]
    ),
]


class RuleTables(ConfigTable):
    """The rules of all kinds."""

    category: _Rules = ()
    tag: _Rules = ()
    custom_field: _Rules = ()
    organizer: _Rules = ()
    listing: _Rules = ()
    page: _Rules = ()
    article: _Rules = ()

    def by_kind(self) -> Mapping[Kind, tuple[RuleSettings, ...]]:
        """Return the rules of each kind that has some."""
        tables: Iterator[tuple[str, tuple[RuleSettings, ...]]] = iter(self)
        return {Kind(name): rules for name, rules in tables if rules}
