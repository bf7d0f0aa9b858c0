"""`contentsync hook`: git calls the command before a commit, and after a merge or a push (docs/git.md)."""

from pathlib import Path
from typing import Annotated

import typer

from ..hooks.names import Hook
from .choices import Format
from .typed import FormatOption, failures_as

app = typer.Typer(help="Git hooks: validate before a commit, sync after a push.", no_args_is_help=True)

Place = Annotated[Path, typer.Argument(metavar="PATH", help="The repository, or a folder in it.")]
TargetOption = Annotated[
    str | None, typer.Option("--target", metavar="NAME", help="What post-merge and post-receive sync to.")
]
BranchOption = Annotated[
    str | None, typer.Option("--branch", metavar="NAME", help="What they sync; default: the branch that HEAD names.")
]
FolderOption = Annotated[
    str | None, typer.Option("--folder", metavar="PATH", help="The content folder, where the branch has several.")
]


@app.command()
def install(
    path: Place = Path(),
    hooks: Annotated[
        list[Hook] | None,
        typer.Option("--hook", help="May be repeated; default: those before a commit, or post-receive if bare."),
    ] = None,
    target: TargetOption = None,
    branch: BranchOption = None,
    folder: FolderOption = None,
    format_: FormatOption = Format.TEXT,
) -> int:
    """Write the scripts that git calls. Never over a hook of somebody else's."""
    from ..hooks.installing import default_hooks, install
    from ..hooks.repository import Repository
    from .deploy import syncing_options

    with failures_as(format_):
        repository = Repository.at(path)
        wanted = hooks or default_hooks(repository)
        options, url = syncing_options(repository, wanted, target, branch, folder)
        _say(format_, install(repository, {hook: options if hook.syncs else [] for hook in wanted}, url))
        return 0


@app.command()
def uninstall(path: Place = Path(), format_: FormatOption = Format.TEXT) -> int:
    """Take the scripts away that install wrote, and no others."""
    from ..hooks.installing import uninstall
    from ..hooks.repository import Repository

    with failures_as(format_):
        _say(format_, uninstall(Repository.at(path)))
        return 0


@app.command(hidden=True)
def run(
    hook: Annotated[Hook, typer.Argument(metavar="HOOK", show_default=False)],
    target: TargetOption = None,
    branch: BranchOption = None,
    folder: FolderOption = None,
) -> int:
    """What the scripts call."""
    if hook.syncs:
        from .deploy import deploy

        return deploy(hook, target, branch, folder)
    from .staged import check_staged

    return check_staged()


def _say(format_: Format, hooks: list[Path]) -> None:
    from ..report.words import printable
    from .output import print_json
    from .terminal import data

    if format_ is Format.JSON:
        print_json({"version": 1, "hooks": [{"hook": place.name, "path": str(place)} for place in hooks]})
    else:
        for place in hooks:
            data().print(printable(str(place)), markup=False)
