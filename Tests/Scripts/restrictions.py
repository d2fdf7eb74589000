#!/usr/bin/env python3
"""Checks what the viewer says where the system restricts who may inspect a process.

    restrictions.py TRACE_VIEWER PROGRAM

PROGRAM is the compiled Tests/Programs/Machines/Zoo.swift. The script inspects it as the same user,
as another one and as the administrator, with each level of the security module Yama
(`kernel.yama.ptrace_scope`). A command must find what is there or name the restriction, and a sudo
that it recommends must help. The last level can't be undone until the system restarts, so the script
is for the emulated machine of Scripts/machines. It needs root, and prints a sentence for each
deviation.
"""

import pathlib
import subprocess
import sys
import time

SCOPE = pathlib.Path("/proc/sys/kernel/yama/ptrace_scope")
USER, OTHER_USER = 1000, 1001
SECONDS = 300
FINDINGS, REFUSED = 1, 69
FOUND = {"leaks": FINDINGS, "tasks": 0}


def inspect(viewer, command, process, user):
    return subprocess.run(
        [viewer, command, str(process)], capture_output=True, text=True, timeout=SECONDS,
        check=False, user=user, group=user)


def check(viewer, command, process, scope):
    """Returns the deviations of a command with one level of Yama."""
    deviations = []
    for name, user in (("same user", USER), ("other user", OTHER_USER), ("root", 0)):
        done = inspect(viewer, command, process, user)
        is_allowed = scope < 3 and (user == 0 or user == USER and scope == 0)
        wanted = FOUND[command] if is_allowed else REFUSED
        words = "" if is_allowed else (
            "belongs to the user" if user == OTHER_USER and scope < 2
            else f"ptrace_scope is {scope}")
        if done.returncode != wanted or words not in done.stderr:
            deviations.append(
                f"{command}, {name}, scope {scope}: exit code {done.returncode}: {done.stderr}")
        elif not is_allowed:
            print(f"{command}, {name}, scope {scope}: {done.stderr.strip()}")
    return deviations


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    viewer, program = sys.argv[1:]
    deviations = []
    with subprocess.Popen([program], user=USER, group=USER, stdout=subprocess.DEVNULL) as process:
        try:
            end = time.monotonic() + SECONDS
            while " 21 tasks" not in inspect(viewer, "tasks", process.pid, 0).stdout:
                if time.monotonic() > end:
                    sys.exit("The program doesn't come to rest.")
            for scope in range(4):
                SCOPE.write_text(str(scope))
                for command in FOUND:
                    deviations += check(viewer, command, process.pid, scope)
        finally:
            process.kill()
    for sentence in deviations:
        print(f"FAILED: {sentence}")
    print(f"{len(deviations)} deviations with the levels 0 to 3 of Yama.")
    return 1 if deviations else 0


if __name__ == "__main__":
    sys.exit(main())
