# The main job on the embedded default: content-example goes live in a database inside its own folder.
set -eu
cd "$(dirname "$0")/.."
rm -rf content-example/.contentsync

if [ -t 1 ]; then bold=$(printf '\033[1m') plain=$(printf '\033[0m'); else bold='' plain=''; fi
say() { printf '\n%s$ %s%s\n' "$bold" "$*" "$plain"; }

say contentsync validate content-example
contentsync validate content-example

say contentsync sync content-example --yes
contentsync sync content-example --yes

say contentsync plan content-example --detailed-exitcode
contentsync plan content-example --detailed-exitcode

cat <<'NEXT'

The site is live in content-example/.contentsync/site.db, and a second plan is empty.
Try next:
  1. change a title in content-example/pages/about.md, then:
       .venv/bin/contentsync plan content-example
       .venv/bin/contentsync sync content-example
  2. see the site, and every save at once:
       .venv/bin/contentsync dev content-example --open
  3. the same towards a server of your own:
       .venv/bin/contentsync serve --help
  4. all tests:
       make test
NEXT
