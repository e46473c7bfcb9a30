#!/usr/bin/env bash
# The main job on a bundled example: find a deadlock, keep its schedule, run the schedule again.
set -euo pipefail
mazurka=$(realpath "${1:?usage: demo.sh PATH-OF-MAZURKA}")
cd "$(dirname "$0")"
schedule=$(mktemp --suffix=.mzk)
trap 'rm -f "$schedule"' EXIT

say() { printf '\n\033[1m$ %s\033[0m\n' "$*"; }

# Exit code 1 is what this demonstration is about: a bug was found.
expect_bug() {
  say "mazurka $*"
  local code=0
  "$mazurka" "$@" || code=$?
  [ "$code" -eq 1 ] || { echo "expected a bug (exit code 1), got exit code $code" >&2; exit 1; }
}

echo "Three philosophers share three forks, and each takes the left one first (examples/philosophers.tck)."
expect_bug check --save "$schedule" philosophers.tck
echo
echo "The schedule was saved; it fails the same way every time:"
expect_bug replay "$schedule"
echo
echo "All reachable states, for certainty:"
expect_bug states philosophers.tck
