"""How results are printed."""

from enum import StrEnum


class Format(StrEnum):
    """How the result of a command is printed."""

    TEXT = "text"
    JSON = "json"


class PlanFormat(StrEnum):
    """How a plan is printed."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"


class ProblemsFormat(StrEnum):
    """How the problems of a folder are printed."""

    TEXT = "text"
    JSON = "json"
    GITHUB = "github"
    SARIF = "sarif"
