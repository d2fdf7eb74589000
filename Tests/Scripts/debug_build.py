"""Compiles changed copies of programs of this package, without building the package again."""

import glob
import os
import re
import subprocess

SECONDS = 600


def compile_program(sources, folder, program, module):
    """Compiles a program against the modules and objects of the folder of a debug build.

    Returns the compiler's output if it fails.
    """
    modules = [
        "ReactiveKit",
        "ReactiveTrace",
        "TraceFormat",
        "TraceCauses",
        "HeapGraph",
        "ProcessMemory",
        "SwiftRuntime",
        "CodeLocations",
        "SystemLibrary",
        "TaskInspection",
        "CRuntime",
    ]
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
    # A build folder can still have the objects of files that were moved or deleted.
    objects = [
        path
        for module in modules
        for path in glob.glob(f"{folder}/{module}.build/**/*.o", recursive=True)
        if glob.glob(
            f"{root}/Sources/**/{module}/**/{os.path.basename(path)[:-2]}", recursive=True
        )
    ]
    with open(
        os.path.join(os.path.dirname(os.path.realpath(folder)), "..", "debug.yaml"),
        encoding="utf-8",
    ) as file:
        package = re.search(r'"-package-name","([^"]*)"', file.read())
    command = [
        "swiftc",
        "-package-name",
        package[1] if package else "package",
        "-g",
        "-Onone",
        "-swift-version",
        "6",
        "-module-name",
        module,
        "-o",
        program,
        "-enable-upcoming-feature",
        "ExistentialAny",
        "-enable-upcoming-feature",
        "InternalImportsByDefault",
        "-enable-upcoming-feature",
        "MemberImportVisibility",
        "-I",
        f"{folder}/Modules",
        "-Xcc",
        f"-fmodule-map-file={root}/Sources/Engine/CRuntime/include/module.modulemap",
        *glob.glob(f"{sources}/**/*.swift", recursive=True),
        *objects,
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    return None if done.returncode == 0 else done.stdout + done.stderr
