#!/usr/bin/env python3
"""Compares what 200 random queries select on the command line and on the page of an HTML report.

    Tests/Scripts/queries.py TRACE_VIEWER

The unit tests compare the command line with the interactive view and with the tools for agents. If
no Chromium is installed, the script skips itself with a message.
"""

import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import browser  # noqa: E402

COUNT = 200
TERMS = [
    "feed", "Ada", "timeout", "Timeout", "/^a/i", r"/\d+/", '"a b"', "value:ada", "value:/^A/",
    "error:time", "error:/OUT/i", "lane:login*", "lane:feed", "lane:/log/", "source:*:3",
    "source:Shop/Cart.swift", "state:failed", "state:active", "id:7", "#8", "rule:undisposed",
    "has:finding", "life>400us", "dur<=300us", "elements>1", "start<9ms", "alive:60%",
    "alive:12ms", "alive:half", "scope:Search*", "scope:1", "process:shop", "REQUEST",
    "cart.swift:3",
]
WRONG = ["a -", "(a", "a)", "state:busy", "x color:red", "life>soon", "/a", "or a", "()", "a and",
         "lane:"]
# Runs queries as the search of the page does.
SELECT = """JSON.stringify(%s.map(text => {
  const input = document.getElementById('search');
  input.value = text;
  input.dispatchEvent(new Event('input'));
  return input.getAttribute('aria-invalid') === 'true' ? null
    : [...document.querySelectorAll('#sub-table tbody td:first-child')]
      .map(cell => Number(cell.textContent.slice(1)));
}))"""


def query(depth=0):
    kind = random.randrange(2 if depth > 2 else 8)
    if kind <= 2:
        return random.choice(TERMS)
    if kind == 6:
        return f"not ({query(depth + 1)})"
    if kind == 7:
        return "-" + random.choice(TERMS)
    word = {3: " ", 4: " and ", 5: " or "}[kind]
    both = query(depth + 1) + word + query(depth + 1)
    return f"({both})" if kind == 5 else both


def write_log(path):
    """Writes a log whose events all are in the page, which has at most five for a subscription."""
    lines = [{"t": 1, "event": "scope-begin", "scope": 1, "name": "Search screen"}]
    for number in range(1, 41):
        lane = random.choice(["feed", "login", "login.request"])
        time = number * 1_000_000
        same = {"sub": number, "lane": lane}
        lines.append({"t": time, "event": "subscribe", **same, "thread": 1,
                      "source": f"Shop/Cart.swift:{number % 5}"}
                     | ({"scope": 1} if number % 3 == 0 else {}))
        for step in range(random.randrange(4)):
            lines.append({"t": time + 1000 * (step + 1), "event": "next", **same, "thread": 2,
                          "value": random.choice(["timeout", "Ada", "a b", "200"])})
        end = random.choice(["failed", "completed", "disposed", None])
        if end:
            lines.append({"t": time + random.randrange(1, 9) * 100_000 + 5000, "event": end, **same,
                          "thread": 1} | ({"error": "Timeout()"} if end == "failed" else {}))
    lines.append({"t": 20_999_999, "event": "mark", "name": "half"})
    lines.sort(key=lambda line: line["t"])
    lines.insert(0, {"t": 0, "event": "trace", "version": 1, "process": "shop", "pid": 42})
    lines.append({"t": 50_000_000, "event": "end", "records": len(lines), "lost": 0})
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def reported(viewer, text, log):
    """Returns the ids that the command line selects, or None if it refuses the query."""
    result = subprocess.run(
        [viewer, "report", "--format=json", "--no-config", f"--filter={text}", log],
        capture_output=True, text=True, timeout=60)
    if result.returncode == 64:
        return None
    return [row["id"] for row in json.loads(result.stdout)["subscriptions"]]


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("viewer")
    viewer = arguments.parse_args().viewer
    program = browser.installed()
    if not program:
        print("queries skipped: Chromium is not installed")
        return
    random.seed(47)
    queries = [query() for _ in range(COUNT)] + WRONG
    with tempfile.TemporaryDirectory() as folder:
        log, page = pathlib.Path(folder) / "log.jsonl", pathlib.Path(folder) / "page.html"
        write_log(log)
        subprocess.run([viewer, "report", "--format=html", "--no-config", "-o", page, log],
                       check=True, timeout=60)
        with browser.Browser(program) as chromium:
            tab = chromium.tab()
            tab.open(page.as_uri())
            tab.settle()
            selected = json.loads(tab.run(SELECT % json.dumps(queries)))
            tab.close()
        wanted = [reported(viewer, text, log) for text in queries]
    differ = [text for text, page, command in zip(queries, selected, wanted)
              if (page is None) != (command is None) or sorted(page or []) != sorted(command or [])]
    for text in differ:
        print(f"FAILED: The page and the command line differ: {text}", file=sys.stderr)
    sizes = {len(ids) for ids in wanted if ids is not None}
    if len(sizes) < 15:
        print(f"FAILED: The queries select only {len(sizes)} different numbers.", file=sys.stderr)
    if differ or len(sizes) < 15:
        sys.exit(1)
    print(f"queries {COUNT} select the same on the page and on the command line")


if __name__ == "__main__":
    main()
