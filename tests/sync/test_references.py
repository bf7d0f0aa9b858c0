from contentsync.errors import Problem, Where
from contentsync.model import Entry, Kind, Notes
from contentsync.sync import resolve as resolve_in

from .entries import actual, desired


def resolve(
    selected: list[Entry], there: list[Entry], user_ids: dict[str, int], folder: tuple[Entry, ...] = ()
) -> tuple[list[Entry], list[Problem]]:
    """The rest of the folder stands beside the selected entries."""
    return resolve_in([*selected], [*selected, *folder], there, user_ids)


def test_a_key_of_the_folder_stays_as_it_is() -> None:
    listing = desired(Kind.LISTING, "l", categories=["tools"])
    resolved, problems = resolve([listing, desired(Kind.CATEGORY, "tools", title="Tools")], [], {})
    assert not problems
    assert resolved[0] is not None and resolved[0].fields["categories"] == ["tools"]


def test_a_title_that_one_entry_of_the_server_has_becomes_its_key() -> None:
    there = [actual(Kind.TAG, "open-source", 3, title="Open source")]
    resolved, problems = resolve([desired(Kind.LISTING, "l", tags=["Open source"])], there, {})
    assert not problems
    assert resolved[0].fields["tags"] == ["open-source"]


def test_a_title_that_two_entries_have_is_refused() -> None:
    there = [actual(Kind.TAG, "a", 1, title="Tools"), actual(Kind.TAG, "b", 2, title="Tools")]
    _, problems = resolve([desired(Kind.LISTING, "l", tags=["Tools"])], there, {})
    assert [(problem.code, problem.message) for problem in problems] == [
        ("ambiguous-reference", "the tag 'Tools' may be any of a, b")
    ]


def test_a_name_that_nobody_knows_is_refused_where_it_stands() -> None:
    there = [actual(Kind.ORGANIZER, "atelier", 1, name="Atelier")]
    _, problems = resolve([desired(Kind.LISTING, "l", line=9, organizers=["ateler"])], there, {})
    assert [(problem.code, problem.where, problem.hint) for problem in problems] == [
        ("unknown-reference", Where("listing.md", 9), "did you mean 'atelier'?")
    ]


def test_the_parent_of_a_category_is_a_reference_too() -> None:
    there = [actual(Kind.CATEGORY, "tools", 1, title="All tools")]
    resolved, problems = resolve([desired(Kind.CATEGORY, "saws", parent_id="All tools")], there, {})
    assert not problems
    assert resolved[0].fields["parent_id"] == "tools"


def test_an_address_becomes_the_user_that_the_target_maps_it_to() -> None:
    organizer = desired(Kind.ORGANIZER, "o", user_id="ada@example.com")
    resolved, problems = resolve([organizer], [], {"ada@example.com": 7})
    assert not problems
    assert resolved[0].fields["user_id"] == 7


def test_an_address_that_the_target_does_not_map_is_refused() -> None:
    _, problems = resolve([desired(Kind.ORGANIZER, "o", user_id="ada@example.com")], [], {"adam@example.com": 7})
    assert [(problem.code, problem.hint) for problem in problems] == [
        ("unknown-user", "did you mean 'adam@example.com'?")
    ]


def test_a_name_and_a_slug_of_one_entry_are_one_reference() -> None:
    there = [actual(Kind.CATEGORY, "tools", 1, title="Tools")]
    resolved, problems = resolve([desired(Kind.LISTING, "l", categories=["tools", "Tools"])], there, {})
    assert not problems
    assert resolved[0].fields["categories"] == ["tools"]


def test_an_entry_of_the_folder_that_was_not_selected_is_known() -> None:
    listing = desired(Kind.LISTING, "l", tags=["open"])
    _, problems = resolve([listing], [], {}, folder=(desired(Kind.TAG, "open", title="Open"),))
    assert not problems


def test_a_skipped_entry_is_known_only_to_the_server() -> None:
    listing = desired(Kind.LISTING, "l", tags=["open"])
    skipped = desired(Kind.TAG, "open", notes=Notes(skip=True), title="Open")
    assert [problem.code for problem in resolve([listing], [], {}, folder=(skipped,))[1]] == ["unknown-reference"]
    assert resolve([listing], [actual(Kind.TAG, "open", 1, title="Open")], {}, folder=(skipped,))[1] == []
