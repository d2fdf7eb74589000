import Foundation
import ReactiveTrace

/// Programs with tasks that can't continue, and similar programs that are right. Each run is one
/// case:
///
///     TaskCorpus NAME     runs a case
///     TaskCorpus --list   prints the name and the rule of each case
///     TaskCorpus lives NAME [COUNT]   runs a program whose tasks all end. See `TaskLives`.
///
/// Tests/Scripts/task-corpus.py runs all cases and compares the reports.
@main
struct TaskCorpus {
  static func main() async {
    let words = CommandLine.arguments.dropFirst()
    if words.first == "--list" {
      for theCase in TaskCase.all { print(theCase.name, theCase.rule ?? "fine") }
    } else if words.first == "lives" {
      let count = words.dropFirst(2).first.flatMap { Int($0) } ?? 1
      guard let name = words.dropFirst().first, await TaskLives.run(name, count: count) else {
        exit(64)
      }
    } else if let name = words.first, let theCase = TaskCase.all.first(where: { $0.name == name }) {
      // Opens the log.
      Trace.mark(name)
      await theCase.program()
      await settle()
    } else {
      FileHandle.standardError.write(
        Data("Usage: TaskCorpus (--list | NAME). '--list' prints the names.\n".utf8))
      exit(64)
    }
  }
}
