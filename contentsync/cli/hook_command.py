"""`contentsync hook`: git runs the command before a commit, and after a merge or a push (docs/git.md)."""

from pathlib import Path
from typing import Annotated

import typer

from ..hooks import Hook
from . import print_json
from .options import Format, FormatOption

app = typer.Typer(help="Git hooks: validate before a commit, sync after a push.", no_args_is_help=True)

RepositoryPath = Annotated[Path, typer.Argument(metavar="PATH", help="The repository, or a folder in it.")]
TargetOption = Annotated[
    str | None, typer.Option("--target", metavar="NAME", help="The target of post-merge and post-receive.")
]
BranchOption = Annotated[
    str | None, typer.Option("--branch", metavar="NAME", help="The branch to sync; default: the one of HEAD.")
]
FolderOption = Annotated[
    str | None, typer.Option("--folder", metavar="PATH", help="The content folder, if the branch has several.")
]


@app.command()
def install(
    path: RepositoryPath = Path(),
    hooks: Annotated[
        list[Hook] | None,
        typer.Option(
            "--hook",
            help="The hook; may be repeated; default: those before a commit, or post-receive in a bare repository.",
        ),
    ] = None,
    target: TargetOption = None,
    branch: BranchOption = None,
    folder: FolderOption = None,
    format_: FormatOption = Format.TEXT,
) -> int:
    """Write the scripts that git runs. Never overwrite a hook that another tool wrote."""
    from ..hooks import hook_scripts
    from ..hooks.repository import Repository
    from .deploy import sync_hook_options

    repository = Repository.find(path)
    wanted = hooks or hook_scripts.default_hooks(repository)
    options, url = sync_hook_options(repository, wanted, target, branch, folder)
    written = hook_scripts.install(repository, {hook: options if hook.syncs else [] for hook in wanted}, url)
    _print_hooks(format_, written)
    return 0


@app.command()
def uninstall(path: RepositoryPath = Path(), format_: FormatOption = Format.TEXT) -> int:
    """Delete the scripts that install wrote, and no others."""
    from ..hooks.hook_scripts import uninstall
    from ..hooks.repository import Repository

    _print_hooks(format_, uninstall(Repository.find(path)))
    return 0


@app.command(hidden=True)
def run(
    hook: Annotated[Hook, typer.Argument(metavar="HOOK", show_default=False)],
    target: TargetOption = None,
    branch: BranchOption = None,
    folder: FolderOption = None,
) -> int:
    """Run a hook; called by the scripts."""
    if hook.syncs:
        from .deploy import deploy

        return deploy(hook, target, branch, folder)
    from .validate_command import validate_commit

    return validate_commit()


def _print_hooks(format_: Format, hooks: list[Path]) -> None:
    from ..value_text import printable
    from .terminal import stdout

    if format_ is Format.JSON:
        print_json({"version": 1, "hooks": [{"hook": path.name, "path": str(path)} for path in hooks]})
    else:
        for path in hooks:
            stdout().print(printable(str(path)), markup=False)
