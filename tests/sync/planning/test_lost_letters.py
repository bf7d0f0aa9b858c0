"""Texts that were saved or read in another encoding."""

import pytest

from contentsync.sync.planning.update_gate import has_lost_letters

TEXT = "Das Café in Köln: schöne Möbel für Größe"


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1", "mac_roman", "cp850"])
def test_utf8_text_read_in_another_encoding_has_lost_letters(encoding: str) -> None:
    assert has_lost_letters(TEXT, TEXT.encode().decode(encoding, errors="replace"))


@pytest.mark.parametrize("replacement", ["?", "\ufffd", "??", "\ufffd\ufffd"])
def test_replacement_characters_are_lost_letters(replacement: str) -> None:
    assert has_lost_letters(TEXT, "".join(letter if letter.isascii() else replacement for letter in TEXT))
    assert has_lost_letters("Привет", 6 * replacement)


def test_lost_letters_are_detected_beside_other_changes() -> None:
    assert has_lost_letters(TEXT, "New: the caf\ufffd of Caf? is open. Caf\ufffd")


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        "Das Cafe in Koeln: schoene Moebel fuer Groesse",
        "Ist das Café in Köln? Schöne Möbel!",
        "Is it open? What for?",
        "Möbel für Köln",
        "",
    ],
)
def test_ordinary_edits_lose_no_letters(text: str) -> None:
    assert not has_lost_letters(TEXT, text)


def test_already_damaged_texts_lose_no_letters() -> None:
    assert not has_lost_letters("Caf\ufffd in K?ln", "Café in Köln")
    assert not has_lost_letters("Caf\ufffd", "Caf\ufffd!")
