#!/usr/bin/env bash
# Damages logs in many ways, compresses some of them, and repairs them with `trace-viewer repair`:
#
# - Python and jq must be able to read every line of a repaired log.
# - `report --strict` must find no damage in it. In the original log, it must find damage exactly if
#   the repair changed something.
# - `check` must give the same verdict about both logs.
# - A second repair must change nothing.
#
# Without Python, the script skips everything. Without jq, it skips jq. Both print a message.
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
