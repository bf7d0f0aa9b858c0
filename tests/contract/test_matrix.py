"""Every operation of the OpenAPI document, for every kind of token, on own, foreign and missing ids.

docs/faults.md AU-01 to AU-06, AU-08 to AU-10.
"""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from contentsync.model import RECORDS, Kind

from ..sampling import sampled
from ..server.conftest import Service
from .authorisation import CALLERS, ROWS, Place, refusal
from .world import CANARY, DOCUMENT, NONE, OPERATIONS, PROBES, World, example, rows_of, seen


def test_every_operation_has_a_row_in_the_matrix() -> None:
    assert ROWS.keys() == OPERATIONS.keys()


@pytest.mark.parametrize("name", sampled(CALLERS, every=2))
def test_every_caller_gets_the_status_that_the_matrix_says(service: Service, name: str) -> None:
    """docs/faults.md AU-01 to AU-05, AU-09, AU-10."""
    world, caller = World(service), CALLERS[name]
    headers = world.credentials(name)
    own, foreign = (service.run(rows_of, directory_id=world.directories[place]) for place in (Place.OWN, Place.FOREIGN))
    assert str(foreign).count(CANARY) > len(Kind)
    answers: list[httpx.Response] = []
    absent: dict[Any, list[Any]] = {}

    for probe in PROBES:
        expected = refusal(probe.operation, caller, probe.directory, probe.record)
        if expected is not None:
            response = world.send(probe, headers)
            assert response.status_code == expected, f"{probe}: {response.text}"
            answers.append(response)
            outside = probe.directory is not Place.OWN
            if outside or probe.record in (Place.FOREIGN, Place.MISSING):
                absent.setdefault((probe.operation, probe.method, outside), []).append(seen(response))
    for asked, shown in absent.items():
        assert all(each == shown[0] for each in shown), f"{asked}: foreign does not look like missing"
    assert service.run(rows_of, directory_id=world.own.directory_id) == own, "a refusal changed something"

    for probe in PROBES:
        if refusal(probe.operation, caller, probe.directory, probe.record) is None:
            # Eve has an organizer already.
            another = name == "submitter here" and probe.operation == "create_organizer"
            response = world.send(probe, world.own.submitter("Liz").headers if another else headers, fresh=True)
            assert response.status_code in (200, 201), f"{probe}: {response.text}"
            answers.append(response)

    assert len(answers) == len(PROBES)
    leaks = [answer for answer in answers if CANARY in answer.text or CANARY in str(answer.headers)]
    assert leaks == []
    assert service.run(rows_of, directory_id=world.foreign.directory_id) == foreign
    print(f"matrix, {name}: {len(answers)} probes, {len(leaks)} leaks")


def references() -> Iterator[tuple[str, str, bool]]:
    """The create operations with the fields of their bodies that hold ids, and whether they hold several."""
    schemas = DOCUMENT["components"]["schemas"]
    for kind, model in RECORDS.items():
        for field, says in schemas[f"{model.__name__}Create"]["properties"].items():
            if "integer" in says.get("type", ()) and says.get("minimum") == 1:
                yield f"create_{kind}", field, False
            elif says.get("items", {}).get("minimum") == 1:
                yield f"create_{kind}", field, True


def test_a_reference_into_another_directory_is_answered_like_a_dangling_one(service: Service) -> None:
    """docs/faults.md AU-06, AU-08."""
    world = World(service)
    targets = {"user_id": world.foreign.user.id, "organizers": world.records[Place.FOREIGN][Kind.ORGANIZER]}
    targets["tags"] = world.records[Place.FOREIGN][Kind.TAG]
    category = world.records[Place.FOREIGN][Kind.CATEGORY]
    found = list(references())
    assert {field for _operation, field, _several in found} == {*targets, "category_id", "categories", "parent_id"}
    for operation, field, several in found:
        path = OPERATIONS[operation][1].replace("{directory_id}", str(world.own.directory_id))
        body = world.fresh(example(operation))
        reported = []
        for target in (targets.get(field, category), NONE):
            sent = {**body, field: [target] if several else target}
            single = service.request("POST", path, json=sent, headers=world.own.headers)
            if field == "organizers":  # ignored silently (docs/contract.md 4.3.1)
                assert (single.status_code, single.json()["data"]["organizers"]) == (201, [])
                continue
            assert single.status_code == 422
            answers = [single]
            if operation == "create_listing":
                bulk = {"listings": [world.fresh({"name": "Saw"}), sent]}
                answers.append(service.request("POST", f"{path}/bulk", json=bulk, headers=world.own.headers))
                assert (answers[1].json()["total_created"], answers[1].json()["total_errors"]) == (1, 1)
            reported.append([str(answer.json()["errors"]).replace(f" {target} ", " ? ") for answer in answers])
            assert all(CANARY not in answer.text for answer in answers)
        assert reported[1:] == reported[:-1], f"{operation} {field}: foreign does not look like missing"
