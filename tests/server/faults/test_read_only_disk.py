"""A file system that was mounted read-only, or became so after a fault of the disk (DB-02)."""

import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from contentsync.errors import Unavailable, UsageError
from contentsync.server.store import accounts, connect_database

from ...exit_codes import SERVER_ERROR
from ..processes import start
from .conftest import make_site


def mount(*arguments: str) -> None:
    """Skip the test where mounting is not allowed."""
    done = subprocess.run(["mount", *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"cannot mount: {done.stderr}")


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """Yield a file system of its own."""
    folder = tmp_path / "disk"
    folder.mkdir()
    try:
        mount("-t", "tmpfs", "none", str(folder))
    except FileNotFoundError:
        pytest.skip("there is no mount")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_a_read_only_file_system_is_reported(disk: Path) -> None:
    url = f"sqlite:///{disk / 'site.db'}"
    make_site(url)
    with closing(connect_database(url)) as database:
        database.run_read(accounts.all_users)
    mount("-o", "remount,ro", str(disk))
    code, _, err = start("serve", "--db", url, "--port", "0").end()
    assert (code, "read-only file system" in err, "Traceback" in err) == (SERVER_ERROR, True, False)
    with pytest.raises(UsageError, match="Read-only file system"):
        connect_database(f"sqlite:///{disk / 'new.db'}")


def test_a_write_after_the_disk_became_read_only_reports_it(disk: Path) -> None:
    url = f"sqlite:///{disk / 'site.db'}"
    make_site(url)
    with closing(connect_database(url)) as database:
        database.run_read(accounts.all_users)
        mount("-o", "remount,ro", str(disk))
        with pytest.raises(Unavailable, match="read-only file system") as error:
            database.run_write(accounts.create_user, email="bob@example.org", name="Bob")
        assert "mount it for writing" in error.value.hint
