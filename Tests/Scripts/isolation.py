#!/usr/bin/env python3
"""Checks the compiler's errors about closures of actors in programs that use the libraries.

    Tests/Scripts/isolation.py

It needs the modules of a debug build (`swift build --build-tests`), and checks two things:

- The libraries are built in language mode 5, with every rule of language mode 6. A client in
  language mode 6 checks at run time that a closure of an actor runs on that actor, but only for
  modules in an older language mode. The tests of `ClientsInSwift6` see these checks at work.
- Programs that must compile do, without a warning, and programs that must not compile don't. A
  line with the comment `// error: WORDS` has that error.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parent.parent.parent
LIBRARIES = ["ReactiveKit", "ReactiveTrace"]
MODE_5 = ["-swift-version", "5"]
COMPLETE = ["-swift-version", "5", "-strict-concurrency=complete"]
MODE_6 = ["-swift-version", "6"]
# The settings of a new app in Xcode 26.
MAIN_ACTOR = [
  "-swift-version", "6", "-default-isolation", "MainActor", "-enable-upcoming-feature",
  "NonisolatedNonsendingByDefault", "-enable-upcoming-feature", "InferIsolatedConformances"]
EVERYWHERE = {"5": MODE_5, "5, complete": COMPLETE, "6": MODE_6, "6, main actor": MAIN_ACTOR}

# Each with the language modes it is for.
PROGRAMS: list[tuple[str, dict[str, list[str]], str]] = [
  ("observing on the main actor", EVERYWHERE, """
    @MainActor final class Screen: DisposeBagProvider {
      nonisolated let bag = DisposeBag()
      var text = ""
      func show(_ texts: SafeSignal<String>, _ loads: Signal<Int, any Error>) {
        texts.observeNextOnMainActor { [weak self] in self?.text = $0 }.dispose(in: bag)
        texts.bindOnMainActor(to: self) { $0.text = $1 }
        texts.bindOnMainActor(to: self, keyPath: \\.text)
        _ = texts.assignOnMainActor(to: \\.text, on: self)
        loads.observeFailedOnMainActor { self.text = "\\($0)" }.dispose(in: bag)
        _ = loads.sinkOnMainActor { _ in } receiveValue: { self.text = "\\($0)" }
      }
    }
    """),
  ("observing on the main actor from elsewhere", EVERYWHERE, """
    @MainActor var latest = 0
    nonisolated func follow(_ numbers: SafeSignal<Int>) -> any Disposable {
      numbers.observeNextOnMainActor { latest = $0 }
    }
    """),
  ("checks of objects of the main actor", EVERYWHERE, """
    @MainActor final class Model { func close() {} }
    @MainActor final class Screen {
      let model = Model()
      func load() async {}
      func close() {}
    }
    @MainActor func check() async throws {
      try await Trace.expectDeallocated { Screen() } after: { screen in
        await screen.load()
        screen.close()
      }
      try await Trace.expectDeallocated { Screen() }
      try await Trace.expectDeallocated { Screen() } after: { $0.close() }
      try await Trace.expectDeallocated {
        let screen = Screen()
        return (screen, screen.model)
      } after: { screen, model in
        await screen.load()
        model.close()
      }
      let screen = Screen()
      print(Trace.explain(screen))
      try await Trace.DeallocationCheck(screen, screen.model).verify()
    }
    @MainActor func checkNow() throws {
      try Trace.expectDeallocated {
        let screen = Screen()
        screen.close()
        return screen
      }
    }
    """),
  ("checks of objects that can't cross to another actor", EVERYWHERE, """
    nonisolated final class Model { func close() {} }
    actor Store {
      func save() {}
      func check() async throws {
        try await Trace.expectDeallocated { Model() } after: { model in
          model.close()
          self.save()
        }
      }
    }
    nonisolated func check(_ store: Store) async throws {
      let other = Model()
      try await Trace.expectDeallocated { Model() } after: { model in
        model.close()
        other.close()
        await store.save()
      }
      try await Trace.expectDeallocated { Store() } after: { await $0.save() }
    }
    """),
  ("older code of the main actor", EVERYWHERE, """
    @MainActor final class Screen {
      let bag = DisposeBag()
      var text = ""
      func show(_ texts: SafeSignal<String>) {
        texts.receive(on: ExecutionContext.immediateOnMain)
          .map { [unowned self] in text + $0 }
          .observeNext { [weak self] in self?.text = $0 }
          .dispose(in: bag)
        texts.observeNext(with: set).dispose(in: bag)
      }
      func set(_ text: String) { self.text = text }
    }
    """),
  ("elements that can't cross to the main actor", {"6": MODE_6}, """
    final class Node { var next: Node? }
    func follow(_ nodes: SafeSignal<Node>) -> any Disposable {
      nodes.observeNextOnMainActor { _ in }  // error: does not conform to the 'Sendable' protocol
    }
    """),
  ("a closure of the main actor in other code", {"6": MODE_6}, """
    @MainActor var latest = 0
    func follow(_ numbers: SafeSignal<Int>) -> any Disposable {
      numbers.observeNext { @MainActor in latest = $0 }  // error: loses global actor 'MainActor'
    }
    """),
  ("a closure that uses the state of the main actor in other code", {"6": MODE_6}, """
    @MainActor var latest = 0
    func follow(_ numbers: SafeSignal<Int>) -> any Disposable {
      numbers.observeNext { latest = $0 }  // error: can not be mutated from a nonisolated context
    }
    """),
  ("a method of the main actor as an observer in other code", {"6": MODE_6}, """
    @MainActor final class Screen { func show(_ text: String) {} }
    func follow(_ texts: SafeSignal<String>, _ screen: Screen) -> any Disposable {
      texts.observeNext(with: screen.show)  // error: loses global actor 'MainActor'
    }
    """),
  ("an actor that is held weakly", {"6": MODE_6}, """
    actor Journal {
      var lines: [String] = []
      func follow(_ texts: SafeSignal<String>) {
        _ = texts.observeNext { [weak self] in
          self?.lines.append($0)  // error: can not be mutated from a nonisolated context
        }
      }
    }
    """),
  ("an observer object of the main actor", {"6": MODE_6}, """
    @MainActor final class Log: ObserverProtocol {  // error: conformance of 'Log' to protocol
      func on(_ event: Signal<Int, Never>.Event) {}
    }
    """),
  ("a subclass of the main actor", {"6": MODE_6}, """
    @MainActor final class History: Subject<Int, Never> {
      var count = 0
      override func receive(event: Signal<Int, Never>.Event) {
        count += 1  // error: can not be mutated from a nonisolated context
      }
    }
    """),
]


def output(*command: str) -> str:
  return subprocess.run(
    command, cwd=root, text=True, timeout=300, check=True, stdout=subprocess.PIPE).stdout


def check_settings() -> list[str]:
  """Returns the problems in the settings of the libraries."""
  problems = []
  features = json.loads(output("swiftc", "-print-supported-features"))["features"]["upcoming"]
  wanted = {feature["name"] for feature in features if str(feature.get("enabled_in")) == "6"}
  if not wanted:
    problems.append("the compiler lists no features of language mode 6")
  for target in json.loads(output("swift", "package", "dump-package"))["targets"]:
    if target["name"] not in LIBRARIES:
      continue
    kinds = [setting["kind"] for setting in target["settings"]]
    found = {
      kind["enableUpcomingFeature"]["_0"] for kind in kinds if "enableUpcomingFeature" in kind}
    modes = [kind["swiftLanguageMode"]["_0"] for kind in kinds if "swiftLanguageMode" in kind]
    if modes != ["5"]:
      problems.append(f"{target['name']} isn't built in language mode 5: clients check no closures")
    if wanted - found:
      missing = ", ".join(sorted(wanted - found))
      problems.append(f"{target['name']} lacks rules of language mode 6: {missing}")
    if not any("treatAllWarnings" in kind for kind in kinds):
      problems.append(f"{target['name']} is built with warnings")
  return problems


def check_program(case: tuple[str, str, list[str], str, pathlib.Path, pathlib.Path]) -> list[str]:
  name, mode, flags, text, products, scratch = case
  file = scratch / f"{name}-{mode}.swift".replace(" ", "-").replace(",", "")
  lines = ["import ReactiveKit", "import ReactiveTrace"] + text.strip("\n").split("\n")
  file.write_text("\n".join(lines) + "\n")
  # Only the passes after type checking know which values are sent to other threads.
  result = subprocess.run(
    ["swiftc", "-emit-sil", "-o", os.devnull, "-parse-as-library", "-module-name", "Client",
     "-I", products / "Modules",
     "-Xcc", f"-fmodule-map-file={root}/Sources/Engine/CRuntime/include/module.modulemap",
     *flags, file],
    cwd=root, text=True, timeout=300, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
  expected = {number: match[1] for number, line in enumerate(lines, 1)
              if (match := re.search(r"// error: (.+)$", line))}
  found = re.findall(
    rf"^{re.escape(str(file))}:(\d+):\d+: (error|warning): (.*)$", result.stdout, re.M)
  problems = []
  for number, words in expected.items():
    if not any(
        int(line) == number and kind == "error" and words in message
        for line, kind, message in found):
      problems.append(f"{name}, language mode {mode}: no error '{words}'\n{result.stdout}")
  if not expected and (result.returncode != 0 or found):
    problems.append(
      f"{name}, language mode {mode}: doesn't compile without a warning\n{result.stdout}")
  return problems


def main() -> int:
  products = pathlib.Path(output("swift", "build", "--show-bin-path").strip())
  problems = check_settings()
  with tempfile.TemporaryDirectory() as folder, \
      concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    cases = [(name, mode, flags, text, products, pathlib.Path(folder))
             for name, modes, text in PROGRAMS for mode, flags in modes.items()]
    for found in pool.map(check_program, cases):
      problems += found
  for problem in problems:
    print(f"FAILED: {problem}")
  if not problems:
    print(f"{len(cases)} programs compile, or don't, as they should.")
  return 1 if problems else 0


if __name__ == "__main__":
  sys.exit(main())
