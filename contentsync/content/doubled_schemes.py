"""Find URLs with two schemes, such as `http://https://example.org`, which are valid but lead to the host `https`."""

from collections.abc import Iterator
from typing import Any

from ..model.suggestion import did_you_mean_text
from ..model.urls import without_doubled_scheme
from .draft import Draft


def warn_of_doubled_schemes(draft: Draft) -> None:
    """Warn of each value, also in lists and objects, that is a URL with two schemes."""
    for name, text in _texts(draft.values, ""):
        if meant := without_doubled_scheme(text):
            message = f"{name} has two schemes, so its host is '{text.split('/')[2].rstrip(':')}'"
            draft.warn("doubled-scheme", message, draft.where(name), did_you_mean_text(meant))


def _texts(values: Any, name: str) -> Iterator[tuple[str, str]]:
    """Yield the dotted name and the text of each nested value that begins with `http`."""
    if isinstance(values, str):
        if values[:4].lower() == "http":
            yield name, values
    elif isinstance(values, dict | list):
        for key, value in values.items() if isinstance(values, dict) else enumerate(values):
            yield from _texts(value, f"{name}.{key}" if name else str(key))
