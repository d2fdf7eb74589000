#!/usr/bin/env bash
# Validates the reports that `trace-viewer check` writes for CI services against the schemas of
# these services. It checks the given logs, and a hostile log that tries to break the formats.
#
# TRACE_SCHEMAS names the folder of the schemas: junit-jenkins-10.xsd, junit-ant.xsd,
# sarif-schema-2.1.0.json, sarif-github-overlay.json, gitlab-codequality-item.json. The script needs
# Python with jsonschema, and for XML xmlschema, lxml or the program xmllint. It skips whatever is
# missing, with a message.
#
#   Tests/Scripts/report-formats.sh TRACE_VIEWER LOG...
set -euo pipefail

viewer=$1
shift
python=${PYTHON:-python3}

if [ -z "${TRACE_SCHEMAS:-}" ]; then
  printf 'formats skipped: TRACE_SCHEMAS is not set\n'
  exit 0
fi
if ! command -v "$python" >/dev/null; then
  printf 'formats skipped: %s is not installed\n' "$python"
  exit 0
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$python" "$(dirname "${BASH_SOURCE[0]}")/report-formats.py" "$viewer" "$TRACE_SCHEMAS" "$scratch" \
  "$@"
