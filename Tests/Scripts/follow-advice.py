#!/usr/bin/env python3
"""Follows the advice of the findings about Tests/LeakCorpus, and checks that it ends the leaks.

    follow-advice.py BIN_FOLDER [--filter REGEX] [--verbose]

BIN_FOLDER is that of a debug build, with the programs `LeakCorpus` and `trace-viewer`. Each case runs once. Where the
advice of its finding is an edit of one line, the script makes that edit in a copy of the sources, literally. It then
compiles the copy and runs the cases again. It exits with 1 if an edit doesn't compile, or if fewer than 85 % of the
edits end their leak.
"""

import argparse
import concurrent.futures
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

import corpus

SHARE = 0.85
FEWEST = 30
SECONDS = 600


class Settings:
    """The settings of a run of the corpus."""

    def __init__(self, folder, program):
        self.corpus, self.viewer = program, os.path.abspath(os.path.join(folder, "trace-viewer"))
        self.all = self.found_only = self.stripped = False
        self.configuration, self.filter, self.preload = "debug", None, None


# Edits ----------------------------------------------------------------------------------------------------------------


def line_of(site):
    """Returns the number of a line from a place such as `Module/File.swift:26`, or None."""
    found = re.search(r":(\d+)$", site)
    return int(found[1]) if found else None


def capture_weakly(lines, number, name):
    """Adds `[weak NAME]` to the closure that begins on a line, and makes each use of the name optional."""
    line = lines[number - 1]
    # The closure is the last one that begins on the line, or the only one.
    start = line.rfind("{")
    end = closure_end(lines, number - 1, start) if start >= 0 else None
    if end is None:
        return False
    listed = re.match(r"\{ \[([^\]]*)\]", line[start:])
    if listed:
        others = [item for item in listed[1].split(", ") if item != name]
        names = ", ".join([f"weak {name}", *others])
        lines[number - 1] = f"{line[:start]}{{ [{names}]{line[start + len(listed[0]):]}"
    else:
        lines[number - 1] = f"{line[:start]}{{ [weak {name}]{in_keyword(line[start + 1:])}"
    for index in range(number - 1, end + 1):
        begin = start + 1 if index == number - 1 else 0
        head, rest = lines[index][:begin], lines[index][begin:]
        lines[index] = head + re.sub(rf"(?<![\w.]){name}\.", f"{name}?.", rest)
    return True


def in_keyword(rest):
    """Returns the rest of a line after the start of a closure, with the `in` that a capture list needs."""
    if re.match(r"\s*[\w, ():?]*\bin\b", rest):
        return rest if rest.startswith(" ") else " " + rest
    return " in" + (rest if not rest or rest.startswith(" ") else " " + rest)


def closure_end(lines, index, start):
    """Returns the index of the line with the brace that ends the closure that starts at a column."""
    depth = 0
    for number in range(index, len(lines)):
        for character in lines[number][start if number == index else 0:]:
            depth += {"{": 1, "}": -1}.get(character, 0)
            if depth == 0:
                return number
    return None


def make_weak(lines, owner, field):
    """Makes a field of a class weak."""
    inside = False
    for index, line in enumerate(lines):
        inside = inside or re.search(rf"\bclass {owner}\b", line) is not None
        found = inside and re.match(rf"(\s*(?:private |fileprivate )?)(?:var|let) {field}\b", line)
        if found:
            rest = line[len(found[0]):]
            lines[index] = f"{found[1]}weak var {field}{rest}"
            return True
    return False


def edit(text, explanation):
    """Returns the text with the advice followed, or None if that is not an edit of one line."""
    lines = text.split("\n")
    _, _, site = explanation.steps[explanation.broken] if explanation.broken is not None else ("", "", "")
    weak = re.match(r"Capture (\w+) weakly(?:: \[weak \w+\])?\.", explanation.advice)
    if weak and line_of(site) and not weak[1][0].isupper():
        return "\n".join(lines) if capture_weakly(lines, line_of(site), weak[1]) else None
    field = re.match(r"Make (\w+)(?:<.*>)?\.(\w+) weak\.", explanation.advice)
    if field:
        return "\n".join(lines) if make_weak(lines, field[1], field[2]) else None
    return None


# Runs -----------------------------------------------------------------------------------------------------------------


def run_cases(cases, settings):
    """Runs cases beside each other, and returns their results by name."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        return {result.case.name: result for result in pool.map(lambda case: corpus.run(case, settings), cases)}


def compile_corpus(sources, folder, program):
    """Compiles the sources against the modules and objects of a build folder. Returns the compiler's output on failure."""
    modules = ["ReactiveKit", "ReactiveTrace", "SystemLibrary", "TraceFormat", "TraceShims"]
    objects = [path for module in modules for path in glob.glob(f"{folder}/{module}.build/**/*.o", recursive=True)]
    with open(os.path.join(os.path.dirname(os.path.realpath(folder)), "..", "debug.yaml"), encoding="utf-8") as file:
        package = re.search(r'"-package-name","([^"]*)"', file.read())
    command = [
        "swiftc", "-package-name", package[1] if package else "package", "-g", "-Onone", "-swift-version", "6", "-module-name", "LeakCorpus", "-o", program,
        "-enable-upcoming-feature", "ExistentialAny", "-enable-upcoming-feature", "InternalImportsByDefault",
        "-enable-upcoming-feature", "MemberImportVisibility", "-I", f"{folder}/Modules",
        "-Xcc", f"-fmodule-map-file={folder}/TraceShims.build/module.modulemap",
        *glob.glob(f"{sources}/**/*.swift", recursive=True), *objects,
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    return None if done.returncode == 0 else done.stdout + done.stderr


def main():
    parser = argparse.ArgumentParser(description="Follows the advice about the leak corpus, and checks that it helps.")
    parser.add_argument("bin", help="the folder with LeakCorpus and trace-viewer of a debug build")
    parser.add_argument("--filter", metavar="REGEX", help="run only cases whose names match")
    parser.add_argument("--verbose", action="store_true", help="print the advice that is not an edit of one line, too")
    options = parser.parse_args()
    folder = os.path.abspath(options.bin)
    settings = Settings(folder, os.path.join(folder, "LeakCorpus"))
    cases = [case for case in corpus.read_cases(settings.corpus) if case.is_leak]
    if options.filter:
        cases = [case for case in cases if re.search(options.filter, case.name)]
    first = run_cases(cases, settings)

    failures, edited = [], {}
    with tempfile.TemporaryDirectory(prefix="trace-advice-") as scratch:
        sources = os.path.join(scratch, "Sources")
        shutil.copytree(corpus.SOURCES, sources)
        paths = {os.path.basename(path): path for path in glob.glob(f"{sources}/**/*.swift", recursive=True)}
        for case in cases:
            text, advice = case.text, []
            # A program with two mistakes needs two edits.
            for finding in first[case.name].findings:
                if finding.explanation and finding.explanation.advice:
                    new = edit(text, finding.explanation)
                    advice.append(finding.explanation.advice)
                    text = new if new else text
            if text != case.text:
                edited[case.name] = advice
                with open(paths[case.file], "w", encoding="utf-8") as file:
                    file.write(text)
            elif options.verbose:
                print(f"not one line: {case.name}: {' '.join(advice) or 'no advice'}")
        program = os.path.join(scratch, "LeakCorpus")
        while (output := compile_corpus(sources, folder, program)) is not None:
            broken = sorted({name for name in re.findall(r"(\w+\.swift):\d+:\d+: error", output) if name in paths})
            broken = [case for case in cases if case.file in broken and case.name in edited]
            if not broken:
                print(output[-4000:], file=sys.stderr)
                sys.exit("FAILED: the copy of the corpus does not compile.")
            for case in broken:
                error = re.search(rf"{case.file}:\d+:\d+: error: .*", output)
                print(f"does not compile: {case.name}: {' '.join(edited.pop(case.name))} {error[0] if error else ''}")
                failures.append(case.name)
                shutil.copy(glob.glob(f"{corpus.SOURCES}/**/{case.file}", recursive=True)[0], paths[case.file])
        again = run_cases([case for case in cases if case.name in edited], Settings(folder, program))

    ended = 0
    for name, result in again.items():
        remaining = [finding for finding in result.findings if finding.rule in corpus.RULES]
        if remaining or result.object == "alive":
            failures.append(name)
            print(f"still leaks: {name}: {' '.join(edited[name])} {remaining[0].explanation if remaining else ''}")
        else:
            ended += 1
    count = ended + len(failures)
    print(f"{ended} of {count} leaks ended after an edit of one line that the advice asks for.")
    if not options.filter and count < FEWEST:
        sys.exit(f"FAILED: only {count} findings have advice that is an edit of one line.")
    if count and ended < SHARE * count:
        sys.exit(1)


if __name__ == "__main__":
    main()
