"""Record the files that a real LibreOffice saves from exports: `python -m tests.exchange.spreadsheet.record`.

The files are in `recorded/`, by the language of its user. They must be recorded again after a change of `folder.py` or
of the form of an export.
"""

import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from .folder import make_folder

RECORDED = Path(__file__).parent / "recorded"
LOCALES = ("en-US", "de-DE", "fr-FR")
FORMS = (".xlsx", ".csv", ".tsv")

_SETTINGS = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Setup/L10N">
<prop oor:name="ooSetupSystemLocale" oor:op="fuse"><value>{}</value></prop>
</item>
</oor:items>
"""
# Field and text delimiter, UTF-8, first row, column formats, language, quote all texts, recognise special numbers.
_OPTIONS = {".csv": "44,34,76,1,,0,false,true", ".tsv": "9,34,76,1,,0,false,true"}


def office() -> str | None:
    """Return the path of LibreOffice, if it is installed."""
    return shutil.which("soffice") or shutil.which("libreoffice")


def opened_and_saved(program: str, file: Path, locale: str, folder: Path) -> Path:
    """Return the file that LibreOffice saves after a user of a language has opened `file`."""
    profile, out = folder / f"profile-{locale}", folder / f"saved-{locale}"
    (profile / "user").mkdir(parents=True, exist_ok=True)
    (profile / "user/registrymodifications.xcu").write_text(_SETTINGS.format(locale), encoding="utf-8")
    options = _OPTIONS.get(file.suffix)
    command = [program, f"-env:UserInstallation=file://{profile}", "--headless"]
    command += [f"--infilter=CSV:{options}"] if options else []
    command += ["--convert-to", f"csv:Text - txt - csv (StarCalc):{options}" if options else "xlsx"]
    subprocess.run([*command, "--outdir", str(out), str(file)], check=True, capture_output=True, timeout=300)
    saved = out / f"{file.stem}{'.csv' if options else '.xlsx'}"
    return saved.rename(out / file.name)


def main() -> int:
    """Record all files."""
    program = office()
    if program is None:
        print("LibreOffice is not installed", file=sys.stderr)
        return 1
    with TemporaryDirectory() as name:
        folder = Path(name)
        site = make_folder(folder / "site")
        for form in FORMS:
            file = folder / f"listings{form}"
            subprocess.run([sys.executable, "-m", "contentsync", "export", "listings", file, site], check=True)
            for locale in LOCALES:
                (RECORDED / locale).mkdir(parents=True, exist_ok=True)
                shutil.copy(opened_and_saved(program, file, locale, folder), RECORDED / locale / file.name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
