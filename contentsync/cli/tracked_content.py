"""What git knows of the files that a plan sends (docs/targets.md)."""

from dataclasses import replace

from rich.console import Console

from ..content.config.config_tables import Target
from ..content.folder.git_facts import find_untracked
from ..content.folder.load import Content
from ..errors import join_first, pluralize
from ..sync.planning.plan import Plan
from ..sync.planning.server_checks import tracking_refusals
from ..value_text import printable


def check_tracking(plan: Plan, content: Content, target: Target, console: Console | None = None) -> Plan:
    """Return the plan, refused if it sends files that git ignores, or deletes what a sparse checkout leaves out.

    Name the untracked files of its kinds on the console, if there is one. A plan for an embedded target stays as it is.
    """
    if target.is_embedded or not plan:
        return plan
    kinds = {change.kind for change in plan.changes}
    files = find_untracked(content.folder, content.config, kinds, [file.path for file in plan.uploads])
    if files.untracked and console:
        names = f"{pluralize(len(files.untracked), 'file')} that git does not track: {join_first(files.untracked)}"
        console.print(printable(f"the folder has {names}"), markup=False)
    return replace(plan, refusals=(*plan.refusals, *tracking_refusals(plan, files, target)))
