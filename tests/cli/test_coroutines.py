"""contentsync.cli: coroutines whose results are large."""

from contentsync.cli import run_coroutine


class Large:
    """A result that notes how often it was formatted."""

    formatted = 0

    def __repr__(self) -> str:
        self.formatted += 1
        return ""


def test_the_result_of_a_coroutine_is_not_formatted() -> None:
    result = Large()

    async def find() -> Large:
        return result

    assert run_coroutine(find()) is result
    assert result.formatted == 0
