"""`contentsync list`: its options, and what it does. The imports that take long are made when it runs."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from . import print_json, print_lines
from .options import (
    Full,
    KindWord,
    ListFormat,
    NoIndex,
    Where,
    complete_field,
    content_folder,
    index_use,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..model.conditions import Condition
    from ..model.named_fields import FieldNames, NamedField


def list_(
    kind: KindWord,
    path: Annotated[
        Path | None,
        typer.Argument(
            metavar="PATH", help="The content folder; default: the nearest one upwards.", show_default=False
        ),
    ] = None,
    where: Where = None,
    missing: Annotated[
        list[str] | None,
        typer.Option(
            "--missing",
            metavar="FIELD",
            help="Only entries without a value; may be repeated.",
            autocompletion=complete_field,
        ),
    ] = None,
    columns: Annotated[
        str,
        typer.Option(
            "--columns",
            metavar="A,B,C",
            help="The fields to show, and _key or _file.",
            autocompletion=complete_field,
        ),
    ] = "",
    sort: Annotated[
        str,
        typer.Option(
            "--sort",
            metavar="FIELD",
            help="Sort by a field; -FIELD: descending.",
            autocompletion=complete_field,
        ),
    ] = "",
    format_: Annotated[ListFormat, typer.Option("--format", help="The form of the list.")] = ListFormat.TEXT,
    no_index: NoIndex = False,
    full: Full = False,
) -> int:
    """List entries, for reading; import reads the file of export.

    contentsync list listing --where 'price > 20' --missing email --sort -price
    """
    from ..authoring.edit.field_values import definitions_of
    from ..content.folder.load import load_valid_content
    from ..model.conditions import all_hold, missing_condition, parse_conditions, titles_of
    from ..model.entry import parse_kind
    from ..model.named_fields import FieldNames, sort_entries
    from ..report.entry_list import EntryList, entry_list_csv, entry_list_document, entry_list_lines

    wanted = parse_kind(kind)
    content = load_valid_content(content_folder(path), index_use(no_index=no_index))
    site, entries = content.config.site, content.entries
    names = FieldNames(wanted, definitions_of(entries).get(wanted), site.locales[1:], site.zone)
    conditions = parse_conditions(where or (), names, titles_of(entries))
    lacking = [missing_condition(names.find(name, "--missing: ")) for name in missing or ()]
    order = names.find(sort.removeprefix("-"), "--sort: ") if sort else None
    shown_columns = _columns(columns, names, conditions, order)
    of_kind = [entry for entry in entries if entry.kind is wanted]
    found = [entry for entry in of_kind if all_hold((*conditions, *lacking), entry)]
    if order is not None:
        found = sort_entries(found, order, descending=sort.startswith("-"))
    shown = EntryList(wanted, found, shown_columns, len(of_kind))
    if format_ is ListFormat.JSON:
        print_json(entry_list_document(shown))
    elif format_ is ListFormat.CSV:
        print_lines(entry_list_csv(shown).split("\n")[:-1])  # after the last line end, there is no line
    else:
        print_lines(entry_list_lines(shown, full=full))
    return 0


def _columns(
    text: str, names: "FieldNames", conditions: "Iterable[Condition]", order: "NamedField | None"
) -> "Sequence[NamedField]":
    """Return the columns that `--columns` names; by default the key, the title, and what entries are selected by."""
    from ..model import RECORDS
    from ..model.named_fields import KEY

    if text:
        return [names.find(name.strip(), "--columns: ") for name in text.split(",") if name.strip()]
    fields = [names.find(KEY), names.find(RECORDS[names.kind].title_field)]
    fields += [condition.field for condition in conditions]
    fields += [] if order is None else [order]
    return [*{field.name: field for field in fields}.values()]
