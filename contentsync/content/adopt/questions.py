"""Questions about what a repository does not say clearly, each with a default answer."""

from collections.abc import Callable
from typing import NamedTuple

from ...model import Kind


class Question(NamedTuple):
    """A question with its possible answers, of which `default` is the best guess."""

    text: str
    choices: tuple[str, ...]
    default: str


def count_of_files(number: int) -> str:
    """Return a number of files as a question or a note writes it."""
    return f"{number:,} {'file' if number == 1 else 'files'}"


def number_of(number: int, kind: Kind) -> str:
    """Return a number of entries as a question or a comment writes it."""
    return f"{number:,} {kind.value if number == 1 else kind.plural}"


Ask = Callable[[Question], str]


class DefaultAnswers:
    """Answers each question with its default, and records the guesses."""

    def __init__(self) -> None:
        self.guesses: list[str] = []

    def __call__(self, question: Question) -> str:
        self.guesses.append(f"{question.text} {question.default}")
        return question.default
