"""Single values where a list is expected: generators read `categories: news` as a list of one."""

from collections.abc import Mapping

from ..errors import Setting
from ..model import RECORDS, Kind
from ..model.suggestion import list_hint
from .draft import Draft

LIST_FIELDS: Mapping[Kind, tuple[str, ...]] = {
    kind: tuple(name for name, rule in record.rules().items() if rule.default == []) for kind, record in RECORDS.items()
}  # the fields of a kind that are lists

_IGNORED = Setting("warnings", "ignore", "single-value")
_SILENCE = 'ignore = ["single-value"] under [warnings] in contentsync.toml'


def list_single_values(draft: Draft) -> None:
    """Make lists of one of single texts, with a warning; custom fields have rules of their own.

    For drafts that are not yet judged.
    """
    for name in LIST_FIELDS[draft.kind]:
        value = draft.values.get(name)
        if isinstance(value, str):
            draft.values[name] = [value]
            message = f"{name} is a list: the single value is read as a list with one item"
            draft.warn("single-value", message, draft.where(name), f"{list_hint(value)}, or set {_SILENCE}", _IGNORED)
