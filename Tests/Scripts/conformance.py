#!/usr/bin/env python3
"""Compares the verdicts of `verify` with the conformance kit, and checks what recorders write.

    Tests/Scripts/conformance.py TRACE_VIEWER SAMPLE...

The kit has logs with a known verdict. The log of each sample program and that of the Python writer
must be valid.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import threading

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "Samples/Conformance"))

import kit  # noqa: E402
import tracewriter  # noqa: E402

MAX_LINES = 100
failures = []


def expect(condition, sentence):
    if not condition:
        failures.append(sentence)
        print(f"FAILED: {sentence}")


def verify(viewer, log, name):
    result = subprocess.run(
        [viewer, "verify", log], capture_output=True, text=True, timeout=60)
    expect(result.returncode == 0, f"the log of {name}: {result.stderr}{result.stdout}")


def write_in_python(path):
    """Writes a log with a leak, several threads and a text that needs escapes."""
    log = tracewriter.Log(path, "kit")
    scope = log.begin_scope("day")
    orders = log.subscribe("orders", type="Order", scope=scope, source="shop.py:3")
    prices = log.subscribe("prices", parent=orders, cause=orders)
    threads = [
        threading.Thread(target=lambda: [prices.next(f"{n} \u0007 \u00e4") for n in range(100)])
        for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    prices.end()
    prices.end()
    log.subscribe("failing").end("failed", error=ValueError("no price"))
    log.end_scope(scope)
    log.end()


def main():
    viewer, *samples = map(pathlib.Path, sys.argv[1:])
    viewer = viewer.resolve()
    lines = len((ROOT / "Samples/Conformance/tracewriter.py").read_text().splitlines())
    expect(lines <= MAX_LINES, f"tracewriter.py has {lines} lines")
    expect(kit.check(viewer) == 0, "a log of the kit has another verdict")
    with tempfile.TemporaryDirectory() as folder:
        log = pathlib.Path(folder) / "log.jsonl"
        write_in_python(log)
        verify(viewer, log, "tracewriter.py")
        checked = subprocess.run(
            [viewer, "check", "--no-config", log], capture_output=True, text=True, timeout=60)
        expect(
            checked.returncode == 1 and "1 undisposed subscription" in checked.stdout,
            f"the leak in Python: {checked.stdout}")
        for sample in samples:
            log = pathlib.Path(folder) / f"{sample.name}.jsonl"
            environment = {**os.environ, "REACTIVE_TRACE": str(log), "REACTIVE_TRACE_ALL": "1"}
            subprocess.run(
                [sample.resolve()], env=environment, timeout=120, stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            verify(viewer, log, sample.name)
    for log in sorted((ROOT / "Samples/Logs").glob("*.jsonl")):
        verify(viewer, log, log.name)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
