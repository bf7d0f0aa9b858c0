"""The `--allow-...` options, one for each consent, declared once for every command."""

from collections.abc import Callable
from functools import wraps
from inspect import Parameter, signature
from typing import Annotated, Any

import typer

# What each option allows, by the field of `Consents`.
_HELP = {
    "deletes": "Allow exactly the N deletes that the refusal counts.",
    "clears": "Allow clearing values in exactly the N entries that the plan names.",
    "publish": "Allow exactly the N hidden entries to become public that the plan names.",
    "updates": "Allow replacing values in exactly the N entries that the plan names.",
    "recreate": "Allow creating again exactly the N entries that are missing on the server.",
    "unknown_base": "Allow leaving alone exactly the N records that may be deleted entries of files that were not "
    "readable.",
}
EVERY_CONSENT = tuple(_HELP)
FROM_OPTIONS: Any = None  # the default of a parameter that `with_consents` always passes
_COPIED = ("__module__", "__name__", "__qualname__", "__doc__")  # not the annotations, which typer would evaluate


def with_consents(*names: str) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Return a decorator that gives a command these options in place of its parameter `allowed`, a Consents."""

    def decorate(command: Callable[..., int]) -> Callable[..., int]:
        @wraps(command, assigned=_COPIED)
        def run(**values: Any) -> int:
            # Imported here, because `--help` does not need the sync.
            from ..sync import Consents

            allowed = Consents(**{name: values.pop(f"allow_{name}") for name in names})
            return command(**values, allowed=allowed)

        parameters: list[Parameter] = []
        for parameter in signature(command).parameters.values():
            parameters += map(_option, names) if parameter.name == "allowed" else [parameter]
        vars(run)["__signature__"] = signature(command).replace(parameters=parameters)  # from which typer reads it
        return run

    return decorate


def _option(name: str) -> Parameter:
    flag = f"--allow-{name.replace('_', '-')}"
    option = Annotated[int | None, typer.Option(flag, metavar="N", min=0, help=_HELP[name])]
    return Parameter(f"allow_{name}", Parameter.POSITIONAL_OR_KEYWORD, default=None, annotation=option)
