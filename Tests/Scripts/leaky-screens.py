#!/usr/bin/env python3
"""Runs the sample LeakyScreens, and compares its findings with its sources and its article.

    leaky-screens.py BIN_FOLDER VIEWER

The sources have marks, and the article has the output of the program. BIN_FOLDER has the program
`leaky-screens` of a debug build, because an optimized build has other locations. VIEWER is a
trace-viewer of any build. The script exits with 1 if something differs from the expectations.
"""

import glob
import json
import os
import re
import subprocess
import sys
import tempfile

import judgments

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
SCREENS = os.path.join(ROOT, "Samples", "LeakyScreens", "Screens")
ARTICLE = os.path.join(ROOT, "Sources", "ReactiveTrace", "ReactiveTrace.docc", "LeaksInPractice.md")
SECONDS = 60

# The rule of each screen, and the step that the finding must name: the one to break, or the first
# one of a path.
EXPECTED = {
    "ProfileScreen": ("retain-cycle", "closure at ProfileScreen.swift:{mistake}"),
    "CheckoutScreen": ("undisposed", "closure at CheckoutScreen.swift:{mistake}"),
    "ArticleScreen": ("retain-cycle", "method reference at ArticleScreen.swift:{mistake}"),
    "LoginScreen": ("undisposed", "assign(to:on:)"),
    "RouteScreen": ("retain-cycle", "closure at RouteScreen.swift:{mistake}"),
    "WorkoutScreen": ("retain-cycle", "closure at WorkoutScreen.swift:{mistake}"),
    "ChatScreen": ("retain-cycle", "closure at ChatScreen.swift:{mistake}"),
    "InboxScreen": ("undisposed", "Task at InboxScreen.swift:{observed}"),
    "WeatherScreen": ("undisposed", "static WeatherStation.reports"),
    "SettingsScreen": ("undisposed", "static ThemeService.shared"),
    "GalleryScreen": ("undisposed", "static LoaderCache.loaders"),
    "StocksScreen": ("undisposed", "static Exchange.quotes"),
}

failures = []


def expect(condition, sentence):
    if not condition:
        failures.append(sentence)


def run(*command, log=None):
    """Runs a command without the settings of the recorder.

    Returns its exit code and its output.
    """
    environment = {
        key: value for key, value in os.environ.items() if not key.startswith("REACTIVE_TRACE")
    }
    # A busy machine may need more time to search than a program takes by default.
    environment["REACTIVE_TRACE_EXPLAIN"] = "30"
    if log:
        environment["REACTIVE_TRACE"] = log
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, env=environment)
    return done.returncode, done.stdout, done.stderr


def marks(text):
    """Returns the marks at the end of a line of source.

    They are '// observed', '// mistake', or '// observed, mistake'.
    """
    found = re.search(r"// ((?:observed|mistake)(?:, mistake)?)$", text.rstrip())
    return found.group(1).split(", ") if found else []


def line(name, mark):
    """Returns the number of the only line with a mark in the file of a screen, or None."""
    with open(os.path.join(SCREENS, name + ".swift"), encoding="utf-8") as file:
        lines = [number for number, text in enumerate(file, 1) if mark in marks(text)]
    expect(len(lines) < 2, f"{name}.swift has several lines with '// {mark}'.")
    return lines[0] if lines else None


def observed(name):
    return f"leaky_screens/{name}.swift:{line(name, 'observed')}"


def culprit(name):
    return EXPECTED[name][1].format(mistake=line(name, "mistake"), observed=line(name, "observed"))


def paragraphs(output):
    """Returns the output of the program about each screen by its name."""
    return {text.split("\n", 1)[0]: text.rstrip("\n") for text in output.split("\n\n")}


def finding(paragraph):
    """Returns the finding of a paragraph: its lines between the mistake and the cure."""
    lines = paragraph.split("\n")
    return "\n".join(text[2:] for text in lines[2:-1])


def check_printed(printed):
    expect(list(printed) == list(EXPECTED), f"The program prints the screens {list(printed)}.")
    for name, paragraph in printed.items():
        expect(
            f"observed at {observed(name)} " in paragraph,
            f"{name}: not observed at {observed(name)}:\n{paragraph}",
        )
        steps = [text.strip() for text in paragraph.split("\n")]
        if "kept alive by a cycle" in paragraph:
            steps = [step for step in steps if "<- break it here" in step]
        found = any(step == culprit(name) or step.startswith(culprit(name) + " ") for step in steps)
        expect(found, f"{name}: the step '{culprit(name)}' is not the one to break:\n{paragraph}")


def check_leaky_log(viewer, log):
    code, output, errors = run(viewer, "check", "--format", "json", log)
    expect(code == 1, f"The check of the leaky screens exits with {code}: {errors}")
    found = {}
    for item in judgments.of(json.loads(output)):
        name = re.search(r"(\w+)\.swift", item["observed"]["source"]).group(1)
        expect(name not in found, f"{name}: more than one finding.")
        found[name] = item
    expect(sorted(found) == sorted(EXPECTED), f"The check has findings about {sorted(found)}.")
    for name, item in found.items():
        expect(item["rule"] == EXPECTED[name][0], f"{name}: the rule is {item['rule']}.")
        expect(
            item["observed"]["source"] == observed(name),
            f"{name}: observed at {item['observed']['source']}.",
        )
        retention = item["retention"]
        step = retention["path"][retention.get("break", 0)]
        expect(step == culprit(name), f"{name}: the step in the log is '{step}'.")


def check_cured(program, viewer, log):
    code, output, errors = run(program, "--cured", log=log)
    expect(code == 0, f"The cured screens exit with {code}: {errors}")
    expect(list(paragraphs(output)) == list(EXPECTED), f"Not all screens are cured:\n{output}")
    expect(
        output.count("finding: nothing leaks\n") == len(EXPECTED),
        f"A cured screen leaks:\n{output}",
    )
    code, output, errors = run(viewer, "check", log)
    expect(code == 0, f"The check of the cured screens exits with {code}:\n{output}{errors}")


def check_article(printed):
    with open(ARTICLE, encoding="utf-8") as file:
        article = file.read()
    sections = dict(
        re.findall(r"^## [^\n]*\((\w+)\)\n(.*?)(?=^## |\Z)", article, re.MULTILINE | re.DOTALL)
    )
    expect(list(sections) == list(EXPECTED), f"The article has the sections {list(sections)}.")
    for name, section in sections.items():
        blocks = re.findall(r"^```(\w*)\n(.*?)\n```$", section, re.MULTILINE | re.DOTALL)
        expected = finding(printed[name])
        expect(
            [text for language, text in blocks if not language] == [expected],
            f"{name}: the article does not have what the program prints:\n{expected}",
        )


def check_arguments(program):
    for words in [["--screen"], ["--screen", "NoScreen"], ["--no-such-option"], ["ProfileScreen"]]:
        code, output, errors = run(program, *words)
        expect(code == 64, f"'{' '.join(words)}' exits with {code}.")
        expect(
            output == "" and re.match(r"Error: .*\.\n", errors),
            f"'{' '.join(words)}' has no sentence: {errors}",
        )
    code, output, _ = run(program, "--help")
    expect(
        code == 0 and output.startswith("Usage: leaky-screens"),
        f"--help exits with {code}:\n{output}",
    )
    code, output, _ = run(program, "--screen", "ChatScreen")
    expect(
        code == 0 and list(paragraphs(output)) == ["ChatScreen"],
        f"--screen exits with {code}:\n{output}",
    )


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    program, viewer = os.path.join(sys.argv[1], "leaky-screens"), sys.argv[2]
    files = {
        os.path.basename(path)[: -len(".swift")]
        for path in glob.glob(os.path.join(SCREENS, "*.swift"))
    }
    expect(
        files == set(EXPECTED),
        f"The files are not those of the screens: {sorted(files ^ set(EXPECTED))}.",
    )
    with tempfile.TemporaryDirectory(prefix="leaky-screens-") as scratch:
        log = os.path.join(scratch, "leaky.jsonl")
        code, output, errors = run(program, log=log)
        expect(code == 0, f"The leaky screens exit with {code}: {errors}")
        printed = paragraphs(output)
        check_printed(printed)
        check_leaky_log(viewer, log)
        code, without_log, _ = run(program)
        expect(
            without_log == output,
            f"Without a log, the program prints something else:\n{without_log}",
        )
        check_cured(program, viewer, os.path.join(scratch, "cured.jsonl"))
    check_article(printed)
    check_arguments(program)
    for sentence in failures:
        print(f"FAILED: {sentence}", file=sys.stderr)
    if failures:
        sys.exit(1)
    print(f"{len(EXPECTED)} screens leak as they should, and none of them when it is cured.")


main()
