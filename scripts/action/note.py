"""The plan as a note of a GitLab merge request, which is updated in place."""

import os
import sys

from forge import Failed, Forge, text_of
from log import error, warning


def main() -> int:
    token = os.environ.get("CONTENTSYNC_NOTE_TOKEN")
    if not token:
        warning("the plan is not on the merge request: CONTENTSYNC_NOTE_TOKEN is needed for that (docs/ci.md)")
        return 0
    target = os.environ["CONTENTSYNC_TARGET"]
    project, number = (os.environ[f"CI_MERGE_REQUEST_{name}"] for name in ("PROJECT_ID", "IID"))
    notes = f"/projects/{project}/merge_requests/{number}/notes"
    forge = Forge(os.environ["CI_API_V4_URL"], {"PRIVATE-TOKEN": token})
    body = text_of(target, os.environ["CI_COMMIT_SHA"])
    try:
        me = forge.ask("GET", "/user")["id"]
        forge.keep(notes, notes, "PUT", body, lambda note: bool(note["author"]["id"] == me))
    except Failed as failure:
        error(str(failure))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
