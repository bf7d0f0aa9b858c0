"""Options that are declared once, as the fields of a dataclass, and are passed to each command as its instance."""

from collections.abc import Callable, Iterator
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import wraps
from inspect import Parameter, signature
from typing import Annotated, Any, TypeVar, get_args, get_origin

T = TypeVar("T")

_COPIED = ("__module__", "__name__", "__qualname__", "__doc__")  # not the annotations, which typer would evaluate


def with_options(*names: str) -> Callable[[Callable[..., T]], Callable[..., T]]:
    """Return a decorator for a command with dataclasses as parameters: the user sets their fields.

    A field is an option if it is annotated with `typer.Option`; if it is a tuple of texts, the option may be repeated.
    `names` are those of the fields that the command has, and of its other parameters, in the order of its help. A
    parameter that is not named is first; without names, the command has all options.
    """

    def decorate(command: Callable[..., T]) -> Callable[..., T]:
        own = signature(command).parameters.values()
        groups: dict[str, Any] = {each.name: each.annotation for each in own if is_dataclass(each.annotation)}
        options = {field.name: field for group in groups.values() for field in _options(group)}
        parameters = {each.name: each for each in own if each.name not in groups}
        order = [*(name for name in parameters if name not in names), *(names or options)]
        parameters |= {name: _parameter(field) for name, field in options.items() if name in order}

        @wraps(command, assigned=_COPIED)
        def run(**values: Any) -> T:
            for name in values.keys() & options.keys():
                if _is_repeated(options[name]):
                    values[name] = tuple(values[name] or ())
            for name, group in groups.items():
                used = [field.name for field in _options(group) if field.name in values]
                values[name] = group(**{field: values.pop(field) for field in used})
            return command(**values)

        vars(run)["__signature__"] = signature(command).replace(parameters=[parameters[name] for name in order])
        return run

    return decorate


def _options(group: Any) -> Iterator["Field[Any]"]:
    return (field for field in fields(group) if get_origin(field.type) is Annotated)


def _is_repeated(field: "Field[Any]") -> bool:
    return bool(get_args(field.type)[0] == tuple[str, ...])


def _parameter(field: "Field[Any]") -> Parameter:
    annotation, default = field.type, field.default
    if _is_repeated(field):
        annotation, default = Annotated[list[str] | None, get_args(field.type)[1]], None
    elif default is MISSING:
        default = Parameter.empty
    return Parameter(field.name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
