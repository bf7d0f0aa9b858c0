"""Lines for contentsync.toml that solve problems of `validate`, to paste."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from textwrap import wrap
from typing import Any

from ..content.config import DEFAULT_PATHS, Config, read_config
from ..content.config_file import CONFIG
from ..content.hints import content_table, toml_key
from ..content.survey import Survey
from ..errors import Problem, Setting

_MANY = 20  # warnings of a code; fewer are not suggested to be ignored


@dataclass(slots=True)
class _Table:
    """A table of the config with the suggested settings."""

    lines: dict[str, Any]
    is_new: bool = field(init=False)

    def __post_init__(self) -> None:
        self.is_new = not self.lines


def config_suggestions(survey: Survey, width: int) -> Iterator[str]:
    """Yield a sentence and the suggested lines; nothing if no setting solves a problem.

    If two keys mean one field, only the more frequent one is renamed; the next report is about the other.
    """
    chosen = _choose_settings(survey.problems)
    if not chosen:
        return
    config, _ = read_config(survey.folder)
    tables = {setting.table: _Table(_current_values(config, setting.table)) for setting in chosen}
    for setting in chosen:
        _add(tables[setting.table].lines, setting)
    replaced = [f"[{name}]" for name, table in tables.items() if not table.is_new]
    settled = sum(chosen.values())
    verb = "is" if settled == 1 else "are"
    solved = f"{settled:,} of these {verb} solved by the following lines in {CONFIG}"
    yield "\n"
    yield from (
        f"{line}\n"
        for line in wrap(f"{solved}, in place of {' and '.join(replaced)}:" if replaced else f"{solved}:", width)
    )
    for name, table in sorted(tables.items()):
        yield from (f"{line}\n" for line in ("", *_toml(name, table.lines, width)))
    yield "\n"


def _choose_settings(problems: Sequence[Problem]) -> Mapping[Setting, int]:
    """Return the settings to suggest, the most frequent first, and the number of problems that each solves."""
    counts = Counter(problem.setting for problem in problems if problem.setting)
    chosen: dict[Setting, int] = {}
    taken: set[tuple[str, str]] = set()  # keys with a setting, and fields with a key
    for setting, count in counts.most_common():
        names = {(setting.table, f"key {setting.key}")}
        if setting.value:
            names.add((setting.table, f"field {setting.value.removeprefix('!')}"))
        if taken.isdisjoint(names) and (setting.table != "warnings" or count > _MANY):
            taken |= names
            chosen[setting] = count
    return chosen


def _current_values(config: Config, table: str) -> dict[str, Any]:
    """Return the settings of a table that differ from the defaults."""
    if table == "warnings":
        return {"ignore": sorted(config.ignored_warnings)} if config.ignored_warnings else {}
    kind = next(kind for kind in config.content if content_table(kind) == table)
    own = config.content[kind].model_dump(exclude_defaults=True)
    if own.get("path") == DEFAULT_PATHS[kind]:
        del own["path"]
    return {name: [*value] if isinstance(value, tuple) else value for name, value in own.items()}


def _add(lines: dict[str, Any], setting: Setting) -> None:
    if setting.value:
        lines[setting.name] = {**lines.get(setting.name, {}), setting.key: setting.value}
    elif setting.key:
        lines[setting.name] = [*lines.get(setting.name, []), setting.key]
    else:
        lines[setting.name] = True


def _toml(name: str, lines: Mapping[str, Any], width: int) -> Iterator[str]:
    """Yield the lines of a table; a mapping that is too long for a line becomes a table of its own below."""
    below: list[str] = []
    yield f"[{name}]"
    for key, value in lines.items():
        line = f"{key} = {_inline(value)}"
        if len(line) <= width or not value or not isinstance(value, list | Mapping):
            yield line
        elif isinstance(value, Mapping):
            pairs = (f"{toml_key(inner)} = {_inline(text)}" for inner, text in value.items())
            below += ["", f"[{name}.{key}]", *pairs]
        else:
            items = ", ".join(map(_inline, value))
            yield f"{key} = ["
            yield from wrap(items, width, initial_indent="  ", subsequent_indent="  ", break_long_words=False)
            yield "]"
    yield from below


def _inline(value: Any) -> str:
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{toml_key(key)} = {_inline(inner)}' for key, inner in value.items())} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(_inline, value))}]"
    return json.dumps(value, ensure_ascii=False)
