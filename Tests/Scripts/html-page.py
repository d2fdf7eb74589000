#!/usr/bin/env python3
"""Opens large HTML reports in a headless Chromium, and reports without scripts.

    Tests/Scripts/html-page.py TRACE_VIEWER [--screens FOLDER]

A page of 10,000 lanes and one of 100,000 subscriptions must open in a second with at most 5,000
elements. All findings must be readable without JavaScript and with a strict content security
policy. The first finding must be on the first screen, on phones and on desktops. Rows that are not
in the document must be found by the search and by links. Findings of one line are one row. A printed page begins with the findings and has at most
five pages. --screens keeps pictures of the pages. If
no Chromium is installed, the script skips itself with a message.
"""

import argparse
import http.server
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import threading

sys.dont_write_bytecode = True
import browser  # noqa: E402

MAX_SECONDS = 1.0
MAX_NODES = 5000
# Another program may use the processors while a page opens.
TRIES = 6
# What Jenkins sends for reports.
POLICY = "default-src 'none'; style-src 'unsafe-inline'"
SIZES = {"desktop": (1280, 800), "phone": (390, 844)}
FAILURES = []


def check(condition, message):
    if not condition:
        print(f"FAILED: {message}", file=sys.stderr)
        FAILURES.append(message)


def log(path, process, records):
    """Writes a log with a header and an end."""
    lines = [{"t": 0, "event": "trace", "version": 1, "process": process}, *records]
    lines.append({"t": max(record["t"] for record in records) + 1, "event": "end",
                  "records": len(lines), "lost": 0})
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def subscribe(number, lane, time, line):
    return {"t": time, "event": "subscribe", "sub": number, "lane": lane, "thread": 1,
            "source": f"Shop/Cart.swift:{line}"}


def leaking_lanes(path, count):
    """Writes a log in which each lane has one subscription that leaks."""
    records = []
    for number in range(1, count + 1):
        lane = f"lane {number}"
        records.append(subscribe(number, lane, number * 1000, number))
        records.append({"t": number * 1000 + 1, "event": "next", "sub": number, "lane": lane,
                        "value": f"value of {number}", "thread": 1})
    log(path, "lanes", records)


def short_lives(path, count):
    """Writes a log of short subscriptions in 50 lanes, of which one in 10,000 leaks."""
    records = []
    for number in range(1, count + 1):
        lane, time = f"lane {number % 50}", number * 12_000
        records.append(subscribe(number, lane, time, number % 50 + 1))
        if number % 5 == 0:
            records.append({"t": time + 1000, "event": "next", "sub": number, "lane": lane,
                            "value": f"item {number}", "thread": 1})
        if number % 10_000:
            records.append({"t": time + 1_000_000 + number * 7919 % 9_000_000, "event": "disposed",
                            "sub": number, "lane": lane, "thread": 1})
    log(path, "lives", sorted(records, key=lambda record: record["t"]))


def kept_alive(path):
    """Writes a log with a cycle, a path, and a leak that nothing is known about."""
    cycle = {"t": 30, "event": "retained", "sub": 1, "lane": "results", "kind": "cycle",
             "proof": "certain", "tail": 0, "break": 0, "owner": "bag", "steps": [
                 {"kind": "closure", "name": "self", "holds": "Screen", "way": "object",
                  "self": 1, "at": "App/Screen.swift:26"},
                 {"kind": "field", "type": "Screen", "name": "bag", "holds": "DisposeBag",
                  "way": "bag", "at": "App/Screen.swift:18"},
                 {"kind": "subscription", "name": "results", "sub": 1}]}
    chain = {"t": 31, "event": "retained", "sub": 3, "lane": "feed", "kind": "path",
             "proof": "certain", "tail": 0, "break": 1, "steps": [
                 {"kind": "global", "name": "cache", "at": "App/Cache.swift:9"},
                 {"kind": "field", "type": "Cache", "name": "feeds", "holds": "[String: Feed]",
                  "way": "collection"},
                 {"kind": "subscription", "name": "feed", "sub": 3}]}
    observed = {"observed": "App/Screen.swift:26"}
    log(path, "kept", [
        subscribe(1, "results", 1, 9) | observed,
        subscribe(2, "query", 2, 8) | observed | {"parent": 1},
        subscribe(3, "feed", 3, 7), subscribe(4, "lost", 4, 6), cycle, chain])


def one_line(path):
    """Writes a log with 2,322 leaks of 48 lines. Each is in a lane of its own."""
    records = []
    for number in range(1, 2323):
        line = number % 48 + 1
        record = subscribe(number, f"cell {line}.{number}", number * 100_000, line)
        records.append(record | {"observed": f"App/Screen.swift:{line + 100}"})
        if line % 2:
            records.append({"t": 300_000_000, "event": "retained", "sub": number,
                            "lane": record["lane"], "kind": "cycle", "proof": "certain",
                            "break": 0, "steps": [
                                {"kind": "field", "type": f"Cell{line}", "name": "bag",
                                 "holds": "DisposeBag", "way": "bag"},
                                {"kind": "subscription", "name": record["lane"], "sub": number}]})
    log(path, "cells", sorted(records, key=lambda record: record["t"]))


def close_times(path):
    """Writes a log of three seconds with times close to each other, a lane below two others, and a
    cycle with a tail."""
    start = 263_000_000
    records = [subscribe(1, "first", 1_000, 1), subscribe(2, "second", 2_000, 2),
               subscribe(3, "inner", start, 3) | {"parent": 1},
               subscribe(4, "inner", start + 105_000, 3) | {"parent": 2},
               {"t": start + 400_000, "event": "disposed", "sub": 3, "lane": "inner", "thread": 1},
               {"t": 900_000_000, "event": "failed", "sub": 4, "lane": "inner", "thread": 1},
               subscribe(5, "second", 2_900_000_000, 2),
               {"t": 2_950_000_000, "event": "disposed", "sub": 5, "lane": "second", "thread": 1},
               {"t": 3_000_000_000, "event": "retained", "sub": 1, "lane": "first", "kind": "cycle",
                "proof": "certain", "tail": 2, "break": 0, "steps": [
                    {"kind": "field", "type": "Screen", "name": "model", "holds": "Model",
                     "way": "reference"},
                    {"kind": "field", "type": "Model", "name": "screen", "holds": "Screen",
                     "way": "reference"},
                    {"kind": "field", "type": "Store", "name": "bag", "holds": "DisposeBag",
                     "way": "bag"},
                    {"kind": "subscription", "name": "first", "sub": 1}]}]
    records += [{"t": start + 106_000 + step * 7_000, "event": "next", "sub": 4, "lane": "inner",
                 "value": f"item {step}", "thread": 1} for step in range(4)]
    log(path, "times", sorted(records, key=lambda record: record["t"]))


# What the findings of this log must contain.
FACTS = [
    "error[retain-cycle]", "results", "App/Screen.swift:26", "kept alive by a cycle",
    "closure at Screen.swift:26", "captures self strongly", "Screen.bag", "Break it here",
    "Capture self weakly: [weak self].", "It is in a bag, Screen.bag", "upstream", "query",
    "error[undisposed]", "feed", "Shop/Cart.swift:7", "global cache", "Cache.feeds",
    "Dispose the subscription, or remove what holds it from global cache.", "lost", "Shop/Cart.swift:6", "Fix:",
]


class Server:
    """Sends the files of a folder with a strict content security policy."""

    def __init__(self, folder):
        class Handler(http.server.SimpleHTTPRequestHandler):
            def __init__(self, *arguments):
                super().__init__(*arguments, directory=folder)

            def end_headers(self):
                self.send_header("Content-Security-Policy", POLICY)
                super().end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


# The browser lays out blocks of text when they come into view. Until then, innerText omits them.
TEXT = "document.getElementById('findings').textContent"
NODES = "document.querySelectorAll('*').length"


def check_speed(chromium, name, page, subscriptions):
    """Checks the time until a page is drawn, and the number of its elements."""
    best = None
    for _ in range(TRIES):
        tab = chromium.tab()
        seconds = tab.open(page)
        best = seconds if best is None else min(best, seconds)
        ready, nodes = tab.run("document.body.dataset.ready"), tab.run(NODES)
        errors = tab.errors()
        tab.close()
        if best <= MAX_SECONDS:
            break
    print(f"html    {name}: {best:.2f} s, {nodes} elements")
    check(ready and int(ready) >= subscriptions, f"{name}: The script shows {ready} subscriptions.")
    check(not errors, f"{name}: The console isn't empty: {errors}")
    check(best <= MAX_SECONDS, f"{name}: The page needs {best:.2f} s to open.")
    check(nodes <= MAX_NODES, f"{name}: The page has {nodes} elements.")


def check_scrolling(tab, name):
    """Checks that rows come into the document when they come into view, and leave it again."""
    shown = "[...document.querySelectorAll('.lane-name')].map(lane => lane.textContent)"
    first = tab.run(shown)
    tab.run("document.getElementById('plot').scrollTop = 1e9")
    tab.settle()
    last = tab.run(shown)
    check("lane 1" in first and "lane 10000" not in first, f"{name}: The first lanes are {first[:3]}.")
    check("lane 10000" in last and "lane 1" not in last, f"{name}: The last lanes are {last[-3:]}.")
    check(tab.run(NODES) <= MAX_NODES, f"{name}: Scrolling leaves lanes in the document.")
    table = "document.querySelector('#sub-table .scroll')"
    tab.run(f"{table}.scrollTop = 1e9")
    tab.settle()
    rows = f"[...{table}.querySelectorAll('tbody a')].map(link => link.textContent)"
    check(tab.run(rows)[-1] == "#10000", f"{name}: The table ends with {tab.run(rows)[-1:]}.")
    check(tab.run(NODES) <= MAX_NODES, f"{name}: Scrolling leaves rows in the document.")


def check_print(tab, name):
    """Checks that paper has many lanes, and that the page is as before afterward."""
    count = "document.querySelectorAll('.lane').length"
    before = tab.run(count)
    tab.run("dispatchEvent(new Event('beforeprint'))")
    printed = tab.run(count)
    check(15 <= printed <= 30, f"{name}: {printed} lanes are printed.")
    check(tab.run("document.getElementById('plot').dataset.rest")
          == f"and {10_000 - printed:,} more lanes",
          f"{name}: The print doesn't say that it omits lanes.")
    tab.run("dispatchEvent(new Event('afterprint'))")
    tab.settle()
    check(tab.run(count) == before, f"{name}: {tab.run(count)} lanes remain after printing.")


def until(tab, condition):
    """Waits until a condition is true."""
    tab.run("new Promise(done => { const look = () => "
            f"{condition} ? done(0) : requestAnimationFrame(look); look(); }})")


def check_paper(chromium, name, address, screens):
    """Checks what is on paper, whatever the width of the window is."""
    for width in [390, 1280]:
        tab = chromium.tab(width, 800)
        tab.open(address)
        where = f"{name}, printed from {width} pixels"
        pdf = tab.pdf()
        count = len(re.findall(rb"/Type\s*/Page\b(?!s)", pdf))
        check(1 <= count <= 5, f"{where}: {count} pages")
        if screens:
            (screens / f"{name}-{width}.pdf").write_bytes(pdf)
        tab.call("Emulation.setEmulatedMedia", media="print")
        tab.call("Emulation.setDeviceMetricsOverride", width=720, height=1000, deviceScaleFactor=1,
                 mobile=False)
        tab.run("dispatchEvent(new Event('beforeprint'))")
        left = "line => Math.round(line.getBoundingClientRect().left)"
        ticks = tab.run(f"[...document.querySelectorAll('#axis .tick')].map({left})")
        lines = tab.run(f"[...document.querySelectorAll('#grid line:not(.mark)')].map({left})")
        check(len(ticks) > 1 and all(abs(a - b) <= 1 for a, b in zip(ticks, lines)),
              f"{where}: The ticks are at {ticks}, and the grid lines at {lines}.")
        # A drawing that is scaled or cut lacks bars.
        sizes = tab.run("""[...document.querySelectorAll('.lane')].map(lane => {
          const drawing = lane.querySelector('svg');
          const box = drawing.getBoundingClientRect();
          return [drawing.getScreenCTM().a, drawing.getScreenCTM().d,
            Math.round(lane.getBoundingClientRect().bottom - box.bottom), Math.round(box.right)];
        })""")
        check(sizes and all(abs(across - 1) < .01 and abs(down - 1) < .01 and rest >= 0
                            and right <= 720 for across, down, rest, right in sizes),
              f"{where}: The lanes are drawn with {sizes[:3]}.")
        order = tab.run("document.getElementById('findings').offsetTop"
                        " < document.getElementById('timeline').offsetTop")
        check(order, f"{where}: The findings don't come first.")
        tab.close()


def check_index(chromium, address):
    """Checks the rows, the filters and the cards of findings with many lanes."""
    tab = chromium.tab(1280, 1200)
    tab.open(address)
    tab.settle()
    title = "document.getElementById('findings-title').innerText"
    check(tab.run(title).endswith("48"), f"2,322 leaks of 48 lines are {tab.run(title)!r}.")
    rows = "document.querySelector('#findings-index table').getAttribute('aria-rowcount')"
    check(tab.run(rows) == "49", f"The index has {tab.run(rows)} rows.")
    first = "document.querySelector('#findings-index tbody tr').innerText"
    check("App/Screen.swift:" in tab.run(first) and "more lanes" in tab.run(first)
          and "retain-cycle" in tab.run(first), f"The first row is {tab.run(first)!r}.")
    tops = "[...document.querySelectorAll('.card')].slice(0, 2).map(card => card.offsetTop)"
    check(len(set(tab.run(tops))) == 1, "The cards don't use the width of the page.")
    check(is_visible(tab, ".card:nth-child(3) h3"), "Fewer than three findings fit a screen.")
    check(is_visible(tab, ".card .ring-view"), "A card with half of the width has no ring.")
    tab.run("[...document.querySelectorAll('.chip')].find(chip => chip.innerText.startsWith("
            "'undisposed')).click()")
    tab.settle()
    check(tab.run(title).endswith("24 of 48"), f"A filter leaves {tab.run(title)!r}.")
    cards = tab.run("[...document.querySelectorAll('.card')].filter(card => !card.hidden)"
                    ".map(card => card.querySelector('.rule').innerText)")
    check(cards == [] or set(cards) <= {"error[undisposed]"}, f"A filter leaves {set(cards)}.")
    target = tab.run("document.querySelector('.card').id")
    tab.run(f"location.hash = '#{target}'")
    tab.settle()
    check(is_visible(tab, f"#{target} h3"), "A link doesn't lead to a finding that is filtered out.")
    check(not tab.errors(), f"The console isn't empty: {tab.errors()}")
    tab.close()


def check_times(chromium, address):
    """Checks that times next to each other are told apart, and the links to times."""
    tab = chromium.tab()
    tab.open(f"{address}#sub=4")
    tab.settle()
    when = tab.run("[...document.querySelectorAll('.when')].map(node => node.textContent)")
    check(len(when) > 3 and len(set(when)) == len(when), f"The times of events are {when}.")
    began = tab.run("[...document.querySelectorAll('#sub-table tbody tr')]"
                    ".map(row => row.children[3].textContent)")
    check(len(set(began)) == len(began), f"The beginnings are {began}.")
    tab.run("location.hash = '#sub=3'")
    tab.settle()
    facts = dict(zip(*[tab.run(f"[...document.querySelectorAll('#details {tag}')]"
                               ".map(node => node.textContent)") for tag in ["dt", "dd"]]))
    check(facts["Began"] != facts["Ended"], f"A short life is {facts}.")
    tab.close()

    axis = "document.querySelector('#axis text').textContent"
    notice = "(node => node.hidden ? '' : node.innerText)(document.getElementById('link-notice'))"
    for fragment, first, words in [
            ("#from=1s&to=2s", "1.0 s", ""), ("#from=1000ms&to=2s", "1.0 s", ""),
            ("#from=1s", "1.0 s", ""), ("#from=1000000000&to=2000000000", "1.0 s", ""),
            ("#from=soon&to=2s", "0", "from=soon"), ("#from=2s&to=1s", "0", "ends before it begins"),
            ("#from=8s&to=9s", "0", "outside"), ("#finding-zzz", "0", "no finding zzz"),
            ("#lane=nobody", "0", "no lane called nobody"), ("#elsewhere", "0", "#elsewhere"),
            ("#timeline", "0", "")]:
        tab = chromium.tab()
        tab.open(address + fragment)
        tab.settle()
        check(tab.run(axis) == first, f"{fragment}: The axis begins with {tab.run(axis)}.")
        told = tab.run(notice)
        check(words in told if words else not told, f"{fragment}: The page says {told!r}.")
        check(not words or is_visible(tab, "#link-notice"), f"{fragment}: The notice isn't visible.")
        tab.close()


def check_counts(tab):
    """Checks that a lane counts once, and that the steps that leave a ring are shown."""
    link = tab.run("document.querySelector('nav [href=\"#lane-table\"]').innerText")
    title = tab.run("document.getElementById('lane-table-title').innerText")
    check(link.split() == title.split() == ["Lanes", "3"], f"The lanes are {link!r} and {title!r}.")
    tail = tab.run("document.querySelector('.card .tail')?.innerText") or ""
    for words in ["Model", "also leads to the subscription", "Store.bag", "subscription of first"]:
        check(words in tail, f"The steps that leave the ring are {tail!r}.")


def check_names(chromium, name, address):
    """Checks that screen readers have a name for each table and each figure."""
    tab = chromium.tab()
    tab.open(address)
    tab.settle()
    unnamed = tab.unnamed({"table", "grid", "figure", "region", "image", "img"})
    check(not unnamed, f"{name}: Parts have no names: {unnamed}")
    tab.close()


def check_overview(chromium, name, address):
    """Checks the strip with the whole log: what it counts, its window, and drags."""
    tab = chromium.tab()
    tab.open(address)
    tab.run("document.getElementById('overview').scrollIntoView({ block: 'center' })")
    tab.settle()
    totals = "document.getElementById('totals').innerText"
    until(tab, totals)
    whole = tab.run(totals)
    check("events (" in whole and "active at once" in whole, f"{name}: The totals are {whole!r}.")
    check("active at" in tab.run("document.getElementById('at-cursor').innerText"),
          f"{name}: The strip doesn't count live subscriptions.")
    frame = "document.querySelectorAll('#strip .frame').length"
    check(tab.run(frame) == 0, f"{name}: The whole time has a window.")
    box = tab.run("(box => [box.left, box.top, box.width, box.height])"
                  "(document.getElementById('strip').getBoundingClientRect())")
    middle = box[1] + box[3] / 2
    tab.drag((box[0] + box[2] / 4, middle), (box[0] + box[2] / 2, middle))
    until(tab, "location.hash.includes('from=')")
    check(tab.run(frame) == 1, f"{name}: A drag selects nothing.")
    until(tab, f"{totals} !== {json.dumps(whole)}")
    selected = [int(value) for value in re.findall(r"=(\d+)", tab.run("location.hash"))]
    span = tab.run("(shown => [shown.from, shown.to])"
                   "(JSON.parse(document.getElementById('data').textContent).shown)")
    length = span[1] - span[0]
    check(len(selected) == 2 and abs(selected[0] - span[0] - length / 4) < length / 50
          and abs(selected[1] - span[0] - length / 2) < length / 50,
          f"{name}: A drag selects {selected} of {span}.")
    tab.drag((box[0] + box[2] * 3 / 8, middle), (box[0] + box[2] * 5 / 8, middle))
    until(tab, f"!location.hash.includes('from={selected[0]}&')")
    moved = [int(value) for value in re.findall(r"=(\d+)", tab.run("location.hash"))]
    check(len(moved) == 2 and abs(moved[0] - selected[0] - length / 4) < length / 50,
          f"{name}: A drag of the window moves it from {selected} to {moved}.")
    check(not tab.errors(), f"The console isn't empty: {tab.errors()}")
    tab.close()


def check_search(tab, name):
    """Checks that the keyboard finds findings, lanes, values and subscriptions."""
    tab.run("scrollTo(0, 0), document.activeElement.blur()")
    tab.press("/")
    check(tab.run("document.activeElement.id") == "search", f"{name}: / doesn't lead to the search.")
    tab.type("lane 9876")
    results = tab.run("document.getElementById('results').innerText")
    check("1 finding" in results and "1 lane" in results, f"{name}: The search finds {results!r}.")
    check(tab.run("[...document.querySelectorAll('.lane-name')].map(lane => lane.textContent)")
          == ["lane 9876"], f"{name}: The search doesn't filter the lanes.")
    tab.press("ArrowDown")
    active = "document.querySelector('.option[aria-selected=\"true\"]').innerText"
    check("undisposed lane 9876" in tab.run(active), f"{name}: The first result is {tab.run(active)!r}.")
    tab.press("Enter")
    selected = tab.run("String(getSelection())")
    check(tab.run("document.activeElement.classList.contains('briefs')"),
          f"{name}: The focus stays in the search.")
    check("9876. error[undisposed]  " in selected and "  lane 9876  " in selected
          and "Cart.swift:9876" in selected and "lane 9877" not in selected, f"{name}: The finding leads to {selected!r}.")
    tab.run("document.getElementById('search').focus(), document.getElementById('search').select()")
    tab.type("value of 4321")
    tab.press("ArrowDown")
    check("value of 4321" in tab.run(active), f"{name}: A value is found as {tab.run(active)!r}.")
    tab.press("Enter")
    check(tab.run("location.hash") == "#sub=4321", f"{name}: A value leads to {tab.run('location.hash')}.")
    check(tab.run("document.querySelector('#details h2').innerText").startswith("#4321"),
          f"{name}: The details are of another subscription.")
    check(tab.run("document.activeElement.innerText").startswith("#4321"),
          f"{name}: The focus stays in the search.")


def is_visible(tab, selector):
    return tab.run(f"""(() => {{
      const node = document.querySelector({json.dumps(selector)});
      if (!node) return false;
      const box = node.getBoundingClientRect();
      return box.height > 0 && box.top >= 0 && box.bottom <= innerHeight;
    }})()""")


def check_links(chromium, page, kept):
    """Checks that an address leads to a finding, a lane, a subscription and a time range."""
    tab = chromium.tab()
    tab.open(f"{page}#lane=lane%207777")
    tab.settle()
    check(is_visible(tab, ".lane.chosen") and
          tab.run("document.querySelector('.lane.chosen .lane-name').textContent") == "lane 7777",
          "A link to a lane doesn't lead to it.")
    tab.close()

    tab = chromium.tab()
    tab.open(f"{page}#sub=5000&from=2000000&to=8000000")
    tab.settle()
    check(is_visible(tab, ".bar.selected"), "A link to a subscription doesn't lead to it.")
    names = "[...document.querySelectorAll('#axis text')].map(node => node.textContent)"
    check(tab.run(names)[0] == "2 ms", f"The axis of a time range begins with {tab.run(names)[:1]}.")
    tab.run("document.getElementById('plot').focus()")
    tab.press("ArrowRight")
    tab.run("new Promise(done => setTimeout(done, 400)).then(() => 0)")
    check(tab.run("location.hash").startswith("#sub=5000&from=29"),
          f"After a move in time, the address is {tab.run('location.hash')}.")
    tab.close()

    tab = chromium.tab()
    tab.open(kept)
    identifier = tab.run("document.querySelectorAll('.card')[2].id")
    tab.close()
    for width, height in SIZES.values():
        tab = chromium.tab(width, height)
        tab.open(f"{kept}#{identifier}")
        tab.settle()
        check(is_visible(tab, f"#{identifier} h3") and
              tab.run("document.activeElement.id") == identifier,
              "A link to a finding doesn't lead to it.")
        check(not tab.errors(), f"The console isn't empty: {tab.errors()}")
        tab.close()


def check_density(tab):
    """Checks that a lane with too many subscriptions is drawn over the whole time."""
    paths = tab.run("[...document.querySelectorAll('.strip')].map(node => node.getAttribute('d'))")
    check(paths, "The lanes of very many subscriptions don't show how many are alive.")
    for path in paths:
        heights = [float(step.split("h")[0]) for step in path.split("V")[1:-1]]
        floor = max(heights)
        # All of these lives begin before 99 % of the time.
        inner = heights[len(heights) // 50:len(heights) * 95 // 100]
        check(max(inner) < floor, "A lane ends in the middle.")
        check(max(inner) - min(inner) < 30, "The number of live subscriptions isn't even.")
    words = tab.run("document.getElementById('legend').innerText")
    check("live subscriptions" in words and "disposed" in words, f"The legend is {words!r}.")
    check("of 100,000 subscriptions have bars" in tab.run("document.getElementById('hint').innerText"),
          "The page doesn't say how many subscriptions have bars.")


def check_findings(chromium, name, address, size, scripts, facts):
    """Checks that the findings are complete, and that the first one is on the first screen."""
    tab = chromium.tab(*size, scripts=scripts)
    tab.open(address)
    text = tab.run(TEXT)
    for fact in facts:
        check(fact in text, f"{name}: The findings don't contain {fact!r}.")
    check(tab.run("document.body.dataset.ready") is None, f"{name}: The script ran.")
    check(tab.run("document.getElementById('no-script').offsetHeight") > 0,
          f"{name}: The page doesn't say that its script is missing.")
    visible = tab.run("document.querySelector('.card').innerText")
    check("error[" in visible and "Cart.swift" in visible, f"{name}: The first card is {visible!r}.")
    style = tab.run("getComputedStyle(document.querySelector('.card')).borderLeftWidth")
    check(style == "4px", f"{name}: The page has no style.")
    tab.close()


def check_first_screen(chromium, name, address, screens):
    for size_name, size in SIZES.items():
        for dark in [False, True]:
            tab = chromium.tab(*size, dark=dark)
            tab.open(address)
            tab.settle()
            where = f"{name}, {size_name}, {'dark' if dark else 'light'}"
            for selector in [".verdict", ".card h3", ".card .place"]:
                check(is_visible(tab, selector), f"{where}: {selector} isn't on the first screen.")
            wide = tab.run("document.documentElement.scrollWidth")
            check(wide <= size[0], f"{where}: The page is {wide} pixels wide.")
            order = tab.run("document.getElementById('findings').offsetTop"
                            " < document.getElementById('timeline').offsetTop")
            check(order, f"{where}: The findings aren't above the timeline.")
            shade = tab.run("getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0]")
            check((int(shade) < 100) == dark, f"{where}: The background is {shade}.")
            if screens:
                mode = "dark" if dark else "light"
                tab.screenshot(screens / f"{name}-{size_name}-{mode}.png")
                tab.run("document.getElementById('timeline').scrollIntoView()")
                tab.settle()
                tab.screenshot(screens / f"{name}-timeline-{size_name}-{mode}.png")
            tab.close()


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("viewer")
    arguments.add_argument("--screens", type=pathlib.Path)
    options = arguments.parse_args()
    program = browser.installed()
    if not program:
        print("html    skipped: Chromium is not installed")
        return
    if options.screens:
        options.screens.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        leaking_lanes(folder / "lanes.jsonl", 10_000)
        short_lives(folder / "lives.jsonl", 100_000)
        kept_alive(folder / "kept.jsonl")
        one_line(folder / "cells.jsonl")
        close_times(folder / "times.jsonl")
        pages = {}
        for name in ["lanes", "lives", "kept", "cells", "times"]:
            page = folder / f"{name}.html"
            subprocess.run([options.viewer, "report", "--format", "html", "--output", page,
                            folder / f"{name}.jsonl"], check=True, timeout=300)
            pages[name] = page.as_uri()
        server = Server(str(folder))
        try:
            with browser.Browser(program) as chromium:
                check_speed(chromium, "lanes", pages["lanes"], 10_000)
                check_speed(chromium, "lives", pages["lives"], 19_000)
                tab = chromium.tab()
                tab.open(pages["lanes"])
                check_print(tab, "lanes")
                check_scrolling(tab, "lanes")
                check_search(tab, "lanes")
                check(not tab.errors(), f"The console isn't empty: {tab.errors()}")
                tab.close()
                tab = chromium.tab()
                tab.open(pages["lives"])
                check_density(tab)
                tab.close()
                check_links(chromium, pages["lanes"], pages["kept"])
                check_index(chromium, pages["cells"])
                check_times(chromium, pages["times"])
                tab = chromium.tab()
                tab.open(pages["times"])
                tab.settle()
                check_counts(tab)
                tab.close()
                for name in pages:
                    check_paper(chromium, name, pages[name], options.screens)
                for name in ["kept", "cells", "times"]:
                    check_names(chromium, name, pages[name])
                for name in ["lives", "times"]:
                    check_overview(chromium, name, pages[name])
                all_lanes = [f"lane {number}" for number in range(1, 10_001)]
                all_places = [f"Shop/Cart.swift:{number}" for number in range(1, 10_001)]
                for size_name, size in SIZES.items():
                    for name, facts in [("kept", FACTS), ("lanes", all_lanes + all_places)]:
                        check_findings(chromium, f"{name} without scripts, {size_name}", pages[name],
                                       size, False, facts)
                        check_findings(chromium, f"{name} with a policy, {size_name}",
                                       f"{server.address}/{name}.html", size, True, facts)
                for name in pages:
                    check_first_screen(chromium, name, pages[name], options.screens)
        finally:
            server.close()
    if FAILURES:
        sys.exit(1)
    print("html    pages are complete without scripts, and large ones open quickly")


if __name__ == "__main__":
    main()
