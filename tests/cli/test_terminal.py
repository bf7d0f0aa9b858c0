from io import StringIO

from rich.console import Console

from contentsync.cli.terminal import LINE_SECONDS, migration_progress


def test_a_migration_prints_a_line_at_intervals() -> None:
    seconds = iter([0.0, 1.0, LINE_SECONDS, LINE_SECONDS, LINE_SECONDS + 1])
    output = StringIO()
    with migration_progress(Console(file=output), lambda: next(seconds)) as progress:
        for done in (500, 1_000, 1_500):
            progress(done, 100_000)
    assert output.getvalue() == "building the index for search: 1,000 of 100,000 records\n"
