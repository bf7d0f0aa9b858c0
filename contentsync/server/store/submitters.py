"""What a submitter may not change in records of its own (docs/contract.md 13, 19)."""

from collections.abc import Iterator

from ...model import Violation
from .drafts import Draft

_OF_THE_OWNER = ("is_featured", "head_html")  # fields of a listing


def submitted_listing(draft: Draft, own: int | None) -> Iterator[Violation]:
    """Refuse fields that only the owner of the directory sets, and the loss of the link to the submitter's organizer.

    What only repeats the stored value is no change. `own` is the id of the organizer that the submitter manages.
    """
    for name in _OF_THE_OWNER:
        # False, an empty text and null are one: nothing is set.
        if name in draft.given and (draft.given[name] or None) != (draft.before.get(name) or None):
            yield _refusal(name)
    if own in draft.before.get("organizers", ()) and own not in draft.whole["organizers"]:
        message = f"organizers must keep {own}, the organizer that you manage"
        yield Violation("not-allowed", ("organizers",), message)


def submitted_organizer(draft: Draft) -> Iterator[Violation]:
    """Refuse another slug of an organizer that there is: its address belongs to the directory."""
    if draft.row is not None and draft.whole["slug"] != draft.before["slug"]:
        yield _refusal("slug")


def _refusal(name: str) -> Violation:
    return Violation("not-allowed", (name,), f"{name} can be changed only by the owner of the directory")
