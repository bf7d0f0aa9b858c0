"""Options and arguments whose values typer converts only if they were given.

typer converts with pydantic, and would import it for every command, because it also converts the values of options that
were not used. The import takes seven times as long as `python -c pass`, and `--help`, completion and a cached report
need it for nothing else.
"""

from typing import Any

import typer
from typer.core import TyperArgument, TyperGroup, TyperOption


class _OnDemandConversion:
    """What typer calls with the value of a parameter."""

    def __init__(self, parameter: "_GivenOption | _GivenArgument") -> None:
        self._parameter = parameter

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return the value as it is if it is the default, whose type mypy has checked; else convert it."""
        if value is None:
            return () if param.multiple or param.nargs == -1 else None
        return value if value is param.default else self._parameter.make_conversion().coerce(value, param, ctx)


class _GivenOption(TyperOption):
    def get_runtime_param(self) -> Any:
        return _OnDemandConversion(self)

    def make_conversion(self) -> Any:
        return super().get_runtime_param()


class _GivenArgument(TyperArgument):
    def get_runtime_param(self) -> Any:
        return _OnDemandConversion(self)

    def make_conversion(self) -> Any:
        return super().get_runtime_param()


def convert_only_given_values(command: Any) -> None:
    """Change the parameters of a command, and of all commands below it."""
    classes: dict[type, type] = {TyperOption: _GivenOption, TyperArgument: _GivenArgument}
    for parameter in command.get_params(typer.Context(command)):  # with --help
        parameter.__class__ = classes[type(parameter)]  # typer makes the parameters, and takes no other classes
    if isinstance(command, TyperGroup):
        for inner in command.commands.values():
            convert_only_given_values(inner)
