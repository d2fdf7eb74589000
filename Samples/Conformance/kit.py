#!/usr/bin/env python3
"""The conformance kit of the log format: logs with the verdict that a reader must reach.

    kit.py write FOLDER          writes the logs, and verdicts.json with what is expected of each
    kit.py check TRACE_VIEWER    compares the verdicts of 'trace-viewer verify' with these

A verdict is the exit code of 'verify' (0: valid, 2: valid but incomplete, 65: damaged or wrong),
and for a wrong log the line and a part of the reason.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

TRACE = "0123456789abcdef0123456789abcdef"


def header(**changes):
    return {
        "t": 0, "event": "trace", "version": 1, "minor": 5, "trace": TRACE, "process": "kit",
        "pid": 7, "host": "-", "started": "2026-11-28T20:00:00.000000000Z", "recorder": "kit",
        "segment": 1, **changes}


def thread(number=1, name="main"):
    return {"t": 1, "event": "thread", "thread": number, "name": name}


def subscribe(at=10, sub=1, lane="a", number=1, **keys):
    return {"t": at, "event": "subscribe", "sub": sub, "lane": lane, "thread": number, "op": "lane",
            "type": "Int", **keys}


def event(name, at=20, sub=1, lane="a", number=1, **keys):
    return {"t": at, "event": name, "sub": sub, "lane": lane, **keys, "thread": number}


def element(at=20, sub=1, value="1", **keys):
    return event("next", at, sub, value=value, **keys)


def end(count, **keys):
    return {"t": 90, "event": "end", "records": count, "lost": 0, **keys}


def closed(*records, first=None, **keys):
    """Returns a log with its first lines and its end."""
    lines = [first or header(), thread(), *records]
    return [*lines, end(len(lines), **keys)]


def without(record, *keys):
    return {key: value for key, value in record.items() if key not in keys}


A = subscribe()
ENDED = event("completed", 30)
VALID = [
    ("completed", closed(A, element(), ENDED)),
    ("failed", closed(A, event("failed", 30, error="no connection"))),
    ("disposed", closed(A, event("disposed", 30))),
    ("released", closed(A, event("released", 30))),
    ("leak", closed(A, element())),
    ("empty", closed()),
    ("parent-and-cause", closed(
        A, subscribe(11, 2, "b", parent=1), subscribe(21, 3, "c", cause=2), ENDED)),
    ("parent-begins-later", closed(
        subscribe(sub=2, lane="b", parent=1), subscribe(11))),
    ("scopes", closed(
        {"t": 5, "event": "scope-begin", "scope": 1, "name": "screen"},
        {"t": 6, "event": "scope-begin", "scope": 2, "outer": 1, "name": "part"},
        subscribe(scope=2), {"t": 30, "event": "scope-end", "scope": 2},
        {"t": 31, "event": "scope-end", "scope": 1})),
    ("two-threads", closed(
        thread(2, "worker"), A, element(40, number=2), element(30, number=1))),
    ("element-in-file-after-end", closed(A, ENDED, element(25))),
    ("unknown-keys", closed(
        subscribe(color="red", size=3), element(mood="good"), ENDED)),
    ("unknown-event", closed(A, {"t": 12, "event": "weather", "sky": "blue"}, ENDED)),
    ("other-order-of-keys", closed(dict(reversed(list(A.items()))), ENDED)),
    ("escapes", closed(A, element(value='"\\\n\u0007\u2028 ä 🙂'), ENDED)),
    ("mark", closed({"t": 15, "event": "mark", "name": "tap"})),
    ("truncated-value", closed(A, element(value="long", truncated=900), ENDED)),
    ("lifetime", closed(subscribe(lifetime="process", library="OpenCombine"))),
    ("place", closed(
        subscribe(observed="call.1"),
        {"t": 80, "event": "place", "lane": "call.1", "source": "App/Main.swift:3",
         "function": "main"})),
    ("changed", closed(
        A, {"t": 22, "event": "changed", "sub": 1, "lane": "a", "shared": 1}, ENDED)),
    ("huge-numbers", closed(
        subscribe(sub=2**63), element(sub=2**63, at=2**62 - 1))),
    ("first-version", closed(A, ENDED, first=without(header(), "minor"))),
]
INCOMPLETE = [
    ("no-end", closed(A, element())[:-1], "did not write the end"),
    ("lost-records", closed(A, lost=3), "could not write 3 records"),
    ("continues", [header(), thread(), A,
                   {"t": 90, "event": "continued", "segment": 2, "records": 3, "lost": 0}],
     "continues in another file"),
    ("replaced", closed(A, ENDED, first=header(run="r", replaced=2)), "replaced the logs of 2"),
    ("killed-while-writing", closed(A, {"t": 12, "event": "-ext"})[:-1], "did not write the end"),
]
# The line of the fault, and a part of the reason.
WRONG = [
    ("not-json", closed(A, "hello", ENDED), 4, "not a JSON object"),
    ("list", closed(A, "[1,2]", ENDED), 4, "not a JSON object"),
    ("two-objects-in-a-line", closed(A, '{"t":1,"event":"mark"} {"t":2}', ENDED), 4,
     "not a JSON object"),
    ("single-quotes", closed(A, "{'t':1,'event':'mark'}", ENDED), 4, "not a JSON object"),
    ("trailing-comma", closed(A, '{"t":1,"event":"mark",}', ENDED), 4, "not a JSON object"),
    ("cut-in-the-middle", closed(A, '{"t":20,"event":"next","sub":1,"la', ENDED), 4,
     "not a JSON object"),
    ("without-time", closed(A, without(element(), "t"), ENDED), 4, "lacks keys"),
    ("time-is-text", closed(A, element(at="20"), ENDED), 4, "lacks keys"),
    ("time-is-negative", closed(A, element(at=-1), ENDED), 4, "lacks keys"),
    ("time-is-fraction", closed(A, element(at=2.5), ENDED), 4, "lacks keys"),
    ("without-sub", closed(A, without(element(), "sub"), ENDED), 4, "lacks keys"),
    ("sub-is-zero", closed(A, element(sub=0), ENDED), 4, "lacks keys"),
    ("thread-without-number", closed(
        A, {"t": 2, "event": "thread", "name": "main"}, ENDED), 4, "lacks keys"),
    ("place-without-lane", closed(
        A, {"t": 80, "event": "place", "source": "App/Main.swift:3"}, ENDED), 4, "lacks keys"),
    ("scope-without-number", closed(
        A, {"t": 12, "event": "scope-begin", "name": "screen"}, ENDED), 4, "lacks keys"),
    ("no-header", [thread(), A, ENDED, end(3)], 1, "does not begin with a trace record"),
    ("version-2", closed(A, first=header(version=2)), 1, "format version 2"),
    ("version-is-text", closed(A, first=header(version="one")), 1, "not a whole number"),
    ("unknown-beginning", closed(element()), 3, "whose beginning is not in the log"),
    ("begins-twice", closed(A, A, ENDED), 4, "begins again"),
    ("after-the-end", [*closed(A, ENDED), {"t": 95, "event": "mark", "name": "late"}], 6,
     "after the end of the log"),
    ("trace-is-short", closed(A, ENDED, first=header(trace="abc")), 1, "32 hexadecimal"),
    ("trace-is-missing", closed(A, ENDED, first=without(header(), "trace")), 1, "32 hexadecimal"),
    ("started-is-a-number", closed(A, ENDED, first=header(started="1764360000")), 1, "RFC 3339"),
    ("started-has-no-zone", closed(A, ENDED, first=header(started="2026-11-28T20:00:00")), 1,
     "RFC 3339"),
    ("pid-is-zero", closed(A, ENDED, first=header(pid=0)), 1, "number of a process"),
    ("ends-twice", closed(A, ENDED, event("disposed", 31)), 5, "#1 ends again"),
    ("completes-twice", closed(A, ENDED, ENDED), 5, "#1 ends again"),
    ("element-after-end", closed(A, ENDED, element(31)), 5, "#1 is later than its end"),
    ("breakpoint-after-end", closed(A, ENDED, event("breakpoint", 31, on="next")), 5,
     "#1 is later than its end"),
    ("times-descend", closed(A, element(25), element(24), ENDED), 5, "#1 has a later time"),
    ("element-before-beginning", closed(A, element(5), ENDED), 4, "#1 has a later time"),
    ("end-before-element", closed(A, element(25), event("completed", 24)), 5,
     "#1 has a later time"),
    ("lane-changes", closed(A, element(lane="b"), ENDED), 4, "#1 began on another lane"),
    ("end-on-another-lane", closed(A, event("completed", 30, lane="A")), 4,
     "#1 began on another lane"),
    ("parent-is-itself", closed(subscribe(parent=1), ENDED), 3, "its own parent"),
    ("unknown-parent", closed(subscribe(parent=9), ENDED), 3, "'parent' is #9"),
    ("unknown-cause", closed(subscribe(cause=9), ENDED), 3, "'cause' is #9"),
    ("unknown-twin", closed(
        A, {"t": 22, "event": "changed", "sub": 1, "lane": "a", "twin": 8}, ENDED), 4,
     "'twin' is #8"),
    ("unknown-later-parent", closed(
        A, {"t": 22, "event": "changed", "sub": 1, "lane": "a", "parent": 8}, ENDED), 4,
     "'parent' is #8"),
    ("unknown-scope", closed(subscribe(scope=4), ENDED), 3, "scope 4 is not in the log"),
    ("unknown-outer-scope", closed(
        {"t": 5, "event": "scope-begin", "scope": 1, "outer": 3, "name": "part"}), 3,
     "scope 3 is not in the log"),
    ("scope-begins-twice", closed(
        {"t": 5, "event": "scope-begin", "scope": 1, "name": "screen"},
        {"t": 6, "event": "scope-begin", "scope": 1, "name": "screen"}), 4,
     "scope 1 begins again"),
    ("scope-ends-alone", closed({"t": 5, "event": "scope-end", "scope": 1}), 3,
     "scope 1 ends, but"),
    ("unnamed-thread", closed(subscribe(number=2), ENDED), 3, "thread 2 has no"),
    ("unnamed-thread-of-element", closed(A, element(number=3), ENDED), 4, "thread 3 has no"),
    ("too-few-records", [header(), thread(), A, end(9)], 4, "'records' is 9"),
    ("too-many-records", [header(), thread(), A, element(), ENDED, end(2)], 6, "'records' is 2"),
    ("too-many-in-file", [
        header(), thread(), A,
        {"t": 90, "event": "continued", "segment": 2, "records": 2, "lost": 0}], 4,
     "'records' is 2"),
    ("unfinished-line", closed(A, {"t": 12, "event": "-ext"}, ENDED), 4, "a line is unfinished"),
    ("only-time", closed(A, {"t": 12}, ENDED), 4, "a line is unfinished"),
    ("torn-last-line", [*closed(A, element())[:-1], '{"t":30,"event":"compl'], 5,
     "the last line is incomplete"),
    ("end-twice", [*closed(A, ENDED), end(5)], 6, "after the end of the log"),
    ("page", "<!DOCTYPE html>\n<p>not found</p>\n", None, "not a trace log"),
    ("nothing", "", None, "The file is empty"),
    ("only-spaces", "  \n\n", None, "The file is empty"),
    ("other-json", '{"level":"info","message":"started"}\n', None, "not a trace log"),
    ("pretty-printed", "[\n  {\n    \"t\": 0\n  }\n]\n", None, "not a trace log"),
    ("nan", closed(A, '{"t":20,"event":"next","sub":1,"lane":"a","value":NaN}', ENDED), 4,
     "not a JSON object"),
    ("tab-in-text", closed(A, '{"t":20,"event":"mark","name":"a\tb"}', ENDED), 4,
     "not a JSON object"),
]


def text(log):
    if isinstance(log, str):
        return log
    lines = [line if isinstance(line, str) else json.dumps(line, ensure_ascii=False)
             for line in log]
    # The last line of a process that died has no newline.
    return "\n".join(lines) + ("" if lines[-1].endswith("compl") else "\n")


def cases():
    """Returns the name, the text, the exit code, the line and the reason of each log."""
    return [
        *[(f"valid-{name}", text(log), 0, None, "Valid:") for name, log in VALID],
        *[(f"incomplete-{name}", text(log), 2, None, why) for name, log, why in INCOMPLETE],
        *[(f"wrong-{name}", text(log), 65, line, why) for name, log, line, why in WRONG],
    ]


def write(folder):
    folder.mkdir(parents=True, exist_ok=True)
    verdicts = {}
    for name, content, code, line, reason in cases():
        (folder / f"{name}.jsonl").write_text(content, encoding="utf-8")
        verdicts[name] = {"exitCode": code, "line": line, "reason": reason}
    (folder / "verdicts.json").write_text(json.dumps(verdicts, indent=1) + "\n")


def check(viewer):
    """Returns the number of logs with another verdict."""
    wrong = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write(folder)
        for name, _, code, line, reason in cases():
            result = subprocess.run(
                [viewer, "verify", f"{name}.jsonl"], cwd=folder, capture_output=True, text=True,
                timeout=60)
            place = f"{name}.jsonl:{line}: " if line else ""
            lines = (result.stderr + result.stdout).splitlines()
            if result.returncode == code and any(place in x and reason in x for x in lines):
                continue
            wrong += 1
            print(f"{name}: exit {code} and '{place}... {reason}' expected,\n"
                  f"  exit {result.returncode} and {lines} found")
    print(f"{len(cases())} logs, {len(WRONG)} of them wrong: {wrong} with another verdict")
    return wrong


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in ("write", "check"):
        print(__doc__, file=sys.stderr)
        return 64
    if sys.argv[1] == "write":
        write(pathlib.Path(sys.argv[2]))
        return 0
    return 1 if check(pathlib.Path(sys.argv[2]).resolve()) else 0


if __name__ == "__main__":
    sys.exit(main())
