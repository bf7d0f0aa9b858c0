"""`contentsync schema`: its options, and what it does. The imports that take long are made when it runs."""

from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import Problem, UsageError
from . import print_json
from .options import SCHEMA_OF_CONFIG, Folder, NoIndex, complete_schema, content_folder, index_use

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..content.config.config import Config
    from ..model import Definition, Kind
    from ..model.json_schema import Schema


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
    no_index: NoIndex = False,
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
    content = load_content(folder, index=index_use(no_index=no_index, is_read_only=True))
    definitions = {
        entry.key: entry.fields
        for entry in content.entries
        if entry.kind is Kind.CUSTOM_FIELD and entry.fields.get("fieldable_type", Kind.LISTING) == kind
    }
    is_complete = not any(_hides_custom_fields(problem, content.config) for problem in content.errors)
    settings = content.config.content[kind]
    document = file_schema(
        kind,
        definitions if is_complete else None,
        rename=settings.rename,
        ignore=settings.ignored_keys,
        needs_title=settings.needs_title,
    )
    _add_rules(document, content.config, kind, definitions)
    print_json(document)
    return 0


def _add_rules(document: "Schema", config: "Config", kind: "Kind", definitions: "Mapping[str, Definition]") -> None:
    """Add the house rules of a kind to its schema."""
    from ..content.config.collection_settings import ListSettings
    from ..content.entry.house_rules import HouseRules
    from ..content.entry.rule_schema import add_rules
    from ..content.entry.url_schemes import url_names
    from ..content.formats.draft import BODY_FIELDS
    from ..content.pictures.picture_fields import PICTURE_NAMES
    from ..model import RECORDS

    settings = config.content[kind]
    set_elsewhere = {target.partition(".")[0] for target in settings.rename.values()}
    if isinstance(settings, ListSettings):
        set_elsewhere |= {*settings.inherit}
    if RECORDS[kind].translated and len(config.site.locales) > 1:  # a file may have only the texts of one language
        set_elsewhere |= {*RECORDS[kind].rules(), *definitions}
    changed = {*(BODY_FIELDS if config.replacements else ()), *(PICTURE_NAMES if config.assets else ())}
    if settings.url_scheme:
        names = url_names(kind, definitions, PICTURE_NAMES)
        changed |= names.links | names.pictures
    rules = HouseRules(config, {kind: definitions}, {}, {}, set()).of(kind)
    add_rules(document, kind, rules, set_elsewhere=set_elsewhere, changed=changed)


def _hides_custom_fields(problem: Problem, config: "Config") -> bool:
    """Return whether custom fields may be missing in the content because of a problem."""
    from ..model import Kind

    path = problem.where.path
    starts = [
        path.removesuffix(".yaml") for path in config.content[Kind.CUSTOM_FIELD].paths if path
    ]  # files or folders
    return Kind.CUSTOM_FIELD in (problem.kind, *config.kinds_at(path)) or path.startswith(tuple(starts))
