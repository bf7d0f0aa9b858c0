"""What has changed in a folder, once it has settled."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Change:
    """Files and folders that are not as they were; those that nobody takes for content are never among them."""

    paths: frozenset[str] = frozenset()  # relative to the folder, with forward slashes, NFC
    everything: bool = False  # anything may have changed: it is not known what
    settled: bool = True  # False: somebody is still writing, and has for as long as one waits
