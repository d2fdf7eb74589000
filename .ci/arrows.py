#!/usr/bin/env python3
"""Checks that the folders of each module use each other in one direction only.

    .ci/arrows.py [MODULE]

ARCHITECTURE.md defines the direction in blocks that are fenced as `layers`. Each line lists the
folders of one module from top to bottom: `Module: Top > Middle, Beside > Bottom`. An indented line
continues the line before it. A folder may use the folders below it. Folders with a comma between
them must not use each other. Every module with several folders, or with more than 12 files, needs a
line, and all of its files are in these folders, which Documentation/Folders.md describes. If you
name a module, the script prints all arrows between the folders of that module.

The script reads text, not types. It looks at the global types and functions that a file declares,
and at the members that it adds to other types. A file uses a name if the identifier appears in its
code. The script ignores a name that several files declare, a name of the standard library, and a
member with a common name. So nearly every arrow that it finds is real, but it misses some.
"""

import collections
import re
import sys

from sources import ROOT, blocks, code_of, targets

TYPE = re.compile(r"\b(?:class|struct|enum|protocol|actor|typealias)\s+(\w+)")
FUNCTION = re.compile(r"\bfunc\s+(\w+)")
IMPORT = re.compile(r"^\s*(?:\w+\s+)?import .*$", re.M)
EXTENSION = re.compile(r"^\s*(?:\w+\s+)*extension\s+[\w.]+")
MEMBER = re.compile(r"\b(?:func|var|let|case)\s+(\w+)")
PRIVATE = re.compile(r"\b(?:private|fileprivate)\b(?!\()")
PARAMETER = re.compile(r"\b_ (\w+)\s*:")
CASES = re.compile(r"^\s*case\s+(\w+(?:\s*,\s*\w+)+)", re.M)
WORD = re.compile(r"[A-Za-z_]\w*")
# Our operators and collections have these names too.
STANDARD_NAMES = {"compactMap", "endIndex", "removeFirst", "removeValue", "startIndex", "zip"}
# Members with shorter names may be members of the standard library, so they are ignored.
SHORTEST_MEMBER = 7
# A module with more files needs folders.
MAX_FILES = 12


def modules():
    """Returns name -> folder of each module."""
    return {name: target.folder for name, target in targets().items() if target.is_of_sources}


def read_layers():
    """Returns module -> folder -> level. Level 0 is the top."""
    layers = {}
    for block in blocks("layers"):
        for line in re.sub(r"\n +", " ", block).strip().splitlines():
            module, folders = line.split(":")
            layers[module.strip()] = {
                folder.strip(): level
                for level, layer in enumerate(folders.split(">"))
                for folder in layer.split(",")
            }
    return layers


class File:
    def __init__(self, path, module):
        self.path = path
        relative = path.relative_to(module)
        self.folder = relative.parts[0] if len(relative.parts) > 1 else None
        code = IMPORT.sub("", code_of(path.read_text()))
        self.globals, self.nested, self.members = set(), set(), set()
        self.own, self.uses = set(), {}
        self.parameters = set(PARAMETER.findall(code))
        self.all_members = set(MEMBER.findall(code)) | set(TYPE.findall(code))
        for cases in CASES.findall(code):
            self.all_members |= set(WORD.findall(cases))
        depth, extended = 0, []
        for number, line in enumerate(code.split("\n"), 1):
            for word in WORD.findall(line):
                self.uses.setdefault(word, number)
            if PRIVATE.search(line):
                self.own |= set(TYPE.findall(line)) | set(MEMBER.findall(line))
            elif depth == 0:
                self.globals |= set(TYPE.findall(line)) | set(FUNCTION.findall(line))
            else:
                self.nested |= set(TYPE.findall(line))
                if extended and depth == extended[-1] + 1:
                    self.members |= set(TYPE.findall(line)) | set(MEMBER.findall(line))
            if EXTENSION.match(line):
                extended.append(depth)
            depth += line.count("{") - line.count("}")
            while extended and depth <= extended[-1] and "}" in line:
                extended.pop()


def owners(files):
    """Returns name -> the only file that declares it."""
    declared, nested, members, everywhere = (
        collections.defaultdict(set),
        collections.defaultdict(set),
        collections.defaultdict(set),
        collections.Counter(),
    )
    for file in files:
        for name in file.globals:
            declared[name].add(file)
        for name in file.nested:
            nested[name].add(file)
        for name in file.members - file.own:
            members[name].add(file)
        everywhere.update(file.all_members)
    found = {
        name: next(iter(files))
        for name, files in declared.items()
        if len(files | nested[name]) == 1
    }
    for name, files in members.items():
        is_unusual = len(files) == 1 and everywhere[name] == 1 and len(name) >= SHORTEST_MEMBER
        if is_unusual and name not in declared:
            found[name] = next(iter(files))
    return {name: file for name, file in found.items() if name not in STANDARD_NAMES}


def arrows(module):
    """Returns (from folder, to folder) -> the names that are used, each with its first location."""
    files = [File(path, module) for path in sorted(module.rglob("*.swift"))]
    found = collections.defaultdict(list)
    for name, owner in owners(files).items():
        for file in files:
            if file is owner or name not in file.uses or name in file.own | file.parameters:
                continue
            if file.folder and owner.folder and file.folder != owner.folder:
                place = f"{file.path.relative_to(ROOT)}:{file.uses[name]}"
                found[file.folder, owner.folder].append(f"{name} ({place})")
    return found


def shortest_way(found, start, end):
    """Returns the folders on the shortest way along arrows, or None."""
    ways, seen = [[start]], {start}
    for way in ways:
        if way[-1] == end:
            return way
        for source, target in sorted(found):
            if source == way[-1] and target not in seen:
                seen.add(target)
                ways.append([*way, target])
    return None


def shown(names, most=6):
    return ", ".join(sorted(names)[:most])


def problems_of(name, module, levels):
    """Returns what is wrong with the folders of a module."""
    if not module:
        return [f"The layers have {name}, which isn't a module of Package.swift. Delete its line."]
    files = list(module.rglob("*.swift"))
    folders = {path.relative_to(module).parts[0] for path in files if path.parent != module}
    beside = [path.name for path in files if path.parent == module and path.name != "main.swift"]
    problems = []
    if len(files) > MAX_FILES and not folders:
        problems.append(
            f"{name} has {len(files)} files. Put them into folders, and add a line to the layers."
        )
    elif folders and beside:
        problems.append(f"{name} has folders. Put these files into one, too: {shown(beside)}.")
    if not levels:
        if len(folders) > 1:
            line = f"{name}: {' > '.join(sorted(folders))}"
            problems.append(f"{name} has no line in the layers. Add one in order, like {line}.")
        return problems
    problems += [
        f"The layers lack the folder {folder} of {name}. Add it to the line of {name}."
        for folder in sorted(folders - set(levels))
    ]
    problems += [
        f"The layers have {name}/{folder}, which has no files. Delete it from the line."
        for folder in sorted(set(levels) - folders)
    ]
    found = arrows(module)
    for (start, end), names in sorted(found.items()):
        if levels.get(start, 0) < levels.get(end, 99):
            continue
        back = shortest_way(found, end, start)
        if back:
            steps = [f"{to} ({shown(found[at, to], 3)})" for at, to in zip([start, *back], back)]
            problems.append(f"{name}: a cycle: {' -> '.join([start, *steps])}")
        else:
            problems.append(f"{name}: {start} must not use {end}: {shown(names)}")
    return problems


def undescribed_folders(layers):
    """Returns problems with folders that the page about folders lacks."""
    page = (ROOT / "Documentation/Folders.md").read_text()
    sections = dict(re.findall(r"^## (\S+)\n(.*?)(?=^## |\Z)", page, re.M | re.S))
    rows = {
        module: set(WORD.findall(" ".join(re.findall(r"^\| (`.*?`) \|", text, re.M))))
        for module, text in sections.items()
    }
    problems = [
        f"Documentation/Folders.md lacks {module}/{folder}. Add a row to its table."
        for module, folders in layers.items()
        for folder in folders
        if folder not in rows.get(module, ())
    ]
    problems += [
        f"Documentation/Folders.md has {module}/{folder}, which the layers lack. Delete the row."
        for module, folders in rows.items()
        for folder in sorted(folders - set(layers.get(module, ())))
    ]
    return problems


def files_of_no_module(folders):
    """Returns problems with Swift files in Sources that no target compiles."""
    lost = [
        str(path.relative_to(ROOT))
        for path in (ROOT / "Sources").rglob("*.swift")
        if not any(folder in path.parents for folder in folders)
    ]
    return [f"No target of Package.swift has these files: {shown(lost)}."] if lost else []


def main():
    for name in sys.argv[1:]:
        for (start, end), names in sorted(arrows(modules()[name]).items()):
            print(f"{start} -> {end}: {shown(names)}")
    layers = read_layers()
    folders = modules()
    problems = files_of_no_module(folders.values()) + undescribed_folders(layers)
    for name in sorted(set(folders) | set(layers)):
        problems += problems_of(name, folders.get(name), layers.get(name, {}))
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
