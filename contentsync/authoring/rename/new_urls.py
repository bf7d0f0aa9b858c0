"""Plan new URLs of many listings at once, as `links --fix` writes them: the folder is read once for all of them."""

from collections.abc import Mapping

from ...content.folder.confirmation import IndexDiffers
from ...content.folder.load import Content
from ...errors import ContentError, ContentsyncError, Refused
from ...model import EntryKey
from .folder_state import FolderState
from .rename_plan import MayBeSynced, RenamePlan, plan_renamings, with_notes
from .renaming import Renaming, find_new_urls


def plan_new_urls(
    content: Content, urls: Mapping[EntryKey, str], may_be_synced: MayBeSynced
) -> tuple[RenamePlan, Mapping[EntryKey, ContentsyncError]]:
    """Return the plan that gives listings of a folder other URLs, and why the others keep their own. Writes nothing.

    All are tried together; if that is refused, halves are tried. `content` has the entries that break house rules, and
    no other errors. Raise IndexDiffers as `plan_renamings` does.
    """
    present = FolderState.of(content)
    files = present.folder_index()
    renamings, refused = find_new_urls(files, content.entries, urls)
    accepted: list[Renaming] = []
    plan = RenamePlan(content.folder)
    untried = [[*with_notes(renamings, content, may_be_synced)]] if renamings else []
    while untried:
        part = untried.pop()
        try:
            plan = plan_renamings(files, present, [*accepted, *part])
        except IndexDiffers:
            raise
        except (Refused, ContentError) as error:
            middle = len(part) // 2
            if middle:
                untried += [part[middle:], part[:middle]]
            else:
                refused[part[0].identity] = error
        else:
            accepted += part
    return plan, refused
