"""What the checks of this folder read: the targets of Package.swift, pages, and code as text."""

import functools
import json
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent


class Target:
    """A target of Package.swift, with its folder and the names of its dependencies."""

    def __init__(self, described):
        self.name = described["name"]
        self.kind = described["type"]
        self.path = pathlib.PurePosixPath(described.get("path") or f"Sources/{self.name}")
        self.folder = ROOT / self.path
        named = [next(iter(found.values())) for found in described["dependencies"]]
        self.dependencies = {name for name, *_ in named}

    @property
    def is_of_sources(self):
        return self.path.parts[0] == "Sources"

    @property
    def area(self):
        return str(self.path.parent)


@functools.cache
def manifest():
    command = ["swift", "package", "dump-package"]
    dumped = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, timeout=300, check=True)
    return json.loads(dumped.stdout)


@functools.cache
def targets():
    """Returns name -> target."""
    found = [Target(described) for described in manifest()["targets"]]
    return {target.name: target for target in found}


def everything_below(names):
    """Returns these targets, those that they depend on, and so on."""
    found, waiting = set(), list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += targets()[name].dependencies
    return found


def blocks(kind):
    """Returns the blocks of ARCHITECTURE.md that are fenced as `kind`."""
    page = (ROOT / "ARCHITECTURE.md").read_text()
    return re.findall(rf"^```{kind}\n(.*?)^```", page, re.M | re.S)


def code_of(text):
    """Returns the code without comments and string literals, but with interpolated code."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S)
    text = re.sub(r'"""(.*?)"""', lambda found: interpolations(found[1]), text, flags=re.S)
    return re.sub(
        r'"((?:[^"\\\n]|\\\((?:[^()]|\([^()]*\))*\)|\\.)*)"',
        lambda found: interpolations(found[1]),
        text,
    )


def interpolations(literal):
    return " ".join(re.findall(r"\\\(((?:[^()]|\([^()]*\))*)\)", literal))
