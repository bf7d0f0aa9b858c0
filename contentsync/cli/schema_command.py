"""`contentsync schema`."""

from pathlib import Path

from ..content.config import Config
from ..content.content_folder import find_folder
from ..content.load import load_content
from ..errors import Problem, UsageError
from ..model import Kind
from ..model.entry import parse_kind
from ..model.file_schema import file_schema
from .output import print_json


def schema(kind_name: str, path: Path | None) -> int:
    """Print the JSON Schema of a kind's files, with the custom fields and the renamed keys of a folder.

    Without a path, use the content folder that contains the working directory. If there is none, the schema allows any
    custom field.
    """
    kind = parse_kind(kind_name)
    folder = path or _nearest_folder()
    if folder is None:
        print_json(file_schema(kind))
        return 0
    if not folder.is_dir():
        raise UsageError(f"there is no folder {folder}")
    content = load_content(folder)
    definitions = {
        entry.key: entry.fields
        for entry in content.entries
        if entry.kind is Kind.CUSTOM_FIELD and entry.fields.get("fieldable_type", Kind.LISTING) == kind
    }
    is_complete = not any(_hides_custom_fields(problem, content.config) for problem in content.errors)
    settings = content.config.content[kind]
    print_json(
        file_schema(
            kind,
            definitions if is_complete else None,
            rename=settings.rename,
            ignore=settings.ignored_keys,
            needs_title=not settings.title_in_heading,
        )
    )
    return 0


def _nearest_folder() -> Path | None:
    try:
        return find_folder(Path.cwd())
    except UsageError:
        return None


def _hides_custom_fields(problem: Problem, config: Config) -> bool:
    """Return whether custom fields may be missing in the content because of a problem."""
    path = config.content[Kind.CUSTOM_FIELD].path.removesuffix(".yaml")
    return problem.kind == Kind.CUSTOM_FIELD or problem.where.path.startswith(path)
