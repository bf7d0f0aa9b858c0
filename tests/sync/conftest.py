from pathlib import Path

import pytest

from .site import Site


@pytest.fixture
def site(tmp_path: Path) -> Site:
    """Return a folder, and a directory of its own on a real server."""
    return Site(tmp_path)
