import Foundation

/// Programs that leak objects, and similar programs that don't. Each run is one case:
///
///     ObjectCorpus NAME           runs a case
///     ObjectCorpus NAME --count   also prints the number of live instances at the end
///     ObjectCorpus NAME --inside  also prints what it finds in its own memory at the end
///     ObjectCorpus NAME --stay    ends with the standard input, after a line "ready"
///     ObjectCorpus --list         prints the expectation of each case, one JSON object in a line
///
/// Tests/Scripts/object-corpus.py runs all cases.
@main
struct ObjectCorpus {
  static func main() {
    let words = CommandLine.arguments.dropFirst()
    if words.first == "--list" {
      printCases()
    } else if let program = ObjectCase.all.first(where: { $0.name == words.first })?.program {
      Life.prepare()
      // A case can end the program itself.
      if words.contains("--count") { atexit { Life.printCounts() } }
      #if INSIDE
        if words.contains("--inside") { atexit { Inside.printLeaks() } }
      #endif
      Stack.run(program)
      Waiting.untilThreadsSleep()
      if words.contains("--stay") {
        print("ready")
        fflush(nil)
        _ = readLine()
      }
    } else {
      fputs("Usage: ObjectCorpus (--list | NAME [--count]). '--list' prints the names.\n", stderr)
      exit(64)
    }
  }

  private static func printCases() {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    for theCase in ObjectCase.all {
      guard let line = try? encoder.encode(theCase) else { fatalError("\(theCase.name)") }
      print(String(decoding: line, as: UTF8.self))
    }
  }
}
