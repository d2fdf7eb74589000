#!/usr/bin/env python3
"""Compares what the viewer says about a running program and about its core files.

    core-files.py TRACE_VIEWER [PROGRAM]

The script compiles Tests/Programs/Machines/Zoo.swift, unless PROGRAM is the compiled file. It
inspects the program with `tasks` and `leaks` while it runs, and then does the same with the core files that `gcore` and the kernel write of it: the tasks,
threads and findings must be the same. A core file that is cut, and one whose files are missing or
different, must be inconclusive. A damaged one must not be searched without a doubt, unless the result
is the same. The script prints a sentence for each deviation, and exits with 1
if there is one. It needs `gcore` (in the package gdb) or a system that writes core files to the
current folder.
"""

import json
import os
import pathlib
import random
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

ZOO = pathlib.Path(__file__).resolve().parents[1] / "Programs" / "Machines" / "Zoo.swift"
PATTERN = pathlib.Path("/proc/sys/kernel/core_pattern")
# All limits are far above what is needed on one core.
COMPILE_SECONDS = 300
SECONDS = 300
TASKS = 21
INCONCLUSIVE = 2
REFUSED = 69
# How many core files are damaged.
DAMAGED = 12

# A program header of an ELF file, its size, and the positions of its fields.
HEADER, HEADER_SIZE = "<IIQQQQQQ", 56
OFFSET, ADDRESS, FILE_SIZE, MEMORY_SIZE = 2, 3, 5, 6

deviations = []


def check(condition, sentence):
    if not condition:
        deviations.append(sentence)


def run(*command, cwd=None):
    return subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, timeout=SECONDS, cwd=cwd,
        check=False)


def inspect(viewer, *operands):
    """Returns the records about tasks, threads with lines and causes, and the exit code."""
    result = run(viewer, "tasks", "--full", "-f", "json", *operands)
    records = [json.loads(line) for line in result.stdout.splitlines()]
    # Threads of a pool that wait for work end after some seconds.
    kept = [
        r for r in records
        if r["event"] in ("process", "task", "hang") or r["event"] == "stack" and "source" in r
    ]
    for record in kept:
        # Core files don't have the names of threads.
        if record["event"] == "stack":
            record.pop("name", None)
    return kept, result.returncode


def find_leaks(viewer, *operands):
    """Returns the findings, the leaked objects and bytes, and the exit code."""
    result = run(viewer, "leaks", "-f", "json", *operands)
    if not result.stdout:
        return None, result.returncode
    report = json.loads(result.stdout)
    leaked = [log["leaked"] for log in report["logs"]]
    return (report["findings"], leaked), result.returncode


def wait_for_tasks(viewer, process):
    """Waits until all tasks wait. Each inspection takes a moment."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        records, code = inspect(viewer, process.pid)
        tasks = [r for r in records if r["event"] == "task"]
        is_blocked = any(
            r["event"] == "stack" and r.get("function", "").endswith("in block()") for r in records)
        is_waiting = (
            len(tasks) == TASKS and all(t["state"] in ("waiting", "suspended") for t in tasks)
            and not any("moved" in t for t in tasks))
        # The tasks of a Swift version that isn't known are not listed.
        if is_blocked and (is_waiting or code == INCONCLUSIVE):
            return records, code
    sys.exit("The program doesn't come to rest.")


def copy_files(process, folder):
    """Links the files that a process has mapped below a folder, with their paths."""
    for line in pathlib.Path(f"/proc/{process.pid}/maps").read_text().splitlines():
        path = line[line.find("/"):] if "/" in line else ""
        copy = pathlib.Path(f"{folder}{path}")
        if path and not copy.exists():
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.symlink_to(path)


def copy_sparse(core, copy):
    """Copies what a core file has. It is larger than the memory of an emulated machine."""
    with open(core, "rb") as source, open(copy, "wb") as target:
        size, at = core.stat().st_size, 0
        target.truncate(size)
        while at < size:
            try:
                at = os.lseek(source.fileno(), at, os.SEEK_DATA)
            except OSError:  # There is only a hole.
                break
            end = os.lseek(source.fileno(), at, os.SEEK_HOLE)
            os.lseek(target.fileno(), at, os.SEEK_SET)
            while at < end:
                at += os.sendfile(target.fileno(), source.fileno(), at, end - at)


def change_identifier(program, copy):
    """Copies a program and changes the identifier that the linker gave to it, or its start."""
    content = bytearray(program.read_bytes())
    note = content.find(b"\x03\x00\x00\x00GNU\x00")
    # Without an identifier, the first page counts, such as the unused bytes of the header.
    content[note + 8 if note >= 0 else 9] ^= 0xFF
    copy.unlink(missing_ok=True)
    copy.write_bytes(content)


def check_core(viewer, core, kind, program, live, folder):
    """Compares a core file with the process, and checks what is missing or different."""
    (records, live_code), leaks = live
    found, code = inspect(viewer, core)
    check(code == live_code, f"{kind}: tasks exited with {code} instead of {live_code}.")
    for one in records:
        check(one in found, f"{kind}: tasks doesn't have {json.dumps(one)[:200]}.")
    for one in found:
        check(one in records, f"{kind}: only tasks of the core file has {json.dumps(one)[:200]}.")
    found, code = find_leaks(viewer, core)
    check(code == 1, f"{kind}: leaks exited with {code}.")
    check(found == leaks, f"{kind}: leaks found something else.")

    root = pathlib.Path(f"{folder}/root")
    found, code = find_leaks(viewer, "--sysroot", root, core)
    check((found, code) == (leaks, 1), f"{kind}: leaks found something else with --sysroot.")
    copy = pathlib.Path(f"{root}{program}")
    for change in ("different", "missing"):
        if change == "different":
            change_identifier(program, copy)
        else:
            copy.unlink()
        check_inconclusive(viewer, f"{kind}, {change} program", "--sysroot", root, core)
    copy.symlink_to(program)
    cut = folder / "cut"
    for share in (0.01, 0.5, 0.99):
        copy_sparse(core, cut)
        os.truncate(cut, int(core.stat().st_size * share))
        check_inconclusive(viewer, f"{kind}, cut to {share}", cut)


def damage(copy, random):
    """Changes a program header of a core file. Returns what was changed."""
    with open(copy, "r+b") as file:
        start = struct.unpack_from("<Q", file.read(64), 32)[0]
        file.seek(0)
        count = struct.unpack_from("<H", file.read(64), 56)[0]
        number, other = random.sample(range(count), 2)
        file.seek(start + number * HEADER_SIZE)
        header = list(struct.unpack(HEADER, file.read(HEADER_SIZE)))
        file.seek(start + other * HEADER_SIZE)
        address = struct.unpack(HEADER, file.read(HEADER_SIZE))[ADDRESS]
        field = random.choice([OFFSET, ADDRESS, FILE_SIZE, MEMORY_SIZE])
        sizes = [0, 1, 4097, 1 << 32, 1 << 47, (1 << 63) - 1, (1 << 64) - 1]
        header[field] = random.choice([*sizes, address])
        file.seek(start + number * HEADER_SIZE)
        file.write(struct.pack(HEADER, *header))
    return f"field {field} of header {number} is {header[field]:#x}"


def check_damaged(viewer, core, leaks, folder):
    """Checks that a damaged core file has the same findings, or is inconclusive or refused."""
    copy, generator = folder / "damaged", random.Random(1)
    for _ in range(DAMAGED):
        copy_sparse(core, copy)
        change = damage(copy, generator)
        found, code = find_leaks(viewer, copy)
        check(
            code in (INCONCLUSIVE, REFUSED) or (found, code) == (leaks, 1),
            f"{change}: leaks exited with {code}.")
        tasks, code = inspect(viewer, copy)
        check(
            code in (INCONCLUSIVE, REFUSED)
            or code == 0 and sum(r["event"] == "task" for r in tasks) == TASKS,
            f"{change}: tasks exited with {code}.")


def check_inconclusive(viewer, kind, *operands):
    for command in ("tasks", "leaks"):
        result = run(viewer, command, *operands)
        check(
            result.returncode == INCONCLUSIVE,
            f"{kind}: {command} exited with {result.returncode}.")
        check("Error: " in result.stderr, f"{kind}: {command} doesn't say why.")
        check("FINDINGS" not in result.stdout, f"{kind}: {command} has findings.")


def allow_core():
    """Lets the kernel write a core file of the program that is about to be executed."""
    resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


def can_write_core():
    return resource.getrlimit(resource.RLIMIT_CORE)[1] == resource.RLIM_INFINITY


def crash(process, folder):
    """Ends a process so that the kernel writes a core file. Returns its path, or None."""
    pattern = PATTERN.read_text().strip()
    is_elsewhere = pattern.startswith(("|", "/"))
    if not can_write_core() or is_elsewhere and not os.access(PATTERN, os.W_OK):
        return None
    try:
        if is_elsewhere:
            PATTERN.write_text("core")
        process.send_signal(signal.SIGSEGV)
        process.wait(SECONDS)
    finally:
        if is_elsewhere:
            PATTERN.write_text(pattern)
    return next(iter(folder.glob("core*")), None)


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    viewer = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch).resolve()
        program = folder / "zoo"
        if len(sys.argv) == 3:
            shutil.copy(sys.argv[2], program)
        else:
            subprocess.run(
                ["swiftc", "-g", "-parse-as-library", str(ZOO), "-o", str(program)], check=True,
                timeout=COMPILE_SECONDS)
        process = subprocess.Popen(
            [program], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, "SWIFT_BACKTRACE": "enable=no"},
            preexec_fn=allow_core if can_write_core() else None)
        try:
            live = wait_for_tasks(viewer, process), find_leaks(viewer, "--stop", process.pid)[0]
            copy_files(process, folder / "root")
            cores = []
            if shutil.which("gcore"):
                made = run("gcore", "-o", folder / "gcore", process.pid)
                check(made.returncode == 0, f"gcore failed: {made.stderr}")
                cores += [("gcore", core) for core in folder.glob("gcore.*")]
            core = crash(process, folder)
            if core:
                cores.append(("kernel", core))
        finally:
            process.kill()
            process.wait()
        for kind, core in cores:
            check_core(viewer, core, kind, program, live, folder)
        # Emulated processors would take too long.
        if cores and len(sys.argv) == 2:
            check_damaged(viewer, cores[0][1], live[1], folder)
    for sentence in deviations:
        print(sentence)
    if not cores:
        print("skipped: there is no gcore, and the kernel writes no core files here")
    elif not deviations:
        kinds = " and ".join(kind for kind, _ in cores)
        print(f"The core files ({kinds}) have the same tasks and leaks as the process.")
    sys.exit(1 if deviations else 0)


if __name__ == "__main__":
    main()
