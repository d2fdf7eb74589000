#!/usr/bin/env python3
"""Checks every page of the documentation: code blocks compile, links lead somewhere, DocC converts.

    Tests/Scripts/documentation.py [--only code|links|site] [PAGE...]

It needs the modules of a debug build (`swift build --build-tests`). Each block of Swift code in a
page is compiled in a function of its own, after the declarations of Tests/Programs/Documentation/PAGE.swift,
which declares what the examples of that page use. A block that declares an extension, a protocol or
a test is at file scope, and one that begins with an import is a program. A manifest, or a part of
one, is compiled as one. The code of the column "ReactiveKit" in the tables about other libraries is
compiled after the declarations of Tests/Programs/Tables.swift.
If the first line of the declarations is `// Blocks are in: TYPE`, the functions are methods of it.
If it is `// Stands for the module: NAME`, blocks that import this module use the declarations.
Errors name the line of the page.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.parse

root = pathlib.Path(__file__).resolve().parent.parent.parent
IMPORTS = ["Foundation", "ReactiveKit", "ReactiveTrace"]
FILE_SCOPE = re.compile(
  r"^(@main|@Test|@Suite|(public |private )?(extension|protocol)\b"
  r"|(prefix|infix|postfix) operator)", re.M)


def pages() -> list[pathlib.Path]:
  listed = subprocess.run(
    ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"],
    cwd=root, text=True, timeout=60, check=True, stdout=subprocess.PIPE).stdout
  return [root / name for name in sorted(listed.split("\n")) if name and (root / name).exists()]


def blocks(page: pathlib.Path, language: str) -> list[tuple[int, str]]:
  """Returns the fenced blocks of a language, each with the number of its first line."""
  found, lines, start = [], page.read_text().split("\n"), None
  indent, fence, wanted = "", "", False
  for number, line in enumerate(lines, 1):
    if start is None:
      match = re.match(r"^(\s*)(`{3,})\s*(\w*)", line)
      if match:
        indent, fence, start, wanted = match[1], match[2], number + 1, match[3] == language
    elif line.strip() == fence:
      if wanted:
        text = "\n".join(part.removeprefix(indent) for part in lines[start - 1 : number - 1])
        found.append((start, text))
      start = None
  if start is not None:
    raise ValueError(f"{page.relative_to(root)}:{start}: the block of code has no end")
  return found


# Code

def rows(page: pathlib.Path) -> list[tuple[int, list[str]]]:
  """Returns the rows of the tables about other libraries, each with the number of its line."""
  found, header = [], None
  for number, line in enumerate(page.read_text().split("\n"), 1):
    if not line.startswith("|"):
      header = None
      continue
    columns = [part.strip().replace("\\|", "|") for part in re.split(r"(?<!\\)\|", line)[1:-1]]
    if header is None:
      header = columns
    elif header[1] == "ReactiveKit" and not set(columns[0]) <= {"-"}:
      found.append((number, columns))
  return found


def spans(column: str) -> list[str]:
  return re.findall(r"`([^`]+)`", column)


def cells(page: pathlib.Path) -> list[tuple[int, str]]:
  """Returns the statements in the second column of these tables, each with its line."""
  found = []
  for number, columns in rows(page):
    if "Apple platforms only" in columns[2]:
      continue
    for code in spans(columns[1]):
      # The names of functions and parameters, and an ellipsis that isn't an operator.
      names = re.fullmatch(r"\w+|\{ \$0 \}|[\w.]+\((\w+:|_:)+\)", code)
      if names or re.search(r"(?<!\d)\.\.\.", code):
        continue
      if re.fullmatch(r"(any )?[A-Z]\w*(<.*>)?", code):
        code = f"_ = ({code}).self"
      elif not re.match(r"(let|var|@|if|for|guard)\b|@|[\w.$]+ [-+]?= ", code):
        code = f"_ = {code}"
      found.append((number, code))
  return found


def source(page: pathlib.Path, scratch: pathlib.Path) -> list[tuple[pathlib.Path, str]]:
  """Writes the files to compile for a page.

  Returns each with its kind: library, program, manifest.
  """
  prelude = root / "Tests/Programs/Documentation" / f"{name(page)}.swift"
  beginning = prelude.read_text() if prelude.exists() else ""
  inside, alone, manifests = [], [], []
  imports = set(IMPORTS)
  module = re.match(r"// Stands for the module: (\w+)\n", beginning)
  for line, text in blocks(page, "swift"):
    if text.startswith("// swift-tools-version"):
      manifests.append((line, text))
    elif re.match(r"(dependencies:|targets:|\.package\()", text):
      # A directive can't be inside an expression, so the lines before the part have the numbers
      # of lines before it in the page.
      part = text.rstrip().rstrip(",")
      if part.startswith(".package("):
        part = f"dependencies: [{part}]"
      beginning_of_manifest = (
        "import PackageDescription\n"
        f"#sourceLocation(file: \"{page.relative_to(root)}\", line: {line - 1})\n")
      manifests.append(
        (line, f'{beginning_of_manifest}let package = Package(name: "App",\n{part})\n'))
    else:
      is_program = text.startswith("import ") and not FILE_SCOPE.search(text)
      own = re.findall(r"^(?:@testable )?import (?:struct |class )?(\w+)", text, re.M)
      text = re.sub(r"^((?:@testable )?import .*)$", r"// \1", text, flags=re.M)
      if is_program or FILE_SCOPE.search(text):
        alone.append((line, own, text, "program" if is_program else "library"))
      else:
        imports.update(own)
        inside.append((line, text))
  programs = []

  def write(suffix: str, text: str, kind: str = "library") -> None:
    file = scratch / f"{name(page)}{suffix}.swift"
    file.write_text(text)
    programs.append((file, kind))

  def heading(names) -> str:
    located_prelude = (
      f'#sourceLocation(file: "{prelude.relative_to(root)}", line: 1)\n{beginning}\n'
      "#sourceLocation()\n") if beginning else ""
    names = sorted(set(names) - {module[1] if module else None})
    return "".join(f"import {item}\n" for item in names) + located_prelude

  if inside:
    functions = [
      f"private func block{line}() async throws {{\n{located(page, line, text)}\n}}\n"
      for line, text in inside]
    owner = re.match(r"// Blocks are in: (\w+)\n", beginning)
    text = "\n".join(functions)
    write("", heading(imports) + (f"extension {owner[1]} {{\n{text}}}\n" if owner else text))
  if cells(page):
    functions = [
      f"private func cell{index}() async throws {{\n{located(page, line, text)}\n}}\n"
      for index, (line, text) in enumerate(cells(page))]
    declarations = (root / "Tests/Programs/Tables.swift").read_text()
    write("-tables", declarations + "\n".join(functions), "cells")
  for line, own, text, kind in alone:
    write(f"-{line}", heading(set(IMPORTS) | set(own)) + located(page, line, text) + "\n", kind)
  for line, text in manifests:
    write(f"-{line}", text, "manifest")
  return programs


def name(page: pathlib.Path) -> str:
  """Returns the name of a page: of its file in a catalog, and elsewhere of its path."""
  path = page.relative_to(root)
  return path.stem if ".docc" in str(path) else "-".join(path.with_suffix("").parts)


def located(page: pathlib.Path, line: int, text: str) -> str:
  location = f'file: "{page.relative_to(root)}", line: {line}'
  return f"#sourceLocation({location})\n{text}\n#sourceLocation()"


def compile_page(
  page: pathlib.Path, products: pathlib.Path, scratch: pathlib.Path) -> tuple[int, str]:
  """Compiles the blocks and cells of a page. Returns their number, and the errors."""
  errors = ""
  for file, kind in source(page, scratch):
    if kind == "manifest":
      library = pathlib.Path(toolchain()) / "lib/swift/pm/ManifestAPI"
      settings = ["-I", library, "-package-description-version", "6.2.0"]
    else:
      settings = ["-I", products / "Modules", "-swift-version", "5" if kind == "cells" else "6"]
      settings += ["-Xcc", f"-fmodule-map-file={root}/Sources/Engine/CRuntime/include/module.modulemap"]
    command = ["swiftc", "-typecheck", "-module-name", "Page", *settings, file]
    # The code in a table may ignore results.
    if kind != "cells":
      command.insert(1, "-warnings-as-errors")
    if kind in ("library", "cells"):
      command.insert(1, "-parse-as-library")
    result = subprocess.run(
      command, cwd=root, text=True, timeout=300, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if result.returncode != 0 or (kind != "cells" and "warning:" in result.stdout):
      errors += result.stdout
  return len(blocks(page, "swift")) + len(cells(page)), errors


def toolchain() -> str:
  compiler = subprocess.run(
    ["swiftc", "-print-target-info"], text=True, timeout=60, check=True,
    stdout=subprocess.PIPE).stdout
  resources = re.search(r'"runtimeResourcePath": "([^"]+)"', compiler)[1]
  return str(pathlib.Path(resources).parent.parent)


def check_code(chosen: list[pathlib.Path]) -> bool:
  products = pathlib.Path(subprocess.run(
    ["swift", "build", "--show-bin-path"], cwd=root, text=True, timeout=300, check=True,
    stdout=subprocess.PIPE
  ).stdout.strip())
  total, failed = 0, 0
  with tempfile.TemporaryDirectory() as scratch, \
      concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    for page, (count, errors) in zip(chosen, pool.map(
        lambda page: compile_page(page, products, pathlib.Path(scratch)), chosen)):
      total += count
      if errors:
        failed += 1
        print(errors)
        print(f"FAILED: a block of {page.relative_to(root)} does not compile.")
  stems = {name(page) for page in pages()}
  for prelude in sorted((root / "Tests/Programs/Documentation").glob("*.swift")):
    if prelude.stem not in stems:
      failed += 1
      print(f"FAILED: there is no page for {prelude.relative_to(root)}.")
  print(
    f"{total} pieces of code in {len(chosen)} pages compile." if not failed
    else f"{failed} failures")
  return failed == 0 and (total > 0 or len(chosen) < len(pages()))


# Links

def anchors(page: pathlib.Path) -> set[str]:
  """Returns the anchors of the headings as GitHub makes them."""
  text = re.sub(r"^(`{3,}).*?^\1\s*$", "", page.read_text(), flags=re.M | re.S)
  found: set[str] = set()
  for heading in re.findall(r"^#{1,6} +(.+)$", text, re.M):
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").strip().lower()
    anchor = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
    repeated, number = anchor, 0
    while repeated in found:
      number += 1
      repeated = f"{anchor}-{number}"
    found.add(repeated)
  return found


def without_code(text: str) -> str:
  """Returns the text with its code blanked out, so that lines keep their numbers."""
  def blank(match: re.Match) -> str:
    return re.sub(r"[^\n]", " ", match[0])
  text = re.sub(r"^([ \t]*)(`{3,}).*?^[ \t]*\2[ \t]*$", blank, text, flags=re.M | re.S)
  return re.sub(r"(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)", blank, text, flags=re.S)


def check_links(chosen: list[pathlib.Path]) -> bool:
  problems, total = [], 0
  for page in chosen:
    text = without_code(page.read_text())
    found = [
      *re.finditer(r"\]\(\s*<?([^)\s>]+)>?[^)]*\)", text),
      *re.finditer(r"^\[[^\]]+\]:\s+(\S+)", text, re.M)]
    targets = [(match[1], match.start()) for match in found]
    for target, offset in targets:
      total += 1
      problem = broken(page, target)
      if problem:
        line = text.count("\n", 0, offset) + 1
        problems.append(f"{page.relative_to(root)}:{line}: {problem}")
  for problem in problems:
    print(f"FAILED: {problem}")
  print(
    f"{total} links in {len(chosen)} pages lead somewhere." if not problems
    else f"{len(problems)} broken links")
  return not problems


def broken(page: pathlib.Path, target: str) -> str | None:
  """Returns the problem of a link, or None. Of addresses on the web, only the form is checked."""
  if re.match(r"(doc:|mailto:)", target):
    return None  # DocC checks its own.
  if re.match(r"[a-z]+:", target):
    parts = urllib.parse.urlsplit(target)
    good = parts.scheme == "https" and "." in parts.netloc or parts.hostname == "127.0.0.1"
    return None if good else f"'{target}' isn't an https address"
  path, _, anchor = target.partition("#")
  file = (page.parent / urllib.parse.unquote(path)).resolve() if path else page
  if not file.exists():
    return f"'{target}' leads to a file that does not exist"
  if not file.is_relative_to(root):
    return f"'{target}' leads out of the repository"
  if anchor and file.suffix == ".md" and anchor not in anchors(file):
    return f"'{target}' leads to a heading that does not exist"
  return None


# Site

def check_site() -> bool:
  """Converts both catalogs, with warnings as errors."""
  with tempfile.TemporaryDirectory() as scratch:
    folder = pathlib.Path(scratch) / "site"
    result = subprocess.run(
      [root / "Scripts/site", "--output", folder, "--base-path", "/docs"], timeout=1200)
    expected = ["index.html", "log.schema.json", "documentation/reactivekit/index.html",
                "documentation/reactivetrace/index.html", "data/documentation/reactivetrace.json"]
    missing = [name for name in expected if not (folder / name).is_file()]
    if missing:
      print(f"FAILED: the site lacks {', '.join(missing)}.")
    return result.returncode == 0 and not missing


def main() -> int:
  parser = argparse.ArgumentParser(
    description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
  parser.add_argument("--only", choices=["code", "links", "site"])
  parser.add_argument("pages", nargs="*", type=pathlib.Path)
  arguments = parser.parse_args()
  chosen = [page.resolve() for page in arguments.pages] or pages()
  good = True
  if arguments.only in (None, "code"):
    good = check_code(chosen) and good
  if arguments.only in (None, "links"):
    good = check_links(chosen) and good
  if arguments.only in (None, "site"):
    good = check_site() and good
  return 0 if good else 1


if __name__ == "__main__":
  sys.exit(main())
