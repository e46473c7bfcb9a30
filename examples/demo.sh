#!/usr/bin/env bash
# The main job on a bundled example: find a real bug in a C++ program, keep its schedule, run the schedule again.
set -euo pipefail
mazurka=$(realpath "${1:?usage: demo.sh PATH-OF-MAZURKA}")
cd "$(dirname "$0")"
schedule=$(mktemp --suffix=.mzk)
trap 'rm -f "$schedule"' EXIT

# Exit code 1 is what this demonstration is about: a bug was found.
expect_bug() {
  printf '\n\033[1m$ mazurka %s\033[0m\n' "$*"
  local code=0
  "$mazurka" "$@" || code=$?
  [ "$code" -eq 1 ] || { echo "expected a bug (exit code 1), got exit code $code" >&2; exit 1; }
}

echo "A mailbox whose post() takes no lock, because its flag is atomic (examples/lost_wakeup.cpp)."
expect_bug check --save "$schedule" lost_wakeup.cpp
echo
echo "The receiver saw an empty mailbox (step 5), the sender signalled before anyone waited (step 9), and then the"
echo "receiver went to sleep forever. The schedule was saved; it fails the same way every time:"
expect_bug replay "$schedule"
