#!/usr/bin/env python3
"""Measures how fast trace-viewer and other programs read a log: read.py [options].

See README.md.
"""

import argparse
import collections
import json
import os
import statistics
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import contestants as contest  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(contest.HERE))
OUR_COMMAND = "{viewer} report --no-config --format json --limit 1 {log}"


def main():
    options = arguments()
    try:
        if os.path.commonpath([ROOT, os.path.realpath(options.folder)]) == ROOT:
            raise contest.Failure(
                f"{options.folder} is in the repository; name another folder for the logs."
            )
        viewer = options.viewer or build_viewer()
        cores = sorted(os.sched_getaffinity(0))[: options.cores]
        for subscriptions in options.subscriptions:
            log = make_log(options, subscriptions)
            everyone = race(options, viewer, cores, log)
            if options.json:
                print(json.dumps(figures(log, subscriptions, everyone)), flush=True)
            else:
                print(report(options, log, everyone, cores), flush=True)
    except contest.Failure as failure:
        sys.exit(f"Error: {failure}")


def arguments():
    parser = argparse.ArgumentParser(
        description="Measures how fast trace-viewer, DuckDB, Polars, ClickHouse, jq and wc "
        "read a log."
    )
    folder = os.path.join(tempfile.gettempdir(), "reactive-trace-reading")
    parser.add_argument(
        "--records", type=int, default=10_000_000, help="the number of lines in a log (%(default)s)"
    )
    parser.add_argument(
        "--subscriptions",
        type=int,
        nargs="+",
        default=[1000, 100_000],
        metavar="COUNT",
        help="the subscriptions of each log (%(default)s)",
    )
    parser.add_argument(
        "--runs", type=int, default=5, help="the number of runs, whose median counts (%(default)s)"
    )
    parser.add_argument(
        "--cores",
        type=int,
        default=os.cpu_count(),
        help="the largest number of cores (%(default)s)",
    )
    parser.add_argument(
        "--jq-lines",
        type=int,
        default=200_000,
        help="the number of lines that jq reads (%(default)s)",
    )
    parser.add_argument(
        "--contestants",
        nargs="+",
        default=[],
        metavar="NAME",
        help="let only those read the log whose names begin so",
    )
    parser.add_argument("--folder", default=folder, help="the folder for the logs (%(default)s)")
    parser.add_argument(
        "--viewer",
        help="the trace-viewer to measure, instead of the release build of this checkout",
    )
    parser.add_argument(
        "--our-command",
        default=os.environ.get("OUR_COMMAND", OUR_COMMAND),
        help="the command to measure (%(default)s)",
    )
    parser.add_argument("--markdown", action="store_true", help="print Markdown tables")
    parser.add_argument("--json", action="store_true", help="print one JSON object for each log")
    options = parser.parse_args()
    if min(options.runs, options.cores, options.jq_lines) < 1:
        parser.error("There must be at least one run, core and line.")
    return options


def build_viewer():
    command = [
        "swift",
        "build",
        "--package-path",
        ROOT,
        "-c",
        "release",
        "--product",
        "trace-viewer",
    ]
    built = subprocess.run(command, stdout=sys.stderr)
    if built.returncode != 0:
        raise contest.Failure("trace-viewer does not build. Name a built one with --viewer.")
    shown = subprocess.run(
        [*command, "--show-bin-path"], capture_output=True, text=True, check=True
    )
    return os.path.join(shown.stdout.strip(), "trace-viewer")


def make_log(options, subscriptions):
    os.makedirs(options.folder, exist_ok=True)
    log = os.path.join(
        options.folder, f"{options.records}-records-{subscriptions}-subscriptions.jsonl"
    )
    if not (os.path.exists(log) and os.path.exists(answers_of(log))):
        print(f"Making {log} ...", file=sys.stderr)
        command = [
            sys.executable,
            os.path.join(contest.HERE, "make_log.py"),
            "--records",
            str(options.records),
        ]
        made = subprocess.run([*command, "--subscriptions", str(subscriptions), log])
        if made.returncode != 0:
            raise contest.Failure(f"{log} could not be made.")
    return log


def answers_of(log):
    return log + ".answers.json"


def race(options, viewer, cores, log):
    """Lets all contestants read the log, one after the other, once for each run.

    A first round does not count.
    """
    everyone = contest.contestants(options.our_command, viewer, cores, options.jq_lines)
    if options.contestants:
        wanted = tuple(options.contestants)
        everyone = [each for each in everyone if each.name.startswith(wanted)]
    with open(answers_of(log)) as file:
        expected = json.load(file)
    with tempfile.NamedTemporaryFile("w+b", suffix=".jsonl", dir=options.folder) as piece:
        expected_of_piece = cut(log, options.jq_lines, piece)
        warm(log)
        for round in range(options.runs + 1):
            for contestant in everyone:
                is_slice = contestant.slice_lines is not None
                answer = contestant.run(piece.name if is_slice else log)
                compare(contestant.name, answer, expected_of_piece if is_slice else expected)
            if round == 0:
                for contestant in everyone:
                    contestant.seconds.clear()
                    contestant.peaks.clear()
        piece_size = os.path.getsize(piece.name)
    for contestant in everyone:
        if contestant.slice_lines is not None:
            scale = os.path.getsize(log) / piece_size
            contestant.seconds = [seconds * scale for seconds in contestant.seconds]
    return everyone


def cut(log, count, piece):
    """Writes the first lines of the log to a file, and returns the correct answers about it."""
    elements, lanes, ended, records = collections.Counter(), {}, set(), 0
    with open(log, "rb") as file:
        for line, _ in zip(file, range(count)):
            piece.write(line)
            records += 1
            record = json.loads(line)
            if record["event"] == "next":
                elements[record["lane"]] += 1
            elif record["event"] == "subscribe" and record.get("lifetime") != "process":
                lanes[record["sub"]] = record["lane"]
            elif record["event"] in ("completed", "failed", "disposed", "released"):
                ended.add(record["sub"])
    piece.flush()
    left = collections.Counter(lane for sub, lane in lanes.items() if sub not in ended)
    return {"records": records, "elements": elements, "never_ended": left}


def warm(log):
    with open(log, "rb", buffering=0) as file:
        while file.read(1 << 22):
            pass


def compare(name, answer, expected):
    wanted = dict(expected, total=sum(expected["never_ended"].values()))
    if not answer:
        raise contest.Failure(f"{name} gives no answer that this script understands.")
    for question, given in answer.items():
        if given != wanted[question]:
            raise contest.Failure(
                f"{name} gives a wrong answer: {question} is {given}, not {wanted[question]}."
            )


def figures(log, subscriptions, everyone):
    size = os.path.getsize(log)
    return {
        "subscriptions": subscriptions,
        "contestants": [
            {
                "name": each.name,
                "cores": len(each.cores),
                "gigabytes_per_second": size / statistics.median(each.seconds) / 1e9,
            }
            for each in everyone
        ],
    }


def report(options, log, everyone, cores):
    size = os.path.getsize(log)
    rows = [["", "cores", "seconds", "GB/s", "peak private memory", "times ours"]]
    ours = {
        len(each.cores): statistics.median(each.seconds) for each in everyone if each.name == "ours"
    }
    for each in everyone:
        seconds = statistics.median(each.seconds)
        name = each.name + (
            f" ({each.slice_lines:,} lines, scaled)" if each.slice_lines is not None else ""
        )
        memory = f"{statistics.median(each.peaks) / 1e6:.1f} MB"
        rows.append(
            [name, str(len(each.cores)), f"{seconds:.3f}", f"{size / seconds / 1e9:.3f}", memory,
             f"{seconds / ours[len(each.cores)]:.2f}"]
        )  # fmt: skip
    title = (
        f"{os.path.basename(log)}: {size / 1e9:.2f} GB, medians of {options.runs}, "
        f"{len(cores)} cores"
    )
    if options.markdown:
        lines = ["| " + " | ".join(row) + " |" for row in rows]
        lines.insert(1, "| --- |" + " ---: |" * (len(rows[0]) - 1))
        return "\n".join([f"### {title}", "", *lines, ""])
    widths = [max(len(row[index]) for row in rows) for index in range(len(rows[0]))]
    lines = [
        "  ".join(
            cell.rjust(width) if index else cell.ljust(width)
            for index, (cell, width) in enumerate(zip(row, widths))
        )
        for row in rows
    ]
    return "\n".join([title, *lines, ""])


if __name__ == "__main__":
    main()
