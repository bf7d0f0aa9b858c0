"""The options of consents: one for each, where the command has its parameter."""

from dataclasses import fields
from inspect import signature

from contentsync.cli.consent_options import EVERY_CONSENT, FROM_OPTIONS, with_consents
from contentsync.sync import Consents


def test_each_consent_has_an_option() -> None:
    assert tuple(field.name for field in fields(Consents)) == EVERY_CONSENT


def test_the_options_of_consents_replace_the_parameter_of_the_command() -> None:
    received: list[Consents] = []

    @with_consents("deletes", "unknown_base")
    def command(path: str, allowed: Consents = FROM_OPTIONS, yes: bool = False) -> int:
        received.append(allowed)
        return 0

    assert list(signature(command).parameters) == ["path", "allow_deletes", "allow_unknown_base", "yes"]
    assert command(path=".", allow_deletes=3, allow_unknown_base=None, yes=True) == 0
    assert received == [Consents(deletes=3)]
