"""Writes a log that trace-viewer reads, without any other library.

    log = Log("run.jsonl", process="shop")
    order = log.subscribe("orders", type="Order")  # or source, parent, cause, scope
    order.next("3 books")
    order.end()
    log.end()

A subscription that never ends is a leak, which `trace-viewer check run.jsonl` finds.
"""

import json
import os
import secrets
import threading
import time
from datetime import datetime, timezone

KEYS = dict.fromkeys(("lane", "value", "error", "op", "source", "type", "name"), "-")
KEYS |= dict.fromkeys(("sub", "thread", "parent", "cause", "scope", "outer", "records"), 0)


class Log:
    def __init__(self, path, process="-"):
        self.file = open(path, "w", encoding="utf-8")
        self.lock = threading.Lock()
        self.start, now = time.monotonic_ns(), time.time_ns()
        self.records = self.subscriptions = self.scopes = 0
        self.threads = {}
        date = datetime.fromtimestamp(now // 10**9, timezone.utc).strftime("%Y-%m-%dT%H:%M:%S")
        header = {"version": 1, "minor": 5, "trace": secrets.token_hex(16), "process": process,
                  "pid": os.getpid(), "host": os.uname().nodename, "segment": 1,
                  "started": f"{date}.{now % 10**9:09}Z", "recorder": "tracewriter.py"}
        self.write("trace", 0, header | KEYS)

    def now(self):
        return time.monotonic_ns() - self.start

    def write(self, event, at, keys):
        """Writes a line. The caller has the lock, and a key without a value is left out."""
        keys = {key: value for key, value in keys.items() if value not in (None, "")}
        self.file.write(json.dumps({"t": at, "event": event} | keys, ensure_ascii=False) + "\n")
        self.file.flush()
        self.records += 1

    def thread(self):
        """Returns the number of this thread, and names it first. The main thread is 1."""
        known = self.threads.get(threading.get_ident())
        if known is None:
            is_main = threading.current_thread() is threading.main_thread()
            known = 1 if is_main else 2 + len(self.threads)
            self.threads[threading.get_ident()] = known
            name = threading.current_thread().name
            self.write("thread", self.now(), {"thread": known, "name": "main" if is_main else name})
        return known

    def subscribe(self, lane, **details):
        return Subscription(self, lane, details)

    def begin_scope(self, name, outer=None):
        with self.lock:
            self.scopes += 1
            keys = {"scope": self.scopes, "outer": outer, "name": name}
            self.write("scope-begin", self.now(), keys)
            return self.scopes

    def end_scope(self, scope):
        with self.lock:
            self.write("scope-end", self.now(), {"scope": scope})

    def end(self):
        with self.lock:
            self.write("end", self.now(), {"records": self.records, "lost": 0})
            self.file.close()


class Subscription:
    def __init__(self, log, lane, details):
        self.log, self.lane, self.ended = log, lane, False
        with log.lock:
            first = {"lane": lane, "thread": log.thread(), "op": "lane", "type": "-"}
            log.subscriptions += 1
            self.id = log.subscriptions
            details = {key: getattr(value, "id", value) for key, value in details.items()}
            log.write("subscribe", log.now(), {"sub": self.id} | first | details)

    def record(self, event, **keys):
        with self.log.lock:
            if self.ended:
                return
            self.ended = event != "next"
            keys = {"sub": self.id, "lane": self.lane} | keys | {"thread": self.log.thread()}
            self.log.write(event, self.log.now(), keys)

    def next(self, value):
        self.record("next", value=str(value))

    def end(self, event="completed", error=None):
        """Ends the subscription: completed, failed, disposed or released."""
        self.record(event, error=error and str(error))
