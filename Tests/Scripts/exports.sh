#!/usr/bin/env bash
# Exports logs in every format, and reads what came of it with programs that are not ours: Python's json and csv, Perfetto's own
# protobuf classes and OpenTelemetry's (`pip install perfetto opentelemetry-proto`), each of the latter skipped, with a message,
# where it is not installed. Lives, elements, names and values must be those of the log as Python reads it.
#
#   Tests/Scripts/exports.sh TRACE_VIEWER LOG...
#
# EXPORT_PYTHON=PATH names a Python that has the modules.
set -euo pipefail
viewer=$(realpath "$1")
shift
python=${EXPORT_PYTHON:-python3}
if ! command -v "$python" >/dev/null; then
  printf 'exports skipped: there is no Python\n'
  exit 0
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$python" "$(dirname "${BASH_SOURCE[0]}")/exports.py" "$viewer" "$scratch" "$@"
