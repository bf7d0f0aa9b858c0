"""contentsync.cli.option_groups: the fields of dataclasses are the options of a command."""

from dataclasses import dataclass
from inspect import signature
from typing import Annotated

import pytest
import typer

from contentsync.cli.option_groups import with_options


@dataclass(frozen=True)
class Paint:
    colour: Annotated[str, typer.Option("--colour")] = "red"
    layers: Annotated[tuple[str, ...], typer.Option("--layer")] = ()


@dataclass(frozen=True)
class Brush:
    width: Annotated[int, typer.Option("--width")]
    soft: Annotated[bool, typer.Option("--soft")] = False


def run(command: object, words: str) -> object:
    app = typer.Typer()
    app.command()(command)  # type: ignore[type-var]  # it is a function
    return typer.main.get_command(app)(words.split(), standalone_mode=False)


def test_a_command_receives_its_options_as_instances() -> None:
    @with_options("colour", "layers", "width", "soft")
    def command(paint: Paint, brush: Brush) -> tuple[Paint, Brush]:
        return paint, brush

    assert run(command, "--layer a --width 4 --layer b") == (Paint(layers=("a", "b")), Brush(4))
    assert run(command, "--width 4 --soft --colour blue") == (Paint("blue"), Brush(4, soft=True))


def test_the_names_choose_and_order_the_options() -> None:
    @with_options("soft", "coats", "colour", "width")
    def command(wall: str = "north", *, paint: Paint, brush: Brush, coats: int = 1) -> tuple[object, ...]:
        return wall, paint, brush, coats

    assert [*signature(command).parameters] == ["wall", "soft", "coats", "colour", "width"]
    assert run(command, "--coats 2 --width 5") == ("north", Paint(), Brush(5), 2)
    with pytest.raises(typer.TyperException, match="--layer"):
        run(command, "--layer a --width 5")


def test_an_own_option_replaces_that_of_a_field() -> None:
    @with_options("colour", "layers")
    def command(*, colour: Annotated[str, typer.Option("--colour")] = "white", paint: Paint) -> tuple[str, Paint]:
        return colour, paint

    assert run(command, "--layer a") == ("white", Paint("red", ("a",)))
    assert run(command, "--colour blue") == ("blue", Paint())


def test_an_unknown_name_is_an_error() -> None:
    with pytest.raises(KeyError, match="gloss"):
        with_options("gloss")(lambda: None)
