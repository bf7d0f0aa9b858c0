"""What a program that a run calls is told of it: not the secrets of the job, which are none of its business."""

import os

_NEEDED = ("PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "GITHUB_ACTIONS", "GITHUB_WORKSPACE", "SSL_CERT_FILE")
_PROXIES = ("HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "https_proxy", "http_proxy", "no_proxy")

# What git needs to reach the remote repository.
GIT_NAMES = ("CONTENTSYNC_REF_TOKEN",)
GIT_PREFIXES = ("GIT_", "SSH_", "XDG_")


def environment(*names: str, prefixes: tuple[str, ...] = ()) -> dict[str, str]:
    """What everything needs of the environment, and what is named, without the blanks of a secret that was pasted."""
    named = {name for name in os.environ if name.startswith(prefixes)}.union(_NEEDED, _PROXIES, names)
    return {name: value.strip() for name in named if (value := os.environ.get(name, "")).strip()}
