"""The contestants that read the log: their commands, and the parsers of their answers."""

import collections
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))

JQ = """
reduce inputs as $r ({elements: {}, lanes: {}, ended: {}};
  if $r.event == "next" then .elements[$r.lane] += 1
  elif $r.event == "subscribe" and $r.lifetime != "process" then .lanes[$r.sub | tostring] = $r.lane
  elif $r.event | IN("completed", "failed", "disposed", "released")
    then .ended[$r.sub | tostring] = true
  else . end)
| .ended as $ended
| {elements, never_ended: (reduce (.lanes | to_entries[] | select($ended[.key] | not).value)
    as $lane ({}; .[$lane] += 1))}
"""


class Failure(Exception):
    """An error if a contestant cannot run, or if its answer is wrong."""


class Contestant:
    """A command that reads a log on some cores.

    `answer` converts its output to the form of the answers that make_log.py writes. It may leave
    out answers that this contestant does not give.
    """

    def __init__(self, name, command, cores, answer, slice_lines=None, times_itself=False):
        self.name = name
        self.command = command
        self.cores = cores
        self.answer = answer
        # The number of lines to read, if the contestant does not read the whole log. Its time is
        # scaled.
        self.slice_lines = slice_lines
        # True if its output says how long it took, without the time to start.
        self.times_itself = times_itself
        self.seconds = []
        self.peaks = []

    def run(self, log):
        cpus = ",".join(str(cpu) for cpu in self.cores)
        command = [
            "taskset",
            "-c",
            cpus,
            *[log if word == "{log}" else word for word in self.command],
        ]
        start = time.perf_counter()
        # The output goes to files, because a full pipe would make the process wait.
        with tempfile.TemporaryFile("w+") as said, tempfile.TemporaryFile("w+") as complained:
            process = subprocess.Popen(command, stdout=said, stderr=complained)
            peak = private_peak(process)
            seconds = time.perf_counter() - start
            output, errors = [file.seek(0) or file.read() for file in (said, complained)]
        # 1 is our exit code for a log with leaks.
        if process.returncode not in (0, 1):
            raise Failure(f"{self.name}: exit code {process.returncode}: {errors.strip()[-500:]}")
        answer = self.answer(output)
        self.seconds.append(answer.pop("seconds") if self.times_itself else seconds)
        self.peaks.append(peak)
        return answer


def private_peak(process):
    """Returns the highest private memory of the process (RssAnon) in bytes.

    The memory is sampled every two milliseconds.
    """
    peak = 0
    while process.poll() is None:
        try:
            with open(f"/proc/{process.pid}/status") as status:
                if match := re.search(r"RssAnon:\s+(\d+) kB", status.read()):
                    peak = max(peak, int(match[1]) * 1024)
        except OSError:
            break
        time.sleep(0.002)
    return peak


def our_answer(output):
    """Returns the answers in a JSON report, from its lanes and findings."""
    report = json.loads(output)
    # A finding has all subscriptions of one place.
    left = [
        subscription["lane"]
        for finding in report["findings"]
        if finding["rule"] == "undisposed"
        for subscription in finding["subscriptions"]
    ]
    return {
        "elements": {
            lane["lane"]: lane["elements"] for lane in report["lanes"] if lane["elements"]
        },
        "never_ended": dict(collections.Counter(left)),
    }


def lines_answer(output):
    return {"records": int(output.split()[0])}


def contestants(our_command, viewer, all_cores, jq_lines):
    """Returns the contestants that are installed. Prints why it leaves out the others."""
    found = []
    one = all_cores[:1]
    several = [one] + ([all_cores] if len(all_cores) > 1 else [])
    ours = [viewer if word == "{viewer}" else word for word in shlex.split(our_command)]
    for cores in several:
        found.append(Contestant("ours", ours, cores, our_answer))
    for name, module in [("DuckDB", "duckdb"), ("Polars", "polars"), ("ClickHouse", "chdb")]:
        found += asking(name, module, several)
    if shutil.which("jq"):
        found.append(
            Contestant(
                version_of(["jq", "--version"]),
                ["jq", "-n", JQ, "{log}"],
                one,
                json.loads,
                slice_lines=jq_lines,
            )
        )
    else:
        leave_out("jq", "it is not installed")
    found.append(Contestant("wc -l", ["wc", "-l", "{log}"], one, lines_answer))
    return found


def asking(name, module, several):
    """Returns the contestants of a Python module, one for each number of cores."""
    show = f"import importlib.metadata as data, {module}; print(data.version('{module}'))"
    version = version_of([sys.executable, "-c", show])
    if not version:
        leave_out(name, f"the Python module {module} is not installed")
        return []
    script = os.path.join(HERE, f"ask_{name.lower()}.py")
    return [
        Contestant(
            f"{name} {version}" if name.lower() == module else f"{name} ({module} {version})",
            [sys.executable, script, "{log}", str(len(cores))],
            cores,
            json.loads,
            times_itself=True,
        )
        for cores in several
    ]


def version_of(command):
    """Returns the output of a command, or None if it fails."""
    result = subprocess.run(command, capture_output=True, text=True)
    return result.stdout.strip() if result.returncode == 0 else None


def leave_out(name, why):
    print(f"{name} is left out: {why}.", file=sys.stderr)
