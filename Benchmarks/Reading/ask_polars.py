"""Asks Polars the questions of the benchmark: ask_polars.py LOG THREADS

Prints the answers and the time of the query.
"""

import os
import sys
import time

# Polars reads this when it is imported.
os.environ["POLARS_MAX_THREADS"] = sys.argv[2]

sys.dont_write_bytecode = True
import answers  # noqa: E402
import polars as pl  # noqa: E402

ENDS = ["disposed", "completed", "failed", "released"]
SCHEMA = {"event": pl.String, "sub": pl.Int64, "lane": pl.String, "lifetime": pl.String}


def query(log):
    """Returns the lanes with their elements and the number of subscriptions that never ended."""
    event = pl.col("event")
    subscriptions = (
        pl.scan_ndjson(log, schema=SCHEMA)
        .filter(pl.col("sub") > 0)
        .group_by("sub")
        .agg(
            pl.col("lane").first(),
            (event == "next").sum().alias("elements"),
            (event.is_in(ENDS) | (pl.col("lifetime") == "process").fill_null(False))
            .any()
            .alias("is_done"),
        )
    )
    return subscriptions.group_by("lane").agg(
        pl.col("elements").cast(pl.Int64).sum(), (~pl.col("is_done")).sum().alias("never_ended")
    )


def main():
    start = time.perf_counter()
    rows = query(sys.argv[1]).collect(engine="streaming").rows()
    seconds = time.perf_counter() - start
    answers.write(rows, seconds)


if __name__ == "__main__":
    main()
