#!/usr/bin/env python3
"""Writes the operators of the page "Coming from Combine" as code for OpenCombine and ReactiveKit.

    Tests/Scripts/tables.py [--check]

The tests of TracedOpenCombine run both. With --check, fails if the files aren't current.
"""

import pathlib
import re
import subprocess
import sys

import documentation

PAGE = documentation.root / "Sources/ReactiveKit/ReactiveKit.docc/ComingFromCombine.md"
TESTS = documentation.root / "Adapters/TracedOpenCombine/Tests/TracedOpenCombineTests"
SECTIONS = ("Transforming", "Filtering", "Combining", "Flattening", "Errors")
# What OpenCombine 0.14.0 doesn't have, what needs a queue, and what ends the program.
MISSING = re.compile(
  r"(x\.)?(combineLatest|merge|encode|decode|measureInterval|assertNoFailure)\b"
  r"|Publishers\.MergeMany|collect\(\.by")
# What the page leaves out.
ARGUMENTS = {
  "min(by:)": "min(by: isLess)", "max(by:)": "max(by: isLess)",
  "removeDuplicates(by:)": "removeDuplicates(by: ==)",
  "tryRemoveDuplicates(by:)": "tryRemoveDuplicates(by: areEqual)",
  "tryContains(where:)": "tryContains(where: isValid)",
  "tryAllSatisfy": "tryAllSatisfy(isValid)",
  "x.zip(y, z, w)": "x.zip(y, z, x)",
}


def pairs() -> list[tuple[int, str, str, bool]]:
  """Returns lines with the code of both columns, and whether nothing differs."""
  sections, found = {}, []
  for number, line in enumerate(PAGE.read_text().split("\n"), 1):
    sections[number] = line[3:] if line.startswith("## ") else sections.get(number - 1)
  for number, columns in documentation.rows(PAGE):
    theirs, ours = documentation.spans(columns[0]), documentation.spans(columns[1])
    if sections[number] not in SECTIONS:
      continue
    count = len(theirs) if len(theirs) == len(ours) else 1
    for code, own in list(zip(theirs, ours))[:count]:
      if MISSING.match(code) or re.fullmatch(r"\w+|[\w.]+\((\w+:|_:)+\)", own):
        continue
      code = ARGUMENTS.get(code, code)
      receiver = re.match(r"(x|e|texts|optionals)\.", own)
      if not re.match(r"x\.", code):
        code = f"{receiver[1] if receiver else 'e' if code.startswith('try') else 'x'}.{code}"
      found.append((number, code, own, columns[2] == "-"))
  return found


def files() -> dict[pathlib.Path, str]:
  texts = {}
  for name, module, column in (
      ("PublisherCells", "OpenCombine", 1), ("SignalCells", "ReactiveKit", 2)):
    functions, entries = [], []
    for number, row in enumerate(pairs()):
      functions.append(f"  func cell{number}() -> [String] {{ record({row[column]}) }}\n")
      equal = str(row[3]).lower()
      entries.append(f"      Cell({row[0]}, isEqual: {equal}) {{ $0.cell{number}() }},\n")
    texts[TESTS / f"{name}+Page.swift"] = formatted(
      "// Made by Tests/Scripts/tables.py from the page \"Coming from Combine\".\n"
      f"import Foundation\nimport {module}\n\nextension {name} {{\n"
      f"  static var all: [Cell<{name}>] {{\n    [\n{''.join(entries)}    ]\n  }}\n\n"
      f"{''.join(functions)}}}\n")
  return texts


def formatted(text: str) -> str:
  return subprocess.run(
    ["swift", "format", "--configuration", documentation.root / ".swift-format", "-"],
    input=text, text=True, timeout=60, check=True, stdout=subprocess.PIPE).stdout


def main() -> int:
  texts = files()
  stale = [path for path, text in texts.items() if not path.exists() or path.read_text() != text]
  if "--check" not in sys.argv[1:]:
    for path in stale:
      path.write_text(texts[path])
    return 0
  for path in stale:
    print(f"FAILED: {path.relative_to(documentation.root)} isn't current. Run tables.py.")
  return 1 if stale else 0


if __name__ == "__main__":
  sys.exit(main())
