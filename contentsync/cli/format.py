"""How results are printed."""

from enum import StrEnum


class Format(StrEnum):
    """How the result of a command is printed."""

    TEXT = "text"
    JSON = "json"


class ProblemsFormat(StrEnum):
    """How the problems of a folder are printed."""

    TEXT = "text"
    JSON = "json"
    GITHUB = "github"
    SARIF = "sarif"
