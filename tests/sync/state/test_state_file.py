from dataclasses import replace
from pathlib import Path

import pytest

from contentsync.content.config.config_tables import Target
from contentsync.errors import Damaged, LocalFileError, Unwritable
from contentsync.model import Kind, Notes
from contentsync.remote.synced_records import NotSynced
from contentsync.sync.comparing.base import AppliedEntry, Base, BeforePull, applied_entry
from contentsync.sync.state.state_dir import StateDir
from contentsync.sync.state.state_file import (
    VERSION,
    decode_line,
    digest_entries,
    digest_lines,
    digest_state,
    encode_line,
    read_state,
    write_state,
)

from ..entries import actual, desired
from ..full_disk import full_disk

TARGET = Target(name="production", url="https://directory.example.com", directory=42)

PAGE = applied_entry(
    desired(Kind.PAGE, "about", title="Über uns\u2028", notes=Notes(protect=True, previous=("us", "we"))),
    replace(actual(Kind.PAGE, "about", 7, title="Über uns", slug="about"), created="2026-03-02T09:00:00.000000Z"),
)
LISTING = applied_entry(desired(Kind.LISTING, "https://saw.example", name="Saw", url="https://saw.example"))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return StateDir.for_target(tmp_path, "production").state


def damage_of(file: Path) -> str:
    """Expect that the state cannot be read, and return the message."""
    with pytest.raises(Damaged) as raised:
        read_state(file, TARGET)
    assert str(file) in raised.value.message
    return raised.value.message


def test_a_written_state_is_read_back(file: Path) -> None:
    write_state(file, [PAGE, LISTING], TARGET)
    base = read_state(file, TARGET)
    assert base == Base.from_entries([PAGE, LISTING])
    assert base.is_known


def test_the_origin_of_a_record_is_stored(file: Path) -> None:
    written = Base.from_entries([PAGE._replace(origin="adopted"), LISTING._replace(origin="pulled")])
    write_state(file, written.values(), TARGET)
    assert read_state(file, TARGET) == written


def test_entries_can_be_skipped_by_the_digests_of_their_lines(file: Path) -> None:
    page = PAGE._replace(key=LISTING.key, title='"key":"https://saw.example","kind":"listing"')
    quoted = LISTING._replace(key='a"b', id=8)
    write_state(file, [page, quoted, LISTING], TARGET)
    digests = digest_entries(file)
    del digests[page.identity]
    assert [*digests] == [LISTING.identity]
    assert digest_lines(file) > {*digests.values()}
    assert read_state(file, TARGET, {*digests.values()}) == Base.from_entries([page, quoted])
    write_state(file, [LISTING._replace(title="Other")], TARGET)
    assert digest_entries(file)[LISTING.identity] != digests[LISTING.identity]
    with pytest.raises(NotSynced):
        read_state(file, TARGET, {*digests.values()})


def test_another_state_has_other_digests(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if the stamps of both files are trusted: another file has another one."""
    monkeypatch.setattr("contentsync.sync.state.state_file.STAMP_MARGIN", -1)
    write_state(file, [PAGE, LISTING], TARGET)
    before, lines, digests = digest_state(file), digest_lines(file), digest_entries(file)
    assert (digest_state(file), digest_lines(file)) == (before, lines)
    assert read_state(file, TARGET, {digests[LISTING.identity]}) == Base.from_entries([PAGE])
    write_state(file, [LISTING, PAGE._replace(title="Same size")], TARGET)
    assert digest_state(file) != before
    assert len(digest_lines(file) & lines) == 3  # the header, the listing and the end
    assert [*read_state(file, TARGET, {digests[LISTING.identity]}).values()] == [PAGE._replace(title="Same size")]


def test_a_missing_state_file_has_no_digests_and_no_listings_to_skip(file: Path) -> None:
    assert digest_entries(file) == {}
    assert digest_lines(file) == set()
    assert digest_state(file) == ""
    assert not read_state(file, TARGET, {"digest"}).is_known


def test_skipped_listings_keep_their_lines_when_the_state_is_written(file: Path) -> None:
    others = [LISTING._replace(key=f"https://{name}.example", id=number) for number, name in enumerate("abc", 10)]
    write_state(file, [PAGE, LISTING, *others], TARGET)
    first, second, third = others
    changed = second._replace(title="Other")
    write_state(file, [PAGE, changed], TARGET, {LISTING.identity, first.identity, third.identity})
    written = file.read_bytes()
    write_state(file, [PAGE, LISTING, first, changed, third], TARGET)
    assert file.read_bytes() == written


def test_a_skipped_listing_whose_record_belongs_to_another_listing_loses_its_line(file: Path) -> None:
    skipped = LISTING._replace(id=7)
    write_state(file, [PAGE, skipped], TARGET)
    moved = skipped._replace(key="https://new.example")
    write_state(file, [PAGE, moved], TARGET, {skipped.identity})
    assert {*read_state(file, TARGET)} == {PAGE.identity, moved.identity}


def test_a_state_that_lacks_a_skipped_listing_is_not_replaced(file: Path) -> None:
    write_state(file, [PAGE], TARGET)
    before = file.read_bytes()
    with pytest.raises(Damaged, match="it lacks 1 listing that it had when the run began"):
        write_state(file, [], TARGET, {LISTING.identity})
    assert file.read_bytes() == before


def test_a_line_of_an_earlier_release_without_creation_time_is_read(file: Path) -> None:
    write_state(file, [PAGE], TARGET)
    heading, line, end = map(decode_line, file.read_bytes().splitlines())
    older = {name: value for name, value in line.items() if name not in ("created", "previous")}
    file.write_bytes(b"".join(map(encode_line, (heading, older, end))))
    assert read_state(file, TARGET) == Base.from_entries([PAGE._replace(created=None, previous=())])


def test_a_missing_state_file_is_an_unknown_base(file: Path) -> None:
    """PL-17"""
    assert not read_state(file, TARGET).is_known


def test_a_state_without_entries_is_a_known_base(file: Path) -> None:
    write_state(file, [], TARGET)
    assert read_state(file, TARGET).is_known


def test_each_entry_is_one_line_that_does_not_depend_on_others(file: Path) -> None:
    write_state(file, [PAGE], TARGET)
    alone = file.read_bytes().splitlines()
    write_state(file, [PAGE, LISTING], TARGET)
    assert set(alone) < set(file.read_bytes().splitlines())
    write_state(file, [LISTING, PAGE], TARGET)
    assert [line for line in file.read_bytes().splitlines() if line in alone] == alone


def test_a_truncated_state_is_detected(file: Path) -> None:
    """FI-32"""
    write_state(file, [PAGE, LISTING], TARGET)
    whole = file.read_bytes()
    without_last_line = whole.rindex(b"\n", 0, -1) + 1
    for length in [*range(0, len(whole) - 1, 7), without_last_line]:
        file.write_bytes(whole[:length])
        damage_of(file)


def test_a_flipped_bit_in_the_state_is_detected(file: Path) -> None:
    """FI-32"""
    write_state(file, [LISTING], TARGET)
    whole = file.read_bytes()
    for place in range(0, len(whole) - 1, 7):
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 1 << place % 8]) + whole[place + 1 :])
        damage_of(file)


def test_a_duplicate_entry_is_reported_as_damage(file: Path) -> None:
    """For example after a merge."""
    write_state(file, [LISTING], TARGET)
    first, entry, end = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(first + entry + entry + end)
    assert "line 3 is about listing https://saw.example" in damage_of(file)


def test_two_lines_for_one_record_are_reported_as_damage(file: Path) -> None:
    """For example after a merge of two branches that both renamed the entry."""
    write_state(file, [PAGE, PAGE._replace(key="about-us")], TARGET)
    assert "line 3 is about page 7, and so is one before it" in damage_of(file)


def test_lines_after_the_end_are_reported_as_damage(file: Path) -> None:
    write_state(file, [], TARGET)
    file.write_bytes(file.read_bytes() + encode_line({"kind": "page"}))
    assert "has lines after its end, line 2" in damage_of(file)


def test_a_line_without_an_entry_is_reported_as_damage(file: Path) -> None:
    write_state(file, [], TARGET)
    heading, end = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(heading + encode_line({"kind": "pamphlet"}) + end)
    assert "a line is not an entry" in damage_of(file)


def test_a_state_of_a_newer_version_is_refused(file: Path) -> None:
    """FI-32, PL-18"""
    write_state(file, [], TARGET)
    heading, end = file.read_bytes().splitlines(keepends=True)
    newer = {**decode_line(heading), "version": VERSION + 1}
    file.write_bytes(encode_line(newer) + end)
    assert f"is in version {VERSION + 1}" in damage_of(file)


@pytest.mark.parametrize(
    "other",
    [
        Target(name="production", url="https://directory.example.com", directory=43),
        Target(name="production", url="https://staging.example.com", directory=42),
    ],
)
def test_the_state_of_another_directory_is_refused(file: Path, other: Target) -> None:
    """PL-09"""
    write_state(file, [PAGE], other)
    assert "and the target 'production' is directory 42" in damage_of(file)


def test_another_spelling_of_the_url_is_the_same_server(file: Path) -> None:
    write_state(file, [PAGE], Target(name="production", url="https://Directory.example.com:443/", directory=42))
    assert PAGE.identity in read_state(file, TARGET)


def test_a_full_disk_keeps_the_old_state(file: Path) -> None:
    """FI-24"""
    write_state(file, [PAGE], TARGET)
    many = [AppliedEntry(Kind.TAG, f"t{number}", number, {"title": "0" * 12}) for number in range(100)]
    with full_disk(4096), pytest.raises(Unwritable) as raised:
        write_state(file, many, TARGET)
    assert "make room" in raised.value.hint
    assert read_state(file, TARGET) == Base.from_entries([PAGE])
    assert list(file.parent.iterdir()) == [file]


def test_an_unreadable_state_is_an_error(file: Path) -> None:
    """FI-25"""
    file.mkdir(parents=True)
    with pytest.raises(LocalFileError) as raised:
        read_state(file, TARGET)
    assert "cannot be read" in raised.value.message


def test_entries_as_they_were_before_a_pull_are_read_back(file: Path) -> None:
    renamed = PAGE._replace(key="about-us", before_pull=BeforePull({"slug": ""}, PAGE))
    new = LISTING._replace(before_pull=BeforePull(None, None))
    write_state(file, [renamed, new], TARGET)
    assert [*read_state(file, TARGET).values()] == [new, renamed]


def test_lines_of_pulled_entries_have_the_usual_form(file: Path) -> None:
    """Releases without support for pulls ignore their note in the header."""
    write_state(file, [PAGE, LISTING], TARGET)
    heading, *lines = file.read_bytes().splitlines()
    before = BeforePull(None, LISTING)
    write_state(file, [PAGE, LISTING._replace(before_pull=before)], TARGET)
    pulled_heading, *pulled_lines = file.read_bytes().splitlines()
    assert pulled_lines == lines
    assert decode_line(heading) == {
        name: value for name, value in decode_line(pulled_heading).items() if name != "pulled"
    }


def test_the_header_of_a_pull_is_not_a_line_of_a_listing(file: Path) -> None:
    former = LISTING._replace(key="https://former.example")
    write_state(file, [PAGE, LISTING._replace(before_pull=BeforePull(None, former))], TARGET)
    assert [*digest_entries(file)] == [LISTING.identity, PAGE.identity]


def test_no_listing_is_skipped_after_a_pull(file: Path) -> None:
    write_state(file, [PAGE, LISTING._replace(before_pull=BeforePull(None, LISTING))], TARGET)
    with pytest.raises(NotSynced):
        read_state(file, TARGET, {*digest_entries(file).values()})


@pytest.mark.parametrize("pulled", [[["listing", LISTING.key]], [["tile", "a", None, None]], [1]])
def test_a_header_with_invalid_pulled_entries_is_reported_as_damage(file: Path, pulled: list[object]) -> None:
    write_state(file, [LISTING], TARGET)
    heading, *lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join([encode_line({**decode_line(heading), "pulled": pulled}), *lines]))
    assert "its first line" in damage_of(file)
