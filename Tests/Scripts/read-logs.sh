#!/usr/bin/env bash
# Reads logs with jq, and with DuckDB through Python. Their answers must agree with the last line of
# the log and with `trace-viewer check`. If one of them is not installed, the script skips it with a
# message.
#
#   Tests/Scripts/read-logs.sh TRACE_VIEWER LOG...
set -euo pipefail

viewer=$1
shift
fail() { printf 'FAILED: %s\n' "$*" >&2; exit 1; }

for log in "$@"; do
  counted=$(tail -n 1 "$log" | grep -oE '"records":[0-9]+' | grep -oE '[0-9]+') || fail "$log has no end record."
  leaks=$("$viewer" check --no-config --format json "$log" 2>/dev/null | grep -cF '"rule": "undisposed"' || true)

  if command -v jq >/dev/null; then
    records=$(jq -s 'length' "$log") || fail "jq cannot read $log."
    [ "$records" = "$((counted + 1))" ] || fail "jq finds $records records in $log, but its end record counts $counted before itself."
    active=$(jq -s '[.[] | select(.event == "subscribe" and .lifetime != "process") | .sub]
      - [.[] | select(.event | IN("completed", "failed", "disposed", "released")) | .sub] | length' "$log")
    [ "$active" = "$leaks" ] || fail "jq finds $active undisposed subscriptions in $log, but trace-viewer finds $leaks."
    printf 'jq      %s: %s records, %s undisposed\n' "$log" "$records" "$active"
  else
    printf 'jq      skipped: it is not installed\n'
  fi

  if python3 -c 'import duckdb' 2>/dev/null; then
    python3 - "$log" "$counted" "$leaks" <<'PYTHON' || fail "DuckDB and trace-viewer do not agree on $log."
import sys, duckdb
log, counted, leaks = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
# DuckDB guesses the columns and their types, as it does for most users.
duckdb.sql(f"create view log as select * from read_json_auto('{log}', format='newline_delimited')")
records = duckdb.sql("select count(*) from log").fetchall()[0][0]
active = duckdb.sql("""
  select count(*) from log s where event = 'subscribe' and coalesce(lifetime, '') <> 'process' and not exists (
    select 1 from log e where e.sub = s.sub and e.event in ('completed', 'failed', 'disposed', 'released'))
""").fetchall()[0][0]
types = dict(duckdb.sql("select column_name, column_type from (describe log)").fetchall())
print(f"DuckDB  {log}: {records} records, {active} undisposed")
sys.exit(0 if (records == counted + 1 and active == leaks and types["value"] == "VARCHAR") else 1)
PYTHON
  else
    printf 'DuckDB  skipped: the Python module duckdb is not installed\n'
  fi
done
