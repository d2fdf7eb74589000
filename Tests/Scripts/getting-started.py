#!/usr/bin/env python3
"""Follows the pages "Getting started" and "Getting started without signals" in empty folders.

    Tests/Scripts/getting-started.py TRACE_VIEWER [PAGE...]

Files and commands are exactly those of a page: a block of Swift goes to the file that the
paragraph before it names, each line of an `sh` block runs in bash, and a `text` block after it is
the expected output, except for the numbers. A paragraph with "exits with N" gives the exit code.
The address of the repository leads to a clone of this checkout, whose last commit has the tag of
the version that a page names.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CATALOG = ROOT / "Sources/ReactiveTrace/ReactiveTrace.docc"
# The pages, each with the minimum number of its commands and its outputs.
PAGES = {"GettingStarted.md": (6, 2), "GettingStartedWithoutSignals.md": (7, 2)}
COMMAND_SECONDS = 10 * 60
OUTPUT_BYTES = 4 << 20


class Failure(Exception):
    """A step of the page that does not work as written."""


def parts(text: str):
    """Yields the paragraphs and blocks of the page: a language, or nothing, and the text."""
    pattern = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
    position = 0
    for block in pattern.finditer(text):
        for paragraph in text[position : block.start()].split("\n\n"):
            if paragraph.strip():
                yield "", paragraph.strip()
        yield block[1], block[2]
        position = block.end()
    for paragraph in text[position:].split("\n\n"):
        if paragraph.strip():
            yield "", paragraph.strip()


def clone(folder: pathlib.Path, address: str, version: str) -> dict[str, str]:
    """Clones the checkout with a tag. Returns the settings that lead git from the address to it."""
    repository = folder / "repository.git"
    run(["git", "clone", "--quiet", "--bare", ROOT, repository])
    run(["git", "-C", repository, "tag", "--force", f"v{version}"])
    return {
        "GIT_CONFIG_COUNT": "2",
        "GIT_CONFIG_KEY_0": f"url.file://{repository}.insteadOf",
        "GIT_CONFIG_VALUE_0": address,
        # The checkout may belong to another user.
        "GIT_CONFIG_KEY_1": "safe.directory",
        "GIT_CONFIG_VALUE_1": "*",
    }


def isolate_swift(folder: pathlib.Path) -> None:
    """Puts a `swift` first on the path that stores all of SwiftPM's data in the folder.

    SwiftPM would keep data about versions in the home folder of the user, and refuse another commit
    of a version. The packages of all pages share a build, so the dependency is compiled once.
    """
    real = shutil.which("swift")
    names = ["cache", "config", "security", "scratch"]
    options = " ".join(f"--{name}-path '{folder / name}'" for name in names)
    script = folder / "bin/swift"
    script.write_text(
        "#!/bin/sh\n"
        "command=$1\n"
        "shift\n"
        f"[ -e .build ] || ln -s '{folder / 'scratch'}' .build\n"
        f"exec '{real}' \"$command\" {options} \"$@\"\n"
    )
    script.chmod(0o755)


def run(command: list) -> None:
    subprocess.run(command, check=True, timeout=120, stdout=subprocess.DEVNULL)


class Walk:
    """A person who follows the page."""

    def __init__(self, folder: pathlib.Path, environment: dict[str, str]) -> None:
        self.folder = folder
        self.environment = environment
        self.output = ""
        self.commands = 0
        self.compared = 0

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text)

    def type(self, command: str, code: int) -> None:
        print(f"$ {command}")
        place = self.folder / "..place"
        with tempfile.TemporaryFile("w+") as output:
            ended = subprocess.run(
                [
                    "bash",
                    "-c",
                    f"ulimit -f {1 << 20}; {command}\ncode=$?; pwd > '{place}'; exit $code",
                ],
                cwd=self.folder,
                env=self.environment,
                timeout=COMMAND_SECONDS,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
            output.seek(0)
            self.output = output.read(OUTPUT_BYTES)
        print(self.output[-2000:])
        if ended.returncode != code:
            raise Failure(f"'{command}' exited with {ended.returncode} instead of {code}")
        self.folder = pathlib.Path(place.read_text().strip())
        place.unlink(missing_ok=True)
        self.commands += 1

    def compare(self, expected: str) -> None:
        if plain(expected) not in plain(self.output):
            raise Failure(
                f"the page has this output:\n{expected}\nThe command printed:\n{self.output}"
            )
        self.compared += 1


def plain(text: str) -> str:
    """Returns the text without differences between runs: durations and the width of columns."""
    text = re.sub(r"\b[\d.]+ (ns|µs|ms|s)\b", "TIME", text)
    return "\n".join(re.sub(r" +", " ", line).strip() for line in text.strip().split("\n"))


def follow(text: str, walk: Walk) -> None:
    items = list(parts(text))
    file, was_command = None, False
    for index, (language, content) in enumerate(items):
        following = next((item for kind, item in items[index + 1 :] if kind == ""), "")
        if language == "":
            match = re.search(r"`([\w/.]+)`(?: with this)?:$", content)
            file = match[1] if match else None
            # An output belongs to the command above it, even if there is a sentence between them.
            was_command = was_command and not content.startswith("#")
        elif language == "swift":
            if file is None:
                raise Failure(f"no paragraph names the file for this block:\n{content}")
            walk.write(file, content)
            was_command = False
        elif language == "sh":
            code = re.search(r"exits\s+with\s+(\d+)", following)
            lines = [line for line in content.split("\n") if line.strip()]
            for line in lines:
                walk.type(line, int(code[1]) if code and line == lines[-1] else 0)
            was_command = True
        elif language == "text" and was_command:
            walk.compare(content)
            was_command = False


def follow_pages(pages: list[pathlib.Path], viewer: pathlib.Path) -> None:
    texts = {page.name: page.read_text() for page in pages}
    address, version = only(
        re.search(r'\.package\(url: "([^"]+)", from: "([^"]+)"\)', text).groups()
        for text in texts.values()
    )
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        (folder / "bin").mkdir()
        (folder / "bin/trace-viewer").symlink_to(viewer)
        environment = {
            key: value
            for key, value in os.environ.items()
            if not key.startswith(("REACTIVE_TRACE", "GITHUB_"))
        }
        isolate_swift(folder)
        environment |= {"PATH": f"{folder / 'bin'}:{environment['PATH']}", "TMPDIR": str(folder)}
        environment |= clone(folder, address, version)
        for name, text in texts.items():
            empty = folder / f"folder of {name}"
            empty.mkdir()
            follow_page(name, text, Walk(empty, environment))


def only(values):
    """Returns the value that all pages have."""
    found = set(values)
    if len(found) != 1:
        raise Failure(f"the pages name several versions of the package: {sorted(found)}")
    return found.pop()


def follow_page(name: str, text: str, walk: Walk) -> None:
    try:
        follow(text, walk)
        commands, outputs = PAGES[name]
        if walk.commands < commands or walk.compared < outputs:
            raise Failure(
                f"it has only {walk.commands} commands and {walk.compared} outputs; it had "
                f"{commands} and {outputs}"
            )
    except (Failure, subprocess.TimeoutExpired) as error:
        raise Failure(f"{name}: {error}") from error
    print(f"{walk.commands} commands and {walk.compared} outputs of {name} are as written.")


def main() -> int:
    viewer = pathlib.Path(sys.argv[1]).resolve()
    try:
        follow_pages([CATALOG / name for name in sys.argv[2:] or PAGES], viewer)
    except Failure as error:
        print(f"FAILED: {error}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
