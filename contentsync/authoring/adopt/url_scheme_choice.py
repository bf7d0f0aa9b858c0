"""Propose the scheme of addresses that authors write without one, such as `www.example.org`."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from ...content.config.config import Config
from ...content.config.unknown_keys import content_table
from ...content.entry.url_schemes import count_without_scheme
from ...content.files.source_file import ContentRoot
from ...content.folder.entry_reader import EntryReader
from ...content.folder.scan import ContentFile
from ...errors import Problem
from ...model import Definition, Kind
from .proposed_settings import ProposedSetting

_MIN_VALUES = 3  # fewer are mistakes, whose errors suggest the address
_MIN_SHARE = 0.05  # of the addresses of a kind


def propose_url_schemes(
    folder: Path,
    config: Config,
    files: Iterable[ContentFile],
    problems: Iterable[Problem],
    definitions: Mapping[Kind, Mapping[str, Definition]],
) -> Iterator[ProposedSetting]:
    """Yield the setting for each kind of which many addresses have no scheme; `definitions` are the custom fields."""
    with_problems = {problem.kind for problem in problems if problem.code == "bad-url"}
    kinds = [kind for kind, table in config.content.items() if kind in with_problems and table.url_scheme is None]
    files = [*files]
    reader = EntryReader(config, definitions={kind: dict(fields) for kind, fields in definitions.items()})
    for kind in kinds:
        names = reader.url_names(kind)
        missing = total = 0
        with ContentRoot(folder) as root:
            for file in files:
                for draft in reader.read_unvalidated(file, root) if file.kind is kind else ():
                    counts = count_without_scheme(draft.values, names)
                    missing, total = missing + counts[0], total + counts[1]
        if missing >= max(_MIN_VALUES, _MIN_SHARE * total):
            comment = f"{missing:,} of {total:,} addresses have no scheme"
            yield ProposedSetting(content_table(kind), "url_scheme", "https", comment=comment)
