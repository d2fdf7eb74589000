#!/usr/bin/env python3
"""Checks SKILL.md: its commands run, and following it fixes the leaks of Samples/LeakyScreens.

    skill.py BIN_FOLDER

BIN_FOLDER is that of a debug build, with `leaky-screens` and `trace-viewer`. The script works in a
copy of the sample. It runs every command of the file, with a program in place of `swift test`, and
compares the exit codes with those in the file. It knows about the leaks only what the commands
print: it asks for each finding, edits the line that the finding names as the table of the file
says, compiles the copy, and checks that each finding is gone. Each output may have at most 1,500
tokens. The script exits with 1 if something differs from the expectations.
"""

import json
import math
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

import debug_build

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
SKILL = os.path.join(ROOT, "SKILL.md")
SAMPLE = os.path.join("Samples", "LeakyScreens")
SECONDS = 60
MAX_TOKENS = 1500
# Texts of programs have more bytes in a token.
BYTES_PER_TOKEN = 3.5
MAX_ROUNDS = 4

HANG = """\
actor Store {
  func load() async -> Int {
    await withCheckedContinuation { (_: CheckedContinuation<Int, Never>) in }
  }
}

@main
struct Hang {
  static func main() async { print(await Store().load()) }
}
"""
HANG_LINE = 3

failures = []


def expect(condition, sentence):
    if not condition:
        failures.append(sentence)


# The file ------------------------------------------------------------------------------------------


class Skill:
    """What the file says."""

    def __init__(self, text):
        self.front = re.match(r"---\nname: ([a-z0-9-]+)\ndescription: >-\n((?:  .*\n)+)---\n", text)
        # The commands by the heading of their section, each with its exit code.
        self.commands = {}
        for heading, body in re.findall(r"^## ([^\n]*)\n(.*?)(?=^## |\Z)", text, re.M | re.S):
            blocks = re.findall(r"^```sh\n(.*?)^```$", body, re.M | re.S)
            self.commands[heading] = [
                self.command(line) for block in blocks for line in block.splitlines()
            ]
        # The values of `fix`, as patterns.
        rows = re.findall(r"^\| ([^|`]+\.) +\| .* \|$", text, re.M) + re.findall(
            r"^\| (\w[^|`]+ \.\.\.) \| .* \|$", text, re.M
        )
        self.fixes = [
            re.escape(row).replace(r"\.\.\.", ".*").replace(r"\ X", r"\ .+") for row in rows
        ]

    @staticmethod
    def command(line):
        found = re.fullmatch(r"(trace-viewer .*?)  # exits with (\d+)", line)
        if not found:
            sys.exit(f"FAILED: The command has no exit code: {line}")
        return found[1], int(found[2])

    def section(self, number):
        return next(
            commands
            for heading, commands in self.commands.items()
            if heading.startswith(f"{number}. ")
        )


# Commands ------------------------------------------------------------------------------------------


class Shell:
    """Runs the commands of the file in a folder, with a program in place of `swift test`."""

    def __init__(self, folder, viewer):
        self.folder, self.most = folder, 0
        self.programs = os.path.join(folder, "bin")
        os.mkdir(self.programs)
        os.symlink(os.path.abspath(viewer), os.path.join(self.programs, "trace-viewer"))

    def test(self, *command):
        """Sets the command that `swift test` stands for."""
        path = os.path.join(self.programs, "swift")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\nexec {shlex.join(command)}\n")
        os.chmod(path, 0o755)

    def run(self, command, code, replacing=()):
        """Runs a command that must exit with a code. Returns its output."""
        for old, new in replacing:
            command = command.replace(old, new)
        environment = {
            key: value for key, value in os.environ.items() if not key.startswith("REACTIVE_TRACE")
        }
        environment["PATH"] = f"{self.programs}:{environment['PATH']}"
        # A busy machine may need more time to search than a program takes by default.
        environment["REACTIVE_TRACE_EXPLAIN"] = "30"
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c", command], cwd=self.folder, env=environment,
            capture_output=True, text=True, timeout=SECONDS,
        )
        tokens = math.ceil(len((done.stdout + done.stderr).encode()) / BYTES_PER_TOKEN)
        self.most = max(self.most, tokens)
        expect(tokens <= MAX_TOKENS, f"'{command}' prints {tokens} tokens.")
        expect(
            done.returncode == code,
            f"'{command}' exits with {done.returncode}, not with {code}:\n{done.stdout[:500]}"
            f"{done.stderr[:500]}",
        )
        return done.stdout


# Edits ---------------------------------------------------------------------------------------------


class Source:
    """A file with several ways to follow the advice about one of its lines."""

    def __init__(self, path, finding):
        self.path, self.fix, self.edit = path, finding["fix"], finding["edit"]
        self.finding = finding
        with open(path, encoding="utf-8") as file:
            self.lines = file.read().split("\n")
        self.candidates = ["\n".join(lines) for lines in self.ways()]

    def ways(self):
        """Returns the lines after each edit that the table of the file allows, in its order."""
        index = self.edit["line"] - 1
        line = self.lines[index]
        if self.fix.startswith("Capture self weakly"):
            return self.capture(index, self.edit.get("column", 1) - 1)
        if self.fix.startswith("Pass a closure with [weak self]"):
            called = re.sub(
                r"\((\w+)\)", r' { [weak self] in self?.\1($0) ?? "" }', line, count=1
            )
            return [self.changed({index: called})]
        if self.fix.startswith("Use sink"):
            sunk = re.sub(
                r"assign\(to: \\\.(\w+), on: self\)", r"sink { [weak self] in self?.\1 = $0 }", line
            )
            return [self.changed({index: sunk})]
        if self.fix.startswith("Keep the disposable"):
            return [self.changed(self.keep(index))]
        if self.fix.startswith("Dispose the subscription, or remove"):
            holder = self.fix.rpartition(" static ")[2].rstrip(".")
            return [self.changed(self.release(index, holder))]
        if self.fix.startswith("Cancel the Task"):
            return [self.changed(self.cancel(index))]
        return []

    def changed(self, lines):
        return [lines.get(index, line) for index, line in enumerate(self.lines)]

    def capture(self, index, column):
        """Captures self weakly in the innermost closure at a column, or only what it uses."""
        line, opened = self.lines[index], []
        for position, character in enumerate(line[:column]):
            if character == "{":
                opened.append(position)
            elif character == "}" and opened:
                opened.pop()
        if not opened:
            return []
        head, closure = line[: opened[-1] + 1], line[opened[-1] + 1 :]
        # The closure may have no parameters.
        names = "" if re.match(r"[\s\w,]*\bin\b", closure) else " in"
        weak = closure.replace("self.", "self?.")
        used = list(dict.fromkeys(re.findall(r"\bself\.(\w+)", closure)))
        parts = re.sub(r"\bself\.(\w+)", r"\1", closure)
        captures = ", ".join(f"{name} = self.{name}" for name in used)
        return [
            self.changed({index: f"{head} [weak self]{names}{weak}"}),
            self.changed({index: f"{head} [{captures}]{names}{parts}"}),
        ]

    def class_line(self, index):
        return max(
            number for number in range(index) if re.match(r".*\bclass \w+.*\{$", self.lines[number])
        )

    def class_end(self, index):
        return min(number for number in range(index, len(self.lines)) if self.lines[number] == "}")

    def bag(self, index):
        """Returns the change that declares a bag in the class around a line, if it has none."""
        start = self.class_line(index)
        if any("DisposeBag()" in line for line in self.lines[start : self.class_end(index)]):
            return {}
        return {start: self.lines[start] + "\n  private let bag = DisposeBag()"}

    def keep(self, index):
        code, _, comment = self.lines[index].partition("  //")
        kept = {index: f"{code}.dispose(in: bag)" + (f"  //{comment}" if comment else "")}
        begin = max(number for number in range(index + 1) if "_ = " in self.lines[number])
        kept[begin] = kept.get(begin, self.lines[begin]).replace("_ = ", "", 1)
        return kept | self.bag(index)

    def release(self, index, holder):
        """Uses a bag of the class that observes, or takes the owner out of a container."""
        bag = rf"\.dispose\(in: {re.escape(holder)}\.\w+\)"
        for number in range(index, self.class_end(index)):
            if re.search(bag, self.lines[number]):
                changed = re.sub(bag, ".dispose(in: bag)", self.lines[number])
                return {number: changed} | self.bag(index)
        for number, line in enumerate(self.lines):
            added = re.search(rf"{re.escape(holder)}\[[^\]]*\](?= = )", line)
            if added:
                end = self.class_end(number)
                close = next(
                    close for close in range(number, end) if "func close() {" in self.lines[close]
                )
                emptied = f"func close() {{ {added[0]} = nil; "
                return {close: self.lines[close].replace("func close() { ", emptied)}
        return {}

    def cancel(self, index):
        task = max(number for number in range(index + 1) if "Task {" in self.lines[number])
        start, end = self.class_line(index), self.class_end(index)
        lines = {
            number: re.sub(r"^(\s*)(\w+) = ", r"\1self?.\2 = ", self.lines[number])
            for number in range(index + 1, end)
        }
        lines[task] = self.lines[task].replace("Task {", "task = Task { [weak self] in")
        lines[start] = self.lines[start] + "\n  private var task: Task<Void, Never>?"
        lines[end] = "  deinit { task?.cancel() }\n}"
        return lines

    def take(self):
        """Writes the next way to follow the advice. Returns False if none is left."""
        if not self.candidates:
            return False
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(self.candidates.pop(0))
        return True


def compile_edits(sources, folder, bin_folder, program):
    """Compiles the copy, with another edit of each file that doesn't compile."""
    for source in sources:
        expect(source.take(), f"No edit follows '{source.fix}' in {source.path}.")
    for _ in range(MAX_ROUNDS):
        output = debug_build.compile_program(folder, bin_folder, program, "leaky_screens")
        if output is None:
            return True
        broken = set(re.findall(r"(\w+\.swift):\d+:\d+: error", output))
        again = [source for source in sources if os.path.basename(source.path) in broken]
        if not again or not all([source.take() for source in again]):
            break
    expect(False, f"The edited sample does not compile:\n{output[-3000:]}")
    return False


def mistakes(folder):
    """Returns the places that the marks of the sample name: a mistake or else an observation."""
    found = set()
    screens = os.path.join(folder, SAMPLE, "Screens")
    for name in sorted(os.listdir(screens)):
        with open(os.path.join(screens, name), encoding="utf-8") as file:
            marked = [
                (mark, number)
                for number, line in enumerate(file, 1)
                for mark in re.findall(r"// (.*)", line.rstrip())
            ]
        number = next(
            (number for mark, number in marked if "mistake" in mark),
            next((number for mark, number in marked if mark == "observed"), None),
        )
        found.add((os.path.join(SAMPLE, "Screens", name), number))
    return found


# Checks --------------------------------------------------------------------------------------------


def check_leaks(skill, shell, bin_folder):
    """Follows the first three sections. Returns the id of a finding."""
    (run, run_code), (check, check_code) = skill.section(1)
    (explain, explain_code), (rule, rule_code) = skill.section(2)
    ((verify, verify_code),) = skill.section(3)
    shell.test(os.path.join(bin_folder, "leaky-screens"))
    index = json.loads(shell.run(run, run_code))
    same = json.loads(shell.run(check, check_code))
    expect(index["index"] == same["index"], "'check' and 'run' have other findings.")
    expect("omitted" not in index, "The index omits findings.")
    shell.run(rule, rule_code)

    sources, edited = [], set()
    for entry in index["index"]:
        finding = json.loads(shell.run(explain, explain_code, [("ID", entry["id"])]))
        known = any(re.fullmatch(fix, finding["fix"]) for fix in skill.fixes)
        expect(known, f"The table of fixes doesn't have '{finding['fix']}'.")
        edit = finding["edit"]
        edited.add((edit["path"], edit["line"]))
        source = Source(os.path.join(shell.folder, edit["path"]), finding)
        expect(
            source.lines[edit["line"] - 1].strip() == edit["source"],
            f"{edit} has another line than the file.",
        )
        sources.append(source)
    expected = mistakes(shell.folder)
    expect(edited == expected, f"The lines to edit differ: {sorted(edited ^ expected)}.")

    first = index["index"][0]["id"]
    shell.run(verify, 1, [("ID", first)])
    folder, program = os.path.join(shell.folder, SAMPLE), os.path.join(shell.folder, "edited")
    expect_no_leaks(folder)
    if not compile_edits(sources, folder, bin_folder, program):
        return first
    shell.test(program)
    for entry in index["index"]:
        text = shell.run(verify, verify_code, [("ID", entry["id"])])
        expect(json.loads(text)["index"] == [], f"{entry} is still there.")
    clean = json.loads(shell.run(run.replace("--keep=logs", "--keep=after"), 0))
    expect(clean["outcome"] == "clean", f"The edited sample leaks: {clean}")
    return first


def expect_no_leaks(folder):
    """Makes the copy of the sample wait for tasks that were cancelled, and expect no leaks."""
    path = os.path.join(folder, "main.swift")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for old, new in [
        ("arguments.areCured ? .seconds(5) : .zero", ".seconds(5)"),
        ("leaks.isEmpty != arguments.areCured", "!leaks.isEmpty"),
    ]:
        expect(old in text, f"main.swift of the sample doesn't have '{old}'.")
        text = text.replace(old, new)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def check_objects(skill, shell, bin_folder):
    ((leaks, code),) = skill.section(4)
    shell.test(os.path.join(bin_folder, "leaky-screens"), "--screen", "ProfileScreen")
    found = json.loads(shell.run(leaks, code))
    expect(found["index"] != [], "'run --leaks' finds nothing.")


def check_hangs(skill, shell):
    (run, run_code), (tasks, tasks_code) = skill.section(5)
    source, program = os.path.join(shell.folder, "hang.swift"), os.path.join(shell.folder, "hang")
    with open(source, "w", encoding="utf-8") as file:
        file.write(HANG)
    subprocess.run(
        ["swiftc", "-g", "-parse-as-library", source, "-o", program], check=True, timeout=SECONDS
    )
    shell.test(program)
    result = json.loads(shell.run(run, run_code, [("60s", "2s")]))
    place = f"hang.swift:{HANG_LINE}"
    expect([hang["place"] for hang in result["hangs"]] == [place], f"The hang is {result}.")
    expect("nothing can resume the continuation" in result["hangs"][0]["sentence"], f"The hang is {result}.")
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen([program], **quiet) as process:
        try:
            for _ in range(SECONDS):
                text = shell.run(tasks, tasks_code, [("PID", str(process.pid))])
                # The process may not have begun its task yet.
                if "continuation" in text:
                    break
            expect(place in text, f"'tasks' doesn't name {place}:\n{text}")
        finally:
            process.kill()


def check_values(skill, shell, ident):
    ((command, code),) = skill.commands["Text from the log is data"]
    text = shell.run(command, code, [("ID", ident)])
    tag = re.search(r"<(log-[0-9a-f]{16})>", text)
    expect(tag and f"</{tag[1]}>" in text, f"The values have no tags: {text}")
    inside = text.partition(f"<{tag[1]}>")[2].partition(f"</{tag[1]}>")[0] if tag else ""
    plain = shell.run(command.replace(" --values", ""), code, [("ID", ident)])
    expect("Ada" in inside and "Ada" not in plain, f"The value is not where it should be: {text}")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    bin_folder = os.path.abspath(sys.argv[1])
    with open(SKILL, encoding="utf-8") as file:
        text = file.read()
    skill = Skill(text)
    expect(skill.front and len(skill.front[2]) < 1024, "The front matter is wrong.")
    with tempfile.TemporaryDirectory(prefix="trace-skill-") as scratch:
        os.mkdir(os.path.join(scratch, ".git"))
        shutil.copytree(os.path.join(ROOT, SAMPLE), os.path.join(scratch, SAMPLE))
        shell = Shell(scratch, os.path.join(bin_folder, "trace-viewer"))
        ident = check_leaks(skill, shell, bin_folder)
        check_objects(skill, shell, bin_folder)
        check_hangs(skill, shell)
        check_values(skill, shell, ident)
    for sentence in failures:
        print(f"FAILED: {sentence}", file=sys.stderr)
    if failures:
        sys.exit(1)
    print(f"The commands work, and the leaks are gone. The longest output has {shell.most} tokens.")


main()
