#!/usr/bin/env python3
"""Checks a program that is built without the trait Causes: it compiles, and its log is honest.

    Tests/Scripts/traits.py TRACE_VIEWER

The program leaks a subscription. The viewer finds the leak in its log, says that causes weren't
searched for, and how to get them. The program has no module that only searches. TraceTesting
compiles without the trait, too.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SECONDS = 10 * 60
SEARCHES = [
    "CodeLocations", "HeapGraph", "ProcessInspection", "ProcessMemory", "TaskInspection",
    "TraceCauses",
]
PACKAGE = """\
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "plain",
  platforms: [.macOS(.v15)],
  dependencies: [.package(path: "%(path)s", traits: [])],
  targets: [
    .executableTarget(
      name: "plain",
      dependencies: [
        .product(name: "ReactiveKit", package: "%(name)s"),
        .product(name: "ReactiveTrace", package: "%(name)s"),
      ],
      swiftSettings: [.treatAllWarnings(as: .error)]),
    .target(
      name: "checks",
      dependencies: [.product(name: "TraceTesting", package: "%(name)s")]),
  ]
)
"""
# The closure retains the bag with its own subscription.
PROGRAM = """\
import ReactiveKit
import ReactiveTrace

final class Screen {
  let bag = DisposeBag()
  var titles: [String] = []

  func open(_ title: some SignalProtocol<String, Never>) {
    title.lane("title").observeNext { self.titles.append($0) }.dispose(in: bag)
  }
}

let title = PassthroughSubject<String, Never>()
Screen().open(title)
title.send("Cart")
for leak in Trace.snapshot(explaining: true).subscriptions { print(leak) }
print(Trace.explain(title))
do { try Trace.expectDeallocated { title } } catch { print(error) }
"""
CHECKS = """\
import TraceTesting

func check(_ body: () throws -> Void) throws { try Trace.expectNoLeaks(of: .all, body) }
"""
NOTE = "Why it is alive was not searched for: the program was built without the trait Causes."
ADVICE = 'traits: ["Causes"]'


class Failure(Exception):
    pass


def run(command, exit_code=0, **options):
    """Returns what a command prints."""
    done = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, timeout=SECONDS, **options
    )
    if done.returncode != exit_code:
        raise Failure(f"{command} exits with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def expect(text, words, what):
    if words not in text:
        raise Failure(f"{what} doesn't say {words!r}:\n{text}")


def check(folder, viewer):
    (folder / "Package.swift").write_text(PACKAGE % {"path": ROOT, "name": ROOT.name})
    for name, text in {"plain/main.swift": PROGRAM, "checks/Checks.swift": CHECKS}.items():
        path = folder / "Sources" / name
        path.parent.mkdir(parents=True)
        path.write_text(text)
    run(["swift", "build"], cwd=folder)
    program = folder / ".build" / "debug" / "plain"
    symbols = program.read_bytes()
    for module in SEARCHES:
        # The mangled names of a module begin with its length.
        if f"$s{len(module)}{module}".encode() in symbols:
            raise Failure(f"{module} is part of a program without the trait.")
    log = folder / "plain.jsonl"
    settings = {name: value for name, value in os.environ.items() if "REACTIVE_TRACE" not in name}
    settings |= {"REACTIVE_TRACE": str(log), "REACTIVE_TRACE_TASKS": "1"}
    said = run([program], env=settings | {"REACTIVE_TRACE_INSTANCES": "1"})
    if said.count(NOTE) != 3:
        raise Failure(f"The program doesn't say three times that causes are unknown:\n{said}")
    for variable in ["TASKS", "INSTANCES"]:
        expect(said, f"REACTIVE_TRACE_{variable} is ignored", "The program")
    report = run([viewer, "check", log], exit_code=1)
    for words in ["title", "plain/main.swift:9", NOTE, ADVICE]:
        expect(report, words, "The viewer")
    print("Without the trait Causes, the log and the reports say that causes are unknown.")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    viewer = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        try:
            check(pathlib.Path(folder), viewer)
        except (Failure, subprocess.TimeoutExpired) as failure:
            sys.exit(f"error: {failure}")


main()
