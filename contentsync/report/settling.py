"""The lines of contentsync.toml that settle what `validate` has found, to paste."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from textwrap import wrap
from typing import Any

from ..content.config import DEFAULT_PATHS, Config, read_config
from ..content.content_folder import CONFIG
from ..content.unknown_keys import content_table, toml_key
from ..content.validation_report import ValidationReport
from ..errors import Problem, Setting

_MANY = 20  # warnings of a code: fewer are not offered to be ignored


@dataclass(slots=True)
class _Table:
    """A table of the config as it is and as it should be."""

    lines: dict[str, Any]
    is_new: bool = field(init=False)

    def __post_init__(self) -> None:
        self.is_new = not self.lines


def settling_text(survey: ValidationReport, width: int) -> Iterator[str]:
    """The lines, each with its end, below a sentence; nothing where no setting settles anything.

    Of two keys that mean one field only the more frequent one is renamed: the next report is about the other.
    """
    chosen = _chosen(survey.problems)
    if not chosen:
        return
    config, _ = read_config(survey.folder)
    tables = {setting.table: _Table(_now(config, setting.table)) for setting in chosen}
    for setting in chosen:
        _put(tables[setting.table].lines, setting)
    replaced = [f"[{name}]" for name, table in tables.items() if not table.is_new]
    settled = sum(chosen.values())
    verb = "is" if settled == 1 else "are"
    told = f"{settled:,} of these {verb} settled by the following lines in {CONFIG}"
    yield "\n"
    yield from (
        f"{line}\n"
        for line in wrap(f"{told}, in place of {' and '.join(replaced)}:" if replaced else f"{told}:", width)
    )
    for name, table in sorted(tables.items()):
        yield from (f"{line}\n" for line in ("", *_toml(name, table.lines, width)))
    yield "\n"


def _chosen(problems: Sequence[Problem]) -> Mapping[Setting, int]:
    """The settings to offer, the most frequent first, and how many problems each settles."""
    counts = Counter(problem.setting for problem in problems if problem.setting)
    chosen: dict[Setting, int] = {}
    taken: set[tuple[str, str]] = set()  # keys that have their setting, and fields that have their key
    for setting, count in counts.most_common():
        names = {(setting.table, f"key {setting.key}")}
        if setting.value:
            names.add((setting.table, f"field {setting.value.removeprefix('!')}"))
        if taken.isdisjoint(names) and (setting.table != "warnings" or count > _MANY):
            taken |= names
            chosen[setting] = count
    return chosen


def _now(config: Config, table: str) -> dict[str, Any]:
    """What a table of the config says that is not the default."""
    if table == "warnings":
        return {"ignore": sorted(config.ignored_warnings)} if config.ignored_warnings else {}
    kind = next(kind for kind in config.content if content_table(kind) == table)
    own = config.content[kind].model_dump(exclude_defaults=True)
    if own.get("path") == DEFAULT_PATHS[kind]:
        del own["path"]
    return {name: [*value] if isinstance(value, tuple) else value for name, value in own.items()}


def _put(lines: dict[str, Any], setting: Setting) -> None:
    if setting.value:
        lines[setting.name] = {**lines.get(setting.name, {}), setting.key: setting.value}
    elif setting.key:
        lines[setting.name] = [*lines.get(setting.name, []), setting.key]
    else:
        lines[setting.name] = True


def _toml(name: str, lines: Mapping[str, Any], width: int) -> Iterator[str]:
    """A table; a mapping that is too long for a line becomes a table of its own, below."""
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
