#!/usr/bin/env python3
"""Checks the sample OrderServer, and compares its outputs with its page.

    Tests/Scripts/order-server.py BIN_FOLDER

BIN_FOLDER has the programs `order-server` and `trace-viewer` of a debug build, because an optimized
build has other lines. The script does what Samples/OrderServer/README.md does. The numbers of
processes and tasks in the page may differ. The script exits with 1 if anything else does.
"""

import contextlib
import os
import pathlib
import re
import socket
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "Samples" / "OrderServer"
ORDERS = "order tea 2 4001\norder cocoa 1 4000\n"
# Far above what is needed on two cores.
SECONDS = 60
CLIENTS = 3

failures = []


def expect(condition, sentence):
    if not condition:
        failures.append(sentence)


def run(*command, requests=""):
    done = subprocess.run(
        command, cwd=ROOT, input=requests, capture_output=True, text=True, errors="replace",
        timeout=SECONDS, check=False)
    return done.returncode, done.stdout, done.stderr


def without_numbers(text):
    """Returns the text without numbers of processes and tasks."""
    return re.sub(r"(task #|PROCESS )\d+", r"\1N", text)


def in_page(text, title):
    """Expects that the lines of a text are a block of the page."""
    blocks = re.findall(r"^```\w*\n(.*?)^```$", (SAMPLE / "README.md").read_text(), re.M | re.S)
    wanted = without_numbers(text.strip("\n") + "\n")
    expect(
        wanted in [without_numbers(block) for block in blocks],
        f"The page doesn't have {title}:\n{text}")


class Server:
    """A server with a port, whose standard input stays open."""

    def __init__(self, program, *options):
        self.process = subprocess.Popen(
            [program, "--port", "0", *options], cwd=ROOT, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline().rpartition(":")[2])

    @contextlib.contextmanager
    def client(self):
        with socket.create_connection(("127.0.0.1", self.port), SECONDS) as connection, \
                connection.makefile("rw") as stream:
            def ask(request):
                stream.write(request + "\n")
                stream.flush()
                return stream.readline().rstrip("\n")
            yield ask

    def tasks(self):
        """Returns the tasks that the server prints."""
        self.process.stdin.write("tasks\norder tea 1 4001\n")
        self.process.stdin.flush()
        lines = []
        while not (line := self.process.stdout.readline()).startswith("order "):
            if not line:
                return ["nothing"]
            lines.append(line)
        return "".join(lines)

    def tasks_when(self, condition):
        """Returns the tasks as soon as they meet a condition, or the last ones."""
        for _ in range(100):
            tasks = self.tasks()
            if condition(tasks):
                break
        return tasks

    def end(self):
        """Ends standard input. Returns the exit code, or None if the server doesn't end."""
        self.process.stdin.close()
        try:
            return self.process.wait(5)
        except subprocess.TimeoutExpired:
            return None
        finally:
            self.process.kill()
            self.process.wait()
            self.process.stdout.close()


def check_standard_input(program):
    code, output, errors = run(program, requests=ORDERS)
    expect((code, errors) == (0, ""), f"The orders exit with {code}: {errors}")
    in_page("".join(sorted(output.splitlines(True))), "the answers to the orders")
    bad = ["buy", "order", "order tea 0 4001", "order tea 1 x", "watch", "\0", "t" * 2000]
    for requests in bad:
        code, output, errors = run(program, requests=f"{requests}\norder tea 1 4001\n")
        expect(
            code == 65 and re.fullmatch(r"Error: .*\.\n", errors)
            and output == "order 1: 1 tea for 299 cents\n",
            f"'{requests[:20]}' exits with {code}: {output}{errors}")
    code, output, errors = run(program, requests="order milk 1 4001\nwatch milk\n")
    expect(code == 0 and output.count("isn't for sale") == 2, f"There is milk: {output}{errors}")
    code, output, errors = run(program)
    expect((code, output, errors) == (0, "", ""), f"Nothing exits with {code}: {output}{errors}")


def check_options(program):
    code, output, _ = run(program, "--help")
    expect(code == 0 and output.startswith("Usage: order-server"), f"--help exits with {code}.")
    for words in [["--port"], ["--port", "x"], ["--port", "65536"], ["--mistake"], ["orders"]]:
        code, output, errors = run(program, *words)
        expect(
            code == 64 and output == "" and re.match(r"Error: .*\.\n", errors),
            f"'{' '.join(words)}' exits with {code}: {errors}")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        code, output, errors = run(program, "--port", str(taken.getsockname()[1]))
    expect(
        code == 69 and re.fullmatch(r"Error: .*\.\n", errors),
        f"A port in use exits with {code}: {errors}")


def check_lost_order(program, viewer):
    code, output, errors = run(
        viewer, "run", "--no-config", "--timeout=3s", "--", program, "--mistakes", requests=ORDERS)
    expect(code == 124 and output == "order 1: 2 tea for 598 cents\n", f"{code}: {output}")
    report = errors.partition("Command: ")[0].replace(program, ".build/debug/order-server")
    in_page(report.replace("for 3 s", "for 5 s"), "the report of the lost order")


def check_hanging_client(program, viewer):
    server = Server(program, "--mistakes")
    with server.client() as ask:
        expect(ask("buy").startswith("Error: "), "A client isn't told about a wrong request.")
        expect(ask("order tea 1 4001") == "order 1: 1 tea for 299 cents", "The order failed.")
        ask("order cocoa 1 4000\nwatch tea")
        server.tasks_when(lambda tasks: "Bank.charge" in tasks)
        code, output, errors = run(viewer, "tasks", str(server.process.pid))
    expect(code == 0, f"trace-viewer tasks exits with {code}: {errors}")
    in_page(output.partition("TASKS")[0].partition("\n\n")[2], "the cause of the lost order")
    task = re.search(r"^  task #\d+ 'order 2.*\n(      .*\n)*", output, re.M)
    in_page(task[0].replace("order 2", "order 1") if task else output, "the task of the lost order")
    expect(server.end() is None, "The server ends without the lost order.")


def check_watches(program, mistakes):
    server = Server(program, *(["--mistakes"] if mistakes else []))
    for _ in range(CLIENTS):
        with server.client() as ask:
            expect(ask("watch tea").startswith("tea: "), "A price isn't printed.")
    if mistakes:
        gone = 2 + CLIENTS
        tasks = server.tasks_when(lambda tasks: tasks.startswith(f"{gone} tasks"))
        in_page(tasks, "the tasks of clients that are gone")
    else:
        tasks = server.tasks_when(lambda tasks: tasks.startswith("2 tasks"))
        expect("prices of" not in tasks, f"A price is watched for a client that is gone:\n{tasks}")
    code = server.end()
    expect(code == 0, f"The server exits with {code}.")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    # Relative to ROOT, because a long path would fold the first line of a report.
    folder = os.path.relpath(sys.argv[1], ROOT)
    program, viewer = os.path.join(folder, "order-server"), os.path.join(folder, "trace-viewer")
    check_standard_input(program)
    check_options(program)
    check_lost_order(program, viewer)
    check_hanging_client(program, viewer)
    check_watches(program, mistakes=True)
    check_watches(program, mistakes=False)
    for sentence in failures:
        print(f"FAILED: {sentence}", file=sys.stderr)
    if failures:
        sys.exit(1)
    print("The order server makes mistakes only if it should, and the reports name their lines.")


main()
