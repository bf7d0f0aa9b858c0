"""Confirm by the files what is written to the server and to the state, as far as it comes from the index.

A wrong index may delay a change, but it must not cause one (docs/decisions/0037).
"""

from ...content.folder.confirmation import confirm_entries
from ...content.folder.load import Content
from ...content.pictures.published_names import published_names
from ..comparing.change import Action
from .plan import Plan


def confirm_plan(content: Content, plan: Plan) -> Plan:
    """Return the plan. Raise IndexDiffers if the files give other entries than those that a plan writes or publishes.

    The plan also writes the base. For a delete, a new key or an entry that the base forgets, all files of the kind are
    read: one of them may have the entry that the index lacks.
    """
    if not content.from_index:
        return plan
    keys = {(change.kind, change.key) for change in plan.changes}
    keys.update(applied.identity for applied in plan.base_updates)
    if plan.uploads:
        uploads, base = {file.name for file in plan.uploads}, content.config.store_base or ""
        named = (entry for entry in content.entries if not uploads.isdisjoint(published_names(entry.fields, base)))
        keys.update((entry.kind, entry.key) for entry in named)
    kinds = {kind for kind, _key in plan.base_removals}
    kinds |= {c.kind for c in plan.changes if c.action is Action.DELETE or c.previous_key is not None}
    confirm_entries(content, keys, kinds, plan.left_out)
    return plan
