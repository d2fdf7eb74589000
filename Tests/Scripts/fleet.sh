#!/usr/bin/env bash
# Compares the leaks that the SQL scripts in Samples/Fleet find in a folder of logs with those that
# `trace-viewer check` finds in each log. The answers must agree, lane by lane and log by log. If
# the Python module of DuckDB is not installed, the script skips DuckDB with a message.
#
#   Tests/Scripts/fleet.sh TRACE_VIEWER TRACE_WRITER_HELPER
#
# Set SPARK_PYTHON to the path of a Python that has pyspark, and the script also asks Spark. That
# takes half a minute.
set -euo pipefail
viewer=$(realpath "$1")
writer=$(realpath "$2")
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
fail() { printf 'FAILED: %s\n' "$*" >&2; exit 1; }

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
logs=$scratch/logs
mkdir "$logs"

# record NAME MODE...: records a log with this name, in a process that may die.
record() {
  local name=$1
  shift
  # A subshell, because a shell prints a message about a process that was killed.
  (REACTIVE_TRACE=$logs/$name.jsonl SWIFT_BACKTRACE=enable=no timeout -k 5 120 "$writer" "$@" \
    || true) >/dev/null 2>&1
  [ -s "$logs/$name.jsonl" ] || fail "'$*' wrote no log."
}

cp Samples/Logs/*.jsonl "$logs"
for count in 1 2 3 5 8 13 21 34 55 89; do record "leaks-$count" leaks "$count" 3; done
record clean write 100
record empty write 0
record lanes lanes 60
record exit exit 2
record fork fork
record "a name with blanks, an 'apostrophe' and %20" leaks 7 2
REACTIVE_TRACE_ALL=1 record unnamed unnamed
for way in segv abort fatal exit quick trap; do record "death-$way" tell 3 200 "$way"; done

# Logs after a full disk, with a size limit, and with damage.
record full full 100000
REACTIVE_TRACE_MAX_SIZE=64K record limited leaks 20 50
record torn leaks 20 20
truncate -s -300 "$logs/torn.jsonl"
record gap leaks 20 20
sed -i '50,52d' "$logs/gap.jsonl"
record headless leaks 6 2
sed -i 1d "$logs/headless.jsonl"
record garbage leaks 6 2
sed -i '9a no JSON {' "$logs/garbage.jsonl"
record blank leaks 6 2
sed -i '5G;9G;9G' "$logs/blank.jsonl"

# Logs of several files: complete, with a missing file in between, without the last file, and with a
# torn last file.
export REACTIVE_TRACE_MAX_SIZE=64K
REACTIVE_TRACE_WHEN_FULL=rotate record rotated leaks 40 40
REACTIVE_TRACE_WHEN_FULL=rotate record broken leaks 40 40
rm "$logs/broken.part-3.jsonl"
REACTIVE_TRACE_WHEN_FULL=rotate record unfinished leaks 40 40
rm "$(ls -v "$logs"/unfinished.part-*.jsonl | tail -n 1)"
REACTIVE_TRACE_WHEN_FULL=rotate record killed leaks 40 40
truncate -s -300 "$(ls -v "$logs"/killed.part-*.jsonl | tail -n 1)"
unset REACTIVE_TRACE_MAX_SIZE

python3 Tests/Scripts/fleet.py "$viewer" "$logs" \
  || fail "Samples/Fleet and trace-viewer do not agree."
