"""HTML that was made before: a body is shown more often than it changes."""

from collections import OrderedDict
from collections.abc import Callable
from functools import wraps
from threading import Lock
from typing import Concatenate, ParamSpec

from markupsafe import Markup

MOST_CHARACTERS = 16_000_000

_P = ParamSpec("_P")


def cached_html(make: Callable[Concatenate[str, _P], Markup]) -> Callable[Concatenate[str, _P], Markup]:
    """The function, which is not called again for texts that were asked for lately with the same arguments."""
    known: OrderedDict[tuple[str, object], Markup] = OrderedDict()
    size, lock = 0, Lock()  # PostgreSQL's views run in several threads

    @wraps(make)
    def made(text: str, /, *args: _P.args, **kwargs: _P.kwargs) -> Markup:
        nonlocal size
        key = (text, (args, *kwargs.items()))
        with lock:
            if key in known:
                known.move_to_end(key)
                return known[key]
        html = make(text, *args, **kwargs)
        with lock:
            if key not in known:
                known[key] = html
                size += len(text) + len(html)
            while size > MOST_CHARACTERS:
                (old, _), forgotten = known.popitem(last=False)
                size -= len(old) + len(forgotten)
        return html

    return made
