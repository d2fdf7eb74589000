#!/usr/bin/env python3
"""Measures how long trace-viewer takes to show a log and to answer a key.

  respond.py VIEWER LOG [--keys KEYS] [--typed TEXTS] [--query QUERY] [--notes N]
             [--rearranging KEYS] [--rounds N] [--idle SECONDS]

README.md says what the script prints.
"""

import argparse
import fcntl
import json
import os
import pathlib
import pty
import select
import statistics
import struct
import sys
import tempfile
import termios
import time

END = b"\x1b[?2026l"  # Every picture ends with this sequence.
COLUMNS, ROWS = 250, 60
NAMES = {" ": "space", "\r": "enter", "\t": "tab"}


class Session:
    def __init__(self, arguments):
        self.start = time.monotonic()
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ["TERM"] = "xterm-256color"
            os.environ["LANG"] = "C.UTF-8"
            # The viewer asks for the size when it starts.
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
            os.execv(arguments[0], arguments)
        self.highest = 0

    def read(self, limit):
        """Returns the bytes that arrive within a time limit, or no bytes."""
        ready, _, _ = select.select([self.fd], [], [], limit)
        try:
            return os.read(self.fd, 1 << 20) if ready else b""
        except OSError:  # The program has ended.
            return b""

    def picture(self, limit=60.0):
        """Waits for the end of a picture.

        Returns its bytes and the time, or None as the time if it did not come.
        """
        data = b""
        end = time.monotonic() + limit
        while END not in data:
            piece = self.read(max(0.0, end - time.monotonic()))
            if not piece:
                return data, None
            data += piece
        return data, time.monotonic()

    def settle(self, quiet=0.3):
        """Waits until the viewer draws nothing. Returns the time of the last bytes."""
        last = None
        while True:
            piece = self.read(quiet)
            if not piece:
                return last
            last = time.monotonic()

    def answer(self, key, limit=5.0):
        """Sends a key.

        Returns the milliseconds until its picture is complete, or None if it changes nothing.
        """
        before = self.waits()
        sent = time.monotonic()
        os.write(self.fd, key.encode())
        data = b""
        while END not in data and time.monotonic() < sent + limit:
            data += self.read(0.005)
            # A thread that waits again, and has written nothing, has nothing to draw.
            if not data and self.waits() > before and not self.read(0.005):
                return None
        return (time.monotonic() - sent) * 1000

    def rearranged(self, key):
        """Sends a key.

        Returns the milliseconds until the last picture before the viewer is idle, or None if the
        key changes nothing.
        """
        sent = time.monotonic()
        os.write(self.fd, key.encode())
        last = self.settle(0.25)
        if last is None:
            return None
        return (self.rest(since=last) - sent) * 1000

    def waits(self):
        """Returns how often the thread that draws has waited."""
        for line in open(f"/proc/{self.pid}/task/{self.pid}/status"):
            if line.startswith("voluntary_ctxt_switches"):
                return int(line.split()[1])
        return 0

    def rest(self, since=None):
        """Waits until the viewer computes nothing.

        Returns the time of the last picture, which is `since` if there is no other.
        """
        last = since or time.monotonic()
        while True:
            before = self.cpu()
            last = self.settle(0.25) or last
            self.memory()
            if self.cpu() - before < 0.02:
                return last

    def memory(self):
        for line in open(f"/proc/{self.pid}/status"):
            if line.startswith("RssAnon"):
                now = int(line.split()[1]) / 1024
                self.highest = max(self.highest, now)
                return now
        return 0

    def cpu(self):
        fields = open(f"/proc/{self.pid}/stat").read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("viewer")
    parser.add_argument("log")
    parser.add_argument("--keys", default="wwwwww..jjkk,,ssss+++f2.j3j1z z4!5bwad-uU")
    parser.add_argument(
        "--typed", default=":checkout /élan",
        help="texts that are typed into the prompts that their first keys open (%(default)s)")
    parser.add_argument("--query", default="", help="a query that is the filter meanwhile")
    parser.add_argument(
        "--notes", type=int, default=0, help="open the log with a saved view of so many notes")
    parser.add_argument(
        "--rearranging", default="bbbbbbbSSSSSLL",
        help="keys that rearrange all rows (%(default)s)")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--idle", type=float, default=10)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="respond-") as folder:
        log = options.log
        arguments = ["--no-config"]
        if options.notes:
            log = with_notes(log, options.notes, folder)
        else:
            arguments.append("--no-view-file")
        measure(Session([options.viewer, *arguments, log]), options)


def with_notes(log, count, folder):
    """Returns a link to the log, next to which a saved view has many notes."""
    link = pathlib.Path(folder, "log.jsonl")
    link.symlink_to(pathlib.Path(log).resolve())
    with link.open("rb") as file:
        trace = json.loads(file.readline())["trace"]
        file.seek(-4096, os.SEEK_END)
        last = json.loads(file.read().splitlines()[-1])["t"]
    view = {
        "kind": "trace-viewer-view", "version": 1, "trace": trace,
        "notes": [
            {"time": last * number // count, "text": f"note {number}"} for number in range(count)]}
    pathlib.Path(f"{link}.view.json").write_text(json.dumps(view), encoding="utf-8")
    return str(link)


def measure(session, options):
    _, first = session.picture()
    print(f"first picture      {(first - session.start) * 1000:8.1f} ms")
    last = session.rest()
    print(f"all read and shown {(last - session.start) * 1000:8.1f} ms")
    if options.query:
        os.write(session.fd, f"&{options.query}\r".encode())
        print(f"filtered           {(session.rest() - last) * 1000:8.1f} ms")
    answers = {}
    keys = options.keys.replace(" ", "")
    for _ in range(options.rounds):
        for key in keys:
            duration = session.answer(key)
            if duration is not None:
                answers.setdefault(key, []).append(duration)
            session.memory()
            session.settle(0.02)
        for text in options.typed.split():
            for key in text:
                duration = session.answer(key)
                if duration is not None:
                    answers.setdefault(f"in {text[0]}", []).append(duration)
                session.settle(0.02)
            session.answer("\x1b")
            session.settle(0.3)
    for key, times in answers.items():
        name = NAMES.get(key, key)
        print(
            f"key {name:6} median {statistics.median(times):7.2f} ms   worst {max(times):7.2f} ms"
        )
    every = sorted(time for times in answers.values() for time in times)
    high = every[(len(every) * 99 + 99) // 100 - 1]
    print(
        f"all keys   median {statistics.median(every):7.2f} ms   99 % {high:7.2f} ms   worst "
        f"{max(every):7.2f} ms"
    )
    # S sorts the columns of pane 5 if that has the focus.
    session.answer("1")
    session.rest()
    arrangements = {}
    for key in options.rearranging.replace(" ", "") * 2:
        duration = session.rearranged(key)
        if duration is not None:
            arrangements.setdefault(key, []).append(duration)
    for key, times in arrangements.items():
        print(
            f"all rows after {NAMES.get(key, key):3}   median {statistics.median(times):7.1f} ms   "
            f"worst {max(times):7.1f} ms"
        )
    # The viewer gives memory back within three seconds.
    time.sleep(3)
    print(f"private memory {session.memory():.0f} MB, at its highest {session.highest:.0f} MB")
    session.rest()
    before = session.cpu()
    time.sleep(options.idle)
    print(f"processor time of {options.idle:.0f} idle seconds: {session.cpu() - before:.2f} s")
    os.write(session.fd, b"\x03")
    session.settle()
    _, status = os.waitpid(session.pid, 0)
    print(f"exit {os.waitstatus_to_exitcode(status)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
