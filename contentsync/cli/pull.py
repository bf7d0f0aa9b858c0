"""`contentsync pull`."""

import asyncio
from collections.abc import Mapping, Sequence

from ..content.pulling.incoming import Identity
from ..content.pulling.pull import pull as planned_edits
from ..content.pulling.put import put
from ..errors import ContentError, Refused
from ..model import FIELDABLE, Kind
from ..report.pulled import pull_document, pull_text
from ..report.words import counted, printable
from ..sync import resolve
from ..sync.arriving import Arriving, arriving
from .output import print_json
from .session import Session
from .terminal import data

NAMED = 5  # of the entries that a refusal is about


def pull(session: Session, *, yes: bool, as_json: bool) -> int:
    """Writes the server's content into the folder's files; over what was changed here only if that is asked for."""
    found = asyncio.run(_arriving(session))
    if found.ours and not yes and not session.selection.patterns:
        raise _refusal(found.ours)
    edits = planned_edits(session.content, found.incoming)
    put(session.content.folder, edits)
    if as_json:
        print_json(pull_document(edits, found.here_only, session.destination))
    else:
        data().print(pull_text(edits, found.here_only, session.destination), markup=False)
    return 0


async def _arriving(session: Session) -> Arriving:
    content = session.content
    kinds = {*session.selection.kinds}
    if kinds & FIELDABLE.keys():
        kinds.add(Kind.CUSTOM_FIELD)  # whose values ride in the others
    async with session.read(kinds) as (actual, base, _):
        pass
    asked = [entry for entry in content.entries if entry.kind in kinds and not entry.notes.skip]
    resolved, problems = resolve(asked, content.entries, actual, session.target.user_ids)
    if problems:
        raise ContentError(problems, content.folder)
    rest = [entry for entry in content.entries if entry.kind not in kinds or entry.notes.skip]
    locales = content.config.site.locales[1:]
    return arriving([*resolved, *rest], actual, base, session.selection, locales, session.is_left_out)


def _refusal(ours: Mapping[Identity, Sequence[str]]) -> Refused:
    told = [f"{kind} {key} ({', '.join(fields) or 'deleted here'})" for (kind, key), fields in ours.items()]
    more = f" and {len(told) - NAMED} more" if len(told) > NAMED else ""
    message = f"{counted(len(ours), 'entry', 'entries')} changed here would be overwritten"
    return Refused(
        f"{message}: {printable('; '.join(told[:NAMED]))}{more}",
        "--yes overwrites them all, --only KIND/KEY one; sync first to keep what is here",
    )
