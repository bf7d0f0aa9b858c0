"""Suggest settings for contentsync.toml that solve problems which `validate` reports."""

from collections.abc import Iterator, Mapping
from textwrap import wrap
from typing import Any

from ..content.collection_settings import DEFAULT_PATHS
from ..content.config import Config, read_config
from ..content.content_folder import CONFIG
from ..content.edit.toml_edit import inline_toml
from ..content.setting_choice import choose_settings
from ..content.unknown_keys import content_table, toml_key
from ..content.validation_report import ValidationReport
from ..errors import Setting


def config_suggestions(report: ValidationReport, width: int) -> Iterator[str]:
    """Yield the text that suggests settings, as lines of TOML; nothing if no setting solves a problem.

    If two unknown keys stand for the same field, suggest to rename only the more frequent key.
    """
    solved_counts = choose_settings(report.problems)  # by setting
    if not solved_counts:
        return
    config, _problems = read_config(report.folder)
    tables = {setting.table: _current_values(config, setting.table) for setting in solved_counts}
    replaced_tables = [f"[{name}]" for name, settings in tables.items() if settings]
    for setting in solved_counts:
        _add_setting(tables[setting.table], setting)
    problem_count = sum(solved_counts.values())
    verb = "is" if problem_count == 1 else "are"
    replacing = f", in place of {' and '.join(replaced_tables)}" if replaced_tables else ""
    sentence = f"{problem_count:,} of these {verb} solved by the following lines in {CONFIG}{replacing}:"
    yield "\n"
    yield from (f"{line}\n" for line in wrap(sentence, width))
    for name, settings in sorted(tables.items()):
        yield from (f"{line}\n" for line in ("", *_toml_lines(name, settings, width)))
    yield "\n"


def _current_values(config: Config, table: str) -> dict[str, Any]:
    """Return the present settings of a table of the config, without default values."""
    if table == "warnings":
        return {"ignore": sorted(config.ignored_warnings)} if config.ignored_warnings else {}
    kind = next(kind for kind in config.content if content_table(kind) == table)
    settings = config.content[kind].model_dump(exclude_defaults=True)
    if settings.get("path") == DEFAULT_PATHS[kind]:
        del settings["path"]  # `exclude_defaults` leaves it, because it depends on the kind
    return {name: [*value] if isinstance(value, tuple) else value for name, value in settings.items()}


def _add_setting(settings: dict[str, Any], setting: Setting) -> None:
    """Add a setting to those of its table, in place: to a mapping, to a list, or as a value of its own."""
    if setting.key and setting.value:
        settings[setting.name] = {**settings.get(setting.name, {}), setting.key: setting.value}
    elif setting.key:
        settings[setting.name] = [*settings.get(setting.name, []), setting.key]
    else:
        settings[setting.name] = setting.value or True  # a switch has no value


def _toml_lines(name: str, settings: Mapping[str, Any], width: int) -> Iterator[str]:
    """Yield the TOML lines of a table; a mapping that does not fit on one line becomes a subtable at the end."""
    subtables: list[str] = []
    yield f"[{name}]"
    for key, value in settings.items():
        line = f"{key} = {inline_toml(value)}"
        if len(line) <= width or not value or not isinstance(value, list | Mapping):
            yield line
        elif isinstance(value, Mapping):
            pairs = (f"{toml_key(inner)} = {inline_toml(text)}" for inner, text in value.items())
            subtables += ["", f"[{name}.{key}]", *pairs]
        else:
            items = ", ".join(map(inline_toml, value))
            yield f"{key} = ["
            yield from wrap(items, width, initial_indent="  ", subsequent_indent="  ", break_long_words=False)
            yield "]"
    yield from subtables
