"""Asks DuckDB the questions of the benchmark: ask_duckdb.py LOG THREADS

Prints the answers and the time of the query.
"""

import sys
import time

sys.dont_write_bytecode = True
import answers  # noqa: E402
import duckdb  # noqa: E402

# The fastest query that we know: one scan, only the columns that it needs, and no guessing of
# types.
QUERY = """
with subscriptions as (
  select
    sub, any_value(lane) as lane,
    count(*) filter (where event = 'next') as elements,
    bool_or(event in ('completed', 'failed', 'disposed', 'released') or lifetime = 'process')
      as is_done
  from read_json(?, format = 'newline_delimited',
    columns = {event: 'VARCHAR', sub: 'BIGINT', lane: 'VARCHAR', lifetime: 'VARCHAR'})
  where sub > 0
  group by sub)
select lane, sum(elements)::bigint, count(*) filter (where not coalesce(is_done, false))
from subscriptions group by lane
"""


def main():
    log, threads = sys.argv[1], int(sys.argv[2])
    connection = duckdb.connect()
    connection.execute(f"set threads = {threads}")
    connection.execute("set preserve_insertion_order = false")
    connection.execute("set enable_progress_bar = false")
    start = time.perf_counter()
    rows = connection.execute(QUERY, [log]).fetchall()
    seconds = time.perf_counter() - start
    answers.write(rows, seconds)


if __name__ == "__main__":
    main()
