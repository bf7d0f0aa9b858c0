"""Choose the settings that solve the problems of a folder."""

from collections import Counter
from collections.abc import Iterable, Mapping

from ..errors import Problem, Setting

_MANY = 20  # a code with at most so many warnings is not suggested to be ignored


def choose_settings(problems: Iterable[Problem]) -> Mapping[Setting, int]:
    """Return the settings to suggest, each with the number of problems that it solves, in descending order.

    If two unknown keys stand for the same field, suggest to rename only the more frequent key. Suggest to ignore
    warnings only if they are many.
    """
    counts = Counter(problem.setting for problem in problems if problem.setting)
    chosen: dict[Setting, int] = {}
    used_names: set[tuple[str, str]] = set()  # keys, fields and settings of which one is suggested
    for setting, count in counts.most_common():
        names = {(setting.table, f"key {setting.key}" if setting.key else f"setting {setting.name}")}
        if setting.key and setting.value:
            names.add((setting.table, f"field {setting.value.removeprefix('!')}"))
        is_worthwhile = setting.table != "warnings" or count > _MANY
        if is_worthwhile and not used_names & names:
            used_names |= names
            chosen[setting] = count
    return chosen
