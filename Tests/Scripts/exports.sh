#!/usr/bin/env bash
# Exports logs in every format and reads the exports with Python: with its modules json and csv, and
# with the protobuf classes of Perfetto and OpenTelemetry
# (`pip install perfetto opentelemetry-proto`). If one of the latter is not installed, the script
# skips it with a message. Lives, elements, names and values must be the same as in the log.
#
#   Tests/Scripts/exports.sh TRACE_VIEWER LOG...
#
# EXPORT_PYTHON=PATH names a Python that has the modules.
set -euo pipefail
viewer=$(realpath "$1")
shift
python=${EXPORT_PYTHON:-python3}
if ! command -v "$python" >/dev/null; then
  printf 'exports skipped: Python is not installed\n'
  exit 0
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$python" "$(dirname "${BASH_SOURCE[0]}")/exports.py" "$viewer" "$scratch" "$@"
