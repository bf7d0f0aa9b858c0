"""`contentsync log`: its options, and what it does. The imports that take long are made when it runs."""

from typing import Annotated

import typer

from . import print_json
from .options import (
    EntryWords,
    Format,
    FormatOption,
    Full,
    NoIndex,
    StateDir,
    TargetOption,
    content_folder,
    current_folder,
    index_use,
    split_entry,
)

LIMIT = 100  # commits, and journals


def log(
    words: EntryWords,
    target: TargetOption = None,
    format_: FormatOption = Format.TEXT,
    limit: Annotated[
        int, typer.Option("--limit", metavar="N", min=1, max=100_000, help="How many commits and journals to read.")
    ] = LIMIT,
    state_dir: StateDir = None,
    no_index: NoIndex = False,
    full: Full = False,
) -> int:
    """Show how an entry has changed, by commits and by runs."""
    import os

    from ..content.files.content_folder import CONFIG
    from ..content.folder.entry_names import find_entry_key, unknown_key_hint
    from ..content.folder.load import load_content
    from ..errors import ContentError, UsageError
    from ..printed_commands import PrintedCommands
    from ..report.history_report import EntryHistory, history_document, history_text
    from ..sync.history.entry_commits import read_entry_commits
    from ..sync.history.entry_history import entry_history, read_entry_runs
    from ..sync.state.state_dir import StateDir as TargetState
    from .target_connection import choose_target
    from .terminal import stdout

    name, _, path = split_entry(words, "log KIND/KEY")
    folder = content_folder(path)
    content = load_content(folder, index=index_use(no_index=no_index))
    config = content.config
    # The path `.` is the folder itself.
    if config_errors := [problem for problem in content.errors if problem.where.path in (CONFIG, ".")]:
        raise ContentError(config_errors, folder)
    kind, key = find_entry_key(folder, content.entries, name, current_folder())
    chosen = choose_target(config.targets, config.default_target, target, os.environ)
    state = TargetState.for_target(folder, chosen.name, state_dir)
    entry = next((entry for entry in content.entries if (entry.kind, entry.key) == (kind, key)), None)
    commits = read_entry_commits(folder, config, kind, key, entry, limit)
    runs = read_entry_runs(state, chosen, kind, commits.all_keys, limit)
    if entry is None and not commits.changes and not runs.changes:
        hint = unknown_key_hint(kind, key, content.entries)
        validate = PrintedCommands.for_folder(folder)("validate")
        hint = hint or f"{validate} shows the errors of files that cannot be read"
        raise UsageError(f"there is no {kind} '{key}' in the folder, its newest commits or the journals", hint)
    items = tuple(entry_history(kind, commits.changes, runs.changes))
    history = EntryHistory(kind, key, entry, chosen.name, commits, runs, items, limit)
    token_variables = {each.token_env for each in (*config.targets.values(), chosen)}
    tokens = {os.environ.get(name, "").strip() for name in token_variables} - {""}
    secrets = sorted(tokens, key=len, reverse=True)  # a longer token first: it may contain a shorter one
    document = history_document(history, secrets)
    if format_ is Format.JSON:
        print_json(document)
    else:
        stdout().print(history_text(document, full=full), end="")
    return 0
