#!/usr/bin/env python3
"""Compares all outputs of trace-viewer about the same logs.

Each output must have the same findings, with the same ids, rules, places and sentences. Prints a
table with a row for each log and output, and fails if any of them differs.

    consistency.py TRACE_VIEWER
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "Samples" / "Logs"
SECONDS = 60
IDS = r"[0-9a-hjkmnp-tv-z]{6}"


# The logs ------------------------------------------------------------------------------------------


def header(number=1, process="shop"):
    return {
        "t": 0, "event": "trace", "version": 1, "process": process, "pid": number, "host": "ci",
        "started": f"2026-11-20T23:48:{number:02}.000000000Z", "trace": f"{number:032x}",
    }


def subscribe(number, lane, time, line, **more):
    return {
        "t": time, "event": "subscribe", "sub": number, "lane": lane, "op": "lane",
        "source": f"Shop/Store.swift:{line}", "function": "load()", **more,
    }


def completed(number, lane, time):
    return {"t": time, "event": "completed", "sub": number, "lane": lane}


def log(records, number=1, end=True):
    """Returns the text of a log."""
    records = [header(number), *records]
    if end:
        records.append({"t": 10**9, "event": "end", "records": len(records)})
    return "".join(json.dumps(record, separators=(",", ":")) + "\n" for record in records)


def task(number, line, state="waiting"):
    return {
        "t": 10**9 - 1, "event": "task", "sub": number, "lane": f"load{number}",
        "source": f"Shop/Tasks.swift:{line}", "task": number, "priority": 21, "state": state,
        "wait": "continuation", "reach": "lost", "proof": "certain",
    }


def place(name, line):
    return {"t": 10**9 - 2, "event": "place", "lane": name, "source": f"Shop/Screen.swift:{line}"}


def generated():
    """Returns the logs by name: a list of the texts of their files."""
    several = [subscribe(n, "cart.items", n, 40, observed="call.1") for n in range(1, 6)]
    several += [subscribe(n, "cart.sum", n, 41, observed="call.2") for n in (6, 7)]
    # A second place in the same function, so that the ids need the line.
    several += [subscribe(8, "cart.sum", 8, 41, observed="call.3")]
    several += [place("call.1", 12), place("call.2", 20), place("call.3", 30)]
    cycle = [
        {
            "t": 5, "event": "retained", "sub": 1, "lane": "cart.items", "kind": "cycle",
            "proof": "certain", "tail": 0, "break": 0, "steps": [
                {"name": "closure at Screen.swift:12", "holds": "captures self strongly",
                 "at": "Shop/Screen.swift:12"},
                {"name": "Screen.bag", "holds": "DisposeBag"},
            ],
        }
    ]
    scopes = []
    for n in range(1, 9):
        scopes.append(subscribe(n, "poll", n * 10, 50, lifetime="process"))
    silent = [
        subscribe(1, "feed", 1, 60, lifetime="process"), subscribe(2, "feed", 2, 60, parent=1),
        {"t": 3, "event": "next", "sub": 2, "lane": "feed", "value": "a"},
        completed(2, "feed", 4),
        {"t": 5, "event": "next", "sub": 2, "lane": "feed", "value": "b"},
    ]
    return {
        "several subscriptions of one place": [log(several)],
        "a cycle, and others": [log(several + cycle)],
        "two logs of one run": [log(several, 1), log(several + cycle, 2)],
        "a process that died": [log(several, end=False)],
        "warnings only": [log(silent)],
        "tasks": [log([task(1, 8), task(2, 8), task(3, 9)])],
        "declared to live": [log(scopes)],
    }


# What an output says -------------------------------------------------------------------------------


class Outputs:
    """Runs the viewer, and reads its outputs."""

    def __init__(self, viewer, logs, healthy):
        self.viewer, self.logs, self.healthy = viewer, logs, healthy

    def run(self, *arguments):
        done = subprocess.run(
            [self.viewer, *arguments], capture_output=True, text=True, timeout=SECONDS,
            check=False, env={**os.environ, "LC_ALL": "C.UTF-8", "GITHUB_ACTIONS": ""})
        if done.returncode not in (0, 1, 2):
            sys.exit(f"{' '.join(arguments)}: exit code {done.returncode}: {done.stderr}")
        return done.stdout

    def check(self, form):
        return self.run("check", "--no-config", "-f", form, *self.logs)

    def report(self, form):
        return self.run("report", "--no-config", "-f", form, *self.logs)

    def diff(self, form):
        return self.run("diff", "--no-config", "-f", form, self.healthy, self.logs[0])


def finding(ident, rule, where, sentence):
    """Returns a finding with its file name instead of a path, and the beginning of its sentence.

    Some outputs add a reason or what leaks along to the sentence, or cut it.
    """
    path, _, line = where.rpartition(":")
    return ident, rule, f"{path.rpartition('/')[2]}:{line}", normal(sentence)


def normal(sentence):
    text = sentence.replace("\\", "").split("<br>")[0].split("; ")[0].split(" (not proven")[0]
    return " ".join(text.split()).rstrip(".")


def of_json(text, key="findings"):
    return [
        finding(item["id"], item["rule"], f"{item['path']}:{item['line']}", item["sentence"])
        for item in json.loads(text)[key]
        if item.get("change") in (None, "new")
    ]


def of_text(text):
    """Reads the headings and the sentences below them."""
    found, lines = [], text.splitlines()
    for number, line in enumerate(lines):
        match = re.match(rf"(?:\+ new  )?(?:error|warning|unproven)\[([\w-]+)\]  ({IDS})  ", line)
        if not match:
            continue
        heading, rest = line, number + 1
        # A long heading and a long sentence continue with deeper or equal indentation.
        while lines[rest].startswith("    "):
            heading += "  " + lines[rest].strip()
            rest += 1
        sentence = []
        while rest < len(lines) and re.match(r"  \S", lines[rest]):
            sentence.append(lines[rest].strip())
            rest += 1
        where = re.search(r"(\S+\.swift:\d+)", heading)
        found.append(finding(
            match[2], match[1], where[1] if where else "?:?", " ".join(sentence)))
    return found


def of_markdown(text, columns):
    """Reads the rows of the table of findings."""
    found = []
    for line in text.splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\) \| ", line.strip("| "))]
        if len(cells) <= max(columns) or not re.fullmatch(IDS, cells[columns[0]]):
            continue
        rule = cells[columns[1]].rpartition(": ")[2]
        where = re.search(r"(\S+\.swift:\d+)", cells[columns[2]])
        found.append(finding(
            cells[columns[0]], rule, where[1] if where else "?:?", cells[columns[3]]))
    return found


def of_sarif(text):
    found = []
    for result in json.loads(text)["runs"][0]["results"]:
        place = result["locations"][0]["physicalLocation"]
        ident = result["properties"]["id"]
        prints = result["partialFingerprints"]
        if prints != {"primaryLocationLineHash": f"{ident}:1", "findingId/v1": ident}:
            sys.exit(f"SARIF has the fingerprints {prints} for {ident}.")
        # After the id and the lane, the message has the sentence, a period and the advice.
        message = result["message"]["text"].partition(": ")[2]
        found.append(finding(
            ident, result["ruleId"],
            f"{place['artifactLocation']['uri']}:{place['region']['startLine']}",
            message.partition(". ")[0]))
    return found


def of_junit(text):
    found = []
    for case in xml.fromstring(text).iter("testcase"):
        outcome = next((case.find(name) for name in ("failure", "skipped") if
                        case.find(name) is not None), None)
        if outcome is None:
            continue
        ident = case.get("name").rpartition(" ")[2]
        found.append((ident, case.get("classname"), None, normal(outcome.get("message"))))
    return found


def of_gitlab(text):
    return [
        finding(
            issue["fingerprint"], issue["check_name"],
            f"{issue['location']['path']}:{issue['location']['lines']['begin']}",
            issue["description"].split(": ", 2)[2].partition(". ")[0])
        for issue in json.loads(text)
    ]


def of_github(text):
    found = []
    for line in text.splitlines():
        match = re.match(
            rf"::\w+ file=([^,]+),line=(\d+)(?:,col=\d+)?,title=([\w-]+) ({IDS})%3A [^:]*::(.*)",
            line)
        if match:
            # The annotation is at the line to edit. The message has the place, if it is another.
            lines = match[5].split("%0A")
            observed = [text for text in lines[1:2] if text.startswith("observed at ")]
            place = observed[0][12:] if observed else f"{match[1]}:{match[2]}"
            found.append(finding(match[4], match[3], place, lines[0]))
    return found


def of_html(text):
    data = re.search(r'<script[^>]*type="application/json"[^>]*>(.*?)</script>', text, re.S)
    report = json.loads(data[1])
    found = []
    for group in report["groups"]:
        first = report["findings"][group["findings"][0]]
        where = first.get("observed", {}).get("source") or first.get("source", "?:?")
        ident = group["id"].removeprefix("finding-")
        found.append(finding(ident, first["rule"], where, group["message"]))
    return found


def of_explain(outputs, expected):
    """Asks for each finding by its id."""
    found = []
    for ident, *_ in expected:
        text = outputs.run("explain", "--no-config", *outputs.logs, ident)
        brief = json.loads(
            outputs.run("explain", "--no-config", "-f", "json", *outputs.logs, ident))
        found += of_text(text)
        same = finding(brief["id"], brief["rule"], brief["place"], brief["sentence"])
        if same != found[-1]:
            sys.exit(f"explain prints {found[-1]} as text and {same} as JSON.")
    return found


def of_view(outputs):
    """Opens the list of findings in tmux, and reads the screen; None without tmux."""
    socket = f"consistency-{os.getpid()}"

    def tmux(*arguments):
        return subprocess.run(
            ["tmux", "-L", socket, *arguments], capture_output=True, text=True, check=False,
            timeout=SECONDS, env={**os.environ, "LC_ALL": "C.UTF-8"}).stdout

    command = [outputs.viewer, "--no-config", "--no-view-file", *outputs.logs]
    try:
        tmux("-f", "/dev/null", "new-session", "-d", "-x", "230", "-y", "60", *command)
    except FileNotFoundError:
        return None
    try:
        shown = ""
        for _ in range(SECONDS * 10):
            shown = tmux("capture-pane", "-p")
            if "Findings" in shown:
                break
            subprocess.run(["tmux", "-L", socket, "run-shell", "-d", "0.1"], check=False)
        tmux("send-keys", "4")
        for _ in range(SECONDS * 10):
            # The terminal can have a part of the screen until it shows the same one twice.
            before, shown = shown, tmux("capture-pane", "-p")
            if re.search(rf"\]  {IDS}  |no undisposed", shown) and shown == before:
                break
            subprocess.run(["tmux", "-L", socket, "run-shell", "-d", "0.1"], check=False)
        found = []
        for line in shown.splitlines():
            match = re.match(
                rf"[▸ ]*(?:error|warning|unproven)\[([\w-]+)\]  ({IDS})  .*?"
                r"(\S+\.swift:\d+)  (.*)", line)
            if match:
                found.append(finding(match[2], match[1], match[3], match[4]))
        return found
    finally:
        tmux("kill-server")


# Comparing -----------------------------------------------------------------------------------------


def deviations(expected, found):
    """Returns how an output differs from the JSON of a check."""
    if len(expected) != len(found):
        return [f"{len(found)} findings instead of {len(expected)}"]
    texts = []
    for right, wrong in zip(sorted(expected), sorted(found, key=lambda item: item[0])):
        for name, one, other in zip(("id", "rule", "place", "sentence"), right, wrong):
            # An output that has no place of its own leaves it out.
            if other is not None and one != other:
                texts.append(f"{right[0]}: the {name} is '{other}' instead of '{one}'")
    return texts


def compare(name, outputs, is_single, settings):
    """Compares all outputs about some logs. Returns the number of deviations."""
    expected = of_json(outputs.check("json"))
    rows = {
        "check text": of_text(outputs.check("text")),
        "check markdown": of_markdown(outputs.check("markdown"), (1, 0, 3, 4)),
        "check sarif": of_sarif(outputs.check("sarif")),
        "check junit": of_junit(outputs.check("junit")),
        "check gitlab": of_gitlab(outputs.check("gitlab")),
        "check github": of_github(outputs.check("github")),
        "report text": of_text(outputs.report("text")),
        "report json": of_json(outputs.report("json")),
        "report markdown": of_markdown(outputs.report("markdown"), (1, 0, 3, 4)),
        "report html": of_html(outputs.report("html")),
        "explain": of_explain(outputs, expected),
    }
    if is_single:
        rows["diff text"] = of_text(outputs.diff("text"))
        rows["diff json"] = of_json(outputs.diff("json"))
        rows["diff markdown"] = of_markdown(outputs.diff("markdown"), (2, 1, 4, 5))
    if not settings.without_view:
        shown = of_view(outputs)
        if shown is None:
            print(f"{name:36} {'view':16} skipped: tmux is not installed")
        else:
            rows["view"] = shown
    for form, key in (("check", "counts"), ("report", "shown")):
        count = json.loads(getattr(outputs, form)("json"))[key]["findings"]
        if count != len(expected):
            rows[f"{form} count"] = [None] * count
    failures = 0
    for output, found in rows.items():
        wrong = deviations(expected, found)
        failures += len(wrong)
        print(f"{name:36} {output:16} {len(found):3}  {'same' if not wrong else wrong[0]}")
        for text in wrong[1:5]:
            print(f"{'':58}{text}")
    return failures


def main():
    parser = argparse.ArgumentParser(description="Compares all outputs about the same logs.")
    parser.add_argument("viewer", help="the program trace-viewer")
    parser.add_argument("--without-view", action="store_true", help="don't start tmux")
    settings = parser.parse_args()
    viewer = os.path.abspath(settings.viewer)
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        healthy = os.path.join(folder, "healthy.jsonl")
        pathlib.Path(healthy).write_text(log([subscribe(1, "a", 1, 1), completed(1, "a", 2)]))
        cases = {
            "the sample that leaks": [str(SAMPLES / "search-leak.jsonl")],
            "the sample that is clean": [str(SAMPLES / "search-clean.jsonl")],
        }
        for number, (name, texts) in enumerate(generated().items()):
            cases[name] = []
            for part, text in enumerate(texts):
                path = os.path.join(folder, f"log{number}-{part}.jsonl")
                pathlib.Path(path).write_text(text)
                cases[name].append(path)
        for name, logs in cases.items():
            failures += compare(name, Outputs(viewer, logs, healthy), len(logs) == 1, settings)
    if failures:
        sys.exit(f"FAILED: the outputs differ in {failures} places.")
    print("All outputs have the same findings.")


if __name__ == "__main__":
    main()
