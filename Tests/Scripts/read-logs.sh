#!/usr/bin/env bash
# Reads logs with jq, and with DuckDB through Python. Their answers must agree with the last record
# of the log and with `trace-viewer check`. If one of them is not installed, the script skips it
# with a message.
#
#   Tests/Scripts/read-logs.sh TRACE_VIEWER LOG...
set -euo pipefail

viewer=$1
shift
fail() { printf 'FAILED: %s\n' "$*" >&2; exit 1; }

for log in "$@"; do
  # If a thread is in the middle of a record when the log ends, empty lines stay at the end.
  counted=$(grep . "$log" | tail -n 1 | grep -oE '"records":[0-9]+' | grep -oE '[0-9]+') \
    || fail "$log has no end record."
  leaks=$("$viewer" check --no-config --format json "$log" 2>/dev/null \
    | grep -cE '^ {10}"rule": "(undisposed|retain-cycle)"' || true)

  if command -v jq >/dev/null; then
    records=$(jq -s 'length' "$log") || fail "jq cannot read $log."
    [ "$records" = "$((counted + 1))" ] \
      || fail "jq finds $records records in $log, but its end record counts $counted before itself."
    # An active subscription counts only if its parent isn't active. A subscription that was made
    # for one that lives until exit may live until exit, too.
    active=$(jq -s '(map(select(.event == "subscribe") | {key: "\(.sub)", value: .})
        | from_entries) as $all
      | map(select(.event | IN("completed", "failed", "disposed", "released"))
        | "\(.sub)") as $ended
      | def lives: $all[.] | . != null
        and (.lifetime == "process" or (.parent != null and ("\(.parent)" | lives)));
        (($all | keys) - $ended | map(select(lives | not))) as $active
      | $active - [$active[] | select("\($all[.].parent)" | IN($active[]))] | length' "$log")
    [ "$active" = "$leaks" ] \
      || fail "jq finds $active undisposed subscriptions in $log, but trace-viewer finds $leaks."
    printf 'jq      %s: %s records, %s undisposed\n' "$log" "$records" "$active"
  else
    printf 'jq      skipped: it is not installed\n'
  fi

  if python3 -c 'import duckdb' 2>/dev/null; then
    python3 - "$log" "$counted" "$leaks" <<'PYTHON' \
      || fail "DuckDB and trace-viewer do not agree on $log."
import sys, duckdb
log, counted, leaks = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
# DuckDB guesses the columns and their types, as it does for most users.
duckdb.sql(f"create view log as select * from read_json_auto('{log}', format='newline_delimited')")
records = duckdb.sql("select count(*) from log").fetchall()[0][0]
active = duckdb.sql("""
  with recursive lives(sub) as (
    select sub from log where event = 'subscribe' and lifetime = 'process'
    union select s.sub from log s join lives l on s.parent = l.sub where s.event = 'subscribe'),
  active as (
    select sub, parent from log s
    where event = 'subscribe' and sub not in (select sub from lives) and not exists (
      select 1 from log e
      where e.sub = s.sub and e.event in ('completed', 'failed', 'disposed', 'released')))
  select count(*) from active a where not exists (select 1 from active p where p.sub = a.parent)
""").fetchall()[0][0]
types = dict(duckdb.sql("select column_name, column_type from (describe log)").fetchall())
print(f"DuckDB  {log}: {records} records, {active} undisposed")
sys.exit(0 if records == counted + 1 and active == leaks and types["value"] == "VARCHAR" else 1)
PYTHON
  else
    printf 'DuckDB  skipped: the Python module duckdb is not installed\n'
  fi
done
