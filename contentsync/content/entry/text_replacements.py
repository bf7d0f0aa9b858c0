"""Replace an author's own syntax in the Markdown bodies of an entry, as `[[markdown.replace]]` says."""

from collections.abc import Sequence

from ..config.replacement import MAX_LENGTH, Replacement, TooLong
from ..files.content_folder import CONFIG
from ..formats.draft import Draft, markdown_bodies


def replaced_text(text: str, replacements: Sequence[Replacement]) -> str:
    """Return the text after all replacements, each applied to the result of the one before. Raises TooLong."""
    for replacement in replacements:
        text = replacement.apply(text)
    return text


def is_replaced(text: str, replacements: Sequence[Replacement]) -> bool:
    """Return whether something in the text is replaced."""
    try:
        return replaced_text(text, replacements) != text
    except TooLong:
        return True


def replace_in_bodies(draft: Draft, replacements: Sequence[Replacement]) -> None:
    """Replace the author's syntax in the Markdown bodies of an entry, also in translations.

    The number of lines stays the same, because neither a placeholder nor a replacement can contain a line end.
    """
    for name, values, field in markdown_bodies(draft) if replacements else ():
        try:
            text = replaced_text(values[field], replacements)
        except TooLong:
            message = f"{name} is longer than {MAX_LENGTH:,} characters after the replacements of {CONFIG}"
            draft.fail(name, "too-large", message, draft.where(name), "shorten replace, or split the text")
            continue
        if text != values[field]:
            lines = zip(text.split("\n"), values[field].split("\n"), strict=True)
            changed = frozenset(number for number, (new, old) in enumerate(lines, 1) if new != old)
            draft.replaced_lines = {**(draft.replaced_lines or {}), name: changed}
            draft.is_ascii = draft.is_ascii and text.isascii()
            values[field] = text
