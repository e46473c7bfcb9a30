#!/usr/bin/env bash
# Runs every fuzz target of a build for the given number of seconds, two at a time, from the seeds of the repository.
# A crash ends with the input that causes it, kept beside the build.
set -euo pipefail
build=$(cd "$1" && pwd)
seconds=$2
corpus=$(cd "$(dirname "$0")/corpus" && pwd)

fuzz_one() {
  local target=$1 name
  name=$(basename "$target")
  local work="$build/corpus/$name"
  mkdir -p "$work" "$corpus/${name#fuzz_}"
  if "$target" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 -print_final_stats=1 \
      -artifact_prefix="$build/$name-" "$work" "$corpus/${name#fuzz_}" >"$build/$name.log" 2>&1; then
    printf '%-16s %s runs in %s s, no crash\n' "$name" \
      "$(sed -n 's/^stat::number_of_executed_units: *//p' "$build/$name.log")" "$seconds"
  else
    tail -40 "$build/$name.log"
    echo "$name: crashed; the input is $build/$name-*"
    return 1
  fi
}
export -f fuzz_one
export build seconds corpus
find "$build/tests/fuzz" -maxdepth 1 -type f -executable -name 'fuzz_*' -print0 | sort -z | \
  xargs -0 -n 1 -P 2 bash -c 'fuzz_one "$0"'
