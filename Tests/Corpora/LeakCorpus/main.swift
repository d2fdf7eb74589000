// Programs with planted leaks, and similar programs that do not leak. Each run is one case:
//
//     LeakCorpus NAME     runs a case, and prints whether its object is still alive
//     LeakCorpus --list   prints the expected report about each case, one JSON object per line
//
// Tests/Scripts/corpus.py runs all cases and compares the reports.

import Foundation

/// Runs a program. All its variables are released when this function returns.
@inline(never)
@MainActor
func perform(_ program: LeakCase.Program, _ witness: Witness) {
  switch program {
  case .now(let body):
    witness.watch(body())
  case .later(let body):
    var isOver = false
    Task { @MainActor in
      witness.watch(await body())
      isOver = true
    }
    while !isOver { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
  }
}

let words = CommandLine.arguments.dropFirst()
if words.first == "--list" {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  for theCase in LeakCase.all {
    print(String(decoding: try encoder.encode(theCase.expectation), as: UTF8.self))
  }
} else if let name = words.first, let theCase = LeakCase.all.first(where: { $0.name == name }) {
  let witness = Witness()
  perform(theCase.program, witness)
  print(witness.statement)
} else {
  FileHandle.standardError.write(
    Data("Usage: LeakCorpus (--list | NAME). '--list' prints the names.\n".utf8))
  exit(64)
}
