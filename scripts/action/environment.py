"""The environment of the programs that a run calls, without the secrets of the job."""

import os

_NEEDED = ("PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "GITHUB_ACTIONS", "GITHUB_WORKSPACE", "SSL_CERT_FILE")
_PROXIES = ("HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "https_proxy", "http_proxy", "no_proxy")

# What git needs to reach the remote repository.
GIT_NAMES = ("CONTENTSYNC_REF_TOKEN",)
GIT_PREFIXES = ("GIT_", "SSH_", "XDG_")


def environment(*names: str, prefixes: tuple[str, ...] = ()) -> dict[str, str]:
    """Return the variables that every program needs, and the named ones, without spaces around their values."""
    named = {name for name in os.environ if name.startswith(prefixes)}.union(_NEEDED, _PROXIES, names)
    return {name: value.strip() for name in named if (value := os.environ.get(name, "")).strip()}
