"""The table `[warnings]` of contentsync.toml: which warnings are hidden, and which count as errors."""

from collections.abc import Callable
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator

from ...errors import Problem, Severity
from ...explanations import explanations
from ...model import Kind
from ...model.directory_settings import as_tuple
from ...model.field_types import Text, fault
from ...model.suggestion import did_you_mean
from ..files.file_names import is_below
from .collection_settings import ConfigTable, IfPresent

KindAt = Callable[[str], Kind | None]


def _check_code(code: str) -> str:
    if code in explanations():
        return code
    hint = did_you_mean(code, explanations()) or "docs/problems.md lists all codes"
    raise fault("unknown-code", f"'{code}' is not the code of a problem", hint=hint)


_Codes = Annotated[tuple[Annotated[Text, AfterValidator(_check_code)], ...], BeforeValidator(as_tuple)]


class WarningOverride(ConfigTable):
    """Other levels for the warnings of one kind, at some paths, or both; without `kind` and `path`, for all."""

    kind: Literal["category", "tag", "custom_field", "organizer", "listing", "page", "article"] | None = None
    path: Text | None = None  # a file name, or a path in the content folder; `*` matches anything
    ignore: _Codes = ()
    warning: _Codes = ()
    error: _Codes = ()

    def concerns(self, problem: Problem, kind_at: KindAt) -> bool:
        """Return whether a problem is of the kind, and in a file or folder at the path."""
        path = problem.where.path
        if self.path is not None:
            in_folder = is_below(path, self.path.rstrip("/"))
            matched = path if "/" in self.path else path.rpartition("/")[2]
            if not (in_folder or fnmatchcase(matched, self.path)):
                return False
        return self.kind is None or self.kind == (problem.kind or kind_at(path))


class WarningSettings(ConfigTable):
    """The codes of the warnings that are not shown, and of those that are errors."""

    ignore: _Codes = ()
    error: _Codes = ()
    overrides: Annotated[tuple[IfPresent[WarningOverride], ...], BeforeValidator(as_tuple)] = ()  # the last one counts

    def judge(self, problem: Problem, kind_at: KindAt) -> Problem | None:
        """Return a problem at its level, or None if it is not shown. The level of an error never changes.

        `kind_at` returns the kind of the file at a path.
        """
        if problem.is_error:
            return problem
        code = problem.code
        level = "ignore" if code in self.ignore else "error" if code in self.error else "warning"
        for override in self.overrides:
            levels = (name for name in ("ignore", "warning", "error") if code in getattr(override, name))
            if (own_level := next(levels, None)) and override.concerns(problem, kind_at):
                level = own_level
        if level == "ignore":
            return None
        return replace(problem, severity=Severity.ERROR, is_raised=True) if level == "error" else problem
