"""contentsync.content.pictures.picture_checks: pictures that entries name, in whole folders."""

from pathlib import Path

import pytest

from contentsync.content.folder.load import Content, load_content, make_report, validate_folder
from contentsync.content.folder.unit_cache import InMemoryCache
from contentsync.model.urls import LOCAL_FILES

from ..conftest import CONFIG, Load, only, spots, write
from .picture_bytes import LATITUDE_TAG, SVG, exif, jpeg, png

BASE = "https://cdn.example.com/"
ASSETS = f'{CONFIG}asset_base_url = "{BASE}"\n[assets]\npath = "static"\n'


def article(*keys: str, body: str = "Text") -> str:
    return "\n".join(["---", "title: A", *keys, "---", body, ""])


def with_picture(data: bytes, name: str = "a.png", settings: str = "") -> dict[str, str | bytes]:
    entry = article(f"thumbnail_url: /{name}", "thumbnail_alt_text: A")
    return {"contentsync.toml": ASSETS + settings, "articles/a.md": entry, f"static/{name}": data}


def test_a_path_becomes_the_file_address_in_fields_and_texts(read: Load) -> None:
    entry = only(
        read(
            {
                "contentsync.toml": ASSETS,
                "articles/a.md": article(
                    "thumbnail_url: img/a.png",
                    "thumbnail_alt_text: A",
                    "seo: {og_image: /b.png}",
                    body="![A](/img/a.png) [![B](/b.png)](/b.png) ![up](/storage/x.png)\n\n<img src='c.png' alt=''>",
                ),
                "articles/c.png": png(),
                "static/b.png": png(),
                "static/img/a.png": png(),
            }
        )
    )
    assert entry.fields["thumbnail_url"] == f"{BASE}static/img/a.png", "the file's own folder has no such file"
    assert entry.fields["seo"]["og_image"] == f"{BASE}static/b.png"
    assert entry.fields["markdown"] == (
        f"![A]({BASE}static/img/a.png) [![B]({BASE}static/b.png)]({BASE}static/b.png) ![up](/storage/x.png)\n\n"
        f"<img src='{BASE}articles/c.png' alt=''>"
    )


def test_pictures_and_former_addresses_of_one_text_are_both_rewritten(read: Load) -> None:
    """The links to entries are rewritten later, at their positions after the pictures."""
    body = "[![A](/a.png)](/a.png) ![up](/storage/x.png) [[A]] [old](/old/) ![A](/a.png) [x](/old/)"
    files = with_picture(png(), settings='[content.articles]\npermalink = "/:slug/"\n')
    files["articles/a.md"] = article("aliases: [/old/]", body=body)
    content = read(files)
    assert content.problems == ()
    assert only(content).fields["markdown"] == body.replace("/a.png", f"{BASE}static/a.png").replace(
        "[[A]]", "[A](/blog/a/)"
    ).replace("/old/", "/blog/a/")


def test_a_link_to_another_document_leads_to_the_published_file(read: Load) -> None:
    files = {"contentsync.toml": f"{CONFIG}[assets]\n", "articles/a.md": article(body="[x](../notes.md) [y](../b.pdf)")}
    content = read({**files, "notes.md": "Text", "b.pdf": "Text"})
    assert content.problems == ()
    assert only(content).fields["markdown"] == f"[x]({LOCAL_FILES}notes.md) [y]({LOCAL_FILES}b.pdf)"


SERVED = f'{CONFIG}[assets]\npath = "static"\nbase_url = "https://www.example.com/"\n'
REMOTE = '[targets.a]\nurl = "https://a.example"\ndirectory = 1\n'


def test_pictures_of_the_asset_folder_have_the_address_where_it_is_served(read: Load) -> None:
    keys = ("thumbnail_url: img/a.png", "thumbnail_alt_text: A", "seo: {og_image: ../static/b.png}")
    body = "![A](/img/a.png?v=1) ![B](../static/b.png) [a file](../static/c.pdf) <img src='/b.png' alt=''>"
    files: dict[str, str | bytes] = {
        "contentsync.toml": SERVED + REMOTE,
        "articles/a.md": article(*keys, body=body),
        **{f"static/{name}": png() for name in ("img/a.png", "b.png", "c.pdf")},
    }
    fields = only(read(files)).fields
    assert fields["thumbnail_url"] == "https://www.example.com/img/a.png"
    assert fields["seo"]["og_image"] == "https://www.example.com/b.png"
    assert fields["markdown"] == (
        "![A](https://www.example.com/img/a.png?v=1) ![B](https://www.example.com/b.png) "
        "[a file](https://www.example.com/c.pdf) <img src='https://www.example.com/b.png' alt=''>"
    )


def test_a_picture_elsewhere_needs_an_address_for_another_server(read: Load) -> None:
    files: dict[str, str | bytes] = {
        "contentsync.toml": SERVED + REMOTE,
        "articles/a.md": article("thumbnail_url: b.png", "thumbnail_alt_text: A", body="![B](b.png) [c](../c.pdf)"),
        "articles/b.png": png(),
        "c.pdf": "",
    }
    content = read(files)
    assert [(it.code, it.is_error, it.where.line) for it in content.problems] == [
        ("no-asset-address", True, 3),
        ("relative-link", False, 6),
        ("relative-link", False, 6),
    ]
    assert content.problems[0].message == (
        "the picture 'b.png' has no address: articles/b.png is not in static, whose files are at base_url"
    )
    assert "asset_base_url" in content.problems[0].hint
    files["contentsync.toml"] = SERVED
    assert only(read(files)).fields["thumbnail_url"] == f"{LOCAL_FILES}articles/b.png"
    files["contentsync.toml"] = SERVED.replace("[assets]", f'asset_base_url = "{BASE}"\n[assets]') + REMOTE
    fields = only(read(files)).fields
    assert fields["thumbnail_url"] == f"{BASE}articles/b.png"
    assert fields["markdown"] == f"![B]({BASE}articles/b.png) [c]({BASE}c.pdf)"


def test_an_asset_store_has_the_pictures_before_any_other_address(read: Load) -> None:
    store = f'store = "../store"\nstore_url = "{BASE}"\n'
    files = {**with_picture(png()), "contentsync.toml": f"{SERVED}{store}{REMOTE}", "static/a.txt": ""}
    files["articles/a.md"] = article("thumbnail_url: /a.png", "thumbnail_alt_text: A", body="[a](../static/a.txt)")
    entry = only(read(files))
    assert entry.fields["thumbnail_url"].startswith(f"{BASE}a-")
    assert entry.fields["markdown"] == "[a](https://www.example.com/a.txt)"


def test_a_file_beside_the_entry_takes_precedence_over_the_asset_folder(read: Load) -> None:
    files = {**with_picture(png()), "articles/a.png": png()}
    files["articles/a.md"] = article("thumbnail_url: a.png", "thumbnail_alt_text: A")
    assert only(read(files)).fields["thumbnail_url"] == f"{BASE}articles/a.png"


def test_pictures_are_not_read_without_an_assets_table(read: Load) -> None:
    files = {**with_picture(b"no picture"), "contentsync.toml": f'{CONFIG}asset_base_url = "{BASE}"\n'}
    files["listings/l.yaml"] = "name: L\nimage_url: /a.png\n"
    content = read(files)
    assert [problem.code for problem in content.problems] == ["bad-url"]
    assert content.entries[0].fields["thumbnail_url"] == "/a.png"


def test_every_row_of_a_table_can_name_pictures(read: Load) -> None:
    table = "name,logo_url,logo_alt_text,additional_image_urls\nA,/a.png,A,/b.png|c.png\nB,/a.png,B,/x.png\n"
    content = read(
        {"contentsync.toml": ASSETS, "listings/l.csv": table, **{f"static/{name}.png": png() for name in "abc"}}
    )
    assert spots(content) == [("listings/l.csv", 3, 12, "missing-asset")]
    assert content.entries[0].fields["additional_image_urls"] == [f"{BASE}static/b.png", f"{BASE}static/c.png"]


def test_a_missing_picture_is_an_error_in_fields_and_a_warning_in_texts(read: Load) -> None:
    body = "Text\n\nsee ![A](/img/lgo.png) and [this](none.pdf)"
    content = read(
        {
            "contentsync.toml": ASSETS,
            "articles/a.md": article("thumbnail_alt_text: A", "thumbnail_url: /img/lgo.png", body=body),
            "static/img/logo.png": png(),
        }
    )
    assert [(it.where.line, it.where.column, it.code, it.is_error, it.hint) for it in content.problems] == [
        (4, 16, "missing-asset", True, "did you mean 'static/img/logo.png'?"),
        (8, 10, "missing-asset", False, "did you mean 'static/img/logo.png'?"),
        (8, 35, "relative-link", False, "correct the path, or write the full address"),
    ]
    assert content.entries == ()


def problem_of(content: Content) -> tuple[str, bool, str]:
    (problem,) = content.problems
    return problem.code, problem.is_error, problem.message


@pytest.mark.parametrize(
    ("data", "settings", "code", "is_error", "message"),
    [
        (b"<html/>", "", "not-an-image", True, "the picture static/a.png is a document of type <html>"),
        (jpeg(), "", "image-type", False, "the picture static/a.png is a JPEG file, but its name does not say so"),
        (png(size=101), "max_bytes = 100", "image-too-large", True, "has 101 bytes; the limit is 100"),
        (png(5, 3), "max_pixels = 14", "image-too-large", True, "has 5 x 3 pixels; the limit is 14 pixels"),
        (png(30_000, 30_000), "", "image-bomb", True, "declares 30,000 x 30,000 pixels in only 57 bytes"),
        (png(11_000, 10_000, size=400_000), "", "image-too-large", True, "the limit is 100,000,000 pixels"),
    ],
)
def test_a_faulty_picture_is_reported_at_the_field_that_names_it(
    read: Load, data: bytes, settings: str, code: str, is_error: bool, message: str
) -> None:
    content = read(with_picture(data, settings=settings))
    assert problem_of(content)[:2] == (code, is_error)
    assert message in problem_of(content)[2]
    assert (content.problems[0].where.path, content.problems[0].where.line) == ("articles/a.md", 3)


def test_a_photo_with_gps_data_is_a_warning(read: Load) -> None:
    assert problem_of(read(with_picture(jpeg(exif=exif(LATITUDE_TAG)), "a.jpg")))[:2] == ("gps-data", False)


def test_a_script_in_a_drawing_is_an_error_at_its_line(read: Load) -> None:
    content = read(with_picture(SVG.replace(b"<path", b"\n  <script/><image href='//a.example'/><path"), "a.svg"))
    assert spots(content) == [("static/a.svg", 2, 3, "svg-script"), ("static/a.svg", 2, 12, "svg-external")]
    assert [problem.is_error for problem in content.problems] == [True, False]


def test_a_faulty_picture_of_many_entries_is_reported_once(tmp_path: Path) -> None:
    entry = with_picture(b"")["articles/a.md"]
    root = write(tmp_path, {**with_picture(b"x"), **{f"articles/{number}.md": entry for number in range(30)}})
    (problem,) = load_content(root).problems
    assert problem.where.path == "articles/0.md"


def test_an_embedded_video_only_has_to_exist(read: Load) -> None:
    files: dict[str, str | bytes] = {
        "contentsync.toml": ASSETS,
        "static/a.mp4": b"video",
        "articles/a.md": article(body='<video src="/a.mp4"></video>'),
    }
    assert f'src="{BASE}static/a.mp4"' in only(read(files)).fields["markdown"]


def test_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    root = write(tmp_path / "site", with_picture(b""))
    (tmp_path / "secret.png").write_bytes(png())
    (root / "static/a.png").unlink()
    (root / "static/a.png").symlink_to(tmp_path / "secret.png")
    assert spots(load_content(root)) == [("static/a.png", 1, 1, "bad-link")]


def unused(root: Path) -> list[tuple[str, str]]:
    return [(problem.code, problem.where.path) for problem in make_report(root, unused_assets=True).problems]


def test_unused_pictures_are_listed_on_request(tmp_path: Path) -> None:
    files = with_picture(png()) | {"static/b.png": png(), "static/c.png": png(), "static/notes.txt": "x"}
    files |= {"articles/b.md": article(body="[b](../static/b.png) ![a](/a.png)")}
    root = write(tmp_path, files)
    assert unused(root) == [("unused-asset", "static/c.png")]
    assert validate_folder(root).problems == ()


STORE = (
    f'{CONFIG}[assets]\npath = "static"\nstore = "../store"\nstore_url = "{BASE}"\n'
    '[content.articles]\npermalink = "/:slug/"\n'
)


def test_published_files_and_entry_links_of_one_text_are_rewritten(read: Load) -> None:
    body = "[![A](/a.png)](../static/a.png) [[A]] ![A](/a.png)[x](/old/) <img src='/a.png' alt=''> [zip](../b.zip)"
    files: dict[str, str | bytes] = {"contentsync.toml": STORE, "static/a.png": png(), "b.zip": b"PK"}
    content = read({**files, "articles/a.md": article("aliases: [/old/]", body=body)})
    (published,) = content.published.values()
    address = f"{BASE}{published.name}"
    assert [problem.code for problem in content.problems] == ["relative-link"], "an archive is not published"
    (entry,) = content.entries
    assert entry.fields["markdown"] == body.replace("../static/a.png", address).replace("/a.png", address).replace(
        "[[A]]", "[A](/blog/a/)"
    ).replace("/old/", "/blog/a/")


def test_a_picture_in_a_code_example_is_not_rewritten(read: Load) -> None:
    body = "![A](/a.png) and `![A](/a.png)`\n\n    ![A](/a.png)\n"
    files: dict[str, str | bytes] = {"contentsync.toml": STORE, "static/a.png": png()}
    content = read({**files, "articles/a.md": article(body=body)})
    (published,) = content.published.values()
    assert only(content).fields["markdown"].count(published.name) == 1, "code is not changed"


def test_a_changed_picture_changes_the_address_in_the_entry(tmp_path: Path) -> None:
    entry = article("thumbnail_url: /a.png", "thumbnail_alt_text: A")
    folder = write(tmp_path / "site", {"contentsync.toml": STORE, "articles/a.md": entry, "static/a.png": png()})
    first = only(load_content(folder)).fields["thumbnail_url"]
    assert only(load_content(folder)).fields["thumbnail_url"] == first
    (folder / "static/a.png").write_bytes(png(9, 9))
    assert only(load_content(folder)).fields["thumbnail_url"] != first


def test_a_changed_picture_changes_the_address_of_a_cached_entry(tmp_path: Path) -> None:
    """The article itself is not read again."""
    entry = article("thumbnail_url: /a.png", "thumbnail_alt_text: A", body="![A](/a.png)")
    folder = write(tmp_path / "site", {"contentsync.toml": STORE, "articles/a.md": entry, "static/a.png": png()})
    cache = InMemoryCache()
    first = only(load_content(folder, cache, single_process=True)).fields
    (folder / "static/a.png").write_bytes(png(9, 9))
    second = only(load_content(folder, cache, single_process=True)).fields
    assert first["thumbnail_url"] != second["thumbnail_url"]
    assert second["markdown"] == f"![A]({second['thumbnail_url']})"
