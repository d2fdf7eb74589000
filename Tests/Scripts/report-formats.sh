#!/usr/bin/env bash
# Validates what `trace-viewer check` writes for services against their schemas: of logs that are given, and of one that is made
# to break them. The schemas lie in the folder that TRACE_SCHEMAS names (junit-jenkins-10.xsd, junit-ant.xsd, sarif-schema-2.1.0.json,
# sarif-github-overlay.json, gitlab-codequality-item.json), and Python reads them (jsonschema; xmlschema or lxml, or xmllint beside
# it). What is not there is skipped, with a message.
#
#   Tests/Scripts/report-formats.sh TRACE_VIEWER LOG...
set -euo pipefail

viewer=$1
shift
python=${PYTHON:-python3}

if [ -z "${TRACE_SCHEMAS:-}" ]; then
  printf 'formats skipped: TRACE_SCHEMAS names no folder of schemas\n'
  exit 0
fi
if ! command -v "$python" >/dev/null; then
  printf 'formats skipped: there is no %s\n' "$python"
  exit 0
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$python" "$(dirname "${BASH_SOURCE[0]}")/report-formats.py" "$viewer" "$TRACE_SCHEMAS" "$scratch" "$@"
