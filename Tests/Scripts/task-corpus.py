#!/usr/bin/env python3
"""Runs the programs of Tests/Corpora/TaskCorpus, and compares the report about each with the expected one.

    task-corpus.py BIN_FOLDER [--filter REGEX] [--repeat N] [--jobs N] [--cpu N]
        [--seconds N] [--overlooked N]

BIN_FOLDER has the programs `TaskCorpus` and `trace-viewer`. Each case runs in its own process, with
a log in a temporary folder, which `trace-viewer check` then judges. A case with a stuck task must
have exactly one finding: with the rule of the case, at the line with `// waits: NAME`, and proven.
All other cases must have none. --overlooked allows some stuck tasks without a finding, and cases
that are inconclusive: where the runtime has no names, it isn't known which tasks wait for a stream.
The script prints a sentence for each deviation, and exits with 1 if there is one.
"""

import argparse
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile

import judgments

SOURCES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Corpora", "TaskCorpus")
SECONDS = 60
MIN_CASES = 30


def lines_of_cases():
    """Returns the places with `// waits: NAME` by the name of the case."""
    places = {}
    for folder, _, names in os.walk(SOURCES):
        for name in names:
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                for number, line in enumerate(file, 1):
                    found = re.search(r"// waits: (\S+)$", line.rstrip())
                    if found:
                        places[found[1]] = f"{name}:{number}"
    return places


def run(number, case, settings):
    """Runs a case. Returns a list of deviations, and whether a finding is missing.

    The path of the log has another length in each run, because the blocks that the allocator gives
    to the program, and what remains in them, depend on it.
    """
    name, rule, place = case
    with tempfile.TemporaryDirectory(prefix="tasks-" + "x" * (number * 2 % 34)) as folder:
        log = os.path.join(folder, "log.jsonl")
        environment = {
            key: value for key, value in os.environ.items() if not key.startswith("REACTIVE_TRACE")
        }
        # On slow machines, programs may take longer, and so may their searches.
        environment.update(
            REACTIVE_TRACE=log, REACTIVE_TRACE_EXPLAIN=str(settings.seconds // 3))
        pin = ["taskset", "-c", str(settings.cpu)] if settings.cpu is not None else []
        try:
            done = subprocess.run(
                [*pin, settings.corpus, name], env=environment, capture_output=True, text=True,
                timeout=settings.seconds, cwd=folder)
            if done.returncode:
                return [
                    f"{name}: the program ended with {done.returncode}: {done.stderr[-200:]}"], False
            checked = subprocess.run(
                [settings.viewer, "check", "--format", "json", log], capture_output=True, text=True,
                timeout=settings.seconds, check=False)
            report = json.loads(checked.stdout)
        except (subprocess.SubprocessError, ValueError) as error:
            return [f"{name}: {str(error)[:200]}"], False
    findings = judgments.of(report)
    found = [
        f"{finding['rule']} at {(finding.get('source') or '?').rpartition('/')[2]}"
        + ("" if finding["proven"] else ", not proven")
        for finding in findings
    ]
    expected = [] if rule == "fine" else [f"{rule} at {place}"]
    if settings.unproven:
        found = [text.removesuffix(", not proven") for text in found]
    doubts = [sentence for checked in report["logs"] for sentence in checked["doubts"]]
    if doubts and not found:
        return [f"{name}: inconclusive, because {'; '.join(doubts)}."], True
    if found == expected:
        return [], False
    return [f"{name}: found {'; '.join(found) or 'nothing'} instead of "
            f"{'; '.join(expected) or 'nothing'}."], not found


def main():
    parser = argparse.ArgumentParser(description="Runs the task corpus and compares its reports.")
    parser.add_argument("bin", help="the folder with TaskCorpus and trace-viewer")
    parser.add_argument("--filter", metavar="REGEX", help="run only cases whose names match")
    parser.add_argument("--seconds", type=int, default=SECONDS, help="the limit for each program")
    parser.add_argument("--repeat", type=int, default=1, help="run each case this many times")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--cpu", type=int, help="run the cases on this processor only")
    parser.add_argument(
        "--unproven", action="store_true", help="also accept findings that aren't proven")
    parser.add_argument(
        "--overlooked", type=int, default=0, metavar="N", help="allow this many missing findings")
    settings = parser.parse_args()
    settings.corpus = os.path.abspath(os.path.join(settings.bin, "TaskCorpus"))
    settings.viewer = os.path.abspath(os.path.join(settings.bin, "trace-viewer"))
    listed = subprocess.run(
        [settings.corpus, "--list"], capture_output=True, text=True, timeout=SECONDS, check=True
    ).stdout
    places = lines_of_cases()
    cases = [(*line.split(), places.get(line.split()[0])) for line in listed.splitlines()]
    sentences = [
        f"{name}: no line ends with '// waits: {name}'."
        for name, rule, place in cases if (rule == "fine") != (place is None)
    ]
    stuck = sum(rule != "fine" for _, rule, _ in cases)
    if min(stuck, len(cases) - stuck) < MIN_CASES:
        sentences.append(f"There are {stuck} stuck cases of {len(cases)}, which are too few.")
    chosen = [case for case in cases if re.search(settings.filter or "", case[0])]
    with concurrent.futures.ThreadPoolExecutor(max(1, settings.jobs)) as pool:
        runs = pool.map(
            lambda item: run(*item, settings), enumerate(chosen * settings.repeat))
        results = list(runs)
    overlooked = [deviations for deviations, is_overlooked in results if is_overlooked]
    inconclusive = sum(": inconclusive" in deviations[0] for deviations in overlooked)
    is_allowed = len(overlooked) <= settings.overlooked * settings.repeat
    for deviations, is_overlooked in results:
        if is_overlooked and is_allowed:
            print(f"Allowed: {deviations[0]}")
        else:
            sentences += deviations
    for sentence in sentences:
        print(f"FAILED: {sentence}", file=sys.stderr)
    print(f"{len(chosen) * settings.repeat} runs of {len(chosen)} cases, "
          f"{len(sentences)} deviations, {len(overlooked) - inconclusive} leaks overlooked, "
          f"{inconclusive} inconclusive.")
    return 1 if sentences else 0


if __name__ == "__main__":
    sys.exit(main())
