#!/usr/bin/env python3
"""Sends requests to the price server and prints how much memory it has before and after.

    Samples/Server/load.py --port 8080 --pid PID

Each client in turn asks for a quote, reads a few prices of a stream, and waits a moment for an
alert that does not come. Then it goes away, as browsers do: it closes the connection. Only
127.0.0.1 is asked. No more requests are sent than --requests, and none after --seconds.
"""

import argparse
import http.client
import itertools
import json
import pathlib
import subprocess
import sys
import threading
import time

SYMBOLS = ["ACME", "BOLT", "CORE"]
EVENTS = 3
# No price reaches this limit.
LIMIT = 10**9
TIMEOUT = 10


def number(minimum, maximum):
    """Returns a function that reads a number from minimum to maximum."""
    def read(text):
        value = float(text) if isinstance(maximum, float) else int(text)
        if not minimum <= value <= maximum:
            raise argparse.ArgumentTypeError(f"{text} is not from {minimum} to {maximum}")
        return value
    return read


def memory(pid):
    """Returns the resident memory of a process in MB, or None if it is unknown."""
    status = pathlib.Path(f"/proc/{pid}/status")
    if status.exists():
        lines = [line for line in status.read_text().splitlines() if line.startswith("VmRSS:")]
        return int(lines[0].split()[1]) / 1024 if lines else None
    answer = subprocess.run(
        ["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, timeout=TIMEOUT)
    return int(answer.stdout) / 1024 if answer.stdout.strip() else None


def connect(port):
    return http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT)


def get(connection, path):
    connection.request("GET", path)
    answer = connection.getresponse()
    if answer.status != 200:
        raise OSError(f"{path} answers {answer.status}")
    return answer


def quote(port, symbol):
    connection = connect(port)
    try:
        price = json.loads(get(connection, f"/quote/{symbol}").read())
        if price["symbol"] != symbol:
            raise OSError(f"the quote of {symbol} is {price}")
    finally:
        connection.close()


def prices(port, symbol):
    connection = connect(port)
    try:
        answer = get(connection, f"/prices/{symbol}")
        ticks = []
        while len(ticks) < EVENTS:
            line = answer.readline()
            if not line:
                raise OSError(f"the prices of {symbol} end")
            if line.startswith(b"data: "):
                ticks.append(json.loads(line[len(b"data: "):])["tick"])
        if ticks != sorted(set(ticks)):
            raise OSError(f"the prices of {symbol} come in the order {ticks}")
    finally:
        connection.close()


def alerts(port, symbol):
    connection = connect(port)
    try:
        get(connection, f"/alerts/{symbol}?above={LIMIT}")
    finally:
        connection.close()


REQUESTS = [quote, prices, alerts]


class Load:
    """The requests that are not sent yet, and the results of the others."""

    def __init__(self, port, requests, seconds):
        self.port = port
        self.jobs = itertools.islice(
            itertools.cycle(itertools.product(SYMBOLS, REQUESTS)), requests)
        self.end = time.monotonic() + seconds
        self.lock = threading.Lock()
        self.sent = {request.__name__: 0 for request in REQUESTS}
        self.errors = []

    def next(self):
        with self.lock:
            return next(self.jobs, None) if time.monotonic() < self.end else None

    def run(self):
        while job := self.next():
            symbol, request = job
            try:
                request(self.port, symbol)
            except (OSError, ValueError, http.client.HTTPException) as error:
                with self.lock:
                    self.errors.append(f"{request.__name__}: {error!r}")
            else:
                with self.lock:
                    self.sent[request.__name__] += 1


def health(port):
    """Returns the health report of the server."""
    connection = connect(port)
    try:
        return json.loads(get(connection, "/health").read())
    finally:
        connection.close()


def report(when, arguments):
    size = memory(arguments.pid) if arguments.pid else None
    sessions = health(arguments.port)["alertSessions"]
    print(
        f"{when:<24} {'' if size is None else f'{size:6.1f} MB, '}{sessions} alert sessions",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=number(1, 65_535), default=8080)
    parser.add_argument("--pid", type=number(1, 2**31), help="the process whose memory is printed")
    parser.add_argument("--clients", type=number(1, 200), default=50, help="at once (default: 50)")
    parser.add_argument(
        "--requests", type=number(1, 100_000), default=500, help="in all (default: 500)"
    )
    parser.add_argument(
        "--seconds", type=number(1.0, 600.0), default=60.0, help="at most (default: 60)"
    )
    parser.add_argument(
        "--rest", type=number(0.0, 60.0), default=3.0,
        help="seconds without a client, before memory is printed once more (default: 3)")
    arguments = parser.parse_args()

    report("before", arguments)
    load = Load(arguments.port, arguments.requests, arguments.seconds)
    threads = [threading.Thread(target=load.run) for _ in range(arguments.clients)]
    start = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    counts = ", ".join(f"{count} {name}" for name, count in load.sent.items())
    print(f"{counts} in {time.monotonic() - start:.1f} s")
    report("after", arguments)
    if arguments.rest:
        time.sleep(arguments.rest)
        report(f"{arguments.rest:g} s later, no client", arguments)
    for error in load.errors[:10]:
        print(error, file=sys.stderr)
    sent = sum(load.sent.values())
    if load.errors or sent < arguments.requests:
        sys.exit(
            f"{len(load.errors)} requests failed, and "
            f"{arguments.requests - sent - len(load.errors)} were not sent."
        )


if __name__ == "__main__":
    try:
        main()
    except (OSError, http.client.HTTPException) as error:
        sys.exit(f"The server does not answer: {error}")
