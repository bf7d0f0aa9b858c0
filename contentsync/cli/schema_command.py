"""`contentsync schema`: its options, and what it does. The imports that take long are made when it runs."""

from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import Problem, UsageError
from . import print_json
from .options import SCHEMA_OF_CONFIG, Folder, complete_schema, content_folder

if TYPE_CHECKING:
    from ..content.config.config import Config


def schema(
    name: Annotated[
        str,
        typer.Argument(
            metavar="KIND",
            help="The kind, such as listing; or config, for contentsync.toml.",
            show_default=False,
            autocompletion=complete_schema,
        ),
    ],
    path: Folder = None,
) -> int:
    """Print the JSON Schema of a kind or the config, for editors."""
    from ..content.folder.load import load_content
    from ..model import Kind
    from ..model.entry import parse_kind
    from ..model.file_schema import file_schema

    if name == SCHEMA_OF_CONFIG:
        from ..content.config.config_schema import config_schema

        print_json(config_schema())
        return 0
    kind = parse_kind(name)
    try:
        folder = content_folder(path)
    except UsageError:
        if path is not None:
            raise
        print_json(file_schema(kind))  # without a content folder, any custom field is allowed
        return 0
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
            needs_title=settings.needs_title,
        )
    )
    return 0


def _hides_custom_fields(problem: Problem, config: "Config") -> bool:
    """Return whether custom fields may be missing in the content because of a problem."""
    from ..model import Kind

    path = problem.where.path
    starts = [
        path.removesuffix(".yaml") for path in config.content[Kind.CUSTOM_FIELD].paths if path
    ]  # files or folders
    return Kind.CUSTOM_FIELD in (problem.kind, *config.kinds_at(path)) or path.startswith(tuple(starts))
