"""Read the keys in front matter that pair translations whose file names differ (docs/content.md 5)."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType

from ..errors import Problem, Where
from ..model import Kind
from .collection_settings import TranslatedSettings
from .config import Config
from .draft import UnreadableFile
from .file_names import DOCUMENT_SUFFIXES
from .formats.front_matter import MAX_FRONT_MATTER, read_document
from .scan import ContentFile
from .source_file import ContentRoot, Proposed, decode


def read_translation_keys(
    folder: Path, config: Config, files: Iterable[ContentFile], proposed: Proposed = MappingProxyType({})
) -> dict[str, str]:
    """Return the translation key of each file that has one, by the file's path.

    The setting `translation_key` of a kind names the key in front matter that contains it; without the setting, the
    kind's files have none. `proposed` data replaces the data of files on disk. Leave out files that cannot be read:
    reading their entries reports the reason.
    """
    if len(config.site.locales) == 1:  # there are no translations
        return {}
    translated = {kind: table for kind, table in config.content.items() if isinstance(table, TranslatedSettings)}
    names = {kind: table.translation_key for kind, table in translated.items() if table.translation_key}
    wanted = [file for file in files if file.kind in names and file.suffix in DOCUMENT_SUFFIXES] if names else []
    if not wanted:
        return {}
    keys: dict[str, str] = {}
    with ContentRoot(folder, proposed=proposed) as root:
        for file in wanted:
            with suppress(UnreadableFile):
                translation_key = _read_key(root, file, names[file.kind])
                if translation_key:
                    keys[file.path] = translation_key
    return keys


def _read_key(root: ContentRoot, file: ContentFile, name: str) -> str:
    """Return the value of the key `name` in a file's front matter; "" without this key. Raise UnreadableFile."""
    data = root.read_head(file.location, file.path, 2 * MAX_FRONT_MATTER)
    if name.encode() not in data:  # as in many files, and fast
        return ""
    whole_lines = data[: data.rfind(b"\n") + 1]  # the last line may end within a character
    text = decode(whole_lines or data, file.path)
    value = read_document(text, file.kind, file.path).values.get(name)
    return value.strip() if isinstance(value, str) else ""


def duplicate_key_problems(files: Iterable[ContentFile], config: Config, keys: dict[str, str]) -> Iterator[Problem]:
    """Yield a problem for each file in the default language whose translation key another such file has."""
    layouts = config.layouts()
    first_paths: dict[tuple[Kind, str], str] = {}  # by kind and key
    for file in files if keys else ():
        key = keys.get(file.path)
        if key is None or layouts[file.kind].parse(file.path).locale:
            continue
        other = first_paths.setdefault((file.kind, key), file.path)
        if other != file.path:
            message = f"the translation key '{key}' is also that of {other}, which is in the same language"
            hint = "give one of them another key"
            yield Problem("duplicate-translation-key", message, Where(file.path), hint, kind=file.kind.value)
