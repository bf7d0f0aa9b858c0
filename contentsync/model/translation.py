"""The `translations` object of articles and organizers (service-api.md 4.4.2)."""

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
        raise fault("not-multilingual", "is not possible: the directory has one language")
    if value == default:
        raise fault("default-locale", f"must not hold the default language '{default}'")
    if value not in others:
        hint = did_you_mean(value, others)
        raise fault("unknown-locale", f"is none of the directory's languages ({', '.join(others)})", hint=hint)
    return value


Translations = Annotated[dict[Annotated[Text, AfterValidator(_locale)], Texts | None], BeforeValidator(limited)]
