"""From a folder's entries and a server to a plan: the one way that every command goes."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from ..errors import ContentError
from ..model import Entry, Kind
from ..remote import ProgressCallback, Remote
from .comparing.base import UNKNOWN, Applied, Base
from .confirm import read_confirmed
from .plan import Plan, make_plan
from .policy import CAREFUL, Policy
from .references import resolve
from .selection import Selection
from .slugs import slug_clashes
from .tokens import token_leaks


async def prepare(
    desired: Sequence[Entry],
    remote: Remote,
    *,
    locales: Sequence[str],
    user_ids: Mapping[str, int],
    selection: Selection,
    on_progress: ProgressCallback,
    also: frozenset[Kind] = frozenset(),
    base: Callable[[Sequence[Entry]], Base] = lambda actual: UNKNOWN,
    policy: Policy = CAREFUL,
    moved: Mapping[str, str] | None = None,
    is_left_out: Callable[[Applied], bool] = lambda applied: False,
    token: str = "",
) -> Plan:
    """The plan for the selected entries; reads the server, writes nothing.

    `locales` are the languages besides the default whose texts are compared; `base` gives the base once it is known
    what the server has, for which the kinds of `also` are read too; `token` is the target's, if it has one. Raises
    ContentError for names that neither the folder nor the server knows, for slugs that the server has given away and
    for texts that hold the token, and RemoteError when the server's state cannot be read completely.
    """
    actual, applied = await read_confirmed(remote, selection.kinds | also, locales, on_progress, base)
    asked = [entry for entry in desired if entry in selection and not entry.notes.skip]
    resolved, problems = resolve(asked, desired, actual, user_ids)
    if problems:
        raise ContentError(problems)
    rest = [entry for entry in desired if entry.notes.skip or entry not in selection]
    plan = make_plan(
        [*resolved, *rest],
        actual,
        selection,
        base=applied,
        policy=policy,
        moved=moved,
        is_left_out=is_left_out,
        conditional=remote.conditional,
    )
    problems = [*slug_clashes(plan), *token_leaks(plan, resolved, token)]
    if problems:
        raise ContentError(problems)
    return plan


def used_locales(entries: Iterable[Entry], lines: Iterable[Applied]) -> set[str]:
    """The languages in which there is a text, here or in what was applied: no others need be asked for."""
    used = {locale for entry in entries for locale in entry.fields.get("translations") or ()}
    for applied in lines:
        used |= {name.split(".")[1] for name in applied.fields if name.startswith("translations.")}
    return used
