"""Refuse a plan whose texts the server would store in another language, or not at all."""

from collections import Counter
from collections.abc import Iterator, Sequence

from .change import Action, Change
from .gates import Refusal
from .plan import Plan


def language_refusals(plan: Plan, ours: Sequence[str], there: Sequence[str] | None) -> Iterator[Refusal]:
    """Yield why a plan must not be applied.

    `ours` are the languages of the folder, `there` the server's, defaults first; None where it does not return them.
    The server stores the texts of an entry in its default language, whatever the folder's is.
    """
    if there is not None and there[0] != ours[0]:
        yield Refusal(
            "default-language",
            f"the default language of the server's directory is '{there[0]}', and that of the folder is '{ours[0]}': "
            "name the same language first in site.locales and in the directory",
        )
        return
    written = Counter(locale for change in plan.changes for locale in _languages(change))
    unknown = set[str]().union(*{entry.unknown for entry in plan.actual})
    missing = {name.partition(".")[2] for name in unknown if name.startswith("translations.")}
    missing |= set() if there is None else written.keys() - set(there[1:])
    for locale in sorted(written.keys() & missing):
        entries = "1 entry changes texts" if written[locale] == 1 else f"{written[locale]} entries change texts"
        yield Refusal(
            "language",
            f"the server's directory does not have the language '{locale}', in which {entries}: "
            "add it to the directory, or remove these texts and the language from the folder",
        )


def _languages(change: Change) -> set[str]:
    """Return the languages besides the default in which a change sends texts."""
    if change.action is Action.DELETE:
        return set()
    if change.action is Action.CREATE:
        return set(change.entry.fields.get("translations") or ())
    return {name.split(".")[1] for name in change.fields if name.startswith("translations.")}
