"""`contentsync list`: its options, and what it does. The imports that take long are made when it runs."""

from collections.abc import Callable, Container, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from . import print_json, print_lines, run_coroutine
from .option_groups import with_options
from .options import Full, KindWord, ListFormat, Missing, Where, complete_field, content_folder
from .plan_options import PlanOptions

if TYPE_CHECKING:
    from ..content.config.config import Config
    from ..model import Entry, Kind
    from ..model.conditions import Condition
    from ..model.filled_fields import Completeness
    from ..model.named_fields import FieldNames, NamedField

_STATUS = "_status"  # the column of --both

_OPTIONS = (
    *("where", "missing", "columns", "sort", "completeness", "format_", "server", "both"),
    *("target", "state_dir", "no_index", "full"),
)


@with_options(*_OPTIONS)
def list_(
    kind: KindWord,
    path: Annotated[
        Path | None,
        typer.Argument(
            metavar="PATH", help="The content folder; default: the nearest one upwards.", show_default=False
        ),
    ] = None,
    *,
    options: PlanOptions,
    where: Where = None,
    missing: Missing = None,
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
    completeness: Annotated[bool, typer.Option("--completeness", help="How many entries have each field.")] = False,
    format_: Annotated[ListFormat, typer.Option("--format", help="The form of the list.")] = ListFormat.TEXT,
    server: Annotated[bool, typer.Option("--server", help="The entries of the server.")] = False,
    both: Annotated[bool, typer.Option("--both", help="Those of both sides, with _status.")] = False,
    full: Full = False,
) -> int:
    """List entries, for reading; import reads the file of export.

    contentsync list listing --where 'price > 20' --missing email --sort -price
    """
    from ..errors import UsageError
    from ..model import RECORDS
    from ..model.conditions import all_hold
    from ..model.entry import parse_kind
    from ..model.filled_fields import count_filled, measure_completeness
    from ..model.named_fields import sort_entries
    from ..report.entry_list import EntryList, entry_list_csv, entry_list_document, entry_list_lines
    from .entry_selection import field_names, selecting_conditions

    if server and both:
        raise UsageError("--server and --both exclude each other", "--both also lists the entries of the server")
    wanted = parse_kind(kind)
    read = _read_both if both else _read_server if server else _read_folder
    side = read(content_folder(path), options, wanted)
    names = field_names(side.config, wanted, side.all_entries, side.columns)
    conditions = selecting_conditions(names, side.all_entries, where, missing)
    order = names.find(sort.removeprefix("-"), "--sort: ") if sort else None
    shown_columns = _columns(columns, names, conditions[: len(where or ())], order)
    used = [*shown_columns, *(condition.field for condition in conditions), *([order] if order else [])]
    entries = side.read(None if completeness else {RECORDS[wanted].title_field, *(field.outermost for field in used)})
    found = [entry for entry in entries if all_hold(conditions, entry)]
    if order is not None:
        found = sort_entries(found, order, descending=sort.startswith("-"))
    if completeness:
        _print_completeness(measure_completeness(names, count_filled(found)[wanted]), format_)
        return 0
    shown = EntryList(wanted, found, shown_columns, len(entries))
    if format_ is ListFormat.JSON:
        print_json(entry_list_document(shown))
    elif format_ is ListFormat.CSV:
        _print_csv(entry_list_csv(shown))
    else:
        print_lines(entry_list_lines(shown, full=full))
    return 0


def _print_csv(text: str) -> None:
    print_lines(text.split("\n")[:-1])  # after the last line end, there is no line


def _print_completeness(measured: "Completeness", format_: ListFormat) -> None:
    from ..report.completeness import completeness_csv, completeness_document, completeness_lines

    if format_ is ListFormat.JSON:
        print_json(completeness_document(measured))
    elif format_ is ListFormat.CSV:
        _print_csv(completeness_csv(measured))
    else:
        print_lines(completeness_lines(measured))


class _Side(NamedTuple):
    """How to read the entries of a kind, those of the kinds that name or define their values, and more columns."""

    config: "Config"
    read: "Callable[[Container[str] | None], Sequence[Entry]]"  # with at least these fields; None: all
    all_entries: "Sequence[Entry]"
    columns: "Sequence[NamedField]" = ()


def _read_folder(folder: Path, options: PlanOptions, kind: "Kind") -> _Side:
    """Return the entries of the folder. Raise ContentError if it has errors: the list could lack entries."""
    from ..content.config.config import read_config
    from ..content.folder.load import load_valid_content
    from ..content.folder.value_columns import read_columns, store_columns
    from ..model import REFERRED_KINDS, Kind

    columns = read_columns(folder) if options.index else None
    if columns:
        config, _ = read_config(folder)
        others = [entry for each in (*REFERRED_KINDS, Kind.CUSTOM_FIELD) for entry in columns.entries(each)]
        return _Side(config, partial(columns.entries, kind), others)
    content = load_valid_content(folder, options.index, may_break_rules=True)
    if options.index:
        store_columns(content)
    entries = [entry for entry in content.entries if entry.kind is kind]
    return _Side(content.config, lambda _names: entries, content.entries)


def _read_server(folder: Path, options: PlanOptions, kind: "Kind") -> _Side:
    """Return the entries of the server, without the token. Errors in the entries of the folder do not matter."""
    from ..model import FIELDABLE, Kind
    from ..report.document_parts import redact
    from .session import Session
    from .terminal import stderr

    session = Session.open_without_entries(folder, options, stderr())

    async def read() -> "list[Entry]":
        kinds = {kind, Kind.CUSTOM_FIELD} if kind in FIELDABLE else {kind}
        async with session.read(kinds) as (entries, _base):
            return entries

    entries = [redact(entry, session.destination.secret) for entry in run_coroutine(read())]
    of_kind = sorted((entry for entry in entries if entry.kind is kind), key=lambda entry: entry.key)
    return _Side(session.content.config, lambda _names: of_kind, entries)


def _read_both(folder: Path, options: PlanOptions, kind: "Kind") -> _Side:
    """Return the entries of the folder, then those that only the server has, with the column of their status."""
    from dataclasses import replace

    from ..model.named_fields import NamedField
    from ..report.document_parts import redact
    from ..sync.planning.drift_summary import DRIFT_POLICY
    from ..sync.planning.plan import Selection
    from ..sync.planning.side_status import compare_sides
    from .session import Session
    from .terminal import stderr

    session = Session.open(folder, options, stderr(), may_break_rules=True)
    whole_kind = Selection(((kind, "*"),))
    plan = run_coroutine(replace(session, policy=DRIFT_POLICY, selection=whole_kind).plan())
    content = session.content
    sides = compare_sides(plan, content.entries, kind)
    entries = [redact(entry, session.destination.secret) for entry in sides.entries]
    status = NamedField(_STATUS, read=lambda entry: sides.status(entry).value, is_authored=False)
    return _Side(content.config, lambda _names: entries, [*content.entries, *plan.actual], [status])


def _columns(
    text: str, names: "FieldNames", conditions: "Iterable[Condition]", order: "NamedField | None"
) -> "Sequence[NamedField]":
    """Return the columns that `--columns` names; by default the key, the title, and what entries are selected by."""
    from ..model import RECORDS
    from ..model.named_fields import KEY

    if named := [name.strip() for name in text.split(",") if name.strip()]:
        return [names.find(name, "--columns: ") for name in named]
    fields = [names.find(KEY), names.find(RECORDS[names.kind].title_field)]
    fields += [field for field in names if field.name == _STATUS]
    fields += [condition.field for condition in conditions]
    fields += [] if order is None else [order]
    return [*{field.name: field for field in fields}.values()]
