"""Asks ClickHouse the questions of the benchmark, in this process: ask_clickhouse.py LOG THREADS

Prints the answers and the time of the query.
"""

import json
import sys
import time

sys.dont_write_bytecode = True
import answers  # noqa: E402
import chdb  # noqa: E402

# The fastest query that we know: one scan, only the columns that it needs, and no guessing of types.
# LowCardinality columns take nearly twice as long, and to parse in parallel takes longer on one
# core.
QUERY = """
select lane, sum(elements), countIf(not is_done) from (
  select
    sub, any(lane) as lane,
    countIf(event = 'next') as elements,
    max(event in ('completed', 'failed', 'disposed', 'released') or lifetime = 'process')
      as is_done
  from file('{log}', JSONEachRow, 'event String, sub UInt64, lane String, lifetime String')
  where sub > 0
  group by sub)
group by lane
settings max_threads = {threads}, input_format_parallel_parsing = {is_parallel},
  input_format_skip_unknown_fields = 1, input_format_defaults_for_omitted_fields = 0,
  input_format_null_as_default = 0, output_format_json_quote_64bit_integers = 0
"""


def main():
    log, threads = sys.argv[1], int(sys.argv[2])
    quoted = log.replace("\\", "\\\\").replace("'", "\\'")
    query = QUERY.format(log=quoted, threads=threads, is_parallel=int(threads > 1))
    connection = chdb.connect()
    start = time.perf_counter()
    found = connection.query(query, "JSONCompact")
    seconds = time.perf_counter() - start
    rows = json.loads(str(found))["data"]
    answers.write(rows, seconds)


if __name__ == "__main__":
    main()
