"""contentsync.authoring.adopt.url_scheme_choice: the scheme of addresses that have none."""

from pathlib import Path

import pytest

from contentsync.authoring.adopt.adoption import Adoption, propose_adoption
from contentsync.authoring.adopt.proposed_settings import DefaultAnswers

from .repositories import NOW, write


def adopt(folder: Path, *urls: str) -> Adoption:
    rows = "".join(f"N{number},{url}\n" for number, url in enumerate(urls))
    return propose_adoption(write(folder, {"tools.csv": f"name,website\n{rows}"}), DefaultAnswers(), NOW)


def proposals(adoption: Adoption) -> list[tuple[str, str, str]]:
    return [(it.table, str(it.value), it.comment) for it in adoption.settings if it.name == "url_scheme"]


def test_a_scheme_is_proposed_if_several_addresses_have_none(tmp_path: Path) -> None:
    adoption = adopt(tmp_path, "www.a.example.org", "//b.example.org", "c.example.org/x", "https://d.example.org")
    assert proposals(adoption) == [("content.listings", "https", "3 of 4 addresses have no scheme")]
    assert adoption.trial.report.errors == []


@pytest.mark.parametrize(
    "urls",
    [
        pytest.param(["www.a.example.org", "b.example.org", "https://c.example.org"], id="two"),
        pytest.param(
            ["www.a.example.org", "b.example.org", "c.example.org", *(f"https://{n}.example.org" for n in range(60))],
            id="few of many",
        ),
        pytest.param([f"https://{n}.example.org" for n in range(5)], id="none"),
    ],
)
def test_no_scheme_is_proposed_for_a_few_mistakes(urls: list[str], tmp_path: Path) -> None:
    assert proposals(adopt(tmp_path, *urls)) == []
