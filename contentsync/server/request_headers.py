"""What a request says in its headers."""

from starlette.types import Scope


def header_values(scope: Scope, name: bytes) -> list[str]:
    """The values of a header, by its name in lower case; each request asks for many that it has not."""
    return [value.decode("latin-1") for given, value in scope["headers"] if given == name]
