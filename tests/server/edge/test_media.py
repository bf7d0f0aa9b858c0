"""The files that `--media` shows."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from contentsync.model.urls import LOCAL_FILES

from .conftest import PUBLIC_URL, Edge, Site


@pytest.fixture
def shown(site: Site, media: Path) -> Iterator[Edge]:
    """Yield the server with a folder of media."""
    with Edge(site, media=media, rate_limit=0) as edge:
        yield edge


@pytest.mark.parametrize("name", ["a.png", "a.jpg", "a.webp", "a.mp4"])
def test_images_and_videos_are_displayed(shown: Edge, media: Path, name: str) -> None:
    (media / name).write_bytes(b"picture")
    for base in ("/storage/", "/sites/tools/storage/"):
        answer = shown.get(base + name)
        assert (answer.status_code, answer.content) == (200, b"picture")
        assert "Content-Disposition" not in answer.headers
        assert answer.headers["Cache-Control"] == "public, max-age=300"
        assert "Vary" not in answer.headers


@pytest.mark.parametrize("name", ["a.svg", "a.html", "a.xhtml", "a.xml", "a.pdf", "a.js", "a.txt", "a", "a.png.html"])
def test_other_files_are_sent_as_downloads(shown: Edge, media: Path, name: str) -> None:
    """XS-19"""
    (media / name).write_text("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>")
    assert shown.get(f"/storage/{name}").headers["Content-Disposition"] == "attachment"


@pytest.mark.parametrize("name", ["a.svg", "a.png", "a.html"])
def test_no_file_can_run_a_script_or_change_its_type(shown: Edge, media: Path, name: str) -> None:
    """XS-18, XS-19"""
    (media / name).write_text("<script>alert(1)</script>")
    headers = shown.get(f"/storage/{name}").headers
    assert "sandbox" in headers["Content-Security-Policy"]
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"


def test_an_unchanged_file_is_not_sent_again(shown: Edge, media: Path) -> None:
    (media / "a.png").write_bytes(b"picture")
    tag = shown.get("/storage/a.png").headers["ETag"]
    again = shown.get("/storage/a.png", {"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["X-Content-Type-Options"] == "nosniff"
    assert "Content-Disposition" not in again.headers


def test_hidden_outside_and_missing_files_are_not_found(shown: Edge, media: Path) -> None:
    """AU-19, SL-07: no listing, no dot files, no links out, no pipes."""
    (media.parent / "secret.png").write_bytes(b"secret")
    (media / ".git").mkdir()
    (media / ".git" / "config").write_text("secret")
    (media / ".env").write_text("secret")
    (media / "folder").mkdir()
    (media / "folder" / ".hidden.png").write_bytes(b"secret")
    (media / "out.png").symlink_to(media.parent / "secret.png")
    (media / "up").symlink_to(media.parent)
    (media / "loop.png").symlink_to(media / "loop.png")
    os.mkfifo(media / "pipe.png")
    paths = [
        "",
        "folder",
        "folder/",
        ".git/config",
        ".env",
        "%2eenv",
        "folder/.hidden.png",
        "folder/%2Ehidden.png",
        "out.png",
        "up/secret.png",
        "loop.png",
        "pipe.png",
        "..%2fsecret.png",
        "%2e%2e/secret.png",
        "folder/..%2f..%2fsecret.png",
        "..%5csecret.png",
        "%2fetc%2fpasswd",
        "a%00.png",
        "x" * 300 + ".png",
        "nothing.png",
    ]
    answers = [shown.get(f"/storage/{path}") for path in paths]
    assert [answer.status_code for answer in answers] == [404] * len(paths)
    assert not any("secret" in answer.text for answer in answers)


@pytest.mark.parametrize("path", ["a.png/", "/a.png", "folder//b.png", "folder/b.png/", "./a.png", "folder/../a.png"])
def test_a_media_file_has_only_one_path(shown: Edge, media: Path, path: str) -> None:
    (media / "folder").mkdir()
    for name in ("a.png", "folder/b.png"):
        (media / name).write_bytes(b"picture")
        assert shown.get(f"/storage/{name}").status_code == 200
    for base in ("/storage/", "/sites/tools/storage/"):
        start, *_body = shown.run({"path": base + path, "raw_path": (base + path).encode()})
        assert start["status"] == 404


@pytest.mark.parametrize(
    ("requested", "status", "content"),
    [
        ("items=0-3", 200, b"picture"),
        ("0-3", 200, b"picture"),
        ("bytes=0-3", 206, b"pict"),
        ("Bytes=0-3", 206, b"pict"),
    ],
)
def test_an_unknown_range_unit_is_ignored(
    shown: Edge, media: Path, requested: str, status: int, content: bytes
) -> None:
    (media / "a.png").write_bytes(b"picture")
    answer = shown.get("/storage/a.png", {"Range": requested})
    assert (answer.status_code, answer.content) == (status, content)


def test_media_files_are_not_found_without_a_media_folder(edge: Edge) -> None:
    assert edge.get("/storage/a.png").status_code == 404


@pytest.fixture
def content(site: Site, media: Path) -> Iterator[Edge]:
    """Yield the server with the media of a content folder."""
    with Edge(site, content_folder=media, rate_limit=0) as edge:
        yield edge


@pytest.mark.parametrize("name", ["a.png", "a.JPG", "a.webp", "a.avif", "a.svg", "a.mp4", "a.pdf"])
def test_pictures_of_a_content_folder_are_served(content: Edge, media: Path, name: str) -> None:
    (media / "img").mkdir()
    (media / "img" / name).write_bytes(b"picture")
    for base in ("/_files/img/", "/sites/tools/_files/img/"):
        answer = content.get(base + name)
        assert (answer.status_code, answer.content) == (200, b"picture")
        assert not answer.headers["Content-Type"].startswith("text/")
        assert ("Content-Disposition" in answer.headers) == name.endswith((".svg", ".pdf"))
        assert "sandbox" in answer.headers["Content-Security-Policy"]


@pytest.mark.parametrize("name", ["a.md", "a.html", "contentsync.toml", "l.csv", "a.yaml", ".hidden.png", "a.png/x"])
def test_other_files_of_a_content_folder_are_not_served(content: Edge, media: Path, name: str) -> None:
    file = media / name.removesuffix("/x")
    file.write_bytes(b"secret")
    assert content.get(f"/_files/{name}").status_code == 404
    assert content.get(f"/storage/{name}").status_code == 404


def test_addresses_of_content_folder_files_get_the_address_of_the_site(content: Edge, site: Site) -> None:
    listing = {
        "name": "L",
        "slug": "l",
        "url": "https://l.example",
        "image_url": f"{LOCAL_FILES}img/a.png",
        "content": f"![A]({LOCAL_FILES}img/b.png)",
    }
    made = content.ask("POST", site.ada.path("/projects"), site.ada.headers, json=listing)
    assert made.status_code in (200, 201), made.text
    slug = made.json()["data"]["slug"]
    page = content.get(f"/sites/ada/listings/{slug}/")
    assert LOCAL_FILES not in page.text
    for name in ("a", "b"):
        assert f'src="{PUBLIC_URL}/sites/ada/_files/img/{name}.png"' in page.text
    assert f'og:image" content="{PUBLIC_URL}/sites/ada/_files/img/a.png"' in page.text
    assert int(page.headers["Content-Length"]) == page.num_bytes_downloaded
    assert content.get(f"/sites/ada/listings/{slug}/", {"If-None-Match": page.headers["ETag"]}).status_code == 304
    content.ask("DELETE", site.ada.path(f"/projects/{made.json()['data']['id']}"), site.ada.headers)
