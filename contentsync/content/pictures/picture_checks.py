"""Check the pictures that entries name: whether the files exist, and what is in them (docs/content.md 13)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from ...errors import Problem, Severity, Where
from ...model import Kind
from ...model.suggestion import did_you_mean_text
from ..config.config import Config
from ..files.content_folder import CONFIG
from ..files.file_names import PICTURE_TYPES, suffix_of
from ..files.file_text import UnreadableFile
from ..formats.draft import Link, PicturePath
from ..links.link_rewriting import LinkReplacement, resolve_target
from .asset_files import AssetFiles
from .picture_cache import PictureCache
from .picture_facts import PictureFacts
from .picture_fields import candidates, file_address, published_address, set_value
from .published_names import PublishedFile, published_name

# A picture that declares more pixels than the first number, and more for each of its bytes than the second, was made
# to fill the memory of the program that decodes it.
_BOMB_PIXELS, _BOMB_PIXELS_PER_BYTE = 25_000_000, 500


class _Use(NamedTuple):
    """A location in an entry that names a file."""

    where: Where
    path: str  # of the file
    kind: str
    key: str | None
    is_picture: bool  # False: another file that a text embeds, such as a video


class PictureChecks:
    """Checks the pictures of one run. Each file is looked at once, however many entries name it.

    Call `place` for each entry, then `problems`, and then `unused`. The run `began` at a time in nanoseconds of
    `time.monotonic_ns`. `looked_into` and `moved` are those of `AssetFiles`. `published` are the files of the placed
    entries that belong in the asset store, by name.
    """

    def __init__(
        self,
        folder: Path,
        config: Config,
        looked_into: set[str],
        began: int,
        moved: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Prepare to check pictures. Raises ValueError if `config` does not read pictures as files."""
        if config.assets is None:
            raise ValueError("the folder does not read pictures as files")
        self.published: dict[str, PublishedFile] = {}
        self._settings = config.assets
        self._addresses = config.file_addresses
        self._store_base = config.store_base
        self._files = AssetFiles(folder, looked_into, moved=moved)
        self._cache = PictureCache(folder, began)
        self._uses: dict[str, _Use] = {}  # by location: where problems of the file are reported

    def place(
        self, kind: Kind, key: str, uses: Sequence[PicturePath], values: dict[str, Any] | None, problems: list[Problem]
    ) -> tuple[dict[str, Any] | None, list[LinkReplacement]]:
        """Return the values of an entry with the addresses of its pictures, and the links in its texts to replace.

        The values are copied before they are changed. If they are None, nothing is replaced. The links are those to
        published files. Problems of pictures that cannot be found or read are added to `problems`.
        """
        original_values = values
        links: list[LinkReplacement] = []
        for use in uses:
            target, path, field, where = use.target, use.path, use.picture_field, use.where
            files = candidates(target, path, self._settings.path) if field else self._candidates_of_text(target, path)
            try:
                file_and_location = self._find(files)
            except UnreadableFile as error:
                problems += error.problems
                continue
            if file_and_location is None:
                problems.append(self._missing(target, files, where, field, kind, key))
                continue
            file, location = file_and_location
            is_picture = bool(field) or suffix_of(file) in PICTURE_TYPES
            self._add_use(location, _Use(where, file, kind.value, key or None, is_picture))
            if field and not self._store_base and self._addresses.address(file) is None:
                problems.append(self._unserved(target, file, where, kind, key))
                continue
            has_wrong_address = bool(field) and file != files[0]  # the field has the address of the first file
            if values is None or not (self._store_base or has_wrong_address):
                continue
            try:
                address = self._address(target, file, location)
            except UnreadableFile as error:
                problems += error.problems
                continue
            if use.body:
                links.append(LinkReplacement(target, path, use.body, use.offset, address))
            elif field:
                if values is original_values:
                    values = deepcopy(values)
                set_value(values, _path_of(field), address)
        return values, links

    def _add_use(self, location: str, use: _Use) -> None:
        """Add a use of a file. Of several uses of one file, keep one as a picture, else the first by path and line."""
        other = self._uses.get(location, use)
        self._uses[location] = min(other, use, key=lambda use: (not use.is_picture, use.where))

    def problems(self, *, save_cache: bool = True) -> Iterator[Problem]:
        """Yield the problems in the content of picture files, such as a wrong type or size.

        `place` reports the files that do not exist. With `save_cache`, cache what was read of the files for the next
        run, after the last problem.
        """
        for location, use in sorted(self._uses.items()):
            if use.is_picture:
                try:
                    facts = self._cache.facts(location, use.path)
                except UnreadableFile as error:
                    yield from error.problems
                else:
                    yield from self._faults(use, facts)
        if save_cache:
            self._cache.save()

    def unused(self, links: Iterable[Link]) -> Iterator[Problem]:
        """Yield a warning for each picture in the asset folder that no entry names, and that is in none of the `links`.

        The links are those of texts; one with a slash at its start begins at the content folder.
        """
        linked: set[str | None] = set()
        for link in links:
            is_from_root = link.target.startswith("/")
            file, _query_and_fragment = resolve_target(link.target.lstrip("/"), "" if is_from_root else link.path)
            linked.add(file)
        for path, location in self._files.walk(self._settings.path):
            is_used = location in self._uses or path in linked  # locations have no symbolic links
            if not is_used and suffix_of(path) in PICTURE_TYPES:
                message, hint = "no entry names this picture", "delete it, unless another program uses it"
                yield Problem("unused-asset", message, Where(path), hint, Severity.WARNING)

    def _candidates_of_text(self, target: str, path: str) -> list[str]:
        """Return the paths that a link in a text may name (`candidates`): it never begins at the asset folder."""
        return candidates(target if target.startswith("/") else f"./{target}", path, self._settings.path)

    def _address(self, target: str, file: str, location: str) -> str:
        """Return the address of a file that a target names. With a store, add it to the files that belong there."""
        if not self._store_base:
            return file_address(target, file, self._addresses)
        digest, size = self._cache.digest(location, file)
        name = published_name(file, digest)
        self.published.setdefault(name, PublishedFile(name, file, location, size))
        return published_address(target, file, self._store_base, digest)

    def _find(self, files: Sequence[str]) -> tuple[str, str] | None:
        """Return the path and the location of the first file that exists; None if none does. Raise UnreadableFile."""
        for file in files:
            location = self._files.find(file)
            if location is not None:
                return file, location
        return None

    def _missing(self, target: str, files: Sequence[str], where: Where, field: str, kind: Kind, key: str) -> Problem:
        """Return the problem of a target for which no file exists: an error, or a warning in a text (no `field`)."""
        expected = f"'{files[0]}'" if files else "its path"
        also = f" and no '{files[1]}'" if len(files) > 1 else ""
        message = f"the picture '{target}' does not exist: the folder has no file {expected}{also}"
        similar = next(filter(None, map(self._files.suggest, files)), None)
        hint = did_you_mean_text(similar or "") or "correct the path, or add the file"
        severity = Severity.ERROR if field else Severity.WARNING
        return Problem("missing-asset", message, where, hint, severity, kind.value, key or None)

    def _unserved(self, target: str, file: str, where: Where, kind: Kind, key: str) -> Problem:
        """Return the error of a picture that no setting gives an address."""
        folder = self._settings.path
        message = f"the picture '{target}' has no address: {file} is not in {folder}, whose files are at base_url"
        hint = f"move the file to {folder}, or set asset_base_url under [site] in {CONFIG}"
        return Problem("no-asset-address", message, where, hint, Severity.ERROR, kind.value, key or None)

    def _faults(self, use: _Use, facts: PictureFacts) -> Iterator[Problem]:
        """Yield what is wrong with a picture: its type, size, dimensions, coordinates, or the content of an SVG."""

        def problem(code: str, message: str, hint: str, severity: Severity = Severity.ERROR) -> Problem:
            return Problem(code, f"the picture {use.path} {message}", use.where, hint, severity, use.kind, use.key)

        if facts.reason:
            yield problem("not-an-image", facts.reason, "replace the file, or name another one")
            return
        expected = PICTURE_TYPES.get(suffix_of(use.path))
        if facts.type != expected:
            message = f"is a {facts.type} file, but its name does not say so"
            hint = f"rename it: the name of a {facts.type} file ends with {_usual_suffix(facts.type)}"
            yield problem("image-type", message, hint, Severity.WARNING)
        if facts.size > self._settings.max_bytes:
            message = f"has {facts.size:,} bytes; the limit is {self._settings.max_bytes:,}"
            yield problem("image-too-large", message, f"make it smaller, or set max_bytes under [assets] in {CONFIG}")
        pixels = facts.width * facts.height
        dimensions = f"{facts.width:,} x {facts.height:,} pixels"
        if pixels > max(_BOMB_PIXELS, _BOMB_PIXELS_PER_BYTE * facts.size):
            message = f"declares {dimensions} in only {facts.size:,} bytes, which may fill the memory of a browser"
            yield problem("image-bomb", message, "replace the file")
        elif pixels > self._settings.max_pixels:
            message = f"has {dimensions}; the limit is {self._settings.max_pixels:,} pixels"
            yield problem("image-too-large", message, f"make it smaller, or set max_pixels under [assets] in {CONFIG}")
        if facts.has_gps:
            message = "contains the position where the photo was taken (GPS data in EXIF)"
            yield problem("gps-data", message, "remove it, for example with exiftool -gps:all=", Severity.WARNING)
        for code, reason, line, column in facts.faults:
            yield _svg_problem(code, f"the picture {reason}", Where(use.path, line, column))


def _svg_problem(code: str, message: str, where: Where) -> Problem:
    """Return the problem of an SVG picture: a warning for a file of another host, an error for a script."""
    if code == "svg-external":
        hint = "put the file into the picture: a browser does not load it from there"
        return Problem("svg-external", message, where, hint, Severity.WARNING)
    return Problem("svg-script", message, where, "delete it: it may run when a reader opens the picture on its own")


def _path_of(field: str) -> tuple[str | int, ...]:
    return tuple(int(part) if part.isdecimal() else part for part in field.split("."))


def _usual_suffix(type_: str) -> str:
    return next(suffix for suffix, name in PICTURE_TYPES.items() if name == type_)
