"""Situations in which people, and not the network, could lose content, each as a person would cause it.

docs/faults.md, People, lists them.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum

from .scene import LISTINGS, PAGES, TABLE, Scene
from .ways import WAYS


class Outcome(Enum):
    """The result of a run without consent; the folder also has an unrelated new article."""

    REFUSED = "refused"  # nothing is written
    KEPT = "left alone"  # only the article is written
    DONE = "written"


REFUSED, KEPT, DONE = Outcome.REFUSED, Outcome.KEPT, Outcome.DONE
ALL = frozenset(WAYS)
TRAILERS = ("deletes", "clears", "publish", "updates")  # the consents that a commit can give (docs/ci.md)
# A running watch writes the state again between two acts, so it has no situation with a lost state.
WITH_STATE = frozenset({"sync", "sync --yes", "watch"})  # CI and hook have commits in place of a state file


@dataclass(frozen=True)
class Situation:
    """What people did, what a run does then, and the consent that lets it do the rest: options, or a trailer.

    Without options, there is nothing to consent to.
    """

    name: str
    act: Callable[[Scene], None]
    outcome: Outcome
    says: str = ""  # a part of what it prints
    options: tuple[str, ...] = ()
    trailer: str = ""
    ways: frozenset[str] = ALL

    def __str__(self) -> str:
        return self.name


SITUATIONS: list[Situation] = []


def situation(
    outcome: Outcome, says: str = "", consent: str = "", *, ways: Iterable[str] = ALL
) -> Callable[[Callable[[Scene], None]], None]:
    """Add a situation; its name is that of the function that makes it, its consent an option or a trailer."""

    def add(act: Callable[[Scene], None]) -> None:
        option, _, number = consent.partition("=")
        options = (f"--allow-{option}", number) if number else tuple(consent.split())
        printed = says or " ".join(options) if outcome is REFUSED else says
        trailer = consent if number and option in TRAILERS else ""
        name = act.__name__.replace("_", " ")
        SITUATIONS.append(Situation(name, act, outcome, printed, options, trailer, frozenset(ways)))

    return add


# Two clones, and a state that is stale, copied or lost


@situation(KEPT, "1 edit on the server is kept", "--on-drift overwrite", ways=WITH_STATE)
def a_stale_clone_after_a_deploy_of_a_colleague(scene: Scene) -> None:
    theirs = scene.colleague()
    theirs.write_page(1, "Newer")
    theirs.sync()


@situation(KEPT, ways=WITH_STATE)
def a_stale_clone_that_lacks_what_a_colleague_added(scene: Scene) -> None:
    theirs = scene.colleague()
    theirs.write_page(50, "Added")
    theirs.sync()


@situation(KEPT, "2 entries deleted on the server", "--on-drift overwrite", ways=WITH_STATE)
def a_stale_clone_that_has_what_a_colleague_deleted(scene: Scene) -> None:
    theirs = scene.colleague()
    theirs.delete("pages/p1.md", "pages/p2.md")
    theirs.sync()


@situation(DONE, ways=WITH_STATE)
def two_clones_that_edited_two_fields_of_a_page(scene: Scene) -> None:
    theirs = scene.colleague()
    theirs.write_page(1, "Newer")
    theirs.sync()
    scene.write("pages/p1.md", (scene.path / "pages/p1.md").read_text(encoding="utf-8") + "More.\n")


@situation(REFUSED, '"Ours" in the folder, "Theirs" on the server', "--on-conflict ours", ways=WITH_STATE)
def two_clones_that_edited_one_field_of_a_page(scene: Scene) -> None:
    theirs = scene.colleague()
    theirs.write_page(1, "Theirs")
    theirs.sync()
    scene.write_page(1, "Ours")


@situation(KEPT, ways=WITH_STATE - {"watch"})
def a_state_from_a_backup_whose_folder_is_newer(scene: Scene) -> None:
    old = scene.state.read_bytes()
    scene.write_page(1, "Newer")
    scene.sync()
    scene.state.write_bytes(old)


@situation(KEPT, ways=WITH_STATE - {"watch"})
def a_deleted_page_after_the_state_was_lost(scene: Scene) -> None:
    scene.state.unlink()
    scene.delete("pages/p1.md")


@situation(REFUSED, consent="--adopt", ways=WITH_STATE - {"watch"})
def an_edited_page_after_the_state_was_lost(scene: Scene) -> None:
    scene.state.unlink()
    scene.write_page(1, "Newer")


@situation(KEPT, "1 edit on the server is kept", "--on-drift overwrite")
def an_edit_in_the_dashboard(scene: Scene) -> None:
    scene.edit_there("pages", "p1", title="Theirs")


@situation(KEPT, "15 edits on the server are kept", "--on-drift overwrite")
def an_import_in_the_dashboard_that_changed_many_listings(scene: Scene) -> None:
    for number in range(15):
        scene.edit_there("projects", f"tool-{number:02}", description="Imported")


@situation(REFUSED, '"Ours" in the folder, "Theirs" on the server', "--on-conflict ours")
def an_edit_of_one_field_on_both_sides(scene: Scene) -> None:
    scene.edit_there("pages", "p1", title="Theirs")
    scene.write_page(1, "Ours")


@situation(REFUSED, "title changed", "--on-conflict ours")
def a_page_that_was_deleted_here_and_edited_there(scene: Scene) -> None:
    scene.edit_there("pages", "p1", title="Theirs")
    scene.delete("pages/p1.md")


@situation(REFUSED, "page p1", "--on-conflict ours")
def a_page_that_was_edited_here_and_deleted_there(scene: Scene) -> None:
    scene.delete_there("pages", "p1")
    scene.write_page(1, "Ours")


@situation(KEPT, "3 entries deleted on the server", "--on-drift overwrite")
def a_few_pages_that_were_deleted_in_the_dashboard(scene: Scene) -> None:
    scene.delete_there("pages", "p1", "p2", "p3")


@situation(KEPT)
def a_page_that_got_another_slug_in_the_dashboard(scene: Scene) -> None:
    scene.edit_there("pages", "p1", slug="theirs")


# A database that was restored or lost


@situation(REFUSED, consent="recreate=52")
def a_server_that_lost_its_database(scene: Scene) -> None:
    scene.delete_there("pages", *(f"p{number}" for number in range(PAGES)))
    scene.delete_there("projects", *(f"tool-{number:02}" for number in range(LISTINGS)))


@situation(REFUSED, consent="recreate=12")
def a_database_that_was_restored_from_before_some_listings(scene: Scene) -> None:
    scene.delete_there("projects", *(f"tool-{number:02}" for number in range(12)))


@situation(KEPT, "edits on the server are kept", "--on-drift overwrite")
def a_database_that_was_restored_from_before_some_edits(scene: Scene) -> None:
    for number in range(4):
        scene.edit_there("pages", f"p{number}", title=f"Old page {number}")


# Records of other users


@situation(KEPT, "not created from this folder")
def a_row_that_equals_the_listing_of_another_user(scene: Scene) -> None:
    scene.create_there("projects", name="Theirs", url="https://theirs.example.org/")
    scene.write("listings/more.csv", "name,url\nTheirs,https://theirs.example.org/\n")


@situation(REFUSED, consent="deletes=1", ways=WITH_STATE - {"watch"})
def the_deleted_row_of_an_adopted_listing(scene: Scene) -> None:
    scene.create_there("projects", name="Theirs", url="https://theirs.example.org/")
    scene.write("listings/more.csv", "name,url\nTheirs,https://theirs.example.org/\n")
    scene.sync()
    scene.delete("listings/more.csv")


@situation(REFUSED, consent="--adopt")
def a_row_that_names_the_listing_of_another_user(scene: Scene) -> None:
    scene.create_there("projects", name="Theirs", url="https://theirs.example.org/", description="Theirs.")
    scene.write("listings/more.csv", "name,url,description\nOurs,https://theirs.example.org/,Ours.\n")


@situation(REFUSED, consent="--adopt")
def a_page_with_the_slug_of_a_page_of_another_user(scene: Scene) -> None:
    scene.create_there("pages", title="Theirs", slug="p77", markdown="Theirs.")
    scene.write_page(77, "Ours")


# Columns that were sorted, moved, dropped or emptied


@situation(REFUSED, consent="updates=40")
def descriptions_that_were_sorted_alone(scene: Scene) -> None:
    scene.sort_column("description")


@situation(REFUSED, consent="updates=38")
def slugs_that_were_sorted_alone(scene: Scene) -> None:
    scene.sort_column("slug")


@situation(REFUSED, consent="updates=30")
def addresses_that_were_sorted_alone(scene: Scene) -> None:
    scene.sort_column("url")


@situation(REFUSED, consent="updates=40")
def names_that_slipped_by_a_row(scene: Scene) -> None:
    names = [row["name"] for row in scene.rows()]
    scene.edit_rows(lambda number, _row: {"name": names[number - 1]})


@situation(KEPT)
def rows_that_were_sorted_whole(scene: Scene) -> None:
    scene.write_rows(sorted(scene.rows(), key=lambda row: row["name"]))


@situation(REFUSED, consent="publish=6")
def a_dropped_column_that_hid_listings(scene: Scene) -> None:
    scene.drop_column("is_active")


@situation(REFUSED, consent="publish=6")
def emptied_cells_that_hid_listings(scene: Scene) -> None:
    scene.edit_rows(lambda _number, _row: {"is_active": ""})


@situation(REFUSED, consent="publish=6")
def emptied_dates_of_listings_that_begin_later(scene: Scene) -> None:
    scene.edit_rows(lambda _number, _row: {"starts_at": ""})


@situation(REFUSED, consent="publish=5")
def drafts_that_lost_their_line(scene: Scene) -> None:
    for number in range(PAGES - 5, PAGES):
        scene.write_page(number, f"Page {number}", is_published=None)


@situation(DONE)
def drafts_that_are_published_by_a_written_value(scene: Scene) -> None:
    for number in range(PAGES - 5, PAGES):
        scene.write_page(number, f"Page {number}")


@situation(REFUSED, consent="clears=40")
def a_dropped_column_of_descriptions(scene: Scene) -> None:
    scene.drop_column("description")


@situation(REFUSED, consent="clears=40")
def emptied_cells_of_descriptions(scene: Scene) -> None:
    scene.edit_rows(lambda _number, _row: {"description": ""})


# Texts that were replaced or lost letters


@situation(REFUSED, consent="updates=40")
def a_table_that_lost_its_umlauts(scene: Scene) -> None:
    text = (scene.path / TABLE).read_text(encoding="utf-8")
    scene.write(TABLE, text.encode("ascii", "replace").decode("ascii"))


@situation(REFUSED, consent="updates=40")
def a_table_that_was_read_in_another_encoding(scene: Scene) -> None:
    text = (scene.path / TABLE).read_text(encoding="utf-8")
    scene.write(TABLE, text.encode("utf-8").decode("latin-1"))


@situation(REFUSED, consent="updates=40")
def a_replacement_in_the_texts_of_all_listings(scene: Scene) -> None:
    scene.edit_rows(lambda _number, row: {"description": row["description"].replace("number", "no.")})


@situation(REFUSED, consent="updates=40")
def a_replacement_in_the_addresses_of_all_listings(scene: Scene) -> None:
    scene.edit_rows(lambda _number, row: {"url": row["url"].replace("http:", "https:")})


@situation(REFUSED, consent="updates=40")
def a_replacement_in_the_slugs_of_all_listings(scene: Scene) -> None:
    scene.edit_rows(lambda _number, row: {"slug": row["slug"].replace("tool", "item")})


@situation(DONE)
def a_replacement_in_a_few_texts(scene: Scene) -> None:
    scene.edit_rows(lambda number, _row: {"description": "Another text."} if number < 8 else {})


# Files that are gone, cut short or slow


@situation(REFUSED, consent="deletes=20")
def a_table_that_was_cut_in_half(scene: Scene) -> None:
    scene.write_rows(scene.rows()[: LISTINGS // 2])


@situation(REFUSED, consent="deletes=40")
def a_table_that_was_deleted(scene: Scene) -> None:
    scene.delete(TABLE)


@situation(REFUSED, consent="deletes=9")
def a_cloud_drive_that_took_most_pages(scene: Scene) -> None:
    for number in range(9):
        scene.delete(f"pages/p{number}.md")
        scene.pause()


@situation(KEPT)
def a_cloud_drive_that_took_all_pages_and_brought_them_back(scene: Scene) -> None:
    texts = [(scene.path / f"pages/p{number}.md").read_text(encoding="utf-8") for number in range(PAGES)]
    for number in range(PAGES):
        scene.delete(f"pages/p{number}.md")
        scene.pause()
    for number, text in enumerate(texts):
        scene.write(f"pages/p{number}.md", text)
        scene.pause()


@situation(DONE)
def two_pages_that_are_deleted(scene: Scene) -> None:
    scene.delete("pages/p1.md", "pages/p2.md")
