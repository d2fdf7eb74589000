#!/usr/bin/env python3
"""Follows the advice of the findings about Tests/Corpora/LeakCorpus, and checks that it ends the leaks.

    follow-advice.py BIN_FOLDER [--filter REGEX] [--verbose]

BIN_FOLDER is that of a debug build, with the programs `LeakCorpus` and `trace-viewer`. Each case
runs once. If the advice of its finding is an edit of one line, the script makes exactly that edit
in a copy of the sources. It then compiles the copy and runs the cases again. If findings are left,
it follows their advice, too. An edit may leave a choice: several closures may begin on the line,
and an optional self may be used in two ways. The script then takes the first one that compiles. It
exits with 1 if fewer than 85 % of the leaks end.
"""

import argparse
import concurrent.futures
import glob
import os
import re
import shutil
import sys
import tempfile

import corpus
import debug_build

SHARE = 0.85
MIN_EDITS = 30
# A program with several mistakes needs several edits, one after the other.
ROUNDS = 3
MAX_CANDIDATES = 24


class Settings:
    """The settings of a run of the corpus."""

    def __init__(self, folder, program):
        self.corpus, self.viewer = program, os.path.abspath(os.path.join(folder, "trace-viewer"))
        self.all = self.found_only = self.stripped = False
        self.configuration, self.filter, self.preload = "debug", None, None


# Edits --------------------------------------------------------------------------------------------


def line_of(site):
    """Returns the number of a line from a place such as `Module/File.swift:26`, or None."""
    found = re.search(r":(\d+)$", site)
    return int(found[1]) if found else None


def closures_on(lines, number, name):
    """Returns the columns of the closures that begin on a line.

    Closures that use the name come first, and outer ones come before inner ones.
    """
    line = lines[number - 1]
    found = []
    for column in (index for index, character in enumerate(line) if character == "{"):
        end = closure_end(lines, number - 1, column)
        if end is not None:
            body = [
                lines[index][column + 1 if index == number - 1 else 0 :]
                for index in range(number - 1, end + 1)
            ]
            uses = any(re.search(rf"(?<![\w.]){name}\b", text) for text in body)
            found.append((not uses, column, end))
    return [(column, end) for _, column, end in sorted(found)]


def capture_weakly(text, number, name):
    """Yields the text with `[weak NAME]` in each closure on a line, for both uses of optionals."""
    for column, end in closures_on(text.split("\n"), number, name):
        for mark in "?!":
            lines = text.split("\n")
            line = lines[number - 1]
            attributes, listed, rest = re.match(
                r"(\s*(?:@\w+\s+)*)(?:\[([^\]]*)\])?(.*)$", line[column + 1 :]
            ).groups()
            others = [item for item in (listed or "").split(", ") if item and item != name]
            if any(item == f"weak {name}" for item in others):
                continue
            names = ", ".join([f"weak {name}", *others])
            head = f"{line[:column]}{{{attributes.rstrip() or ''} [{names}]"
            lines[number - 1] = head + (in_keyword(rest) if listed is None else rest)
            for index in range(number - 1, end + 1):
                begin = len(head) if index == number - 1 else 0
                lines[index] = lines[index][:begin] + use_optional(lines[index][begin:], name, mark)
            yield "\n".join(lines)


def use_optional(text, name, mark):
    """Returns the text with a mark after each use of a name."""
    text = re.sub(rf"(?<![\w.]){name}\.", f"{name}{mark}.", text)
    if mark == "!":
        text = re.sub(rf"(?<![\w.])(?<!weak ){name}(?![\w.:?!\]]| =)", f"{name}!", text)
    return text


def in_keyword(rest):
    """Returns the rest of a line after the start of a closure, with the `in` of a capture list."""
    if re.match(r"\s*[\w, ():?]*\bin\b", rest):
        return rest if rest.startswith(" ") else " " + rest
    return " in" + (rest if not rest or rest.startswith(" ") else " " + rest)


def closure_end(lines, index, start):
    """Returns the index of the line with the brace that ends the closure at a column."""
    depth = 0
    for number in range(index, len(lines)):
        for character in lines[number][start if number == index else 0:]:
            depth += {"{": 1, "}": -1}.get(character, 0)
            if depth == 0:
                return number
    return None


def line_of_field(lines, owner, field):
    """Returns the index of the line that declares a field of a class, and the text before it."""
    inside = False
    for index, line in enumerate(lines):
        inside = inside or re.search(rf"\bclass {owner}\b", line) is not None
        found = inside and re.match(rf"(\s*(?:private |fileprivate )?)(?:var|let) {field}\b", line)
        if found:
            return index, found
    return None, None


def make_weak(text, owner, field):
    """Yields the text with a field of a class made weak."""
    lines = text.split("\n")
    index, found = line_of_field(lines, owner, field)
    if found:
        rest = lines[index][len(found[0]):]
        optional = rest if rest.rstrip().endswith("?") else re.sub(r"(: [\w.]+)$", r"\1?", rest)
        lines[index] = f"{found[1]}weak var {field}{optional}"
        yield "\n".join(lines)


def dispose_in_deinit(text, owner, field):
    """Yields the text with a deinitializer, on the line of the field, that disposes the field."""
    lines = text.split("\n")
    index, found = line_of_field(lines, owner, field)
    if found:
        for call in (".dispose()", "?.dispose()", ".cancel()", "?.cancel()"):
            yield "\n".join(
                [*lines[:index], f"{lines[index]}; deinit {{ {field}{call} }}", *lines[index + 1 :]]
            )


def edits(text, explanation):
    """Returns the texts after following the advice, in the order in which to try them.

    Returns no text if the advice is not an edit of one line.
    """
    _, _, site = (
        explanation.steps[explanation.broken] if explanation.broken is not None else ("", "", "")
    )
    texts = []
    weak = re.match(r"Capture (\w+) weakly(?:: \[weak \w+\])?\.", explanation.advice)
    if weak and line_of(site) and not weak[1][0].isupper():
        texts = list(capture_weakly(text, line_of(site), weak[1]))
    field = re.match(
        r"Make (\w+)(?:<.*>)?\.(\w+) (?:weak\.|an optional weak reference)", explanation.advice
    )
    if field:
        texts = list(make_weak(text, field[1], field[2]))
    disposed = re.search(r"Then dispose (\w+)(?:<.*>)?\.(\w+) in deinit\.", explanation.advice)
    # Another closure of the same owner may have led to that edit already.
    if disposed and f"deinit {{ {disposed[2]}" not in text:
        texts = [
            after
            for before in texts
            for after in dispose_in_deinit(before, disposed[1], disposed[2])
        ]
    return texts


class Attempt:
    """The edits of one case."""

    def __init__(self, case):
        self.case, self.text, self.advice = case, case.text, []
        self.candidates = [case.text]

    def follow(self, findings):
        """Follows the advice of findings. Returns whether that changes the text."""
        self.candidates, followed = [self.text], set()
        for finding in findings:
            explanation = finding.explanation
            if not explanation or not explanation.advice:
                continue
            # Several instances of a class have the same mistake.
            site = explanation.steps[explanation.broken] if explanation.broken is not None else None
            if (explanation.advice, site) in followed:
                continue
            followed.add((explanation.advice, site))
            self.advice.append(explanation.advice)
            self.candidates = [new for text in self.candidates for new in edits(text, explanation)][
                :MAX_CANDIDATES
            ] or self.candidates
        return self.take()

    def take(self):
        """Takes the next text to try. Returns False if no text is left."""
        if not self.candidates or self.candidates[0] == self.text:
            return False
        self.text = self.candidates.pop(0)
        return True


# Runs ---------------------------------------------------------------------------------------------


def run_cases(cases, settings):
    """Runs cases in parallel, and returns their results by name."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        return {
            result.case.name: result
            for result in pool.map(lambda case: corpus.run(case, settings), cases)
        }


def compile_edits(edited, sources, folder, program, paths, write):
    """Compiles the copy, with the next candidate of each case that does not compile.

    Returns the cases without a candidate that compiles, each with an error, and reverts their
    edits.
    """
    failed = []
    while (output := debug_build.compile_program(sources, folder, program, "LeakCorpus")) is not None:
        broken = {
            name for name in re.findall(r"(\w+\.swift):\d+:\d+: error", output) if name in paths
        }
        broken = [(attempt, before) for attempt, before in edited if attempt.case.file in broken]
        if not broken:
            print(output[-4000:], file=sys.stderr)
            sys.exit("FAILED: the copy of the corpus does not compile.")
        for attempt, before in broken:
            if not attempt.take():
                error = re.search(rf"{attempt.case.file}:\d+:\d+: error: .*", output)
                failed.append((attempt, error[0] if error else ""))
                attempt.text, attempt.candidates = before, []
            write(attempt, attempt.text)
    return failed


def leaks(result):
    """Returns the findings about leaks of a run."""
    return [finding for finding in result.findings if finding.rule in corpus.RULES]


def is_leaking(result):
    return bool(leaks(result)) or result.object == "alive"


def describe(attempt, result):
    """Returns the name of a case, the advice that was followed, and the remaining finding."""
    left = leaks(result)
    remaining = left[0].explanation if left else result.object
    return f"{attempt.case.name}: {' '.join(attempt.advice) or 'no advice'} Left: {remaining}"


def main():
    parser = argparse.ArgumentParser(
        description="Follows the advice about the leak corpus, and checks that it helps."
    )
    parser.add_argument("bin", help="the folder with LeakCorpus and trace-viewer of a debug build")
    parser.add_argument("--filter", metavar="REGEX", help="run only cases whose names match")
    parser.add_argument(
        "--verbose",
        action="store_true",
        help="print the advice that is not an edit of one line, too",
    )
    options = parser.parse_args()
    folder = os.path.abspath(options.bin)
    settings = Settings(folder, os.path.join(folder, "LeakCorpus"))
    cases = [case for case in corpus.read_cases(settings.corpus) if case.is_leak]
    if options.filter:
        cases = [case for case in cases if re.search(options.filter, case.name)]
    results = run_cases(cases, settings)

    failures, ended = [], 0
    attempts = {case.name: Attempt(case) for case in cases}
    with tempfile.TemporaryDirectory(prefix="trace-advice-") as scratch:
        sources, program = os.path.join(scratch, "Sources"), os.path.join(scratch, "LeakCorpus")
        shutil.copytree(corpus.SOURCES, sources)
        paths = {
            os.path.basename(path): path
            for path in glob.glob(f"{sources}/**/*.swift", recursive=True)
        }

        def write(attempt, text):
            with open(paths[attempt.case.file], "w", encoding="utf-8") as file:
                file.write(text)

        for number in range(ROUNDS):
            edited = []
            for name, result in results.items():
                before = attempts[name].text
                if attempts[name].follow(leaks(result)):
                    edited.append((attempts[name], before))
                    write(attempts[name], attempts[name].text)
                elif number > 0:
                    failures.append(name)
                    print(f"still leaks: {describe(attempts[name], result)}")
                elif options.verbose:
                    print(f"not one line: {describe(attempts[name], result)}")
            if not edited:
                break
            for attempt, error in compile_edits(edited, sources, folder, program, paths, write):
                failures.append(attempt.case.name)
                print(f"does not compile: {attempt.case.name}: {' '.join(attempt.advice)} {error}")
            running = [attempt.case for attempt, _ in edited if attempt.case.name not in failures]
            results = run_cases(running, Settings(folder, program))
            ended += sum(not is_leaking(result) for result in results.values())
            results = {name: result for name, result in results.items() if is_leaking(result)}
        for name, result in results.items():
            if name not in failures and attempts[name].text != attempts[name].case.text:
                failures.append(name)
                print(f"still leaks: {describe(attempts[name], result)}")

    count = ended + len(failures)
    print(f"{ended} of {count} leaks ended after edits of one line that the advice asks for.")
    if not options.filter and count < MIN_EDITS:
        sys.exit(f"FAILED: only {count} findings have advice that is an edit of one line.")
    if count and ended < SHARE * count:
        sys.exit(1)


if __name__ == "__main__":
    main()
