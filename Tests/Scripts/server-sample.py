#!/usr/bin/env python3
"""Checks the server sample: the leak of --leak is found, and nothing is found without it. Also
checks what observed-server, of the same package, reports in its log messages, gauges and spans.

    Tests/Scripts/server-sample.py [--scratch-path FOLDER] TRACE_VIEWER

The script builds Samples/Server, starts it on a free port of 127.0.0.1, sends it the requests of
Samples/Server/load.py, ends it, and checks its logs with the viewer. The first build takes some
minutes, because it includes the web framework.
"""

import argparse
import collections
import concurrent.futures
import contextlib
import http.client
import json
import os
import pathlib
import re
import select
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import judgments

SAMPLE = pathlib.Path(__file__).resolve().parents[2] / "Samples" / "Server"
# All limits are far above what is needed on two cores.
BUILD_SECONDS = 20 * 60
RUN_SECONDS = 2 * 60
START_SECONDS = 30
CLIENTS = 20
REQUESTS = 600
EACH = REQUESTS // 3
# The alerts that the script waits for, in addition to those of the load.
ALERTS = 8
LEAK = "alerts.watch"
SIZE_LIMIT = 128 * 1024
KEPT_FILES = 2
# The records at the start of a further file: live subscriptions of all clients, and the market.
HEADER_SIZE = 32 * 1024


class Failure(Exception):
    pass


def environment(scratch, **variables):
    """Returns the environment for a child, without variables that would change the results."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("REACTIVE_TRACE", "GITHUB_")) and name != "LOG_LEVEL"
    }
    return {**kept, "TMPDIR": str(scratch / "tmp"), **variables}


def kill(child):
    """Kills a child and all processes that it started."""
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    child.wait()


def run(command, scratch, limit):
    """Runs a command in the folder of the sample. Returns its exit code and its output."""
    with open(scratch / "output", "w+b") as output:
        child = subprocess.Popen(
            command, cwd=SAMPLE, env=environment(scratch), stdin=subprocess.DEVNULL,
            stdout=output, stderr=output, start_new_session=True,
        )
        try:
            code = child.wait(limit)
        except subprocess.TimeoutExpired:
            code = None
        finally:
            kill(child)
        output.seek(0)
        text = output.read().decode(errors="replace")
    if code is None:
        raise Failure(
            f"{shlex.join(map(str, command))} was stopped after {limit} seconds:\n{text[-4000:]}"
        )
    return code, text


class Server:
    """A server that runs, and the log that it writes."""

    def __init__(self, program, scratch, name, *arguments, **variables):
        self.scratch = scratch
        self.folder = scratch / name
        self.folder.mkdir()
        self.errors = open(self.folder / "errors.txt", "w+b")
        variables["REACTIVE_TRACE"] = str(self.folder / "server.jsonl")
        self.process = subprocess.Popen(
            [program, "--port", "0", *arguments], cwd=self.folder,
            env=environment(scratch, **variables), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=self.errors, start_new_session=True,
        )

    def __enter__(self):
        try:
            self.port = self.read_port()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        kill(self.process)
        self.process.stdout.close()
        self.errors.close()

    def read_port(self):
        line = b""
        end = time.monotonic() + START_SECONDS
        while not line.endswith(b"\n"):
            ready, _, _ = select.select(
                [self.process.stdout], [], [], max(0, end - time.monotonic())
            )
            piece = os.read(self.process.stdout.fileno(), 1) if ready else b""
            if not piece:
                raise Failure(f"The server does not start: {line!r}\n{self.said()}")
            line += piece
        found = re.fullmatch(rb"Listening on http://127\.0\.0\.1:(\d+)\n", line)
        if not found:
            raise Failure(f"The server says {line!r} and not where it listens.")
        return int(found.group(1))

    def said(self):
        self.errors.seek(0)
        return self.errors.read().decode(errors="replace")[-4000:]

    def load(self):
        """Sends the requests. Returns the number of alert sessions that are left."""
        code, text = run(
            [sys.executable, SAMPLE / "load.py", "--port", str(self.port),
             "--pid", str(self.process.pid), "--clients", str(CLIENTS),
             "--requests", str(REQUESTS), "--seconds", str(RUN_SECONDS / 2), "--rest", "0"],
            self.scratch, RUN_SECONDS)
        if code != 0:
            raise Failure(f"The load exits with {code}:\n{text}\n{self.said()}")
        found = re.search(r"^after +[0-9.]+ MB, (\d+) alert sessions$", text, re.MULTILINE)
        if not found:
            raise Failure(f"The load does not say how much memory the server has:\n{text}")
        return int(found.group(1))

    def stop(self):
        """Ends the server, which then ends its log."""
        self.process.terminate()
        self.wait()

    def wait(self):
        try:
            code = self.process.wait(RUN_SECONDS)
        except subprocess.TimeoutExpired:
            raise Failure(f"The signal does not end the server.\n{self.said()}") from None
        if code != 0:
            raise Failure(f"The server exits with {code}.\n{self.said()}")

    def logs(self):
        return sorted(self.folder.glob("server*.jsonl"))

    def check(self, viewer):
        """Returns the exit code of a check of the log, and its report."""
        report = self.scratch / "report.json"
        # The settings of the sample are found, because this runs in its folder.
        code, text = run(
            [viewer, "check", "-o", f"json:{report}", *self.logs()], self.scratch, RUN_SECONDS
        )
        if not report.exists():
            raise Failure(f"check exits with {code} and writes no report:\n{text}")
        found = json.loads(report.read_text())
        report.unlink()
        return code, found, text


def expect(what, got, wanted, context=""):
    if got != wanted:
        raise Failure(f"{what}: {got!r} instead of {wanted!r}. {context}")


def subscriptions(logs):
    """Returns the number of subscriptions of each lane."""
    counts = collections.Counter()
    for log in logs:
        for line in log.read_text().splitlines():
            record = json.loads(line) if line else {}
            if record.get("event") == "subscribe":
                counts[record["lane"]] += 1
    return counts


def observed_line():
    """Returns the line of the sample whose observation leaks."""
    lines = (SAMPLE / "Sources/PriceServer/AlertSession.swift").read_text().splitlines()
    found = [number for number, line in enumerate(lines, 1) if ".observeNext" in line]
    expect("lines that observe in AlertSession.swift", len(found), 1)
    return found[0]


def read_event(answer):
    """Returns the next event of a stream, or None at its end."""
    line = answer.readline()
    while line == b"\n":
        line = answer.readline()
    if not line:
        return None
    if not line.startswith(b"data: "):
        raise Failure(f"A stream has the line {line!r}.")
    return json.loads(line[len(b"data: "):])


def check_clean(program, viewer, scratch):
    """Checks that nothing leaks, and that connected clients get the end of their streams."""
    with Server(program, scratch, "clean") as server, contextlib.ExitStack() as stack:
        expect("alert sessions after the load", server.load(), 0)

        def get(path):
            connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=START_SECONDS)
            stack.callback(connection.close)
            connection.request("GET", path)
            answer = connection.getresponse()
            expect(f"status of {path}", answer.status, 200)
            return answer

        cents = json.loads(get("/quote/ACME").read())["cents"]
        # A price that moves rises above one of these limits soon.
        limits = [cents + 100 * step for step in range(-ALERTS // 2, ALERTS // 2)]
        alerts = [get(f"/alerts/ACME?above={limit}") for limit in limits]
        prices = get("/prices/ACME")
        expect("the symbol of the prices", read_event(prices)["symbol"], "ACME")
        pool = stack.enter_context(concurrent.futures.ThreadPoolExecutor(ALERTS))
        events = {pool.submit(read_event, answer): limit for answer, limit in zip(alerts, limits)}
        done, _ = concurrent.futures.wait(events, START_SECONDS, concurrent.futures.FIRST_COMPLETED)
        # Ends the streams. A read fails if the server cuts a connection before its stream has
        # ended.
        server.process.send_signal(signal.SIGINT)
        if not done:
            raise Failure(f"No alert comes above one of {limits}.")
        for event in done:
            alert, limit = event.result(), events[event]
            chart = [price["cents"] for price in alert["chart"]]
            if not (chart[-2] <= limit < chart[-1] == alert["price"]["cents"]):
                raise Failure(f"An alert above {limit} comes with the chart {chart}.")
        concurrent.futures.wait(events, START_SECONDS)
        for answer in [prices, *alerts]:
            answer.read()
        server.wait()
        code, report, text = server.check(viewer)
        expect("exit code of the check", code, 0, text)
        expect("findings", report["findings"], [], text)
        expect(
            "subscriptions", subscriptions(server.logs()),
            {"prices.feed": 3, "quote.answer": EACH + 1, "prices.client": EACH + 1,
             "alerts.client": EACH + ALERTS, LEAK: EACH + ALERTS})
    print("ok  without --leak, all subscriptions end", flush=True)


def check_rotation(program, viewer, scratch):
    """Checks that the log does not grow beyond its limit."""
    with Server(
        program, scratch, "rotation", REACTIVE_TRACE_MAX_SIZE=str(SIZE_LIMIT),
        REACTIVE_TRACE_WHEN_FULL=f"rotate:{KEPT_FILES}",
    ) as server:
        server.load()
        server.stop()
        logs = server.logs()
        sizes = {log.name: log.stat().st_size for log in logs}
        if "server.jsonl" in sizes:
            raise Failure(f"The log was not rotated: {sizes}")
        expect("number of files", len(logs), KEPT_FILES, str(sizes))
        if max(sizes.values()) > SIZE_LIMIT + HEADER_SIZE:
            raise Failure(
                f"A file is larger than {SIZE_LIMIT} bytes and a list of live subscriptions: "
                f"{sizes}"
            )
        code, report, text = server.check(viewer)
        expect("exit code of the check", code, 0, text)
        expect("findings", report["findings"], [], text)
    print(f"ok  the log is rotated: {sizes}", flush=True)


def check_leak(program, viewer, scratch, name, **variables):
    """Checks that each alert leaks, and nothing else.

    The report names the location and the holder.
    """
    with Server(program, scratch, name, "--leak", **variables) as server:
        expect("alert sessions after the load", server.load(), EACH)
        # The scopes of the requests have ended, so the leak is proved while the server runs. The
        # ends of the first ones are in files that rotation removed.
        code, report, text = server.check(viewer)
        expect("exit code of a check while the server runs", code, 1, text)
        proven = [
            finding
            for finding in judgments.of(report)
            if finding["proven"] and finding["rule"] != "growth"
        ]
        expect(
            "lanes with proof while the server runs",
            {finding["lane"] for finding in proven},
            {LEAK},
            text,
        )
        outlived = [finding for finding in proven if finding["rule"] == "scope-leak"]
        if variables.get("REACTIVE_TRACE_WHEN_FULL") is None:
            expect("subscriptions that outlived their requests", len(outlived), EACH, text)
        elif not outlived:
            raise Failure(f"No subscription outlived its request while the server runs:\n{text}")
        server.stop()
        code, report, text = server.check(viewer)
        expect("exit code of the check", code, 1, text)
        # The first files may have been removed, and the few repetitions that remain of a step can
        # look like growth of any lane while clients come in.
        found = [finding for finding in judgments.of(report) if finding["rule"] != "growth"]
        expect("lanes with findings", {finding["lane"] for finding in found}, {LEAK}, text)
        undisposed = [finding for finding in found if finding["rule"] == "undisposed"]
        expect("subscriptions that leak", len(undisposed), EACH, text)
        rules = {finding["rule"] for finding in found} - {"undisposed", "scope-leak"}
        expect("other rules that find something", rules, set(), text)
        place = f"price_server/AlertSession.swift:{observed_line()}"
        expect("places", {finding["observed"]["source"] for finding in found}, {place}, text)
        for part in ("AlertDesk.sessions", "AlertSession.bag"):
            if not any(
                part in finding.get("retention", {}).get("path", []) for finding in undisposed
            ):
                raise Failure(f"No path leads through {part}:\n{text}")
    print(f"ok  with --leak, {EACH} alerts leak ({name})", flush=True)


def check_observed(program, viewer, scratch):
    """Checks that the log, the messages, the gauges and the spans of observed-server agree."""
    quotes, watches = 40, 6
    with Server(program, scratch, "observed", "--strict") as server:

        def get(path):
            connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=START_SECONDS)
            with contextlib.closing(connection):
                connection.request("GET", path)
                answer = connection.getresponse()
                expect(f"status of {path}", answer.status, 200)
                return answer.read().decode()

        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(get, ["/quote"] * quotes + ["/watch"] * watches))
        expect("answers", answers, ["100"] * quotes + ["watching"] * watches)
        # A lane has a gauge after it was active at a moment when the gauges were set.
        gauges = dict(line.split() for line in get("/gauges").splitlines())
        expect("gauges", {"quote": "0", **gauges}, {"quote": "0", "watch": str(watches)})
        spans, fetches, end = [], 0, time.monotonic() + START_SECONDS
        # A span ends after the client has its answer.
        while len(spans) < 2 * quotes + watches + 1 and time.monotonic() < end:
            spans = [line.split(" ", 4) for line in get("/spans").splitlines()]
            spans = [span for span in spans if span[-1] != "/spans"]
            fetches += 1
        server.process.terminate()
        try:
            expect("exit code", server.process.wait(RUN_SECONDS), 1, server.said())
        except subprocess.TimeoutExpired:
            raise Failure(f"The signal does not end the server.\n{server.said()}") from None

        [log] = server.logs()
        code, text = run([viewer, "verify", log], scratch, RUN_SECONDS)
        expect("exit code of verify", code, 0, text)
        records = [json.loads(line) for line in log.read_text().splitlines()]
        check_scopes(
            records, spans, {
                "/quote": quotes, "look up": quotes, "/watch": watches, "/gauges": 1,
                "/spans": fetches})
        marks = [record["name"] for record in records if record["event"] == "mark"]
        finding = marks.pop()
        expect("marks", marks, ["info server: quote symbol=ACME"] * quotes)
        for part in (f"count={watches}", "lane=watch", "scope=/watch"):
            if part not in finding.split(" "):
                raise Failure(f"The last mark lacks {part}: {finding}")
        said = (server.folder / "errors.txt").read_text()
        messages = [line for line in said.splitlines() if " warning server: " in line]
        expect("warnings", len(messages), 1, said)
        for part in (f" count={watches} ", " lane=watch ", '["global watches", '):
            if part not in messages[0]:
                raise Failure(f"The warning lacks {part}: {messages[0]}")
        expect("error", f"\nError: {watches} undisposed subscriptions\n" in said, True, said)

        code, report, text = server.check(viewer)
        expect("exit code of the check", code, 1, text)
        found = collections.Counter(
            (finding["rule"], finding["lane"]) for finding in judgments.of(report))
        expect("findings", found, {("undisposed", "watch"): watches}, text)
    print("ok  log, messages, gauges and spans of observed-server agree", flush=True)


def check_scopes(records, spans, wanted):
    """Checks that each scope of the log is a span, and that both have the same names and order."""
    scopes = {
        record["scope"]: (record["name"], record.get("outer"))
        for record in records if record["event"] == "scope-begin"}
    for record in records:
        if record["event"] == "scope-end" and "name" in record:
            scopes[record["scope"]] = (record["name"], scopes[record["scope"]][1])
    ends = collections.Counter(r["scope"] for r in records if r["event"] == "scope-end")
    expect("ends of scopes", ends, {scope: 1 for scope in scopes})
    names = collections.Counter(name for name, _ in scopes.values())
    expect("names of scopes", names, wanted)
    expect("finished spans", len(spans), len(scopes) - wanted["/spans"])
    scope_of = {span: int(scope) for span, _, _, scope, _ in spans}
    for span, parent, log, scope, name in spans:
        expect(f"log of {span}", log, records[0]["trace"])
        expect(f"scope of {span}", scopes[int(scope)], (name, scope_of.get(parent)))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("viewer", metavar="TRACE_VIEWER", type=pathlib.Path)
    parser.add_argument(
        "--scratch-path", type=pathlib.Path, default=SAMPLE / ".build",
        help="the folder of the build (default: Samples/Server/.build)")
    arguments = parser.parse_args()
    viewer = arguments.viewer.resolve()
    # The folder is also removed if the script is interrupted.
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="server-sample-"))
    try:
        (scratch / "tmp").mkdir()
        build = ["swift", "build", "--scratch-path", arguments.scratch_path.resolve()]
        code, text = run(build, scratch, BUILD_SECONDS)
        if code != 0:
            raise Failure(f"The sample cannot be built:\n{text[-8000:]}")
        print("ok  the sample is built", flush=True)
        code, text = run([*build, "--show-bin-path"], scratch, RUN_SECONDS)
        program = pathlib.Path(text.splitlines()[-1]) / "price-server"
        check_observed(program.with_name("observed-server"), viewer, scratch)
        check_clean(program, viewer, scratch)
        check_rotation(program, viewer, scratch)
        check_leak(program, viewer, scratch, "one file")
        check_leak(
            program, viewer, scratch, "rotated", REACTIVE_TRACE_MAX_SIZE=str(SIZE_LIMIT),
            REACTIVE_TRACE_WHEN_FULL=f"rotate:{KEPT_FILES}")
    except (Failure, OSError, http.client.HTTPException) as failure:
        print(f"FAILED: {failure}", file=sys.stderr)
        return 1
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
