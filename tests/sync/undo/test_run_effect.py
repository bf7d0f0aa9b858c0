from contentsync.model import Kind
from contentsync.sync.comparing.base import Base
from contentsync.sync.comparing.change import Action, Status
from contentsync.sync.state.run_history import Step
from contentsync.sync.undo.run_effect import effects_of_run

from ..entries import actual


def test_a_journal_of_an_earlier_release_is_converted_to_contract_types() -> None:
    field = actual(Kind.CUSTOM_FIELD, "price", 2, name="price", type="number")
    before = {"slug": "a", "is_active": "1", "is_featured": 0, "latitude": "48.5", "price": "12"}
    fields = {"price": "x"}
    step = Step(
        Action.UPDATE,
        Kind.LISTING,
        "a",
        1,
        previous=None,
        before=before,
        fields=fields,
        intended=None,
        status=Status.DONE,
    )
    (one,) = effects_of_run([step], Base(), [actual(Kind.LISTING, "a", 1, slug="a"), field])
    assert one.before == {"slug": "a", "is_active": True, "is_featured": False, "latitude": 48.5, "price": 12}
