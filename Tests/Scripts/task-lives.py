#!/usr/bin/env python3
"""Runs the programs of Tests/Corpora/TaskCorpus/Lives with REACTIVE_TRACE_TASKS=1, and checks their logs.

    task-lives.py BIN_FOLDER [--filter REGEX] [--repeat N] [--count N] [--cpu N]

BIN_FOLDER has the program `TaskCorpus`. In each log, a task must begin once and end at most once, and
must be suspended and resumed by turns. All tasks must end, except those of the program `exit`, which
exits while its tasks run. The script prints a sentence for each deviation, and exits with 1 if there
is one.
"""

import argparse
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

SECONDS = 300
# The number of tasks of each program, including the main task. None: it depends on chance.
TASKS = {
    "tasks": 6, "groups": 23, "children": 4, "actors": 13, "continuations": 4, "sleeps": 3,
    "streams": 3, "canceled": 3, "immediate": 3, "executors": 9, "traced": 4, "locals": 3,
    "many": None, "racing": None, "fork": None, "exit": None,
}
ENDS = ("completed", "disposed", "failed", "released")


def records(path):
    with open(path, encoding="utf-8") as file:
        lines = [json.loads(line) for line in file if line.strip()]
    # A record of one task is never later than the next one of that task.
    return sorted(lines, key=lambda line: line["t"])


def deviations(path, name, count):
    """Returns a list of deviations of a log."""
    found = []
    lanes, states, numbers = {}, {}, collections.Counter()
    lines = records(path)
    for line in lines:
        event, sub = line["event"], line.get("sub")
        state = states.get(sub)
        if event == "subscribe":
            if state:
                found.append(f"task {sub} begins twice")
            states[sub], lanes[sub] = "running", line["lane"]
            if "task" in line:
                numbers[line["task"]] += 1
        elif event in ENDS or event == "suspended":
            if state != "running":
                found.append(f"{lanes.get(sub)} ({sub}): {event}, but it was {state}")
            states[sub] = "suspended" if event == "suspended" else "ended"
        elif event == "resumed":
            if state != "suspended":
                found.append(f"{lanes.get(sub)} ({sub}): resumed, but it was {state}")
            states[sub] = "running"
    found += [f"task number {number} begins twice" for number in numbers if numbers[number] > 1]
    if name != "exit":
        found += [
            f"{lanes[sub]} ({sub}) is {state} in the end"
            for sub, state in states.items() if state != "ended"
        ]
    wanted = {"many": 9 + count // 8 * 8, "racing": 1 + 7 * count}.get(name, TASKS[name])
    if wanted is not None and len(states) != wanted:
        found.append(f"there are {len(states)} tasks instead of {wanted}")
    last = lines[-1]
    if last["event"] != "end" or last["lost"]:
        found.append(f"the log ends with {last}")
    return found


def main():
    parser = argparse.ArgumentParser(description="Checks the lives of the tasks of programs.")
    parser.add_argument("bin", help="the folder with TaskCorpus")
    parser.add_argument("--filter", metavar="REGEX", help="run only programs whose names match")
    parser.add_argument("--repeat", type=int, default=1, help="run each program this many times")
    parser.add_argument("--count", type=int, default=1000, help="the number of short tasks")
    parser.add_argument("--cpu", type=int, help="run the programs on this processor only")
    settings = parser.parse_args()
    corpus = os.path.abspath(os.path.join(settings.bin, "TaskCorpus"))
    pin = ["taskset", "-c", str(settings.cpu)] if settings.cpu is not None else []
    failures = runs = 0
    for name in TASKS:
        if not re.search(settings.filter or "", name):
            continue
        count = settings.count if name == "many" else max(1, settings.count // 20)
        for _ in range(settings.repeat):
            runs += 1
            with tempfile.TemporaryDirectory(prefix="task-lives-") as folder:
                log = os.path.join(folder, "log.jsonl")
                environment = {
                    key: value for key, value in os.environ.items()
                    if not key.startswith("REACTIVE_TRACE")
                }
                environment.update(
                    REACTIVE_TRACE=log, REACTIVE_TRACE_TASKS="1", REACTIVE_TRACE_EXPLAIN="off")
                try:
                    done = subprocess.run(
                        [*pin, corpus, "lives", name, str(count)], env=environment,
                        capture_output=True, text=True, timeout=SECONDS, check=False)
                    found = deviations(log, name, count)
                    # A lookup of names takes at most a second, which is too short on a busy machine.
                    errors = re.sub(".*than can be read in a second.*\n", "", done.stderr)
                    if done.returncode or errors:
                        found.append(f"it ended with {done.returncode}: {errors[-200:]}")
                except (subprocess.SubprocessError, OSError, ValueError, KeyError) as error:
                    found = [repr(error)[:200]]
                for sentence in found[:5]:
                    print(f"FAILED: {name}: {sentence}.", file=sys.stderr)
                failures += bool(found)
    print(f"{runs} runs, {failures} with deviations.")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
