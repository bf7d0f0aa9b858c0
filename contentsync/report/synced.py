"""One sync of many on one line, for who watches."""

from collections import Counter
from collections.abc import Sequence

from rich.text import Text

from ..sync import Action, Result, Status
from .words import counted, printable

_MOST = 3  # changes that are named
_DONE = {Action.CREATE: "created", Action.UPDATE: "updated", Action.DELETE: "deleted"}


def synced_line(results: Sequence[Result]) -> Text:
    """`3 changes: article/hello updated, tag/new created, page/old deleted`, and how many came to nothing."""
    if not results:
        return Text("nothing to do", "dim")
    text = Text()
    done = [result for result in results if result.status is Status.DONE]
    done.sort(key=lambda result: (result.change.kind, result.change.key))  # they come in the order of the answers
    if len(done) > 1:
        text.append(f"{counted(len(done), 'change')}: ", "bold")
    text.append(", ".join(_told(result) for result in done[:_MOST]))
    if len(done) > _MOST:
        text.append(f" and {len(done) - _MOST:,} more")
    for status, count in Counter(result.status for result in results).items():
        if status is not Status.DONE:
            text.append(f"{'; ' if text else ''}{count:,} {status}", "bold red")
    return text


def _told(result: Result) -> str:
    change = result.change
    was = f" (was {printable(change.previous_key)})" if change.previous_key else ""
    return f"{change.kind}/{printable(change.key)}{was} {_DONE[change.action]}"
