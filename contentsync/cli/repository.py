"""Where a content folder stands in its repository, as services that annotate files name it."""

from collections.abc import Mapping
from pathlib import Path

from ..git import working_tree


def path_in_repository(folder: Path, environ: Mapping[str, str], here: Path) -> str:
    """The folder's path from the root of the git repository around it, with forward slashes.

    Outside of a repository from GITHUB_WORKSPACE, else from the directory that the command runs in (`here`); empty
    where the folder is below none of them.
    """
    folder = folder.resolve()
    repository = working_tree(folder)
    workspace = environ.get("GITHUB_WORKSPACE")
    for root in (*([repository] if repository else []), *([Path(workspace)] if workspace else []), here):
        if folder.is_relative_to(root.resolve()):
            path = folder.relative_to(root.resolve()).as_posix()
            return "" if path == "." else path
    return ""
