"""The entry point: `contentsync`, `python -m contentsync`."""

import gc
import os
import sys
from contextlib import suppress


def main() -> int:
    """Run the command line and return the exit code (docs/reference/commands.md, Exit codes)."""
    if sys.argv[1:] == ["--version"]:  # needs no other imports
        from . import __version__

        with suppress(OSError, AttributeError):  # `run` reports an output that cannot be written
            print(f"contentsync {__version__}")
            sys.stdout.flush()
            return 0
    if "_CONTENTSYNC_COMPLETE" in os.environ:  # the Tab key was pressed
        from .cli import completion

        if (code := completion.answer(os.environ)) is not None:
            return code
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # else each run searches all installed packages
    gc.disable()  # imports make many objects and hardly a cycle; `run` enables it again for long commands
    from .cli import run

    try:
        return run(sys.argv[1:])
    finally:
        gc.freeze()  # else the collector visits all objects once more when the interpreter ends


if __name__ == "__main__":
    sys.exit(main())
