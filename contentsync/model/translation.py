"""The `translations` object of articles and organizers (docs/contract.md 4.4.2)."""

from typing import Annotated, TypeVar

from pydantic import AfterValidator, BeforeValidator, ValidationInfo

from .context import context_of
from .fields import Text, fault, limited
from .record import Part
from .violation import did_you_mean

Texts = TypeVar("Texts", bound=Part)


def _locale(value: str, info: ValidationInfo) -> str:
    default, *others = context_of(info).locales
    if not others:
        hint = "list all languages in locales of contentsync.toml" if context_of(info).authored else ""
        raise fault("not-multilingual", "is not allowed: the directory has only one language", hint=hint)
    if value == default:
        hint = "write the texts of the default language in the entry itself"
        raise fault("default-locale", f"must not contain the default language '{default}'", hint=hint)
    if value not in others:
        hint = did_you_mean(value, others)
        raise fault("unknown-locale", f"is not one of the other languages of the site ({', '.join(others)})", hint=hint)
    return value


Translations = Annotated[dict[Annotated[Text, AfterValidator(_locale)], Texts | None], BeforeValidator(limited)]
