#!/usr/bin/env python3
"""Runs each test and program of Tests/Corpora/HangCorpus, and checks the report about it.

    Tests/Scripts/hangs.py FOLDER [--nio | --servers] [--release] [--allow COUNT] [--only NAME]
        [--show] [--programs FOLDER] [--seconds N] [--stripped]

FOLDER contains trace-viewer. --nio runs the package Tests/Corpora/HangCorpus/NIO instead, whose
tests wait for event loops and futures of SwiftNIO, and --servers the package Servers with servers
of two packages. --programs runs only the programs, which are in this folder, and builds nothing.
Tests and programs hang for different reasons, except servers at rest, of which nothing may be a
cause. Each line of the corpus to which a report should point has a comment `culprit:` with the
names of the tests. For each test, the first line that the report names must be one of these. The
command must exit with 124 and leave no process behind. The script prints a table of the results.
Exits with 1 if a report is wrong. In optimized builds, code that was inlined has the line of its
caller: --allow sets how many reports may name another line. With --stripped, the runtime has no
names: a report may say less, or name no line, but not another one.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
TIMEOUT = 900


class Corpus:
    """A package with tests that hang, with their names and how the runner selects them."""

    def __init__(self, folder, name, suite, tests, program=None, programs=()):
        self.folder = ROOT / folder
        self.program = f"{name}PackageTests.xctest" if tests else program
        # A program whose first argument is the name of a case.
        self.other = program
        self.programs = programs
        self.tests = {
            name: ["--testing-library", "swift-testing", "--filter", f"{suite}/{name}\\("]
            for name in tests
        }


SHOP = Corpus(
    "Tests/Corpora/HangCorpus", "HangCorpus", "ShopTests",
    ["lostContinuation", "asyncLet", "semaphore", "actorReentrancy", "queues", "stream", "pool",
     "loop", "child", "locks", "circle", "mainActor", "pipe", "group", "receive", "receiveMessage",
     "poll", "socketPool", "acceptConnection", "connection", "signal", "mainReceive", "fileLock",
     "recordLock", "fifo", "barrier", "initializers", "ownInitializer", "initializerQueue",
     "wrapper", "namedHelper", "leaked", "sleeping", "clockSleep", "helperQueues", "nestedQueues",
     "helperLocks", "signaler", "window", "dispatchPool", "queueBarrier", "groupBody", "testBody",
     "arguments", "answer"], "Desk",
    ["acceptLoop", "streamReaders", "heartbeatServer", "dispatchServer", "pollServer",
     "stuckRequest", "stuckThread", "stuckChild", "readingClient", "sleepingChild", "lostAnswer",
     "openStream", "actorSemaphore", "initializing", "requestFirst",
     "stuckQueue"])
SHOP.tests |= {
    "xctestExpectation": ["ShopXCTests.ShopXCTests/testExpectation"],
    "xctestAsync": ["ShopXCTests.ShopXCTests/testAsync"],
    "xctestLocks": ["ShopXCTests.ShopXCTests/testLocks"],
    "xctestReceive": ["ShopXCTests.ShopXCTests/testReceive"],
    "xctestFulfillment": ["ShopXCTests.ShopXCTests/testFulfillment"],
    "xctestWaiter": ["ShopXCTests.ShopXCTests/testPredicate"],
}
NIO = Corpus(
    "Tests/Corpora/HangCorpus/NIO", "NIOHangCorpus", "MailTests",
    ["promise", "futureWait", "eventLoop", "waitForLoop"])
SERVERS = Corpus(
    "Tests/Corpora/HangCorpus/Servers", "ServerHangCorpus", "", [], "Inn",
    ["hummingbird", "hummingbird-menu", "hummingbird-rooms", "hummingbird-key", "fox", "fox-menu",
     "fox-rooms", "fox-key"])
# Servers without a line to look at.
AT_REST = ["acceptLoop", "streamReaders", "heartbeatServer", "dispatchServer", "pollServer",
           "hummingbird", "hummingbird-menu", "fox", "fox-menu"]
# What the sentence about a test must contain. Only that about a loop may say that a thread is busy.
WORDS = {
    "loop": "is busy", "receive": "waits for input", "receiveMessage": "waits for input",
    "poll": "waits for an event", "socketPool": "are blocked", "xctestReceive": "waits for input",
    "mainReceive": "waits for input", "acceptConnection": "waits for a connection to 127.0.0.1",
    "connection": "connects to 127.0.0.1", "signal": "waits for a signal",
    "fileLock": "which process", "recordLock": "which process", "fifo": "shop-",
    "barrier": "at a barrier", "initializers": "2 initializers wait for each other",
    "ownInitializer": "waits for itself", "sleeping": "sleeps", "clockSleep": "sleeps",
    "helperQueues": "2 threads wait for each other", "helperLocks": "2 threads wait for each other",
    "leaked": "nothing can resume", "dispatchPool": "com.apple.root.default-qos",
    "nestedQueues": "2 threads wait for each other", "signaler": "waits for the next element",
    "window": "waits for a semaphore", "groupBody": "waits for the next element",
    "testBody": "waits for the next element",
    "stuckQueue": "waits for a semaphore", "arguments": "The test arguments(_:) test case #",
}
WORDS |= {name: "at rest" for name in AT_REST} | {
    "stuckThread": "waits for a lock", "stuckChild": "child process",
    "readingClient": "waits for input", "sleepingChild": "sleeps", "initializing": "waits for itself",
    "openStream": "waits for the next element", "actorSemaphore": "waits for a semaphore",
}
# Tests and programs with the line of another test.
SAME = {
    "xctestLocks": "locks", "xctestReceive": "receive", "mainReceive": "receive",
    "readingClient": "receive", "initializing": "ownInitializer", "lostAnswer": "lostContinuation",
}


def culprits(corpus):
    """Returns the lines for each test, such as Shop/Store.swift:8."""
    found = {}
    sources = [corpus.folder / name for name in ["Sources", "Tests"]]
    for path in [path for folder in sources for path in folder.rglob("*.swift")]:
        for number, line in enumerate(path.read_text().splitlines(), 1):
            marker = re.search(r"// culprit: (.*)", line)
            for name in marker[1].split(", ") if marker else []:
                found.setdefault(name, set()).add(f"{path.parent.name}/{path.name}:{number}")
    return found


def build(corpus, release):
    command = ["swift", "build", "--build-tests", "--package-path", str(corpus.folder)]
    if release:
        command += ["-c", "release", "-Xswiftc", "-enable-testing"]
    subprocess.run(command, check=True, timeout=TIMEOUT, stdout=subprocess.DEVNULL)
    shown = subprocess.run(
        [*command, "--show-bin-path"], check=True, timeout=TIMEOUT, capture_output=True, text=True)
    return pathlib.Path(shown.stdout.strip()) / corpus.program


def run(viewer, program, arguments, show, seconds=60):
    """Returns the exit code, the report as JSON, and the seconds that the report took."""
    command = [
        str(viewer), "run", "--no-config", "--timeout=2s", "-f", "json", "--", str(program),
        *arguments,
    ]
    start = time.monotonic()
    done = subprocess.run(command, timeout=seconds, capture_output=True, text=True, check=False)
    took = time.monotonic() - start
    if show:
        print(done.stderr)
    return done.returncode, json.loads(done.stdout or "{}"), took - 2


def processes(program):
    """Returns the numbers of the processes whose command contains the path of a program."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if str(program).encode() in path.read_bytes():
                found.append(path.parent.name)
        except OSError:  # It has ended.
            continue
    return found


def named(report):
    """Returns the lines that the report names, the first one first."""
    lines = []
    for hang in report.get("hangs", []):
        if "path" in hang:
            path = pathlib.Path(hang["path"])
            lines.append(f"{path.parent.name}/{path.name}:{hang['line']}")
        lines += hang["places"]
    return lines


def check_parallel(viewer, expected):
    """Runs several processes with a test each at the same time. Returns 1 if a report is wrong."""
    code, report, _ = run(
        viewer, "swift",
        ["test", "--package-path", str(SHOP.folder), "--parallel", "--num-workers", "4",
         "--skip-build", "--filter", "ShopXCTests/test(Async|Expectation|Locks|Passes)$"], False)
    found = {
        hang["name"]: f"{pathlib.Path(hang['path']).parent.name}/"
        f"{pathlib.Path(hang['path']).name}:{hang['line']}"
        for hang in report.get("hangs", []) if "path" in hang
    }
    wanted = {
        f"ShopXCTests.{test}()": expected[culprit] for test, culprit in [
            ("testAsync", "xctestAsync"), ("testExpectation", "xctestExpectation"),
            ("testLocks", "locks")]
    }
    right = code == 124 and found.keys() == wanted.keys() and all(
        found[name] in lines for name, lines in wanted.items())
    print(f"| --parallel | {len(found)} tests | {'right' if right else found} | |", flush=True)
    return 0 if right else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("folder", type=pathlib.Path)
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--nio", dest="corpus", action="store_const", const=NIO, default=SHOP)
    kind.add_argument("--servers", dest="corpus", action="store_const", const=SERVERS)
    parser.add_argument("--release", action="store_true")
    parser.add_argument("--allow", type=int, default=0)
    parser.add_argument("--only", default="")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--programs", type=pathlib.Path)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--stripped", action="store_true")
    options = parser.parse_args()
    viewer = options.folder / "trace-viewer"
    corpus = options.corpus
    if options.release:
        # The runtime's function around the continuation is inlined.
        del WORDS["leaked"]
    program = (
        options.programs.resolve() / corpus.other if options.programs
        else build(corpus, options.release))
    expected = culprits(corpus)
    wrong, allowed, unknown = 0, options.allow, 0
    print("| hang | line | verdict | seconds |\n| --- | --- | --- | ---: |")
    cases = [] if options.programs else [
        (name, program, arguments) for name, arguments in corpus.tests.items()]
    cases += [(name, program.parent / corpus.other, [name]) for name in corpus.programs]
    for name, program, arguments in cases:
        if options.only not in name:
            continue
        marker = SAME.get(name, name)
        expected.setdefault(marker, {"none"} if name in AT_REST else set())
        code, report, took = run(viewer, program, arguments, options.show, options.seconds)
        lines = [] if name in AT_REST and "path" not in report.get("hangs", [{}])[0] else named(report)
        first = lines[0] if lines else "none"
        problems = []
        sentences = " ".join(hang["sentence"] for hang in report.get("hangs", []))
        if options.stripped and first == "none" and "at rest" not in sentences:
            unknown += 1
        elif first not in expected[marker]:
            problems.append(f"expected {', '.join(sorted(expected[marker]))}")
        if code != 124:
            problems.append(f"exit code {code}")
        if not options.stripped and (
                WORDS.get(name, "") not in sentences or "is busy" in sentences and name != "loop"):
            problems.append(f"the sentence is: {sentences}")
        if left := processes(program):
            problems.append(f"processes are left: {' '.join(left)}")
        if first not in expected[marker] and allowed > 0:
            allowed -= 1
            problems[0] = "another line"
        wrong += any(problem != "another line" for problem in problems)
        print(
            f"| {name} | {first} | {'; '.join(problems) or 'right'} | {took:.1f} |", flush=True)
    if corpus is SHOP and not options.release and not options.only and not options.programs:
        wrong += check_parallel(viewer, expected)
    print(f"{sum(options.only in name for name, _, _ in cases)} runs, {wrong} deviations, "
          f"{unknown} causes unknown.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
