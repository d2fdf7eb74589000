#!/usr/bin/env bash
# Damages logs in many ways, also compressed ones, and has `trace-viewer repair` make them whole: Python and jq must read every line of
# what comes out, `report --strict` must find no damage in it, and in what went in exactly where something was repaired, `check` must say
# of it what it said before, and another repair must change nothing.
# Python and jq are skipped, with a message, where they are not installed.
#
#   Tests/Scripts/repair.sh TRACE_VIEWER LOG...
set -euo pipefail
viewer=$(realpath "$1")
shift
if ! command -v python3 >/dev/null; then
  printf 'repair  skipped: Python is not installed\n'
  exit 0
fi
command -v jq >/dev/null || printf 'jq      skipped: it is not installed\n'
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
python3 "$(dirname "${BASH_SOURCE[0]}")/repair.py" "$viewer" "$scratch" "$@"
