#!/usr/bin/env python3
"""Compares what the viewer finds in Tests/Programs/Machines/Zoo.swift with what is in it.

    zoo.py TRACE_VIEWER MODE=PROGRAM...

Each program is the compiled file; MODE is `debug` or `release`. Each is inspected by three commands
while it runs. For each command, the script prints a line of JSON: `right`, `inconclusive` with the
viewer's reason, or `wrong` with the difference. It exits with 1 if a result is wrong. It needs no
compiler, so it also runs on systems that have only the program. Scripts/machines uses it.
"""

import collections
import json
import re
import subprocess
import sys
import time

# Far above what an emulated processor needs.
SECONDS = 300
# Not everything is known, or the search was refused or took too long. Both have a reason.
INCONCLUSIVE = (2, 69)
FINDINGS = 1

# The rule, class, line, and objects of a finding, and how its advice begins.
CART = ("retain-cycle", "Cart", 19, 6, "Capture cart weakly")
NODES = ("retain-cycle", "Node", 11, 4, "Set Node.next to nil")
RETAINED = ("unreachable", "Node", 11, 2, "Release the object once")
# The optimizer leaves only the array of the object that is retained by hand.
RETAINED_ARRAY = ("unreachable", "Array", None, 1, "Release the object once")

# How many tasks are in which state, with what they wait for. Without the symbols of the runtime,
# `pause` isn't known.
TASKS = {
    ("waiting", "continuation", None): 5,
    ("waiting", "continuation", "sleep"): 6,
    ("waiting", "continuation", "stream"): 1,
    ("waiting", "group", None): 1,
    ("waiting", "task", None): 2,
    ("suspended", None, None): 6,
}
# What nothing resumes. With the symbols of the runtime, the checked continuation is first.
CAUSES = [("continuation", "Store.load()"), ("continuation", "wait()")]


def cell(command, result, detail=None):
    return {"command": command, "result": result, **({"detail": detail} if detail else {})}


def last_error(text):
    errors = [line for line in text.splitlines() if line.startswith(("Error:", "Warning:"))]
    last = (errors or text.strip().splitlines() or ["no reason"])[-1]
    return re.sub(r"^(Error: )?(Process \d+: )?", "", last)


def run(viewer, *words):
    return subprocess.run(
        [viewer, *words], capture_output=True, text=True, timeout=SECONDS, check=False)


def leaks(viewer, process, options, wanted, allowed):
    """Returns the cell of a search for leaks."""
    command = " ".join(["leaks", *options])
    done = run(viewer, "leaks", *options, "-f", "json", str(process))
    if done.returncode in INCONCLUSIVE:
        return cell(command, "inconclusive", last_error(done.stderr))
    try:
        found = {
            (f["rule"], f["lane"], f.get("line"),
             sum(item["count"] for s in f["subscriptions"] for key in ("members", "held")
                 for item in s["objects"][key]), f["advice"])
            for f in json.loads(done.stdout)["findings"]}
    except (ValueError, KeyError):
        return cell(command, "wrong", f"exit code {done.returncode}: {last_error(done.stderr)}")

    def matches(expected, finding):
        return finding[:4] == expected[:4] and finding[4].startswith(expected[4])

    missing = [e for e in wanted if not any(matches(e, f) for f in found)]
    false = [f for f in found if not any(matches(e, f) for e in wanted + allowed)]
    if missing or false or done.returncode != FINDINGS:
        return cell(
            command, "wrong",
            f"exit code {done.returncode}, missing {missing}, unexpected {sorted(map(str, false))}")
    return cell(command, "right")


def tasks(viewer, process):
    """Returns the cell of an inspection of tasks."""
    done = run(viewer, "tasks", "--full", "-f", "json", str(process))
    if done.returncode in INCONCLUSIVE:
        # The reason is the paragraph after the name of the process.
        text = run(viewer, "tasks", str(process)).stdout.split("\n\n")[0]
        return cell("tasks", "inconclusive", " ".join(text.splitlines()[1:]))
    records = [json.loads(line) for line in done.stdout.splitlines()]
    found = collections.Counter(
        (r["state"], r.get("wait"), r.get("pause")) for r in records if r["event"] == "task")
    causes = [
        (r["kind"], (r.get("calls") or [{}])[0].get("name")) for r in records
        if r["event"] == "hang"]
    blocked = [r for r in records if is_blocked(r)]
    knows_pauses = any(pause for _, _, pause in found)
    wanted = collections.Counter()
    for (state, wait, pause), count in TASKS.items():
        wanted[state, wait, pause if knows_pauses else None] += count
    differences = []
    if done.returncode != 0:
        differences.append(f"exit code {done.returncode}: {last_error(done.stderr)}")
    if found != wanted:
        differences.append(f"tasks {dict(found)} instead of {dict(wanted)}")
    if causes != CAUSES[:1] and (knows_pauses or not set(causes) <= set(CAUSES)):
        differences.append(f"causes {causes}")
    if len(blocked) != 1:
        differences.append(f"{len(blocked)} threads are blocked")
    if differences:
        return cell("tasks", "wrong", "; ".join(differences))
    return cell("tasks", "right", None if knows_pauses else "sleeping tasks just wait")


def is_blocked(record):
    """Returns whether a record is about the thread that waits for the semaphore."""
    return record["event"] == "stack" and record.get("function", "").endswith("in block()")


def is_at_rest(viewer, process):
    """Returns whether all tasks wait, or whether they can't be listed."""
    done = run(viewer, "tasks", "--full", "-f", "json", str(process))
    if done.returncode in INCONCLUSIVE:
        return True
    records = [json.loads(line) for line in done.stdout.splitlines()]
    states = [r["state"] for r in records if r["event"] == "task"]
    return any(map(is_blocked, records)) and len(states) == sum(TASKS.values()) and not {
        "running", "enqueued"} & set(states)


def inspect(viewer, mode, program):
    """Returns the cells of a program."""
    with subprocess.Popen(
            [program], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            end = time.monotonic() + SECONDS
            while not is_at_rest(viewer, process.pid) and time.monotonic() < end:
                pass
            is_optimized = mode == "release"
            cells = [
                leaks(viewer, process.pid, [], [CART, NODES], []),
                leaks(
                    viewer, process.pid, ["--stop"],
                    [CART, NODES] + ([] if is_optimized else [RETAINED]),
                    [RETAINED_ARRAY] if is_optimized else []),
                tasks(viewer, process.pid),
            ]
        finally:
            process.kill()
    return [{"program": f"zoo, {mode}", **item} for item in cells]


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    viewer, is_wrong = sys.argv[1], False
    for argument in sys.argv[2:]:
        for item in inspect(viewer, *argument.split("=", 1)):
            print(json.dumps(item), flush=True)
            is_wrong = is_wrong or item["result"] == "wrong"
    return 1 if is_wrong else 0


if __name__ == "__main__":
    sys.exit(main())
