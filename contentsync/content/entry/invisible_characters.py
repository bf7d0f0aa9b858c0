"""Find characters that readers cannot see, or mistake for other characters (docs/faults.md SL-04, SL-05)."""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ...errors import Fix
from ...lazy_pattern import lazy_pattern
from ...model import RECORDS
from ..files.file_text import position_at
from ..formats.draft import BODY_FIELDS, Draft

_AROUND = 12  # characters that a message shows before and after an invisible one

_BIDI_MARKS = "\u061c\u200e\u200f\u202a-\u202c\u2066-\u2069"
_TAGS = "\U000e0001\U000e0020-\U000e007f"
_VARIANTS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
_SOFT_HYPHEN, _ZERO_WIDTH_SPACE, _JOINER = "\u00ad\u200b\u200d"
_SHAPING = "\u180e\u200c\u200d"  # the joiners, and the Mongolian vowel separator
# Characters without a shape of their own, from C1 controls and direction overrides to Hangul fillers.
_INVISIBLE = lazy_pattern(
    f"[\x80-\x9f{_SOFT_HYPHEN}\u180e\u200b-\u200d{_BIDI_MARKS}\u202d\u202e\u2060-\u2065\u206a-\u206f"
    f"\u3164\ufeff\uffa0\ufff9-\ufffb{_TAGS}{_VARIANTS}]"
)
# Those that no reader misses: not controls of Windows-1252, which were letters, overrides of the direction, or fillers.
_DELETABLE = lazy_pattern(f"[{_SOFT_HYPHEN}\u200b-\u200f\u061c\u202a-\u202c\u2060-\u2064\u2066-\u2069\ufeff]")
_BIDI_MARK, _TAG, _VARIANT = (lazy_pattern(f"[{characters}]") for characters in (_BIDI_MARKS, _TAGS, _VARIANTS))
_RIGHT_TO_LEFT = lazy_pattern("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")
# Scripts whose letters have other shapes beside a joiner, from Arabic to those of South Asia.
_JOINING = lazy_pattern(
    "[\u0600-\u08ff\u0900-\u109f\u1700-\u1cff\ua800-\uabff\ufb50-\ufdff\ufe70-\ufefc\U00010a00-\U00011fff]"
)
# Scripts without spaces between words, where a zero-width space marks a line break, from Thai to Khmer.
_UNSPACED = lazy_pattern("[\u0e00-\u109f\u1780-\u17ff\u1950-\u19ff\u1a20-\u1aaf\u3040-\u30ff\u3400-\u9fff]")
_FLAG_TAGS = 7  # the tags of a flag, at most
_FLAG = lazy_pattern("\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f")

_LATIN = "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff"
# Only letters that look exactly like Latin letters. Most Greek letters of formulas and units do not.
_CYRILLIC = "\u0410\u0412\u0415\u041a\u041c-\u041e\u0420-\u0423\u0425\u0405\u0406\u0408\u050c\u051a\u051c"
_CYRILLIC += "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0455\u0456\u0458\u04bb\u04cf\u0501\u051b\u051d"
_GREEK = "\u0391\u0392\u0395-\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u03bf"
_ALIKE = _CYRILLIC + _GREEK
_LATIN_ALIKE = "ABCEGHIJKMOPQSTWXYacdehijlopqswxy"  # Latin letters that look exactly like Cyrillic letters
_IN_CYRILLIC = rf"[\u0400-\u052f]+[{_LATIN_ALIKE}][\u0400-\u052f]*|[{_LATIN_ALIKE}][\u0400-\u052f]{{2,}}"
# Words of Latin letters and lookalikes, with some of both, and Cyrillic words with one Latin lookalike (several may be
# an abbreviation with a Cyrillic ending); each with a pattern of the letters that are out of place.
_MIXED = tuple(
    (lazy_pattern(rf"(?<![^\W_])(?:{words})(?![^\W\d_])"), lazy_pattern(f"[{alike}]"))
    for words, alike in (
        (rf"(?=[{_ALIKE}]*[{_LATIN}])(?=[{_LATIN}]*[{_ALIKE}])[{_LATIN}{_ALIKE}]+", _ALIKE),
        (_IN_CYRILLIC, _LATIN_ALIKE),
    )
)


def warn_of_confusing_characters(draft: Draft) -> None:
    """Warn of invisible characters in every text of the entry, and of titles with words that mix scripts.

    Call it before bodies are rewritten: the positions are those in the text as the author wrote it.
    """
    if draft.is_ascii:  # if it is False, the values may still be ASCII
        return
    if not _is_ascii(draft.values.values()):
        _check_texts(draft, draft.values, prefix="", title_field=RECORDS[draft.kind].title_field)


def may_confuse(text: str, *, is_title: bool) -> bool:
    """Return whether `warn_of_confusing_characters` may warn of a text, or of one of its lines. False is certain."""
    return bool(_INVISIBLE.search(text)) or (is_title and any(mixed.search(text) for mixed, _ in _MIXED))


def confusing_characters_in(text: str) -> str:
    """Return a description of a text's invisible characters, or else of its first word in mixed scripts, or else ""."""
    if text.isascii():
        return ""
    hidden = _hidden_offsets(text, is_title=True)
    return _describe_hidden(text, hidden) if hidden else next(_describe_mixed(text), "")


def _is_ascii(values: Iterable[Any]) -> bool:
    """Return whether all texts in nested values are ASCII. This must be fast: in most entries they are."""
    for value in values:
        if isinstance(value, str):
            if not value.isascii():
                return False
        elif isinstance(value, dict):
            if not _is_ascii(value.values()):
                return False
        elif isinstance(value, list) and not _is_ascii(value):
            return False
    return True


def _check_texts(draft: Draft, values: Mapping[str, Any], prefix: str, title_field: str) -> None:
    """Warn of invisible characters in all texts of `values` (named `prefix`), and of mixed scripts in titles."""
    for name, value in values.items():
        if isinstance(value, str):
            if not value.isascii():
                _warn_of_invisible(draft, prefix + name, value, is_title=name == title_field)
                if name == title_field:
                    _warn_of_mixed_scripts(draft, prefix + name, value)
        elif isinstance(value, dict):
            _check_texts(draft, value, f"{prefix}{name}.", title_field)
        elif isinstance(value, list):
            items = {str(index): item for index, item in enumerate(value)}
            _check_texts(draft, items, f"{prefix}{name}.", title_field)


def _warn_of_invisible(draft: Draft, name: str, text: str, *, is_title: bool) -> None:
    """Warn of the first character in a text that is invisible and has no effect at its position."""
    hidden = _hidden_offsets(text, is_title=is_title)
    if hidden:
        where = draft.where_in(name, position_at(text, hidden[0]))
        message = f"{name} contains {_describe_hidden(text, hidden)}"
        fix = None if name.rpartition(".")[2] in BODY_FIELDS else _deletion(draft, name, text, hidden)
        draft.warn("invisible-character", message, where, "delete it, or type the words again", fix=fix)


def _deletion(draft: Draft, name: str, text: str, hidden: Sequence[int]) -> Fix | None:
    """Return the fix that deletes hidden characters of a value; None if the text may mean something else without them.

    In Markdown, such a character may separate the marks around words.
    """
    if name in draft.body_locations or not all(_DELETABLE.match(text[offset]) for offset in hidden):
        return None
    deleted = {*hidden}
    visible = "".join(character for offset, character in enumerate(text) if offset not in deleted)
    return Fix(draft.where(name), text, visible) if visible.strip() else None


def _hidden_offsets(text: str, *, is_title: bool) -> list[int]:
    """Return the offsets of the invisible characters that have no effect at their position."""
    suspects = [match.start() for match in _INVISIBLE.finditer(text)]
    if not suspects:
        return []
    right_to_left = bool(_RIGHT_TO_LEFT.search(text))
    return [
        offset for offset in suspects if not _has_purpose(text, offset, is_title=is_title, right_to_left=right_to_left)
    ]


def _describe_hidden(text: str, offsets: Sequence[int]) -> str:
    """Return the name of the first of the invisible characters at these offsets, with the text around it."""
    first = offsets[0]
    start = max(text.rfind("\n", 0, first) + 1, first - _AROUND)
    line = text[start : first + _AROUND].partition("\n")[0]
    excerpt = _INVISIBLE.sub(lambda character: character[0].encode("unicode_escape").decode(), line)
    character_name = unicodedata.name(text[first], "control character").lower()
    others = f", and {len(offsets) - 1} more" if len(offsets) > 1 else ""
    return f"the invisible character U+{ord(text[first]):04X} ({character_name}) in '{excerpt}'{others}"


def _warn_of_mixed_scripts(draft: Draft, name: str, text: str) -> None:
    for description in _describe_mixed(text):
        draft.warn("mixed-script", f"{name}: {description}", draft.where(name), "type the word again in one script")


def _describe_mixed(text: str) -> Iterator[str]:
    """Yield a description of each word in which letters of another script look like those of its own."""
    seen: set[str] = set()
    for mixed, lookalikes in _MIXED:
        for word in mixed.findall(text):
            if word in seen:
                continue
            seen.add(word)
            escaped = lookalikes.sub(lambda letter: f"\\u{ord(letter[0]):04x}", word)
            own = _script_of(lookalikes.sub("", word)[0])
            other = _script_of(lookalikes.findall(word)[0])
            yield f"'{word}', written '{escaped}', mixes {own} letters with {other} letters that look the same"


def _script_of(letter: str) -> str:
    """Return the name of a letter's script, such as `Latin`: the first word of the letter's name."""
    return unicodedata.name(letter).partition(" ")[0].capitalize()


def _has_purpose(text: str, offset: int, *, is_title: bool, right_to_left: bool) -> bool:
    """Return whether an invisible character has an effect at its position."""
    character, previous, following = text[offset], text[offset - 1 : offset], text[offset + 1 : offset + 2]
    if character == _SOFT_HYPHEN:
        return not is_title  # it allows a hyphen at a line end, which only bodies need
    if character in _SHAPING:
        joins_letters = _JOINING.match(previous) or _JOINING.match(following)
        return bool(joins_letters) or (character == _JOINER and _joins_emoji(previous, following))
    if character == _ZERO_WIDTH_SPACE:  # it allows a line break in scripts without spaces
        return bool(_UNSPACED.match(previous) or _UNSPACED.match(following))
    if _VARIANT.match(character):  # it selects a form of the character before
        return offset > 0 and not _VARIANT.match(previous)
    if _TAG.match(character):  # it is part of an emoji, such as the flag of Scotland
        start, end = max(offset - _FLAG_TAGS, 0), offset + _FLAG_TAGS
        return any(flag.start() < offset < flag.end() for flag in _FLAG.finditer(text, start, end))
    return right_to_left and bool(_BIDI_MARK.match(character))


def _joins_emoji(previous: str, following: str) -> bool:
    is_emoji = previous and (_VARIANT.match(previous) or unicodedata.category(previous).startswith("S"))
    return bool(is_emoji and following and unicodedata.category(following).startswith("S"))
