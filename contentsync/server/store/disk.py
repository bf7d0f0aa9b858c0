"""What kind of disk a file is on."""

import os
from pathlib import Path

MOUNTS = Path("/proc/self/mountinfo")  # of Linux; elsewhere nothing is known
# Machines that share a file over one of these do not see each other's locks in time.
NETWORK = frozenset({"afs", "ceph", "cifs", "fuse.glusterfs", "fuse.sshfs", "lustre", "ncpfs", "nfs", "nfs4", "smb3"})


def network_disk(path: Path, mounts: Path = MOUNTS) -> str | None:
    """The type of the network file system that the file is on; None on a disk of the machine."""
    if not mounts.is_file():
        return None
    # mount id, parent, device, root, mount point, ..., "-", type, ... (proc(5))
    lines = [line.split(" ") for line in mounts.read_text(encoding="utf-8", errors="replace").splitlines()]
    types = {_unescaped(words[4]): words[words.index("-") + 1] for words in lines}
    here = path.resolve()
    mounted = next(str(folder) for folder in (here, *here.parents) if str(folder) in types or folder == folder.parent)
    found = types.get(mounted)
    return found if found in NETWORK else None


def is_read_only(path: Path) -> bool:
    """Whether the file system of the file takes no writes from anybody; False where the system does not say."""
    try:
        return hasattr(os, "statvfs") and bool(os.statvfs(path.parent).f_flag & os.ST_RDONLY)
    except OSError:
        return False


def _unescaped(mount_point: str) -> str:
    for code, letter in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        mount_point = mount_point.replace(code, letter)
    return mount_point
