#!/usr/bin/env python3
"""Runs leaks.spark.sql on a folder of logs: leaks_spark.py [--json] LOGS

LOGS is a folder or a pattern for Spark, such as 'logs/*.jsonl' or 's3a://bucket/logs/'. The script
needs pyspark and Java. With --json, it prints the two tables as JSON lines. It exits like
`trace-viewer check`: with 1 if there are leaks, with 2 if only some logs prove nothing, and
otherwise with 0.
"""

import argparse
import json
import pathlib
import sys

from pyspark.sql import SparkSession


def main():
    parser = argparse.ArgumentParser(description="Finds the leaks in the logs of a fleet.")
    parser.add_argument("--json", action="store_true", help="print JSON lines instead of tables")
    parser.add_argument("logs", help="a folder of logs, or a pattern such as 'logs/*.jsonl'")
    arguments = parser.parse_args()

    spark = SparkSession.builder.appName("reactive-trace-leaks").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    # Spark inserts the value into a quoted SQL string.
    spark.conf.set("logs", arguments.logs.replace("\\", "\\\\").replace("'", "\\'"))
    answers = run(spark, pathlib.Path(__file__).with_name("leaks.spark.sql").read_text())
    for name, answer in zip(("leak", "proves_nothing"), answers):
        if arguments.json:
            for row in answer:
                print(json.dumps({"kind": name, **row}, ensure_ascii=False))
        else:
            print(table(name, answer))
    spark.stop()
    leaks, doubts = answers
    return 1 if leaks else 2 if doubts else 0


def run(spark, script):
    """Runs the statements of a script and returns the results of its queries."""
    answers = []
    for statement in script.split(";\n"):
        words = [line for line in statement.splitlines() if not line.startswith("--")]
        if not "".join(words).strip():
            continue
        frame = spark.sql("\n".join(words))
        if frame.columns:
            answers.append([row.asDict() for row in frame.collect()])
    return answers


def table(name, rows):
    title = f"{name}: {len(rows)} rows"
    if not rows:
        return title
    columns = list(rows[0])
    cells = [columns] + [[safe(row[column]) for column in columns] for row in rows]
    widths = [max(len(row[index]) for row in cells) for index in range(len(columns))]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in cells
    ]
    return "\n".join([title, *lines, ""])


def safe(value):
    """Escapes characters that could move the cursor of a terminal or change the text direction."""
    text = "" if value is None else str(value)
    return "".join(letter if letter.isprintable() else f"<U+{ord(letter):04X}>" for letter in text)


if __name__ == "__main__":
    sys.exit(main())
