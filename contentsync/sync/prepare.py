"""From a folder's entries and a server to a plan: the one way that plan, sync and status go."""

from collections.abc import Mapping, Sequence

from ..errors import ContentError
from ..model import Entry
from ..remote import Heard, Remote
from .plan import Plan, make_plan
from .references import resolve
from .selection import Selection
from .slugs import slug_clashes


async def prepare(
    desired: Sequence[Entry],
    remote: Remote,
    *,
    locales: Sequence[str],
    user_ids: Mapping[str, int],
    selection: Selection,
    heard: Heard,
) -> Plan:
    """The plan for the selected entries; reads the server, writes nothing.

    `locales` are the languages besides the default. Raises ContentError for names that neither the folder
    nor the server knows, and RemoteError when the server's state cannot be read completely.
    """
    actual = await remote.fetch(selection.kinds, locales, heard)
    selected = [entry for entry in desired if entry in selection]
    resolved, problems = resolve([entry for entry in selected if not entry.notes.skip], desired, actual, user_ids)
    if problems:
        raise ContentError(problems)
    plan = make_plan([*resolved, *(entry for entry in selected if entry.notes.skip)], actual, selection)
    clashes = slug_clashes(plan)
    if clashes:
        raise ContentError(clashes)
    return plan
