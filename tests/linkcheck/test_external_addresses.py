"""Which addresses of a folder are external, and where they are."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from contentsync.content.folder.load import load_valid_content
from contentsync.linkcheck.external_addresses import AddressUse, find_addresses

LISTING = """---
name: Saw
url: https://saw.dev/
logo_url: https://cdn.dev/logo.png
additional_image_urls: [https://cdn.dev/1.png, https://cdn.dev/2.png]
social_links: {github: "https://github.com/saw"}
homepage: https://custom.dev/
description: See https://text.dev/ for more
schema: {"@context": "https://schema.org", "@type": "Product", "name": "Saw"}
---
A [link](https://body.dev/a#part), <https://auto.dev/>, ![x](//pictures.dev/x.png), [mail](mailto:a@b.dev),
[page](/listings), `https://code.dev/`, [escaped](https://body.dev/a\\_b) and [again](https://saw.dev/#top).

<a href="https://html.dev/?a=1&amp;b=2">more</a> [ref]

[ref]: https://ref.dev/
"""
FILES = {
    "contentsync.toml": '[site]\nname = "S"\nlocales = ["en", "fr"]\n',
    "custom_fields.yaml": "- {label: Homepage, type: url}\n",
    "listings/saw.md": LISTING,
    "articles/news.md": "---\ntitle: News\nseo: {canonical: 'https://canonical.dev/'}\n---\n[a](https://a.dev/)\n",
    "articles/news.fr.md": "---\ntitle: Infos\n---\n[a](https://a.fr/)\n",
    "articles/old.html": "---\ntitle: Old\n---\n<p><a href='https://old.dev/x'>x</a></p>\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write(tmp_path, FILES)


def write(folder: Path, files: Mapping[str, str]) -> Path:
    for path, text in files.items():
        (folder / path).parent.mkdir(exist_ok=True, parents=True)
        (folder / path).write_text(text, encoding="utf-8")
    return folder


def places(folder: Path) -> dict[str, list[str]]:
    found: dict[str, list[AddressUse]] = find_addresses(load_valid_content(folder))
    return {address: [f"{use.entry.kind}: {use.field}" for use in uses] for address, uses in found.items()}


def test_fields_and_links_of_bodies_are_found_with_all_their_places(folder: Path) -> None:
    assert places(folder) == {
        "https://saw.dev/": ["listing: content", "listing: url"],
        "https://cdn.dev/logo.png": ["listing: logo_url"],
        "https://cdn.dev/1.png": ["listing: additional_image_urls"],
        "https://cdn.dev/2.png": ["listing: additional_image_urls"],
        "https://github.com/saw": ["listing: social_links"],
        "https://custom.dev/": ["listing: homepage"],
        "https://body.dev/a": ["listing: content"],
        "https://auto.dev/": ["listing: content"],
        "https://pictures.dev/x.png": ["listing: content"],
        "https://body.dev/a_b": ["listing: content"],
        "https://html.dev/?a=1&b=2": ["listing: content"],
        "https://ref.dev/": ["listing: content"],
        "https://canonical.dev/": ["article: seo.canonical"],
        "https://a.dev/": ["article: markdown"],
        "https://a.fr/": ["article: translations.fr.markdown"],
        "https://old.dev/x": ["article: content"],
    }


def test_patterns_of_the_config_leave_addresses_out(folder: Path) -> None:
    config = FILES["contentsync.toml"] + '[links]\nexclude = ["https://cdn.dev/*", "*://github.com/*"]\n'
    write(folder, {"contentsync.toml": config})
    found = places(folder)
    assert not [address for address in found if "cdn" in address or "github" in address]
    assert "https://saw.dev/" in found


def test_the_files_of_the_folder_are_not_external(folder: Path) -> None:
    config = FILES["contentsync.toml"].replace("[site]", '[site]\nasset_base_url = "https://cdn.dev/"')
    write(folder, {"contentsync.toml": config})
    assert not [address for address in places(folder) if "cdn.dev" in address]
