"""The entry point: `contentsync`, `python -m contentsync`."""

import gc
import os
import sys
from contextlib import suppress


def main() -> int:
    """Runs the command line; the exit code (docs/reference/commands.md, Exit codes)."""
    if sys.argv[1:] == ["--version"]:  # answered before anything else is imported
        from . import __version__

        with suppress(OSError, AttributeError):  # told below
            print(f"contentsync {__version__}")
            sys.stdout.flush()
            return 0
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # or each run looks for some in all installed packages
    gc.disable()  # imports make many objects and hardly a cycle; `run` puts it on again for what may take long
    from .cli import run

    try:
        return run(sys.argv[1:])
    finally:
        gc.freeze()  # or all objects are looked at once more at the interpreter's end


if __name__ == "__main__":
    sys.exit(main())
