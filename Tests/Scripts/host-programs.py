#!/usr/bin/env python3
"""Links the programs of Tests/Programs/HostPrograms in several ways, and runs them with and without a log.

    host-programs.py BIN_FOLDER [--link KIND]... [--filter REGEX] [--jobs N] [--keep FOLDER]

BIN_FOLDER is the folder of a build of this package with the products `search-sample` and
`trace-viewer`. KIND is `dynamic`, `static-stdlib` (the standard library is part of the program),
`static-executable` (so is the C library) or `stripped` (static-stdlib, without symbols). `memcheck`
is `dynamic`, but runs the programs whose comment asks for it under Valgrind, which must not find an
error. Valgrind cannot read the debug information of Swift 6.3, so these programs are built without
it. Without --link, `static-stdlib` and `static-executable` are checked.

Each program runs without and with a log, and with the lives of all tasks in the log, which a static
program must reject with a warning. All runs must have the same exit code and output. The comment at the top of a program lists the other expectations: the verdict of `trace-viewer check`
(clean, leak or incomplete), a finding, a warning, the exit code, and names of threads in the log.
The script exits with 1 if something differs.
"""

import argparse
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SOURCES = os.path.join(ROOT, "Tests", "Programs", "HostPrograms")
SECONDS = 240
VERDICTS = {"clean": 0, "leak": 1, "incomplete": 2}
OPTIONS = {
    "dynamic": [],
    "static-stdlib": ["-static-stdlib"],
    "static-executable": ["-static-executable"],
    "stripped": ["-static-stdlib", "-Xlinker", "-s"],
    "memcheck": ["-Xlinker", "-S"],
}
# The build's objects were compiled for shared libraries, and do not name these.
FOUNDATION = [
    "-lCoreFoundation",
    "-l_FoundationICU",
    "-l_FoundationCShims",
    "-l_FoundationCollections",
    "-lstdc++",
]


class Failure(Exception):
    """A problem of a program."""


class Program:
    """A source file, and the expectations in its comment."""

    def __init__(self, path):
        self.path = path
        self.name = os.path.basename(path).removesuffix(".swift")
        with open(path, encoding="utf-8") as file:
            self.text = file.read()
        comment = re.match(r"(//.*\n)+", self.text)[0]
        facts = dict(
            re.findall(r"^// (verdict|finding|exit|threads|warning|memcheck): (.*)$", comment, re.M)
        )
        self.verdict = VERDICTS[facts["verdict"]]
        self.finding = facts.get("finding", "").split()
        # A program without an exit code is ended by a signal.
        self.exit = int(facts.get("exit", 0)) if facts["verdict"] != "incomplete" else None
        self.runs_in_memcheck = "memcheck" in facts
        self.warning = facts.get("warning")
        self.threads = facts["threads"].split(", ") if "threads" in facts else []

    @property
    def foundation(self):
        return "import Foundation" in self.text


def run(command, **options):
    """Runs a command with a time limit, and returns its result."""
    return subprocess.run(
        command, capture_output=True, text=True, timeout=SECONDS, check=False, **options
    )


def built(command, folder):
    # The compiler writes files with its own names to the current folder.
    os.makedirs(folder, exist_ok=True)
    result = run(command, cwd=folder)
    if result.returncode != 0:
        raise Failure(f"'{command[0]}' failed:\n{result.stderr[-2000:]}")


def compile_program(program, settings, folder):
    """Compiles a program, and returns its object file."""
    object_file = os.path.join(folder, program.name + ".o")
    modules = os.path.join(settings.bin, "Modules")
    module_map = os.path.join(ROOT, "Sources/Engine/CRuntime/include/module.modulemap")
    built(
        ["swiftc", "-g", "-swift-version", "6", "-module-name", program.name, "-I", modules]
        + ["-Xcc", f"-fmodule-map-file={module_map}"]
        + (["-parse-as-library"] if "@main" in program.text else [])
        + ["-c", program.path, "-o", object_file],
        folder,
    )
    return object_file


def environment(**values):
    """Returns the environment without settings of the recorder. A crash report takes seconds."""
    others = {
        name: value for name, value in os.environ.items() if not name.startswith("REACTIVE_TRACE")
    }
    return {**others, "SWIFT_BACKTRACE": "enable=no", **values}


def check_log(program, log, settings, has_lines=True):
    """Compares a log with the expectations."""
    result = run([settings.viewer, "check", "--format", "json", log])
    if result.returncode != program.verdict:
        raise Failure(
            f"'check' exits with {result.returncode} instead of {program.verdict}: "
            f"{result.stderr}{result.stdout}"
        )
    if program.finding:
        rule, place = program.finding
        findings = json.loads(result.stdout)["findings"]
        if not any(
            rule == finding["rule"] and (place in json.dumps(finding) or not has_lines)
            for finding in findings
        ):
            raise Failure(f"there is no finding of {rule} at {place}: {result.stdout}")
    with open(log, encoding="utf-8") as file:
        records = [json.loads(line) for line in file if line.strip()]
    names = {record["name"] for record in records if record["event"] == "thread"}
    missing = set(program.threads) - names
    if missing:
        raise Failure(
            f"the log has no thread {', '.join(sorted(missing))}, but {', '.join(sorted(names))}"
        )


def check(program, kind, object_file, settings, folder):
    """Links and runs a program."""
    executable = os.path.join(folder, f"{program.name}-{kind}")
    static = kind not in ("dynamic", "memcheck")
    command = (
        ["valgrind", "-q", "--error-exitcode=99", executable]
        if kind == "memcheck"
        else [executable]
    )
    built(
        ["swiftc", *OPTIONS[kind], object_file, f"@{settings.libraries}", "-o", executable]
        + (FOUNDATION if static else []),
        folder,
    )
    try:
        plain = run(command, env=environment())
        log = executable + ".jsonl"
        traced = run(command, env=environment(REACTIVE_TRACE=log))
        tasks = run(
            command,
            env=environment(REACTIVE_TRACE=executable + ".tasks.jsonl", REACTIVE_TRACE_TASKS="1"),
        )
    finally:
        os.remove(executable)
    if plain.returncode != program.exit and (program.exit is not None or plain.returncode >= 0):
        raise Failure(f"exits with {plain.returncode} without a log: {plain.stderr}")
    if traced.returncode != plain.returncode:
        raise Failure(
            f"exits with {traced.returncode} with a log, and {plain.returncode} without: "
            f"{traced.stderr}"
        )
    if traced.stdout != plain.stdout:
        raise Failure(f"prints {traced.stdout!r} with a log, and {plain.stdout!r} without")
    if (tasks.returncode, tasks.stdout) != (plain.returncode, plain.stdout):
        raise Failure(
            f"exits with {tasks.returncode} and prints {tasks.stdout!r} with its tasks: "
            f"{tasks.stderr}"
        )
    if ("_TASKS is ignored: the Swift runtime is linked statically" in tasks.stderr) != static:
        raise Failure(f"prints about its tasks: {tasks.stderr}")
    # Valgrind is too slow for looking up names.
    if (
        kind != "memcheck"
        and ("ReactiveTrace:" in traced.stderr) != bool(program.warning)
        or (program.warning or "") not in traced.stderr
    ):
        raise Failure(f"has other warnings than '{program.warning}': {traced.stderr}")
    # In these programs, the names of locations are missing, and so is the line of a finding.
    if kind in ("stripped", "memcheck"):
        check_log(program, log, settings, has_lines=False)
    else:
        check_log(program, log, settings)


def check_all_kinds(program, settings, folder):
    """Returns the problems of a program, for each way to link it."""
    failures = []
    folder = os.path.join(folder, program.name)
    try:
        object_file = compile_program(program, settings, folder)
    except (Failure, subprocess.TimeoutExpired) as failure:
        return [f"{program.name}: {failure}"]
    for kind in settings.link:
        if kind == "memcheck" and not program.runs_in_memcheck:
            continue
        try:
            check(program, kind, object_file, settings, folder)
        except (Failure, subprocess.TimeoutExpired, OSError, ValueError) as failure:
            failures.append(f"{program.name}, {kind}: {failure}")
    return failures


def libraries(bin_folder, folder):
    """Writes a file with the objects of the libraries, which the sample is made of, too."""
    with open(
        os.path.join(bin_folder, "search-sample.product", "Objects.LinkFileList"), encoding="utf-8"
    ) as file:
        lines = [
            line
            for line in file
            if "search_sample.build" not in line and "search-sample.build" not in line
        ]
    path = os.path.join(folder, "libraries")
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(lines)
    return path


def static_libraries():
    """Returns the folder of the static libraries of the toolchain."""
    usr = os.path.dirname(os.path.dirname(os.path.realpath(shutil.which("swiftc"))))
    return os.path.join(usr, "lib", "swift_static", "linux")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bin")
    parser.add_argument("--link", action="append", choices=list(OPTIONS))
    parser.add_argument("--filter", default="")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep")
    settings = parser.parse_args()
    settings.bin = os.path.abspath(settings.bin)
    settings.link = settings.link or ["static-stdlib", "static-executable"]
    settings.viewer = os.path.join(settings.bin, "trace-viewer")
    if set(settings.link) - {"dynamic", "memcheck"} and not os.path.isdir(static_libraries()):
        print("skipped: the toolchain has no static libraries")
        return
    paths = sorted(
        os.path.join(SOURCES, name) for name in os.listdir(SOURCES) if name.endswith(".swift")
    )
    programs = [
        program for program in map(Program, paths) if re.search(settings.filter, program.name)
    ]
    if not programs:
        sys.exit("No program has such a name.")
    folder = (
        os.path.abspath(settings.keep)
        if settings.keep
        else tempfile.mkdtemp(prefix="host-programs-")
    )
    os.makedirs(folder, exist_ok=True)
    try:
        settings.libraries = libraries(settings.bin, folder)
        with concurrent.futures.ThreadPoolExecutor(settings.jobs) as pool:
            results = pool.map(lambda program: check_all_kinds(program, settings, folder), programs)
            failures = [failure for failures in results for failure in failures]
    finally:
        if not settings.keep:
            shutil.rmtree(folder)
    for failure in failures:
        print(failure, file=sys.stderr)
    runs = sum(
        program.runs_in_memcheck or kind != "memcheck"
        for program in programs
        for kind in settings.link
    )
    print(f"{runs - len(failures)} of {runs} programs behave as without a log.")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
