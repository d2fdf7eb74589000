#!/usr/bin/env python3
"""Runs the programs of Tests/Corpora/ObjectCorpus, and compares what they leak with what they should leak.

    object-corpus.py BIN_FOLDER... --self-check [--filter REGEX] [--repeat N] [--jobs N] [--cpu N]
    object-corpus.py BIN_FOLDER... --viewer PROGRAM [--at-rest] [--preload LIBRARY]
        [--overlooked N] [--every N] [--seconds N] ...
    object-corpus.py BIN_FOLDER... --inside [--overlooked N] ...

Each BIN_FOLDER has the program `ObjectCorpus`. Each case runs in its own process. With --self-check,
the programs count their live instances by class, and the counts at the end must be as the case
states: the leaked instances, and those that are alive and reachable. It also compares the comments
`// closure: NAME` with the cases. With --viewer, they run under `trace-viewer run --leaks`, whose
findings must be exactly the mistakes, with all steps, lines and numbers, and with the step to break
and the advice that a case states. A closure has the same id in all cases, and no other closure has
it. With --at-rest, they wait at their end, and `trace-viewer leaks` searches them. With --preload,
they have another allocator. With --inside, they search their own memory, which finds only cycles, and
only those that are certain. The script prints a sentence for each deviation, and exits with 1 if there
is one.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import time

import judgments

PACKAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Corpora", "ObjectCorpus")
# A case takes much less time, also on one core.
SECONDS = 20
MAX_SECONDS_ALONE = 2
MIN_CASES = 62


def places_of_closures():
    """Returns the places with `// closure: NAME, NAME` by the names of the cases."""
    places = collections.defaultdict(list)
    for folder, _, names in os.walk(os.path.join(PACKAGE, "Sources")):
        for name in names:
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                for number, line in enumerate(file, 1):
                    found = re.search(r"// closure: ([\w, -]+)$", line.rstrip())
                    for case in found[1].split(", ") if found else []:
                        places[case].append(f"{name}:{number}")
    return places


def list_cases(program):
    """Returns the cases of a program, each a dictionary as `ObjectCase` encodes it."""
    listed = subprocess.run(
        [program, "--list"], capture_output=True, text=True, timeout=SECONDS, check=True)
    return [json.loads(line) for line in listed.stdout.splitlines()]


def check_list(cases, places):
    """Returns the deviations of the list itself."""
    sentences = [
        f"{name}: {count} cases have this name."
        for name, count in collections.Counter(case["name"] for case in cases).items() if count > 1
    ]
    names = {case["name"] for case in cases}
    sentences += [f"{name}: no case has this name." for name in places if name not in names]
    for case in cases:
        steps = [
            step for mistake in case["mistakes"] for cycle in mistake["cycles"] for step in cycle]
        has_closure = any(step.startswith("closure.") for step in steps)
        if has_closure != (case["name"] in places):
            sentences.append(
                f"{case['name']}: "
                + ("no line ends with" if has_closure else "no closure is on the cycle, but see")
                + f" '// closure: {case['name']}'.")
        sentences += [
            f"{case['name']}: the step {step} isn't of the form Type.property." for step in steps
            if not re.fullmatch(r"closure\.\w+|([A-Z]\w*\.)+\w+(\.\w+)*", step)]
    healthy = sum(not case["mistakes"] for case in cases)
    if min(healthy, len(cases) - healthy) < MIN_CASES:
        sentences.append(f"{healthy} of {len(cases)} cases are healthy, which are too few of a kind.")
    return sentences


def expected_counts(case):
    """Returns the number of live instances at the end by class, leaked or not."""
    counts = collections.Counter(case["alive"])
    for mistake in case["mistakes"]:
        counts.update(mistake["leaked"])
    return dict(counts)


def check_counts(settings, program, case):
    """Runs a case that counts its instances, and returns a list of deviations."""
    where = f"{case['name']} ({os.path.basename(os.path.dirname(program))})"
    pin = ["taskset", "-c", str(settings.cpu)] if settings.cpu is not None else []
    start = time.monotonic()
    try:
        done = subprocess.run(
            [*pin, program, case["name"], "--count"], capture_output=True, text=True,
            timeout=settings.seconds, stdin=subprocess.DEVNULL, check=False)
    except subprocess.SubprocessError as error:
        return [f"{where}: {str(error)[:200]}"]
    if done.returncode or done.stderr:
        return [f"{where}: exit code {done.returncode}: {done.stderr[-300:]}"]
    try:
        counts = json.loads(done.stdout)
    except ValueError:
        return [f"{where}: unexpected output: {done.stdout[-300:]}"]
    duration = time.monotonic() - start
    sentences = []
    if counts != expected_counts(case):
        sentences.append(f"{where}: {counts} are alive instead of {expected_counts(case)}.")
    if settings.jobs == 1 and duration > MAX_SECONDS_ALONE:
        sentences.append(f"{where}: it took {duration:.1f} s.")
    return sentences


# The comparison with the report of a search for leaked objects.

RULES = {"cycle": "retain-cycle", "unreachable": "unreachable"}
CLOSURES = {"closure", "method", "function"}
# The compiler doesn't write a line for the code of an autoclosure.
WITHOUT_PLACE = {"closure-autoclosure"}


def steps_of(finding):
    """Returns the steps of a finding as `Mistake` writes them, without those of libraries."""
    steps = []
    for step in finding.get("retention", {}).get("steps", []):
        if step["kind"] == "field":
            steps.append(f"{step['type']}.{step.get('name', '?')}")
        elif step["kind"] in CLOSURES:
            steps.append("closure." + ("self" if step.get("self") else step.get("name", "?")))
    return steps


def is_step(wanted, found, has_names):
    """Returns whether a step is the expected one.

    The name of a captured value is only known if the closure captures nothing else, and if the
    program isn't optimized.
    """
    if wanted.startswith("closure."):
        return found in (wanted, "closure.?") or found.startswith("closure.") and not has_names
    return wanted == found


def is_cycle(wanted, found, is_complete, has_names):
    """Returns whether the steps of a finding are those of a cycle, from any step on."""
    for first in range(max(1, len(found))):
        rest = found[first:] + found[:first]
        if is_complete:
            if len(rest) == len(wanted) and all(
                    is_step(step, other, has_names) for step, other in zip(wanted, rest)):
                return True
            continue
        position = 0
        for step in rest:
            if position < len(wanted) and is_step(wanted[position], step, has_names):
                position += 1
        if position == len(wanted):
            return True
    return False


def wrong_advice(mistake, finding):
    """Returns what is wrong with the step to break and the advice of a finding, or None."""
    index = finding.get("retention", {}).get("break")
    steps = finding.get("retention", {}).get("steps", [])
    broken = steps_of({"retention": {"steps": steps[index:index + 1]}}) if index is not None else []
    if mistake.get("breaks") and not any(
            is_step(mistake["breaks"], step, False) for step in broken):
        return f"the step to break is {broken} instead of {mistake['breaks']}"
    if not finding["advice"].startswith(mistake.get("advice") or ""):
        return f"the advice is '{finding['advice']}' instead of '{mistake['advice']}...'"
    return None


def ids_of(findings, places):
    """Returns the closures to change, each with what identifies its finding."""
    found = []
    for finding in findings:
        at = finding.get("retention", {}).get("breakAt", {})
        place = f"{os.path.basename(at.get('path', ''))}:{at.get('line')}"
        if place in places:
            found.append((place, finding["group"], finding["fingerprint"]))
    return found


def check_ids(ids):
    """Returns a sentence for each closure with several ids, and for each id of several closures."""
    sentences = []
    for kind, number in (("ids", 1), ("fingerprints", 2)):
        of_place, of_id = collections.defaultdict(set), collections.defaultdict(set)
        for item in ids:
            of_place[item[0]].add(item[number])
            of_id[item[number]].add(item[0])
        for found in (of_place, of_id):
            sentences += [
                f"{key} has {len(values)} {kind} or places: {sorted(values)}."
                for key, values in found.items() if len(values) > 1]
    return sentences


def is_found(mistake, findings, has_names):
    """Returns whether one of the findings is about a mistake."""
    for finding in findings:
        if finding["rule"] not in [RULES[kind] for kind in mistake["kinds"]]:
            continue
        if finding["rule"] == "unreachable" or any(
                is_cycle(cycle, steps_of(finding), mistake["isComplete"], has_names)
                for cycle in mistake["cycles"]):
            return True
    return False


def leaked_counts(findings):
    """Returns the number of leaked objects by class, without the module."""
    counts = collections.Counter()
    for finding in findings:
        for key in ("members", "held"):
            for item in finding["objects"][key]:
                counts[item["class"].split(".")[-1]] += item["count"]
    return counts


def search_at_rest(settings, pin, preload, program, name):
    """Runs a case that waits at its end, and searches it from outside without stopping it."""
    with subprocess.Popen(
            [*pin, *preload, program, name, "--stay"], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE) as case:
        try:
            # A case that ends the program itself has no such line.
            if not any(line == b"ready\n" for line in case.stdout):
                return None
            return subprocess.run(
                [*pin, settings.viewer, "leaks", "-f", "json", str(case.pid)],
                capture_output=True, text=True, timeout=settings.seconds,
                stdin=subprocess.DEVNULL, check=False)
        finally:
            case.kill()


def check_report(settings, program, case, places):
    """Runs a case under a search for leaked objects.

    Returns a list of deviations, whether a leak was overlooked, and the closures to change with
    what identifies their findings. `places` has the file and line of each closure that a finding
    should name. `Mistake.swift` describes the expectation.
    """
    where = f"{case['name']} ({os.path.basename(os.path.dirname(program))})"
    pin = ["taskset", "-c", str(settings.cpu)] if settings.cpu is not None else []
    preload = ["env", f"LD_PRELOAD={settings.preload}"] if settings.preload else []
    try:
        if settings.at_rest:
            done = search_at_rest(settings, pin, preload, program, case["name"])
            if not done:
                return [], False, []
        else:
            done = subprocess.run(
                [*pin, settings.viewer, "run", "--leaks", "-f", "json", "--", *preload, program,
                 case["name"]], capture_output=True, text=True, timeout=settings.seconds,
                stdin=subprocess.DEVNULL, check=False)
        findings = judgments.of(json.loads(done.stdout))
    except (subprocess.SubprocessError, ValueError) as error:
        return [f"{where}: {str(error)[:200]}"], False, []
    mistakes = case["mistakes"]
    if "Warning" in done.stderr or "Error" in done.stderr:
        return [f"{where}: {done.stderr[-200:]}"], False, []
    if len(findings) < (len(mistakes) if settings.preload else min(len(mistakes), 1)):
        # An old word that is the address of one of the objects hides a leak.
        return [], True, []
    sentences = []
    if done.returncode != (1 if mistakes else 0):
        sentences.append(f"{where}: exit code {done.returncode}.")
    if len(findings) != len(mistakes):
        shown = ", ".join(f"{finding['rule']} {finding['lane']}" for finding in findings)
        sentences.append(f"{where}: {len(findings)} findings instead of {len(mistakes)}: {shown}.")
    has_names = "release" not in program
    for mistake in mistakes:
        if not is_found(mistake, findings, has_names):
            found = [(finding["rule"], steps_of(finding)) for finding in findings]
            sentences.append(
                f"{where}: {found} instead of {mistake['kinds']} {mistake['cycles']}.")
        elif len(mistakes) == 1 and has_names and wrong_advice(mistake, findings[0]):
            sentences.append(f"{where}: {wrong_advice(mistake, findings[0])}.")
    counts, wanted = leaked_counts(findings), collections.Counter()
    for mistake in mistakes:
        for name, count in mistake["leaked"].items():
            wanted[name.split(".")[-1]] += count
    # With another allocator, old words hide some objects of several.
    if settings.preload and not sentences and any(
            counts[name] < count * 0.98 for name, count in wanted.items()):
        return [], True, []
    sentences += [
        f"{where}: {counts[name]} objects of {name} instead of {count}."
        for name, count in wanted.items()
        # Old words can hide a few of many objects.
        if not count * (0.9 if settings.at_rest else 0.98) <= counts[name] <= count
    ]
    sites = [
        step.get("at", "").split("/")[-1] for finding in findings
        for step in finding.get("retention", {}).get("steps", [])]
    if has_names and case["name"] not in WITHOUT_PLACE:
        sentences += [
            f"{where}: no step is at {place}, only {sites}." for place in places
            if place not in sites]
    return sentences, False, ids_of(findings, places) if has_names else []


def check_inside(settings, program, case, places):
    """Runs a case that searches its own memory.

    Returns a list of deviations, and whether a leak was overlooked.
    """
    where = f"{case['name']} ({os.path.basename(os.path.dirname(program))})"
    pin = ["taskset", "-c", str(settings.cpu)] if settings.cpu is not None else []
    try:
        done = subprocess.run(
            [*pin, program, case["name"], "--inside"], capture_output=True, text=True,
            timeout=settings.seconds, stdin=subprocess.DEVNULL, check=False)
        *lines, last = [line for line in done.stdout.splitlines() if line != "ready"]
        if last != "searched":
            return [f"{where}: {last}"], False, []
        findings = [json.loads(line) for line in lines]
    except (subprocess.SubprocessError, ValueError) as error:
        return [f"{where}: {str(error)[:200]}"], False, []
    # Several cycles of a case with "kinds" of both can be one mistake.
    mistakes = [mistake for mistake in case["mistakes"] if "cycle" in mistake["kinds"]]
    if not findings and mistakes:
        return [], True, []
    sentences = []
    if len(findings) != len(mistakes):
        sentences.append(f"{where}: {len(findings)} findings instead of {len(mistakes)}: {findings}.")
    for mistake in mistakes:
        fields = [
            {step for step in cycle if not step.startswith("closure.")}
            for cycle in mistake["cycles"]]
        if not any(
                wanted <= {name for name in finding["steps"]} for finding in findings
                for wanted in fields):
            sentences.append(
                f"{where}: {[finding['steps'] for finding in findings]} instead of {fields}.")
    wanted = collections.Counter()
    for mistake in mistakes:
        wanted.update({name.split(".")[-1]: count for name, count in mistake["leaked"].items()})
    for name, count in wanted.items():
        found = sum(
            number for finding in findings for known, number in finding["objects"].items()
            if known.split(".")[-1] == name)
        # Old words can hide a few of many objects.
        if not count * 0.9 <= found <= count:
            sentences.append(f"{where}: {found} objects of {name} instead of {count}.")
    sites = [source.split("/")[-1] for finding in findings for source in finding["sources"]]
    if mistakes and case["name"] not in WITHOUT_PLACE:
        sentences += [
            f"{where}: no step is at {place}, only {sites}." for place in places
            if place not in sites]
    return sentences, False, []


# The end of this comparison.


def main():
    parser = argparse.ArgumentParser(description="Runs the corpus of leaked objects.")
    parser.add_argument("bin", nargs="+", help="the folders with ObjectCorpus")
    parser.add_argument(
        "--self-check", action="store_true", help="compare the numbers of live instances")
    parser.add_argument(
        "--viewer", metavar="PROGRAM", help="compare the findings of this trace-viewer")
    parser.add_argument(
        "--preload", metavar="LIBRARY", help="run the programs with the allocator of a library")
    parser.add_argument(
        "--at-rest", action="store_true", help="search the programs while they wait, with leaks")
    parser.add_argument(
        "--inside", action="store_true", help="compare what the programs find in their own memory")
    parser.add_argument(
        "--overlooked", type=int, default=0, metavar="N", help="allow this many leaks to be missed")
    parser.add_argument("--filter", metavar="REGEX", help="run only cases whose names match")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="run each Nth case")
    parser.add_argument("--seconds", type=int, default=SECONDS, help="the limit for each program")
    parser.add_argument("--repeat", type=int, default=1, help="run each case this many times")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--cpu", type=int, help="run the cases on this processor only")
    settings = parser.parse_args()
    if settings.self_check + bool(settings.viewer) + settings.inside != 1:
        parser.error("one of --self-check, --viewer and --inside is needed")
    sentences, runs, overlooked, ids = [], [], [], []
    places = places_of_closures()
    for folder in settings.bin:
        program = os.path.abspath(os.path.join(folder, "ObjectCorpus"))
        cases = list_cases(program)
        sentences += [text for text in check_list(cases, places) if text not in sentences]
        runs += [
            (program, case) for case in cases if re.search(settings.filter or "", case["name"])
        ][::settings.every]
    def check(run):
        if settings.self_check:
            return check_counts(settings, *run), False, []
        compare = check_inside if settings.inside else check_report
        return compare(settings, *run, places.get(run[1]["name"], []))

    with concurrent.futures.ThreadPoolExecutor(max(1, settings.jobs)) as pool:
        all_runs = runs * settings.repeat
        for (_, case), (deviations, is_overlooked, found) in zip(
                all_runs, pool.map(check, all_runs)):
            sentences += deviations
            ids += found
            if is_overlooked:
                overlooked.append(case["name"])
    sentences += check_ids(ids)
    if len(overlooked) > settings.overlooked * settings.repeat:
        sentences.append(f"{len(overlooked)} leaks were overlooked: {' '.join(sorted(overlooked))}.")
    for sentence in sentences:
        print(f"FAILED: {sentence}", file=sys.stderr)
    print(
        f"{len(runs) * settings.repeat} runs, {len(sentences)} deviations, "
        f"{len(overlooked)} leaks overlooked.")
    return 1 if sentences else 0


if __name__ == "__main__":
    sys.exit(main())
