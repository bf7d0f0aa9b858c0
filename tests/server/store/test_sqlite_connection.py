"""contentsync.server.store.sqlite_connection: a database file on a network disk is recognised."""

from pathlib import Path

import pytest

from contentsync.server.store.sqlite_connection import network_filesystem

MOUNTS = r"""22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
30 22 0:25 / /srv rw,relatime - nfs4 files:/export rw
31 30 254:1 / /srv/local rw - xfs /dev/vdb rw
32 22 0:26 / /mnt/with\040space rw shared:5 master:1 - cifs //files/x rw
"""


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("/var/site.db", None),
        ("/srv/site.db", "nfs4"),
        ("/srv/a/b/site.db", "nfs4"),
        ("/srv/local/site.db", None),
        ("/srvx/site.db", None),
        ("/mnt/with space/site.db", "cifs"),
    ],
)
def test_a_file_on_a_network_disk_is_recognised_by_its_mount(tmp_path: Path, path: str, found: str | None) -> None:
    """DB-02: two machines would not see each other's locks."""
    mounts = tmp_path / "mountinfo"
    mounts.write_text(MOUNTS)
    assert network_filesystem(Path(path), mounts) == found


def test_a_file_is_accepted_if_the_list_of_mounts_is_missing(tmp_path: Path) -> None:
    assert network_filesystem(tmp_path / "site.db", tmp_path / "missing") is None
