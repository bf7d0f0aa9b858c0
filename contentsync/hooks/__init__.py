"""Git's hooks: what a commit would hold, the copy that a push is synced from, and the scripts that git calls."""
