#!/usr/bin/env python3
"""Compares Package.swift with the imports of the code, the map of modules, and `OwnModules`.

    .ci/imports.py [--draw]

- A target declares every module of this package that it imports, also inside of `#if`, and imports
  every module that it declares. SwiftPM doesn't check this, and without a declaration, a build only
  succeeds by chance. A target can declare a program without importing it, because it runs it, and
  LinkedCauses, which only makes programs link another module.
- The block of ARCHITECTURE.md that is fenced as `map` has every module below its folder, after the
  modules that use it, with all dependencies. The diagram above it has the same modules. It lacks an
  arrow if other arrows lead to the same module. --draw writes the diagram.
- `OwnModules` has the folders of everything that a client of a library links.
"""

import re
import sys

from sources import ROOT, blocks, code_of, everything_below, manifest, targets

IMPORT = re.compile(
    r"^[ \t]*(?:@\w+(?:\([^)]*\))?\s+|(?:public|package|internal|fileprivate|private)\s+)*"
    r"import\s+(?:(?:typealias|struct|class|enum|protocol|let|var|func)\s+)?(\w+)",
    re.M,
)
DIAGRAM = re.compile(r"(?<=^```mermaid\n).*?(?=^```)", re.M | re.S)


def shown(names):
    return ", ".join(sorted(names, key=str.lower))


def problems_of_imports(target):
    """Returns the differences between what a target declares and what it imports."""
    modules = {re.sub(r"\W", "_", name): name for name in targets()}
    files = list(target.folder.rglob("*.swift"))
    imported = {}
    for file in sorted(files):
        for module in IMPORT.findall(code_of(file.read_text())):
            if module in modules and modules[module] != target.name:
                imported.setdefault(modules[module], file.relative_to(ROOT))
    problems = [
        f"{file} imports {name}. Add it to the dependencies of {target.name} in Package.swift,"
        " or delete the import."
        for name, file in sorted(imported.items())
        if name not in target.dependencies
    ]
    problems += [
        f"{target.name} doesn't import {name}. Delete this dependency from Package.swift."
        for name in sorted(target.dependencies - set(imported) - {"LinkedCauses"})
        if name in targets() and targets()[name].kind != "executable"
    ]
    return problems


def read_map():
    """Returns the areas in order, each with its modules in order and what each of them uses."""
    areas = {}
    for block in blocks("map"):
        for line in re.sub(r"\n {6,}", " ", block).splitlines():
            text = line.strip()
            if line.startswith("    uses "):
                modules[name] = set(re.split(r",\s*", text.removeprefix("uses ")))
            elif line.startswith("  "):
                name = text.split(":")[0]
                modules[name] = set()
            elif text:
                modules = areas.setdefault(text.split(":")[0], {})
    return areas


def problems_of_map():
    """Returns the differences between the map and Package.swift."""
    problems, areas = [], read_map()
    mapped = {name: area for area, modules in areas.items() for name in modules}
    for name, target in targets().items():
        if not target.is_of_sources:
            continue
        uses = f"uses {shown(target.dependencies) or 'nothing'}"
        area = mapped.pop(name, None)
        if area != target.area:
            place = f"is below {area}" if area else "is missing"
            problems.append(f"{name} {place}. Put it below {target.area}. It {uses}.")
        elif areas[area][name] != target.dependencies:
            problems.append(f"{name} {uses}. The map has: {shown(areas[area][name]) or 'nothing'}.")
    problems += [f"{name} isn't a module of Package.swift. Delete it." for name in mapped]
    for area, modules in areas.items():
        names = list(modules)
        problems += [
            f"{user} uses {name}, so it must be above it in {area}."
            for name in names
            for user in names[names.index(name) + 1 :]
            if name in modules[user]
        ]
        if not modules:
            problems.append(f"{area} has no modules. Delete it.")
    problems = [f"The map of ARCHITECTURE.md: {problem}" for problem in problems]
    if diagram() not in blocks("mermaid"):
        problems.append("The diagram of ARCHITECTURE.md is old. Run .ci/imports.py --draw.")
    return problems


def diagram():
    """Returns the modules and arrows of Package.swift for Mermaid."""
    modules = [target for target in targets().values() if target.is_of_sources]
    lines = ["graph TD"]
    for area in sorted({target.area for target in modules} - {"Sources"}):
        names = sorted(target.name for target in modules if target.area == area)
        lines.append(f"  subgraph {area.removeprefix('Sources/')}")
        lines += [*(f"    {name}" for name in names), "  end"]
    for target in sorted(modules, key=lambda target: target.name):
        below = {name: everything_below([name]) - {name} for name in target.dependencies}
        direct = target.dependencies - set().union(*below.values())
        if direct:
            lines.append(f"  {target.name} --> {' & '.join(sorted(direct))}")
    return "\n".join(lines) + "\n"


def draw():
    page = ROOT / "ARCHITECTURE.md"
    page.write_text(DIAGRAM.sub(lambda _: diagram(), page.read_text(), count=1))


def problems_of_own_modules():
    """Returns the differences between `OwnModules` and what the libraries link."""
    libraries = [product for product in manifest()["products"] if "library" in product["type"]]
    linked = everything_below([name for product in libraries for name in product["targets"]])
    folders = {f"{targets()[name].path}/" for name in linked}
    file = next((ROOT / "Sources").rglob("OwnModules.swift"))
    listed = set(re.findall(r'"(Sources/[^"]+)"', file.read_text()))
    place = file.relative_to(ROOT)
    lacking = [f'{place} lacks "{name}", which a library links.' for name in folders - listed]
    extra = [f'{place} has "{name}", which no library links.' for name in listed - folders]
    return sorted(lacking + extra)


def main():
    if "--draw" in sys.argv:
        draw()
    problems = problems_of_map() + problems_of_own_modules()
    for target in targets().values():
        problems += problems_of_imports(target)
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
