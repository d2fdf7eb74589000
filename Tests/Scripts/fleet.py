"""Compares the answers of Samples/Fleet about a folder of logs with those of `trace-viewer check`.

fleet.sh calls this script.
"""

import collections
import glob
import json
import os
import re
import subprocess
import sys

import judgments

viewer, folder = sys.argv[1:]
pattern = os.path.join(folder, "*.jsonl")

# The kinds of doubt, as the viewer and the SQL scripts phrase them. The group is the number.
DOUBTS = {
    "no end": r"did not write the end",
    "continues": r"continues in another file",
    "lost": r"could not write (?:records: )?([\d,]+)",
    "missing": r"([\d,]+) records? that the recorder wrote|wrote are missing: (\d+)",
    "damaged": r"damaged lines? w",
    "second log": r"another log begins",
}

def number(text):
    return int(text.replace(",", ""))


def doubts(text):
    found = set()
    for kind, words in DOUBTS.items():
        if match := re.search(words, text):
            count = next((group for group in match.groups() if group), "0")
            found.add((kind, number(count)))
    return found


class Answer:
    """The answer for one log.

    It has the doubts, the number of active subscriptions, and for each lane their number and
    greatest age.
    """

    def __init__(self):
        self.doubts, self.left = set(), 0
        self.lanes = collections.defaultdict(lambda: [0, 0.0])

    def add(self, lane, source, function, count, age):
        known = function is not None or re.fullmatch(r"observed\.\d+", lane)
        unknown = "source location unknown" if known else "its beginning is not in the log"
        place = "  ".join([lane, source or unknown] + [function] * (function is not None))
        self.note(place, count, age)

    def note(self, place, count, age):
        entry = self.lanes[place]
        entry[0] += count
        entry[1] = max(entry[1], age)


def of_viewer(files):
    """Runs `check` on one log, with all its files."""
    result = subprocess.run(
        [viewer, "check", "--no-config", "-f", "json", *files], capture_output=True, text=True
    )
    if result.returncode not in (0, 1, 2):
        sys.exit(f"check {files}: exit code {result.returncode}: {result.stderr}")
    report = json.loads(result.stdout)
    if len(report["logs"]) != 1:
        sys.exit(f"check {files}: {len(report['logs'])} logs instead of one")
    answer = Answer()
    answer.doubts = doubts("\n".join(report["logs"][0]["doubts"]))
    for finding in judgments.of(report):
        if finding["rule"] not in ("undisposed", "retain-cycle"):
            continue
        # The SQL counts every subscription that is left, also those that are left because of
        # another one.
        for left in [finding, *finding.get("consequences", [])]:
            answer.left += 1
            # If a log proves nothing, only the number of its subscriptions left is compared.
            if finding["proven"]:
                answer.add(
                    left["lane"], left.get("source"), left.get("function"), 1, left["age"] / 1e9
                )
    return answer


def of_rows(leaks, unproven):
    answers = collections.defaultdict(Answer)
    for row in leaks:
        answer = answers[row["trace"]]
        answer.left += row["undisposed"]
        answer.add(
            row["lane"], row["source"], row["function"], row["undisposed"], row["oldest_seconds"]
        )
    for row in unproven:
        answer = answers[row["trace"]]
        answer.doubts, answer.left = doubts(row["doubt"]), row["still_active"]
        if not answer.doubts:
            sys.exit(f"Unknown doubt: {row['doubt']}")
    return answers


def of_duckdb():
    import duckdb

    connection = duckdb.connect()
    connection.execute("set variable logs = '" + pattern.replace("'", "''") + "'")
    with open("Samples/Fleet/leaks.duckdb.sql") as script:
        connection.execute(script.read()).fetchall()

    def rows(view):
        cursor = connection.execute("from " + view)
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row)) for row in cursor.fetchall()]

    return of_rows(rows("leaks"), rows("proves_nothing"))


def of_spark(python):
    command = [python, "Samples/Fleet/leaks_spark.py", "--json", pattern]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode not in (0, 1, 2) or "Traceback" in result.stderr:
        sys.exit(result.stderr)
    rows = [json.loads(line) for line in result.stdout.splitlines() if line.startswith('{"kind"')]
    return of_rows(
        *[[row for row in rows if row["kind"] == kind] for kind in ("leak", "proves_nothing")]
    )


def traces():
    """Returns the files of each log, in order.

    A log without a header is identified by its file name.
    """
    files = collections.defaultdict(list)
    for path in glob.glob(pattern):
        with open(path, encoding="utf-8") as log:
            header = json.loads(log.readline())
        files[header.get("trace", path)].append((header.get("segment", 1), path))
    return {trace: [path for _, path in sorted(paths)] for trace, paths in files.items()}


def compare(name, answers, expected):
    wrong = 0
    for trace, wanted in expected.items():
        # Spark names a file by its URL.
        given = answers.pop(trace, None) or answers.pop("file://" + trace, None) or Answer()
        complaints = []
        if given.doubts != wanted.doubts:
            complaints.append(f"doubts {sorted(given.doubts)}, not {sorted(wanted.doubts)}")
        if given.left != wanted.left:
            complaints.append(f"{given.left} left, not {wanted.left}")
        for place in sorted(given.lanes.keys() | wanted.lanes.keys()):
            (count, age), (wanted_count, wanted_age) = given.lanes[place], wanted.lanes[place]
            if count != wanted_count or abs(age - wanted_age) > 1e-6 * wanted_age:
                complaints.append(
                    f"{place}: {count}, the oldest {age} s, not {wanted_count}, the oldest "
                    f"{wanted_age} s"
                )
        for complaint in complaints:
            print(f"{name}: {trace}: {complaint}", file=sys.stderr)
        wrong += bool(complaints)
    for trace in answers:
        print(f"{name}: {trace} is not a log in the folder", file=sys.stderr)
        wrong += 1
    leaking = sum(bool(answer.lanes) for answer in expected.values())
    doubtful = sum(bool(answer.doubts) for answer in expected.values())
    print(
        f"{name:7} {len(expected)} logs, {leaking} leak, {doubtful} prove nothing; {wrong} wrong "
        "answers"
    )
    return wrong == 0


asked = {}
try:
    asked["DuckDB"] = of_duckdb()
except ModuleNotFoundError:
    print("DuckDB  skipped: the Python module duckdb is not installed")
if spark := os.environ.get("SPARK_PYTHON"):
    asked["Spark"] = of_spark(spark)
logs = traces()
expected = {trace: of_viewer(files) for trace, files in logs.items()}
sys.exit(0 if all([compare(name, answers, expected) for name, answers in asked.items()]) else 1)
