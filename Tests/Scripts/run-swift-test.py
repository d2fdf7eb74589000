#!/usr/bin/env python3
"""Checks `trace-viewer run -- swift test` in a package that uses this one.

    Tests/Scripts/run-swift-test.py TRACE_VIEWER [--own-viewer]

The script makes a package in a temporary folder that depends on this package by path. Some of
its tests use XCTest and some use Swift Testing, so 'swift test' runs them in several processes.
Environment variables decide whether the tests leak and whether one fails, so that the package is
built only once. With --own-viewer, the package also builds the viewer itself and runs it with
'swift run', as a client does that has nothing installed.
"""

import html
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile

import judgments

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Both limits are far above what is needed on two cores.
BUILD_SECONDS = 10 * 60
RUN_SECONDS = 2 * 60

MANIFEST = """\
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Client",
  platforms: [.macOS(.v15)],
  dependencies: [.package(path: %s)],
  targets: [
    .target(
      name: "Client",
      dependencies: [
        .product(name: "ReactiveKit", package: %s),
        .product(name: "ReactiveTrace", package: %s),
      ]),
    .testTarget(
      name: "ClientTests", dependencies: ["Client", .product(name: "TraceTesting", package: %s)]),
  ]
)
"""

FILES = {
    "Sources/Client/Screen.swift": """\
import Foundation
import ReactiveKit
import ReactiveTrace

/// A screen that forgets its subscription if the environment asks for that.
public final class Screen {
  private static let events = PassthroughSubject<Int, Never>()
  public private(set) var last = 0

  public init() {}

  public func show(_ lane: String) {
    let disposable = Screen.events.lane(lane).observeNext { [weak self] in self?.last = $0 }
    Screen.events.send(1)
    if !Screen.isSet("CLIENT_LEAKS") { disposable.dispose() }
  }

  public var onClose: (() -> Void)?

  /// Makes a retain cycle if the environment asks for that.
  public func open() {
    guard Screen.isSet("CLIENT_CYCLES") else { return }
    onClose = { self.last = 0 }
  }

  public static func isSet(_ name: String) -> Bool {
    ProcessInfo.processInfo.environment[name] != nil
  }
}
""",
    "Sources/Client/Cart.swift": """\
import ReactiveKit
import ReactiveTrace

/// A cart whose title follows its items.
public final class Cart {
  public let items = Property(0)
  public private(set) var title = ""
  private let bag = DisposeBag()

  public init() {}

  public func showTitle() {
    items.map { "\\($0) items" }.lane("cart.title")
      .observeNext { [weak self] in self?.title = $0 }
      .dispose(in: bag)
  }

  /// Makes a retain cycle if the environment asks for that.
  public func showTotal() {
    guard Screen.isSet("CLIENT_CART_LEAKS") else { return showTitle() }
    items.map { "\\($0) items" }.lane("cart.total")
      .observeNext { self.title = $0 }
      .dispose(in: bag)
  }
}
""",
    "Tests/ClientTests/OldTests.swift": """\
import Client
import XCTest

final class OldTests: XCTestCase {
  func testFirst() {
    let screen = Screen()
    screen.show("xctest.first")
    XCTAssertGreaterThan(screen.last, 0)
  }

  func testSecond() {
    let screen = Screen()
    screen.show("xctest.second")
    XCTAssertGreaterThan(screen.last, 0)
  }
}
""",
    "Tests/ClientTests/OldCycleTests.swift": """\
import Client
import TraceTesting
import XCTest

final class OldCycleTests: XCTestCase {
  override func invokeTest() {
    do {
      try Trace.expectNoLeaks(of: .all) { super.invokeTest() }
    } catch {
      XCTFail("\\(error)")
    }
  }

  func testOpen() { for _ in 0..<5 { Screen().open() } }
}
""",
    "Tests/ClientTests/NewCycleTests.swift": """\
import Client
import Testing
import TraceTesting

@Suite(.noLeaks) struct CycleTests {
  @Test func open() { for _ in 0..<5 { Screen().open() } }
}
""",
    "Tests/ClientTests/NewTests.swift": """\
import Client
import Testing

@Test func new() {
  let screen = Screen()
  screen.show("testing.new")
  #expect(screen.last > 0)
}

@Test(.enabled(if: Screen.isSet("CLIENT_FAILS"))) func failing() {
  #expect(Screen().last == 1)
}
""",
}

LANES = {"xctest.first", "xctest.second", "testing.new"}

# Tests of the cart. One of the eight of each kind calls what may leak.
SHOWS = ["showTitle"] * 4 + ["showTotal"] + ["showTitle"] * 3


def cart_tests(kind):
    """Returns the file with eight tests of the cart, every other one asynchronous."""
    lines = {
        "XCTest": ["import Client", "import XCTest", "", "final class CartXCTests: XCTestCase {"],
        "Testing": ["import Client", "import Testing", "", "@Suite struct CartTests {"],
    }[kind]
    for number, show in enumerate(SHOWS):
        effect = "async " if number % 2 else ""
        lines += {
            "XCTest": [
                f"  func test{show[4:]}{number}() {effect}{{",
                "    let cart = Cart()",
                f"    cart.{show}()",
                f"    cart.items.value = {number}",
                f'    XCTAssertEqual(cart.title, "{number} items")',
            ],
            "Testing": [
                f"  @Test func {show[4:].lower()}{number}() {effect}{{",
                "    let cart = Cart()",
                f"    cart.{show}()",
                f"    cart.items.value = {number}",
                f'    #expect(cart.title == "{number} items")',
            ],
        }[kind] + ["  }"]
    return "\n".join([*lines, "}", ""])


FILES["Tests/ClientTests/CartXCTests.swift"] = cart_tests("XCTest")
FILES["Tests/ClientTests/CartTests.swift"] = cart_tests("Testing")


class Failure(Exception):
    pass


def literal(text):
    """Returns a text as a Swift literal."""
    return json.dumps(str(text), ensure_ascii=False)


def make_package(folder):
    identity = literal(ROOT.name)
    FILES["Package.swift"] = MANIFEST % (literal(ROOT), identity, identity, identity)
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def environment(scratch, **variables):
    """Returns the environment for a child, without variables that would change the results."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("REACTIVE_TRACE", "CLIENT_", "GITHUB_"))
    }
    return {**kept, "TMPDIR": str(scratch / "tmp"), **variables}


def run(command, folder, limit, **variables):
    """Runs a command. Returns its exit code and its output. If it runs too long, kills it and all
    processes that it started."""
    scratch = folder.parent
    with open(scratch / "output", "w+b") as output:
        child = subprocess.Popen(
            command, cwd=folder, env=environment(scratch, **variables), stdin=subprocess.DEVNULL,
            stdout=output, stderr=output, start_new_session=True,
        )
        try:
            code = child.wait(limit)
        except subprocess.TimeoutExpired:
            code = None
        finally:
            # Some processes may have outlived their parent.
            try:
                os.killpg(child.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            child.wait()
        output.seek(0)
        text = output.read().decode(errors="replace")
    if code is None:
        raise Failure(
            f"{shlex.join(map(str, command))} was stopped after {limit} seconds:\n{text[-4000:]}"
        )
    return code, text


def lanes_of(report):
    """Returns the lanes of all findings."""
    return {finding["lane"] for finding in judgments.of(report)}


def check(what, folder, viewer, test, code, lanes, min_logs=2, **variables):
    """Runs the tests in the viewer, and compares the exit code and the findings.

    `viewer` is the beginning of a command.
    """
    report = folder.parent / "report.json"
    command = [*viewer, "run", "--no-config", "-o", f"json:{report}", "--", *test]
    got, text = run(command, folder, RUN_SECONDS, **variables)
    context = f"{what}: {shlex.join(map(str, command))}\n{text[-6000:]}"
    if got != code:
        raise Failure(f"It exits with {got} instead of {code}. {context}")
    found = json.loads(report.read_text())
    report.unlink()
    if lanes_of(found) != lanes:
        raise Failure(
            f"It finds leaks in {sorted(lanes_of(found))} instead of {sorted(lanes)}. {context}"
        )
    count = len(found["logs"])
    if count < min_logs:
        raise Failure(f"It checks {count} logs and not at least {min_logs}. {context}")
    left = [path.name for path in (folder.parent / "tmp").glob("trace-viewer-*")]
    if left:
        raise Failure(f"It leaves {left} behind. {context}")
    print(f"ok  {what}: exit code {got}, {count} logs, {len(lanes)} leaks", flush=True)


def check_viewer_of_package(folder, tests):
    """Checks with the viewer that the package builds, from inside the command 'swift run'.

    The tests are a 'swift' command of the same package, so they need the lock of its build folder,
    and the exit codes must arrive unchanged.
    """
    code, text = run(["swift", "build", "--product", "trace-viewer"], folder, BUILD_SECONDS)
    if code != 0:
        raise Failure(f"The package cannot build the viewer:\n{text[-8000:]}")
    viewer = ["swift", "run", "trace-viewer"]
    check("clean tests, own viewer", folder, viewer, tests, 0, set())
    check("leaks, own viewer", folder, viewer, tests, 1, LANES, CLIENT_LEAKS="1")
    check("no log, own viewer", folder, viewer, ["swift", "--version"], 2, set(), min_logs=0)
    command = [*viewer, "run", "--no-such-option", "--", *tests]
    code, text = run(command, folder, RUN_SECONDS)
    if code != 64 or "--no-such-option" not in text:
        raise Failure(f"A wrong option exits with {code}: {shlex.join(command)}\n{text[-4000:]}")
    print("ok  wrong option, own viewer: exit code 64", flush=True)


def check_cycles(folder, tests):
    """Runs tests that check themselves for retain cycles, and that make some.

    Each test makes five cycles, because memory of the C library and of the runtime that isn't
    initialized, such as that of task groups, can have an old address that hides one of them.
    """
    command = [*tests, "--filter", "CycleTests"]
    code, text = run(command, folder, RUN_SECONDS, CLIENT_CYCLES="1")
    cycles = re.findall("Screen: [1-5] objects? kept alive by (?:a cycle|[2-5] cycles)", text)
    line = FILES["Sources/Client/Screen.swift"].split("onClose = {")[0].count("\n") + 1
    place = f"closure at Screen.swift:{line}: captures self strongly  <- break it here"
    if code != 1 or len(cycles) != 2 or text.count(place) != 2:
        raise Failure(f"The tests don't report their cycles, and exit with {code}:\n{text[-6000:]}")
    print("ok  cycles: XCTest and Swift Testing report them with their line", flush=True)


def place_of(name, text, after=""):
    """Returns the line and the column, both from 1, of a text in one of the client's files."""
    head = FILES[name].split(after, 1)[0] + after if after else ""
    before = head + FILES[name][len(head) :].split(text, 1)[0]
    return before.count("\n") + 1, len(before.rsplit("\n", 1)[-1]) + 1


def check_who_leaks(folder, viewer, tests):
    """Eight tests of which one leaks: each output has its name, and the line to edit."""
    # Debug information has the column of the assignment.
    line, column = place_of("Sources/Client/Cart.swift", "= $0", after='"cart.total"')
    outputs = {name: folder.parent / f"cart.{name}" for name in ["text", "junit", "github", "json"]}
    options = [option for name, path in outputs.items() for option in ("-o", f"{name}:{path}")]
    for suite, file, test in [
        ("CartXCTests", "CartXCTests.swift", "testTotal4()"),
        ("CartTests", "CartTests.swift", "total4()"),
    ]:
        call, _ = place_of(f"Tests/ClientTests/{file}", "cart.showTotal()")
        caller = f"made from {suite}.{test} ({file}:{call})"
        for arguments in [[], ["--parallel"]]:
            command = [*viewer, "run", "--no-config", *options, "--"]
            command += [*tests, "--filter", suite, *arguments]
            what = f"{suite} {' '.join(arguments)}".strip()
            code, text = run(
                command, folder, RUN_SECONDS, CLIENT_CART_LEAKS="1", GITHUB_ACTIONS="true",
                GITHUB_WORKSPACE=str(folder),
            )
            texts = {name: path.read_text() for name, path in outputs.items()}
            for path in outputs.values():
                path.unlink()
            context = f"{what} exits with {code}:\n{text[-4000:]}\n{texts}"
            if code != 1:
                raise Failure(context)
            failures = re.findall(r"<failure.*?</failure>", texts["junit"], re.DOTALL)
            annotations = [row for row in texts["github"].splitlines() if row.startswith("::error")]
            if len(failures) != 1 or len(annotations) != 1:
                raise Failure(f"JUnit or GitHub don't have one finding. {context}")
            excerpt = f"--> Sources/Client/Cart.swift:{line}:{column}"
            for name, part in [("text", texts["text"]), ("junit", failures[0])]:
                if caller not in part or excerpt not in html.unescape(part):
                    raise Failure(f"{name} lacks '{caller}' or '{excerpt}'. {context}")
            edit = f"::error file=Sources/Client/Cart.swift,line={line},col={column},"
            if not annotations[0].startswith(edit) or caller not in annotations[0]:
                raise Failure(f"The annotation lacks '{edit}' or '{caller}'. {context}")
            lanes = lanes_of(json.loads(texts["json"]))
            if lanes != {"cart.total"}:
                raise Failure(f"The lanes of the findings are {lanes}. {context}")
            print(f"ok  {what}: the test that leaks and the line to edit", flush=True)


def check_replaced(folder, viewer, tests):
    """Gives all processes one path. The last log must report that it replaced others."""
    log = folder.parent / "trace.jsonl"
    code, text = run(tests, folder, RUN_SECONDS, REACTIVE_TRACE=str(log))
    if code != 0:
        raise Failure(f"The tests exit with {code}:\n{text[-4000:]}")
    code, text = run([*viewer, "check", "--no-config", log], folder, RUN_SECONDS)
    if code != 2 or "it replaced the log of another process of the same run" not in text:
        raise Failure(
            f"check exits with {code} for a log that replaced another one:\n{text[-4000:]}"
        )
    print("ok  one path for two processes: check says that a log was replaced", flush=True)


def main():
    if len(sys.argv) < 2 or sys.argv[2:] not in ([], ["--own-viewer"]):
        sys.exit(__doc__)
    viewer = [pathlib.Path(sys.argv[1]).resolve()]
    # The folder is also removed if the script is interrupted.
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="run-swift-test-"))
    try:
        folder = scratch / "Client package"
        (scratch / "tmp").mkdir()
        make_package(folder)
        code, text = run(["swift", "build", "--build-tests"], folder, BUILD_SECONDS)
        if code != 0:
            raise Failure(f"The package cannot be built:\n{text[-8000:]}")
        print("ok  the package is built", flush=True)
        tests = ["swift", "test", "--skip-build"]
        parallel = [*tests, "--parallel"]
        check("clean tests", folder, viewer, tests, 0, set())
        check("clean tests in parallel", folder, viewer, parallel, 0, set(), min_logs=3)
        check("leaks", folder, viewer, tests, 1, LANES, CLIENT_LEAKS="1")
        check("leaks in parallel", folder, viewer, parallel, 1, LANES, min_logs=3, CLIENT_LEAKS="1")
        # Without a leak, only the tests can be the reason for the code.
        check("a failing test", folder, viewer, tests, 1, set(), CLIENT_FAILS="1")
        check(
            "a failing test in parallel",
            folder,
            viewer,
            parallel,
            1,
            set(),
            min_logs=3,
            CLIENT_FAILS="1",
        )
        other = ["sh", "-c", shlex.join(tests) + "; code=$?; test $code = 1 && exit 7; exit $code"]
        check(
            "a failing test and leaks",
            folder,
            viewer,
            other,
            7,
            LANES,
            CLIENT_FAILS="1",
            CLIENT_LEAKS="1",
        )
        if sys.platform == "linux":
            check_cycles(folder, tests)
            check_who_leaks(folder, viewer, tests)
            check_replaced(folder, viewer, tests)
        if sys.argv[2:]:
            check_viewer_of_package(folder, tests)
    except Failure as failure:
        print(f"FAILED: {failure}", file=sys.stderr)
        return 1
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
