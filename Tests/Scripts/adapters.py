#!/usr/bin/env python3
"""Builds and tests the adapters for other libraries, and checks what their samples write.

    Tests/Scripts/adapters.py [--sanitize thread] TRACE_VIEWER

Where a library can't be fetched, the adapter is skipped, with a message.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
ADAPTERS = ROOT / "Adapters"
UNREACHABLE = (
    "Could not resolve host", "Failed to clone", "failed to clone", "unable to access",
    "Failed to connect", "Couldn’t fetch", "couldn't fetch",
)
# What is wrong in the samples: the kind of the first step, or of the one to break. Some have the
# type of a holder, too.
PUBLISHERS = {
    "self.clock": "closure Set<AnyCancellable>", "property.clock": "closure AnyCancellable",
    "assign.clock": "field", "operator.clock": "closure", "method.clock": "method",
    "global.clock": "global Set<AnyCancellable>", "kept.clock": "global Set<AnyCancellable>",
    "subscriber.taps": "global", "model.names": "field",
    "nested.clock": "closure", "completion.clock": "closure", "inner.names": "closure",
}
SEQUENCES = {
    "self.clock": "closure task", "guard.clock": "task", "method.clock": "task",
    "nested.clock": "closure", "operator.clock": "task", "channel.names": "closure",
    "merged.times": "closure", "pages.clock": "closure", "global.clock": "task",
    "discarded.clock": "task", "kept.clock": "task", "model.clock": "task",
}
OBSERVERS = {
    "self.count": "closure Observer", "nested.count": "closure", "method.count": "closure",
    "list.count": "closure [Observer]", "model.names": "closure", "task.count": "closure",
    "values.count": "closure", "guard.count": "task", "coordinator.count": "field",
    "global.count": "global", "kept.count": "global", "discarded.count": "task",
}
SAMPLES = {
    "TracedAsyncAlgorithms": {"LeakySequences": SEQUENCES},
    "TracedObservation": {"LeakyObservers": OBSERVERS},
    "TracedOpenCombine": {"LeakyPublishers": PUBLISHERS},
}
failures = []


def run(arguments, seconds, **options):
    return subprocess.run(
        arguments, timeout=seconds, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        **options)


def expect(condition, sentence):
    if not condition:
        failures.append(sentence)
        print(f"FAILED: {sentence}")


def scratch(sanitizer):
    """Returns the folder of all builds. The adapters share what they build of this package."""
    return ROOT / (".build-adapters" + (f"-{sanitizer}" if sanitizer else ""))


def is_available(package, sanitizer):
    result = run(
        ["swift", "package", "--package-path", package, "--scratch-path", scratch(sanitizer),
         "resolve"], 300)
    if result.returncode == 0:
        return True
    if any(text in result.stdout for text in UNREACHABLE):
        print(f"skipped: the libraries of {package.name} can't be fetched")
    else:
        expect(False, f"{package.name} can't be resolved:\n{result.stdout}")
    return False


def test(package, sanitizer):
    options = ["--package-path", package, "--scratch-path", scratch(sanitizer)]
    if sanitizer:
        options += ["--sanitize", sanitizer]
    result = run(["swift", "build", "--build-tests", *options], 20 * 60)
    expect(result.returncode == 0, f"{package.name} isn't built:\n{result.stdout[-8000:]}")
    if result.returncode:
        return False
    result = run(
        ["swift", "test", "--skip-build", *options], 10 * 60,
        env={**os.environ, "TSAN_OPTIONS": f"suppressions={ROOT / '.ci/tsan.supp'}"})
    expect(result.returncode == 0, f"a test of {package.name} fails:\n{result.stdout[-8000:]}")
    return True


def findings(viewer, program, **variables):
    """Returns the findings about a program, after it has run with a log."""
    with tempfile.TemporaryDirectory() as folder:
        log = pathlib.Path(folder) / "log.jsonl"
        result = run(
            [scratch(None) / "debug" / program], 60,
            env={
                **os.environ, "REACTIVE_TRACE": str(log), "REACTIVE_TRACE_EXPLAIN": "30",
                **variables})
        expect(result.returncode == 0, f"{program} exits with {result.returncode}")
        verified = run([viewer, "verify", log], 60)
        expect(verified.returncode == 0, f"the log of {program}: {verified.stdout}")
        checked = subprocess.run(
            [viewer, "check", "--no-config", "-f", "json", log], timeout=60, capture_output=True,
            text=True)
        expect(checked.returncode == 1, f"check exits with {checked.returncode} for {program}")
        return json.loads(checked.stdout)["findings"]


def check_leaks(viewer, package, program, leaks):
    """Compares the lanes, places and steps of the findings about a sample with its mistakes."""
    found = [
        finding for finding in findings(viewer, program)
        if finding["rule"] in ("retain-cycle", "undisposed")]
    lanes = sorted(finding["lane"] for finding in found)
    expect(lanes == sorted(leaks), f"{program}: the findings are about {lanes}")
    lines = (package / "Sources" / program / "main.swift").read_text().splitlines()
    for finding in found:
        lane = finding["lane"]
        retention = finding["subscriptions"][0].get("retention", {})
        steps = retention.get("steps", [])
        step = steps[retention.get("break", 0)] if steps else {}
        kind, _, holder = leaks.get(lane, "").partition(" ")
        expect(step.get("kind") == kind, f"{lane}: the step is {step}")
        held = [step.get("holds", step.get("target")) for step in steps]
        expect(not holder or holder in held, f"{lane}: the steps hold {held}")
        expect(f'"{lane}"' in lines[finding["line"] - 1], f"{lane}: line {finding['line']}")


def check_plain(viewer):
    found = findings(viewer, "PlainPublishers", REACTIVE_TRACE_ALL="1")
    counts = [len(finding["subscriptions"]) for finding in found]
    expect(len(found) == 1, f"PlainPublishers: {counts}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sanitize")
    parser.add_argument("viewer", type=pathlib.Path)
    arguments = parser.parse_args()
    viewer = arguments.viewer.resolve()
    for package in sorted(path.parent for path in ADAPTERS.glob("*/Package.swift")):
        if not is_available(package, arguments.sanitize) or not test(package, arguments.sanitize):
            continue
        print(f"{package.name}: the tests pass")
        if arguments.sanitize:
            continue
        for program, leaks in SAMPLES.get(package.name, {}).items():
            check_leaks(viewer, package, program, leaks)
        if package.name == "TracedOpenCombine":
            check_plain(viewer)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
