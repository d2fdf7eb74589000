#!/usr/bin/env python3
"""Runs the programs of Tests/Corpora/LeakCorpus, and compares the report about each with the expected one.

    corpus.py BIN_FOLDER [--all] [--found-only] [--filter REGEX] [--configuration debug|release]
              [--stripped] [--jobs N] [--every N] [--seconds N] [--preload LIBRARY] [--slow]

BIN_FOLDER has the programs `LeakCorpus` and `trace-viewer`. Each case runs in its own process, with
a log in a temporary folder, which `trace-viewer check` then judges. With --stripped, a copy of the
program without symbols runs: closures are at an offset, variables have no names, and the locations
of observations are unknown. With --slow, a finding may have no line if the program says that there was
no time to look it up. The script prints a table, and a sentence for each deviation. It exits
with 1 if there is one.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import tempfile

import judgments

SOURCES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Corpora", "LeakCorpus")
SECONDS = 10
FILE_SIZE = 64 << 20
MIN_CASES = 40
# The share of the leaks that a run without lanes must find, and whose explanation must lead to a
# cycle or a root.
SHARE = 0.9
RULES = {"retain-cycle", "undisposed"}
# A task of a leak can be stuck, too. Tests/Scripts/task-corpus.py tests these rules.
TASK_RULES = {"lost-continuation", "task-deadlock", "task-leak", "cancelled-but-running"}


# What a program says if it has no time to look up all lines.
NO_TIME = "there is more debug information than can be read in a second"


class Failure(Exception):
    """An error that makes the result of a case unknown."""


# The list of cases --------------------------------------------------------------------------------


class Case:
    """The expected report about a program, and the locations in its file."""

    def __init__(self, fields, sources):
        self.name, self.verdict = fields["name"], fields["verdict"]
        self.lanes, self.upstream = fields["lanes"], fields["upstream"]
        self.rule, self.kind = fields.get("rule"), fields.get("kind")
        self.path, self.also, self.roots = fields["path"], fields["also"], fields["roots"]
        self.holder, self.breaks = fields["holder"], fields.get("breaks")
        self.alive, self.release = fields["alive"], fields.get("release")
        self.mistakes = fields.get("withoutLanes") or len(self.lanes)
        self.file = fields["file"].rpartition("/")[2]
        self.text = sources.get(self.file, "")
        self.observed = [
            f"{self.file}:{number}"
            for number, line in enumerate(self.text.splitlines(), 1)
            if line.rstrip().endswith("// observed")
        ]
        self.statements = [place for number in self.observed for place in self.statement(number)]
        self.types = re.findall(r"\b(?:class|struct|enum|actor)\s+(\w+)", self.text)

    def statement(self, observed):
        """Returns all lines from the beginning of the statement to the line that observes.

        Optimized code may have the line of an earlier call of the same statement.
        """
        lines, last = self.text.splitlines(), int(observed.rpartition(":")[2])
        indent = len(lines[last - 1]) - len(lines[last - 1].lstrip())
        first = last
        if lines[last - 1].lstrip().startswith("."):
            while first > 1 and len(lines[first - 1]) - len(lines[first - 1].lstrip()) >= indent:
                first -= 1
        return [f"{self.file}:{number}" for number in range(first, last + 1)]

    def strip(self):
        """Expects a report without symbols: no lines, and no names of code and variables."""
        nameless = ("method reference", "assign(to:on:)", "Task at")
        self.path = [
            word.partition(" at ")[0] for word in self.path if not word.startswith(nameless)
        ]
        # The names of captured values are in the debug information.
        self.path = ["closure" if word.startswith("captures ") else word for word in self.path]
        if self.breaks:
            self.breaks = (
                "closure" if self.breaks.startswith("closure") else self.breaks.partition(" at ")[0]
            )
            if self.breaks.startswith(nameless):
                self.breaks = None
        self.path = [word for word in self.path if word != "waits for a continuation"]
        if self.roots:
            self.roots = [word.partition(" at ")[0] for word in self.roots] + [
                "a global or static variable"
            ]
        self.holder = [
            word for word in self.holder if not any(root.endswith(word) for root in self.roots)
        ]

    def places(self, settings):
        """Returns the locations that a finding may have."""
        return self.statements if settings.configuration == "release" else self.observed

    @property
    def is_leak(self):
        return self.verdict == "leak"


def read_sources():
    """Returns the texts of all files of the corpus by name."""
    sources = {}
    for folder, _, names in os.walk(SOURCES):
        for name in names:
            if name.endswith(".swift"):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    sources[name] = file.read()
    return sources


def read_cases(program):
    """Returns the cases that the program lists."""
    try:
        listed = subprocess.run(
            [program, "--list"], capture_output=True, text=True, timeout=SECONDS, check=True
        ).stdout
    except (OSError, subprocess.SubprocessError) as error:
        sys.exit(f"FAILED: '{program} --list' does not work: {error}")
    sources = read_sources()
    return [Case(json.loads(line), sources) for line in listed.splitlines()]


def inconsistencies(cases):
    """Returns a sentence for each mistake in the list of cases."""
    sentences = []
    for what, values in (
        ("name", [case.name for case in cases]),
        ("file", [case.file for case in cases]),
    ):
        for value, count in collections.Counter(values).items():
            if count > 1:
                sentences.append(f"{count} cases have the {what} '{value}'.")
    for verdict in ("leak", "fine"):
        count = sum(case.verdict == verdict for case in cases)
        if count < MIN_CASES:
            sentences.append(
                f"There are {count} cases of the kind '{verdict}', but there should be "
                f"{MIN_CASES} or more."
            )
    for case in cases:
        if not case.text:
            sentences.append(f"{case.name}: the file {case.file} is not below Tests/Corpora/LeakCorpus.")
        elif not case.observed:
            sentences.append(f"{case.name}: no line of {case.file} ends with '// observed'.")
        for lane in case.lanes + case.upstream:
            if f'traced("{lane}"' not in case.text and f'"{lane}", lifetime' not in case.text:
                sentences.append(f"{case.name}: {case.file} has no lane '{lane}'.")
        if not case.lanes:
            sentences.append(f"{case.name}: the case names no lane.")
        if case.is_leak and (case.rule not in RULES or case.kind not in ("cycle", "path")):
            sentences.append(f"{case.name}: the case names no rule and kind.")
    return sentences


# A run of a case ----------------------------------------------------------------------------------


def limited(command, folder, environment, seconds):
    """Runs a command with limits on its time and on the size of its files.

    Returns its exit code and its output.
    """
    shell = f'ulimit -c 0; ulimit -f {FILE_SIZE // 512}; exec "$@"'
    process = subprocess.Popen(
        ["/bin/sh", "-c", shell, "sh", *command],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        output, errors = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        raise Failure(f"{os.path.basename(command[0])} was stopped after {seconds} s") from None
    return process.returncode, output.decode(errors="replace"), errors.decode(errors="replace")


def last_line(text):
    lines = text.strip().splitlines()
    return f": {lines[-1][:200]}" if lines else ""


class Explanation:
    """The explanation of why a subscription is alive: steps with name, detail and location."""

    def __init__(self, fields):
        self.kind = fields.get("kind") or "none"
        self.is_certain = not (
            fields.get("proof") == "probable" or fields.get("probable") or fields.get("isProbable")
        )
        self.steps = list(
            zip(fields.get("path") or [], fields.get("details") or [], fields.get("sites") or [])
        )
        self.tail = fields.get("tail") or 0
        broken = fields.get("break", fields.get("breakIndex"))
        self.broken = broken if isinstance(broken, int) and 0 <= broken < len(self.steps) else None
        self.advice = fields.get("advice") or ""
        self.holder, self.note = fields.get("holder") or "", fields.get("note") or ""

    @property
    def texts(self):
        return [" ".join(part for part in (what, detail) if part) for what, detail, _ in self.steps]

    def __str__(self):
        """Returns everything in one line. Steps after the bar are not on the cycle."""
        texts = self.texts
        end = len(texts) - self.tail
        line = " > ".join(texts[:end])
        if self.kind == "cycle":
            line = f"cycle: {line}" if self.is_certain else f"probable cycle: {line}"
            if self.tail:
                line += " | " + " > ".join(texts[end:])
        return ". ".join(part.rstrip(".") for part in (line, self.holder, self.note) if part)


class Finding:
    """A finding of `check`, with the details of its subscription that only the log has."""

    def __init__(self, fields, log):
        number = fields.get("subscription")
        self.rule, self.lane = fields["rule"], fields.get("lane", "")
        self.group = fields.get("group")
        self.message = fields.get("sentence", "")
        observed = fields.get("observed")
        if isinstance(observed, dict):
            observed = observed.get("source") or observed.get("function") or observed.get("name")
        self.observed = observed or log.observed.get(number) or ""
        # In a run without lanes, the lane is the observed place.
        self.source = fields.get("source") or ""
        retention = fields.get("retention")
        self.explanation = Explanation(retention) if retention else None
        self.has_consequences = "consequences" in fields
        self.consequences = []
        for consequence in fields.get("consequences") or []:
            if isinstance(consequence, dict):
                self.consequences.append(consequence.get("lane", ""))
            else:
                self.consequences.append(log.lanes.get(consequence, str(consequence)))


class Log:
    """The records of a log that explain its subscriptions."""

    def __init__(self, path):
        self.lanes, observed, places = {}, {}, {}
        with open(path, encoding="utf-8", errors="replace") as file:
            for line in file:
                try:
                    record = json.loads(line)
                except ValueError:
                    continue
                event, number = record.get("event"), record.get("sub")
                if event in ("subscribe", "alive"):
                    self.lanes[number] = record.get("lane", "")
                    if record.get("observed"):
                        observed[number] = record["observed"]
                elif event == "place":
                    places[record.get("lane")] = (
                        record.get("source") or record.get("function") or ""
                    )
        self.observed = {number: places.get(name, name) for number, name in observed.items()}


class Result:
    """The findings of a case, and their deviations from the expected ones."""

    def __init__(self, case):
        self.case, self.findings, self.deviations = case, [], []
        self.object = ""
        self.repeats = False
        self.has_no_time, self.unknown_lines = False, 0
        self.is_found = self.is_placed = self.is_explained = self.is_false_cycle = (
            self.is_missed_cycle
        ) = False


def run(case, settings):
    """Runs a case and judges its log."""
    result = Result(case)
    folder = tempfile.mkdtemp(prefix="trace-corpus-")
    try:
        log = os.path.join(folder, "log.jsonl")
        environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith("REACTIVE_TRACE")
        }
        environment.update(REACTIVE_TRACE=log, SWIFT_BACKTRACE="enable=no", TMPDIR=folder)
        # The usual limit of 2 s may be too short for an unoptimized program on a busy machine.
        environment.update(REACTIVE_TRACE_EXPLAIN=str(settings.seconds / 2))
        if settings.all:
            environment.update(REACTIVE_TRACE_ALL="1", LEAK_CORPUS_PLAIN="1")
        preloaded = (
            {**environment, "LD_PRELOAD": settings.preload} if settings.preload else environment
        )
        code, output, errors = limited(
            [settings.corpus, case.name], folder, preloaded, settings.seconds)
        if code:
            raise Failure(f"the program ended with {code}{last_line(errors)}")
        result.object = output.strip()
        result.has_no_time = NO_TIME in errors
        if not os.path.exists(log):
            raise Failure("the program wrote no log")
        code, output, errors = limited(
            [settings.viewer, "check", "--format", "json", log], folder, environment,
            settings.seconds)
        try:
            report = json.loads(output)
        except ValueError:
            raise Failure(
                f"check ended with {code} and without a report{last_line(errors)}"
            ) from None
        if report.get("outcome") not in ("clean", "findings"):
            raise Failure(f"check says '{report.get('sentence', report.get('outcome'))}'")
        records = Log(log)
        result.findings = [Finding(fields, records) for fields in judgments.of(report)]
        compare(result, records, settings)
    except Failure as failure:
        result.deviations.append(f"{failure}.")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return result


# The comparison -----------------------------------------------------------------------------------


def place(text):
    """Returns the file and line of a place, without folders."""
    return text.rpartition("/")[2]


def listed(texts):
    return ", ".join(texts) or "none"


def compare(result, log, settings):
    """Compares the findings of a case with the expected ones."""
    case, deviate = result.case, result.deviations.append
    if result.object not in ("none", "alive" if case.alive else "freed"):
        deviate(f"its object is {result.object} at the end.")
    if not settings.all:
        for lane in case.lanes + case.upstream:
            if lane not in log.lanes.values():
                deviate(f"it does not observe the lane {lane}.")

    for finding in result.findings:
        is_cycle = finding.rule == "retain-cycle" or (
            finding.explanation and finding.explanation.kind == "cycle"
        )
        if is_cycle and case.kind != "cycle":
            result.is_false_cycle = True
    if not case.is_leak:
        for finding in result.findings:
            deviate(
                f"a false {finding.rule} on {finding.lane}: "
                f"{finding.explanation or finding.message}."
            )
        return

    expected = [finding for finding in result.findings if finding.rule in RULES]
    for finding in result.findings:
        if finding not in expected and finding.rule not in TASK_RULES:
            deviate(f"a finding of another rule, {finding.rule}, on {finding.lane}.")
    if settings.all:
        compare_without_lanes(result, expected, settings)
    else:
        compare_lanes(result, expected)
        for finding in expected:
            compare_finding(result, finding, settings)
    if not settings.found_only and result.is_found:
        result.is_missed_cycle = case.kind == "cycle" and not any(
            finding.explanation and finding.explanation.kind == "cycle" for finding in expected)


def mistakes(findings):
    """Returns the first finding of each mistake. Several instances of one mistake are one group."""
    first = {}
    for finding in findings:
        first.setdefault(finding.group, finding)
    return list(first.values())


def compare_lanes(result, findings):
    """Compares the lanes of the findings: one group of findings for each mistake, and no other."""
    case = result.case
    lanes = [finding.lane for finding in mistakes(findings)]
    consequences = {lane for finding in findings for lane in finding.consequences}
    wanted = list(case.lanes)
    if not any(finding.has_consequences for finding in findings):
        wanted += case.upstream
    elif sorted(consequences) != sorted(case.upstream):
        result.deviations.append(
            f"the consequences are on the lanes {listed(sorted(consequences))} instead of "
            f"{listed(case.upstream)}."
        )
    result.is_found = set(case.lanes) <= set(lanes)
    if sorted(lanes) != sorted(wanted):
        result.deviations.append(
            f"the findings are on the lanes {listed(lanes)} instead of {listed(wanted)}."
        )


def compare_rule(result, finding):
    """Compares the rule of a finding.

    A probable cycle doesn't prove one, so only the leak is reported.
    """
    is_probable = finding.explanation is not None and not finding.explanation.is_certain
    rule = "undisposed" if is_probable else result.case.rule
    if finding.rule != rule:
        result.deviations.append(f"the rule is {finding.rule} instead of {rule}.")


def compare_finding(result, finding, settings):
    """Compares a finding: its rule, its location and its explanation."""
    case, deviate = result.case, result.deviations.append
    if settings.stripped:
        result.is_placed = True
    elif finding.observed or not settings.found_only:
        if place(finding.observed) in case.places(settings):
            result.is_placed = True
        elif settings.slow and result.has_no_time and not re.search(r":\d+$", finding.observed):
            result.unknown_lines += 1
        else:
            deviate(
                f"observed at {finding.observed or 'no place'} instead of {listed(case.observed)}."
            )
    if settings.found_only or finding.lane in case.upstream:
        return
    compare_rule(result, finding)
    compare_explanation(result, finding.explanation, settings)


def compare_explanation(result, explanation, settings):
    """Compares the explanation of why a subscription is alive."""
    case, deviate = result.case, result.deviations.append
    if explanation is None or explanation.kind in ("none", "unsupported"):
        # A path may be missing for a few leaks. A cycle may not.
        if case.kind == "cycle":
            deviate(f"the cycle is missed: {explanation or 'there is no explanation'}.")
        compare_holder(case, explanation, deviate)
        return
    if explanation.kind != case.kind:
        deviate(f"the explanation is a {explanation.kind} instead of a {case.kind}: {explanation}.")
        return
    result.is_explained = True
    texts = explanation.texts
    if settings.slow and result.has_no_time:
        # Without its line, a closure is named after the function that it is in.
        texts = [re.sub(r"closure in (\w+)\.\w+", r"closure at \1", text) for text in texts]
    for word in case.path:
        if not any(word in text for text in texts):
            deviate(f"no step says '{word}': {explanation}.")
            result.is_explained = False
    for field in foreign_fields(case, texts):
        deviate(f"{field} should not be among the steps: {explanation}.")
        result.is_explained = False
    if case.roots and texts and not any(root in texts[0] for root in case.roots):
        deviate(
            f"the path begins with '{texts[0]}' instead of {' or '.join(case.roots)}: "
            f"{explanation}."
        )
        result.is_explained = False
    if case.breaks:
        broken = texts[explanation.broken] if explanation.broken is not None else ""
        if case.breaks not in broken:
            deviate(f"the step to break is '{broken}' instead of '{case.breaks}': {explanation}.")
    compare_advice(case, explanation, deviate)
    compare_holder(case, explanation, deviate)


def compare_advice(case, explanation, deviate):
    """Checks that advice to make a variable weak is about one whose type is an optional class."""
    weak = re.match(r"Make (?:\w+\.)*(\w+)(?:<.*>)?\.(\w+) weak\.", explanation.advice)
    if weak and not re.search(rf"\b(?:var|let) {weak[2]}\b.*\?", case.text):
        deviate(f"the advice cannot be followed: {explanation.advice}")


def compare_holder(case, explanation, deviate):
    holder = explanation.holder if explanation else ""
    for word in case.holder:
        if word.lower() not in holder.lower():
            deviate(f"the sentence about the holder does not say '{word}': '{holder}'.")


def foreign_fields(case, texts):
    """Returns the fields of the case's own types in the steps that aren't on an expected path."""
    plain = [re.sub(r"<.*>", "", word) for word in case.path + case.also + case.roots]
    foreign = []
    for text in texts:
        for owner, field in re.findall(r"\b(\w+)(?:<[^.]*>)?\.(\w+)", text):
            name = f"{owner}.{field}"
            if (
                owner in case.types
                and field != "swift"
                and not any(name.endswith(word) for word in plain)
            ):
                foreign.append(name)
    return foreign


def compare_without_lanes(result, findings, settings):
    """Compares findings without lanes: each mistake needs one with location and explanation."""
    case = result.case
    count = len(mistakes(findings))
    if count > case.mistakes:
        result.repeats = True
        result.deviations.append(
            f"there are findings of {count} mistakes instead of {case.mistakes}."
        )
    places = case.places(settings)
    right = [finding for finding in findings if place(finding.observed or finding.source) in places]
    result.is_found = result.is_placed = bool(right)
    if not right:
        places = [finding.observed or finding.source or finding.lane for finding in findings]
        result.deviations.append(
            f"the findings are at {listed(places)} instead of {listed(case.observed)}."
        )
        return
    if settings.found_only:
        return
    best = None
    for finding in right:
        attempt = Result(case)
        compare_rule(attempt, finding)
        attempt.has_no_time = result.has_no_time
        compare_explanation(attempt, finding.explanation, settings)
        if best is None or len(attempt.deviations) < len(best.deviations):
            best = attempt
    result.deviations += best.deviations
    result.is_explained = best.is_explained


# The report ---------------------------------------------------------------------------------------


def cell(text):
    return text.replace("|", "\\|").replace("\n", " ")


def row(result):
    """Returns the row of a case in the table."""
    case, findings = result.case, result.findings
    expected = case.kind if case.is_leak else "fine"
    if not findings:
        found = "-" if case.is_leak else "nothing"
    else:
        found = "right" if not result.deviations else "**deviates**"
    places = sorted({place(finding.observed or finding.source) for finding in findings})
    rules = sorted({finding.rule for finding in findings})
    whys = [str(finding.explanation) for finding in findings if finding.explanation]
    why = "; ".join(dict.fromkeys(whys))
    if result.deviations and not findings:
        why = result.deviations[0]
    return (
        "| "
        + " | ".join(
            cell(text)
            for text in (case.name, expected, found, ", ".join(rules), ", ".join(places), why)
        )
        + " |"
    )


def compiler():
    try:
        text = subprocess.run(
            ["swift", "--version"], capture_output=True, text=True, timeout=60
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return "unknown"
    return (re.search(r"Swift version [\w.-]+", text) or [text.strip().partition("\n")[0]])[0]


def report(results, settings, allowed):
    """Returns the section of the results for this run."""
    leaks = [result for result in results if result.case.is_leak]
    fine = [result for result in results if not result.case.is_leak]
    cycles = [result for result in leaks if result.case.kind == "cycle"]
    lines = [
        f"## {title(settings)}",
        "",
        f"{platform.system()} {platform.machine()}, {compiler()}.",
        "",
        f"- {sum(r.is_found for r in leaks)} of {len(leaks)} leaks found, "
        f"{sum(r.is_placed for r in leaks)} with the place that observes.",
        f"- {sum(not r.findings and not r.deviations for r in fine)} of {len(fine)} look-alikes "
        "without a finding.",
    ]
    if settings.found_only:
        lines.append("- Explanations were not compared.")
    else:
        lines += [
            f"- {sum(r.is_explained for r in leaks)} of {len(leaks)} leaks with the right cycle "
            "or path to a root.",
            f"- {sum(r.is_missed_cycle for r in cycles)} of {len(cycles)} cycles missed, "
            f"{sum(r.is_false_cycle for r in results)} false cycles.",
        ]
    lines += [f"- Missed in {result.case.name}: {result.case.release}" for result in allowed]
    lines += [
        "",
        "| case | expected | found | rule | observed at | why it is alive |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    lines += [row(result) for result in results]
    return "\n".join(lines) + "\n"


def title(settings):
    words = [settings.configuration]
    words += ["without lanes"] if settings.all else []
    words += ["without symbols"] if settings.stripped else []
    return ", ".join(words)


def totals(results, settings):
    """Returns a sentence for each total that is too small."""
    leaks = [result for result in results if result.case.is_leak]
    if not leaks or settings.filter or settings.every > 1:
        return []
    sentences = []
    found = sum(result.is_found for result in leaks)
    if settings.all and found < SHARE * len(leaks):
        sentences.append(f"Only {found} of {len(leaks)} leaks were found without lanes.")
    explained = sum(result.is_explained for result in leaks)
    if (
        not settings.found_only
        and settings.configuration == "debug"
        and explained < SHARE * len(leaks)
    ):
        sentences.append(
            f"Only {explained} of {len(leaks)} leaks have a path to a cycle or a root."
        )
    return sentences


def is_tolerated(result, settings):
    """Reports whether a deviation is allowed: a listed miss in release, or a miss without lanes."""
    if result.is_false_cycle or result.repeats or not result.case.is_leak:
        return False
    if settings.configuration == "release" and result.case.release:
        return True
    return settings.all


def main():
    parser = argparse.ArgumentParser(description="Runs the leak corpus and compares its reports.")
    parser.add_argument("bin", help="the folder with LeakCorpus and trace-viewer")
    parser.add_argument(
        "--all", action="store_true", help="run without lanes, with REACTIVE_TRACE_ALL"
    )
    parser.add_argument(
        "--found-only", action="store_true", help="compare findings, but not why they are alive"
    )
    parser.add_argument("--filter", metavar="REGEX", help="run only cases whose names match")
    parser.add_argument("--configuration", choices=("debug", "release"))
    parser.add_argument(
        "--stripped", action="store_true", help="run a copy of the program without symbols"
    )
    parser.add_argument("--preload", metavar="LIBRARY", help="run the cases with another allocator")
    parser.add_argument(
        "--slow", action="store_true", help="allow findings without a line that took too long")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="run each Nth case")
    parser.add_argument(
        "--seconds", type=int, default=SECONDS, metavar="N", help="the limit for each program")
    settings = parser.parse_args()
    settings.corpus = os.path.abspath(os.path.join(settings.bin, "LeakCorpus"))
    settings.viewer = os.path.abspath(os.path.join(settings.bin, "trace-viewer"))
    if not settings.configuration:
        settings.configuration = (
            "release" if "release" in os.path.abspath(settings.bin).split("/") else "debug"
        )
    for program in (settings.corpus, settings.viewer):
        if not os.access(program, os.X_OK):
            sys.exit(f"FAILED: there is no program {program}. Build it first.")

    with tempfile.TemporaryDirectory(prefix="trace-corpus-") as folder:
        if settings.stripped:
            stripped = os.path.join(folder, "LeakCorpus")
            subprocess.run(["strip", "-o", stripped, settings.corpus], check=True, timeout=60)
            settings.corpus = stripped
        sys.exit(run_all(settings))


def run_all(settings):
    """Runs all cases, prints the table and the deviations, and returns the exit code."""
    cases = read_cases(settings.corpus)
    sentences = inconsistencies(cases)
    if settings.stripped:
        for case in cases:
            case.strip()
    if settings.preload:
        # There, freed memory can't be distinguished from memory in use, so it is unknown whether
        # something holds a disposable.
        for case in cases:
            case.holder = [word for word in case.holder if word != "discarded"]
    if settings.filter:
        cases = [case for case in cases if re.search(settings.filter, case.name)]
        if not cases:
            print(f"FAILED: no case has a name that matches '{settings.filter}'.", file=sys.stderr)
            return 1
    cases = cases[::settings.every]
    with concurrent.futures.ThreadPoolExecutor(max(1, settings.jobs)) as pool:
        results = list(
            pool.map(lambda case: run(case, settings), sorted(cases, key=lambda case: case.name))
        )

    allowed = [
        result for result in results
        if result.deviations and result.case.release and is_tolerated(result, settings)
    ]
    print(report(results, settings, allowed if settings.configuration == "release" else []))
    for result in results:
        for deviation in result.deviations:
            sentence = f"{result.case.name}: {deviation}"
            if is_tolerated(result, settings):
                print(f"Tolerated: {sentence}")
            else:
                sentences.append(sentence)
    sentences += totals(results, settings)
    for sentence in sentences:
        print(f"FAILED: {sentence}", file=sys.stderr)
    unknown = sum(result.unknown_lines for result in results)
    print(f"{len(cases)} runs, {len(sentences)} deviations, {unknown} lines unknown.")
    return 1 if sentences else 0


if __name__ == "__main__":
    main()
