"""Options that are declared once, as the fields of a dataclass, and are passed to each command as its instance."""

from collections.abc import Callable
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import wraps
from inspect import Parameter, signature
from typing import Annotated, Any, TypeVar, get_args

T = TypeVar("T")

_COPIED = ("__module__", "__name__", "__qualname__", "__doc__")  # not the annotations, which typer would evaluate


def with_options(*names: str) -> Callable[[Callable[..., T]], Callable[..., T]]:
    """Return a decorator for a command with dataclasses as parameters, whose fields are annotated with `typer.Option`.

    `names` are those of the fields that the command has as options, and of its own options, in the order of its help.
    A parameter that is not named is first. A field that is a tuple of texts is an option that may be repeated. An own
    option replaces that of a field with its name; the field has its default then.
    """

    def decorate(command: Callable[..., T]) -> Callable[..., T]:
        """Return the command with one parameter for each option in place of its dataclasses."""
        own = signature(command).parameters
        parameters = {name: each for name, each in own.items() if not is_dataclass(each.annotation)}
        groups: dict[str, tuple[Any, list[Field[Any]]]] = {
            name: (
                each.annotation,
                [field for field in fields(each.annotation) if field.name in names and field.name not in own],
            )
            for name, each in own.items()
            if name not in parameters
        }

        @wraps(command, assigned=_COPIED)
        def run(**values: Any) -> T:
            for name, (group, options) in groups.items():
                values[name] = group(**{field.name: _value(field, values.pop(field.name)) for field in options})
            return command(**values)

        order = [*(name for name in parameters if name not in names), *names]
        for _, options in groups.values():
            parameters |= {field.name: _parameter(field) for field in options}
        vars(run)["__signature__"] = signature(command).replace(parameters=[parameters[name] for name in order])
        return run

    return decorate


def _parameter(field: "Field[Any]") -> Parameter:
    """Return the parameter of a command for a field; typer reads a repeated option as a list, and not as a tuple."""
    annotation, default = field.type, field.default
    if _is_repeated(field):
        annotation, default = Annotated[list[str] | None, get_args(field.type)[1]], None
    elif default is MISSING:
        default = Parameter.empty
    return Parameter(field.name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _value(field: "Field[Any]", value: Any) -> Any:
    return tuple(value or ()) if _is_repeated(field) else value


def _is_repeated(field: "Field[Any]") -> bool:
    return bool(get_args(field.type)[0] == tuple[str, ...])
