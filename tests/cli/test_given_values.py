"""contentsync.cli.given_values: parameters whose values typer converts only if they were given."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import pytest
import typer

from contentsync.cli.given_values import convert_only_given_values


class Form(StrEnum):
    TEXT = "text"
    JSON = "json"


def values(*words: str) -> dict[str, Any]:
    """Return the values that a command gets."""
    found: dict[str, Any] = {}
    app = typer.Typer()

    @app.command()
    def run(
        paths: Annotated[list[Path] | None, typer.Argument()] = None,
        form: Annotated[Form, typer.Option()] = Form.TEXT,
        most: Annotated[int | None, typer.Option(min=1)] = None,
        times: int = 2,
    ) -> None:
        found.update(paths=paths, form=form, most=most, times=times)

    command: Any = typer.main.get_command(app)
    convert_only_given_values(command)
    command(words, standalone_mode=False)
    return found


def test_a_value_that_was_not_given_is_the_default() -> None:
    assert values() == {"paths": None, "form": Form.TEXT, "most": None, "times": 2}
    assert isinstance(values()["form"], Form)


def test_a_given_value_is_converted() -> None:
    given = values("a", "b", "--form", "json", "--most", "3", "--times", "2")
    assert given == {"paths": [Path("a"), Path("b")], "form": Form.JSON, "most": 3, "times": 2}
    assert isinstance(given["form"], Form)


@pytest.mark.parametrize("words", [["--most", "0"], ["--form", "xml"], ["--times", "two"]])
def test_a_wrong_value_is_refused(words: list[str]) -> None:
    with pytest.raises(typer.BadParameter):
        values(*words)
