"""Questions about what a repository does not say clearly, each with a default answer."""

from collections.abc import Callable
from typing import NamedTuple


class Question(NamedTuple):
    """A question with its possible answers, of which `default` is the best guess."""

    text: str
    choices: tuple[str, ...]
    default: str


Ask = Callable[[Question], str]


def confirm(ask: Ask, text: str) -> bool:
    """Ask a question whose best guess is yes."""
    return ask(Question(text, ("yes", "no"), "yes")) == "yes"


class DefaultAnswers:
    """Answers each question with its default, and records the guesses."""

    def __init__(self) -> None:
        self.guesses: list[str] = []

    def __call__(self, question: Question) -> str:
        self.guesses.append(f"{question.text} {question.default}")
        return question.default
